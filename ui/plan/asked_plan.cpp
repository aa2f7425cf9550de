// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/asked_plan.hpp"

#include "ui/base/text.hpp"
#include "ui/document/scenario_store.hpp"
#include "ui/settings/settings.hpp"

#include <QCoreApplication>

namespace headroom::ui
{

AskedPlan::AskedPlan(ScenarioStore& store, Settings& settings)
    : m_store(store), m_settings(settings),
      m_inputs(PlanInputs::fromMap(settings.value(SettingKey::PlanInputs).toMap())), m_usual(m_inputs)
{
}

bool AskedPlan::ask(const PlanInputs& inputs)
{
    if (inputs == m_inputs)
        return false;
    m_settings.setValue(SettingKey::PlanInputs, inputs.toMap());
    if (m_store.isAside()) {
        m_inputs = inputs;
        return true;
    }
    m_store.edit(0, QCoreApplication::translate("headroom::ui::AskedPlan", "Question of the plan"),
                 [&inputs](Scenario& scenario) { scenario.plan = inputs.toQuestion(); });
    return false;
}

bool AskedPlan::adopt()
{
    const auto& asked = m_store.scenario().plan;
    if (!asked && m_store.undoStack().count() == 0)
        m_usual = m_inputs; // another document that has asked nothing goes on from the last question
    if (m_store.isAside())
        return false;
    const PlanInputs next = asked ? PlanInputs::fromQuestion(*asked) : m_usual;
    if (next == m_inputs)
        return false;
    m_inputs = next;
    return true;
}

PlanInputs AskedPlan::withAccelerator() const
{
    const Scenario& now = m_store.scenario();
    PlanInputs next = m_inputs;
    if (now.accelerator.id.empty() || !now.accelerator.object.empty())
        return next; // the catalogue has no such device
    const QString id = toQString(now.accelerator.id);
    if (!next.accelerators.contains(id))
        next.accelerators << id;
    if (now.hardware.pricePerGpuHour)
        next.prices.insert(id, *now.hardware.pricePerGpuHour);
    else
        next.prices.remove(id);
    return next;
}

bool AskedPlan::isListed(const Accelerator& accelerator) const
{
    return knownPrice(accelerator, m_store.scenario().hardware.priceKind.value_or(PriceKind::OnDemand)).has_value();
}

QStringList AskedPlan::unlisted(const Catalog& catalog) const
{
    QStringList ids;
    for (const QString& id : m_inputs.accelerators) {
        const auto entry = catalog.accelerator(toUtf8(id));
        if (entry && id != toQString(m_store.scenario().accelerator.id) &&
            (!isListed(*entry) || m_inputs.prices.contains(id)))
            ids << id;
    }
    return ids;
}

} // namespace headroom::ui
