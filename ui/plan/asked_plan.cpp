// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/asked_plan.hpp"

#include "ui/base/text.hpp"
#include "ui/document/scenario_store.hpp"
#include "ui/settings/settings.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace headroom::ui
{
namespace
{

constexpr const char *accelerators = "accelerators", *prices = "prices";

std::optional<double> finite(const QVariant& value)
{
    bool read = false;
    const double number = value.toDouble(&read);
    return read && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> positive(const QVariant& value)
{
    const auto number = finite(value);
    return number && *number > 0 ? number : std::nullopt;
}

/// Reads the field of one row; what makes no sense is passed over.
void readField(const PlanRow& row, const QVariant& value, PlanQuestion& question)
{
    if (const auto* choice = std::get_if<PlanRow::Choice>(&row.member)) {
        question.** choice = value.toBool();
    } else if (const auto* goal = std::get_if<PlanRow::Goal>(&row.member)) {
        if (const int chosen = value.toInt(); chosen >= 0 && chosen <= static_cast<int>(PlanGoal::Mfu))
            question.** goal = static_cast<PlanGoal>(chosen);
    } else if (std::holds_alternative<PlanRow::Limit>(row.member)) {
        setNumber(row, question, positive(value));
    } else if (const auto number = finite(value); number && *number >= row.minimum && *number <= row.maximum) {
        setNumber(row, question, number);
    }
}

} // namespace

QVariantMap toSettings(const PlanQuestion& question)
{
    QVariantMap map;
    for (const PlanRow& row : planRows()) {
        const QString key = QLatin1String(row.key);
        if (const auto* choice = std::get_if<PlanRow::Choice>(&row.member))
            map.insert(key, question.**choice);
        else if (const auto* goal = std::get_if<PlanRow::Goal>(&row.member))
            map.insert(key, static_cast<int>(question.**goal));
        else if (const auto number = numberOf(row, question))
            map.insert(key, *number);
    }
    QStringList ids;
    QVariantMap priceOf;
    for (const PlanDevice& device : question.accelerators) {
        ids << toQString(device.id);
        if (device.pricePerGpuHour)
            priceOf.insert(ids.last(), *device.pricePerGpuHour);
    }
    map.insert(QLatin1String(accelerators), ids);
    map.insert(QLatin1String(prices), priceOf);
    return map;
}

PlanQuestion questionFromSettings(const QVariantMap& map)
{
    PlanQuestion question;
    for (const PlanRow& row : planRows()) {
        const QString key = QLatin1String(row.key);
        // Settings of before call the numbers of GPUs "fewest" and "most".
        const QVariant value = map.value(key, map.value(QString(key).remove(QLatin1String("_gpus"))));
        if (value.isValid())
            readField(row, value, question);
    }
    const QVariantMap priceOf = map.value(QLatin1String(prices)).toMap();
    for (const QString& id : map.value(QLatin1String(accelerators)).toStringList())
        question.accelerators.push_back({toUtf8(id), positive(priceOf.value(id))});
    return question;
}

AskedPlan::AskedPlan(ScenarioStore& store, Settings& settings)
    : m_store(store), m_settings(settings),
      m_question(questionFromSettings(settings.value(SettingKey::PlanInputs).toMap())), m_usual(m_question)
{
}

bool AskedPlan::ask(const PlanQuestion& question)
{
    if (question == m_question)
        return false;
    m_settings.setValue(SettingKey::PlanInputs, toSettings(question));
    if (m_store.isAside()) {
        m_question = question;
        return true;
    }
    m_store.edit(0, QCoreApplication::translate("headroom::ui::AskedPlan", "Question of the plan"),
                 [&question](Scenario& scenario) { scenario.plan = question; });
    return false;
}

bool AskedPlan::adopt()
{
    const auto& asked = m_store.scenario().plan;
    if (!asked && m_store.undoStack().count() == 0)
        m_usual = m_question; // another document that has asked nothing goes on from the last question
    if (m_store.isAside())
        return false;
    const PlanQuestion next = asked ? *asked : m_usual;
    if (next == m_question)
        return false;
    m_question = next;
    return true;
}

PlanQuestion AskedPlan::withAccelerator() const
{
    const Scenario& now = m_store.scenario();
    PlanQuestion next = m_question;
    if (now.accelerator.id.empty() || !now.accelerator.object.empty())
        return next; // the catalogue has no such device
    const auto there = std::ranges::find(next.accelerators, now.accelerator.id, &PlanDevice::id);
    if (there == next.accelerators.end())
        next.accelerators.push_back({now.accelerator.id, now.hardware.pricePerGpuHour});
    else
        there->pricePerGpuHour = now.hardware.pricePerGpuHour;
    return next;
}

bool AskedPlan::isListed(const Accelerator& accelerator) const
{
    return knownPrice(accelerator, m_store.scenario().hardware.priceKind.value_or(PriceKind::OnDemand)).has_value();
}

QStringList AskedPlan::unlisted(const Catalog& catalog) const
{
    QStringList ids;
    for (const PlanDevice& device : m_question.accelerators) {
        const auto entry = catalog.accelerator(device.id);
        if (entry && device.id != m_store.scenario().accelerator.id && (!isListed(*entry) || device.pricePerGpuHour))
            ids << toQString(device.id);
    }
    return ids;
}

} // namespace headroom::ui
