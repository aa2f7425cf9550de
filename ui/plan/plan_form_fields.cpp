// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of the plan's question: those of each task, and a price for each accelerator that no list has one of.
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_text.hpp"
#include "ui/plan/plan_form.hpp"

#include <QCheckBox>
#include <QGridLayout>
#include <algorithm>

namespace headroom::ui
{

void PlanForm::addField(const QString& id, PlanField* field)
{
    field->setObjectName(QStringLiteral("plan.") + id);
    m_fields.insert(id, field);
    m_order.push_back(field);
    connect(field, &PlanField::refusalChanged, this, &PlanForm::changed);
}

void PlanForm::addParameter(const char* id)
{
    const ParameterRow& row = *parameterRow(id);
    auto* field = new PlanField({.label = toQString(say(row.label)),
                                 .tip = toQString(say(row.description)),
                                 .unit = toQString(say(row.unit)),
                                 .format = row.format,
                                 .minimum = row.minimum,
                                 .maximum = row.maximum,
                                 .optional = row.optional,
                                 .whole = row.kind == ParameterKind::Integer,
                                 .binaryK = row.unit == "tokens"});
    field->setProperty("fromCore", true); // its words are the field's, alike in every language
    addField(QLatin1String(id), field);
    connect(field, &PlanField::chosen, this, [this, row = &row](const std::optional<double>& value) {
        value ? m_store.setParameter(0, *row, *value) : m_store.resetParameter(*row);
    });
    m_refreshers.push_back([this, field, &row] {
        const Scenario& s = m_store.scenario();
        const bool asked = !row.optional || row.isSet(s);
        if (row.id == "price_per_gpu_hour")
            field->setEmptyText(listPrice());
        field->show(asked ? std::optional(row.get(s)) : std::nullopt);
        const bool replaced = row.id == "requests_per_s" && question().users;
        field->setEnabled(!m_store.isLocked(row.id) && !replaced);
    });
}

QString PlanForm::listPrice() const
{
    const Scenario& scenario = m_store.scenario();
    const auto entry = m_recalculator.catalog().accelerator(scenario.accelerator.id);
    const auto price =
        entry ? knownPrice(*entry, scenario.hardware.priceKind.value_or(PriceKind::OnDemand)) : std::nullopt;
    return price ? listedPriceText(*price) : tr("not known");
}

void PlanForm::addPrice(const QString& acceleratorId)
{
    const QString name = toQString(m_recalculator.catalog().accelerator(toUtf8(acceleratorId))->name);
    auto* field = new PlanField({.label = tr("Price of %1").arg(name),
                                 .tip = tr("Of one %1 for an hour, in the currency of the prices").arg(name),
                                 .format = ValueFormat::Money,
                                 .minimum = 1e-6});
    field->setEmptyText(tr("not known"));
    field->setProperty("fromCore", true); // the device's name
    addField(QStringLiteral("price.") + acceleratorId, field);
    connect(field, &PlanField::chosen, this, [this, acceleratorId](const std::optional<double>& value) {
        change([&](PlanQuestion& next) {
            for (PlanDevice& device : next.accelerators)
                if (device.id == toUtf8(acceleratorId))
                    device.pricePerGpuHour = value;
        });
    });
    m_refreshers.push_back([this, field, acceleratorId] {
        const auto& devices = question().accelerators;
        const auto device = std::ranges::find(devices, toUtf8(acceleratorId), &PlanDevice::id);
        field->show(device != devices.end() ? device->pricePerGpuHour : std::nullopt);
    });
}

void PlanForm::addAsked(const char* key)
{
    const PlanRow& row = planRow(key);
    auto* field = new PlanField({.label = toQString(say(row.label)),
                                 .tip = toQString(say(row.tip)),
                                 .unit = toQString(say(row.unit)),
                                 .format = row.format,
                                 .minimum = row.minimum,
                                 .maximum = row.maximum,
                                 .optional = std::holds_alternative<PlanRow::Limit>(row.member),
                                 .whole = row.whole});
    field->setProperty("fromCore", true);
    addField(QLatin1String(key), field);
    connect(field, &PlanField::chosen, this, [this, row = &row](const std::optional<double>& value) {
        change([row, &value](PlanQuestion& next) { setNumber(*row, next, value); });
    });
    m_refreshers.push_back([this, field, &row] { field->show(numberOf(row, question())); });
}

void PlanForm::build(Task task)
{
    for (PlanField* field : m_order) {
        m_grid->removeWidget(field);
        field->setObjectName({});
        field->hide();
        field->deleteLater(); // what was typed into it may be what asks for other fields
    }
    m_order.clear();
    m_fields.clear();
    m_refreshers.clear();
    m_task = task;
    if (task == Task::Inference) {
        for (const char* id : {"ttft_target_s", "tpot_target_s", "requests_per_s"}) // what nobody can do without
            addParameter(id);
        addAsked("users");
        addAsked("think_s");
        for (const char* id : {"prompt_tokens", "prompt_tokens_p95", "output_tokens", "output_tokens_p95"})
            addParameter(id);
    } else {
        for (const char* id : {"training_tokens", "global_batch", "sequence_length"})
            addParameter(id);
        addAsked("deadline_days");
        addAsked("budget");
    }
    for (const char* key : {"fewest_gpus", "most_gpus", "cost_per_hour"})
        addAsked(key);
    addParameter("price_per_gpu_hour");
    m_unpriced = m_asked.unlisted(m_recalculator.catalog());
    for (const QString& id : std::as_const(m_unpriced))
        addPrice(id);
    m_offload->setVisible(task == Task::Training);
    m_columns = 0;
    arrange();
}

} // namespace headroom::ui
