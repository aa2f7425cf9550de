// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of the plan's question: those of each task, and a price for each accelerator that no list has one of.
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
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
        const bool replaced = row.id == "requests_per_s" && inputs().users;
        field->setEnabled(!m_store.isLocked(row.id) && !replaced);
    });
}

QString PlanForm::listPrice() const
{
    const Scenario& scenario = m_store.scenario();
    const auto entry = m_recalculator.catalog().accelerator(scenario.accelerator.id);
    const auto price =
        entry ? knownPrice(*entry, scenario.hardware.priceKind.value_or(PriceKind::OnDemand)) : std::nullopt;
    return price ? tr("%1 (list)").arg(toQString(formatText(price->perHour, ValueFormat::Money))) : tr("not known");
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
        change([&](PlanInputs& next) {
            value ? static_cast<void>(next.prices.insert(acceleratorId, *value))
                  : static_cast<void>(next.prices.remove(acceleratorId));
        });
    });
    m_refreshers.push_back([this, field, acceleratorId] {
        const QVariant price = inputs().prices.value(acceleratorId);
        field->show(price.isValid() ? std::optional(price.toDouble()) : std::nullopt);
    });
}

void PlanForm::addInput(const QString& id, const PlanFieldRow& row, std::optional<double> PlanInputs::*member)
{
    auto* field = new PlanField(row);
    addField(id, field);
    connect(field, &PlanField::chosen, this, [this, member](const std::optional<double>& value) {
        change([member, &value](PlanInputs& next) { next.*member = value; });
    });
    m_refreshers.push_back([this, field, member] { field->show(inputs().*member); });
}

void PlanForm::addCount(const QString& id, const PlanFieldRow& row, double PlanInputs::*member)
{
    auto* field = new PlanField(row);
    addField(id, field);
    connect(field, &PlanField::chosen, this, [this, member](const std::optional<double>& value) {
        change([member, &value](PlanInputs& next) { next.*member = value.value_or(next.*member); });
    });
    m_refreshers.push_back([this, field, member] { field->show(inputs().*member); });
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
        addInput(QStringLiteral("users"),
                 {.label = tr("or users"),
                  .tip = tr("People who each send a request, read the answer and think before the next: users ÷ "
                            "(service time + thinking) requests a second. Takes the place of the requests."),
                  .unit = tr("users"),
                  .format = ValueFormat::Integer,
                  .minimum = 1,
                  .maximum = 1e12,
                  .whole = true},
                 &PlanInputs::users);
        addCount(
            QStringLiteral("think_s"),
            {.label = tr("Thinking"),
             .tip = tr("Seconds between an answer and the user's next request; 0: every user always waits for one"),
             .unit = tr("seconds"),
             .format = ValueFormat::Seconds,
             .maximum = 1e6,
             .optional = false},
            &PlanInputs::thinkS);
        for (const char* id : {"prompt_tokens", "prompt_tokens_p95", "output_tokens", "output_tokens_p95"})
            addParameter(id);
    } else {
        for (const char* id : {"training_tokens", "global_batch", "sequence_length"})
            addParameter(id);
        addInput(QStringLiteral("deadline_days"),
                 {.label = tr("Deadline"),
                  .tip = tr("Days for all training tokens, at most"),
                  .unit = tr("days"),
                  .minimum = 1e-6,
                  .maximum = 1e6},
                 &PlanInputs::deadlineDays);
        addInput(QStringLiteral("budget"),
                 {.label = tr("Budget"),
                  .tip = tr("Price of the whole training run, at most, in the currency of the prices"),
                  .format = ValueFormat::Money,
                  .minimum = 1e-6},
                 &PlanInputs::budget);
    }
    const PlanFieldRow count{.label = {},
                             .tip = {},
                             .unit = {},
                             .format = ValueFormat::Integer,
                             .minimum = 1,
                             .maximum = 1e6,
                             .optional = false,
                             .whole = true};
    PlanFieldRow fewest = count, largest = count;
    fewest.label = tr("Fewest GPUs"), fewest.tip = tr("The smallest number of GPUs to consider; it doubles from there");
    largest.label = tr("Most GPUs"), largest.tip = tr("The most GPUs to consider");
    addCount(QStringLiteral("fewest_gpus"), fewest, &PlanInputs::fewestGpus);
    addCount(QStringLiteral("most_gpus"), largest, &PlanInputs::mostGpus);
    addInput(QStringLiteral("cost_per_hour"),
             {.label = tr("Cost an hour, at most"),
              .tip = tr("Of the whole job, at most, in the currency of the prices"),
              .format = ValueFormat::Money,
              .minimum = 1e-6},
             &PlanInputs::costPerHour);
    addParameter("price_per_gpu_hour");
    m_unpriced = m_asked.unlisted(m_recalculator.catalog());
    for (const QString& id : std::as_const(m_unpriced))
        addPrice(id);
    m_offload->setVisible(task == Task::Training);
    m_columns = 0;
    arrange();
}

} // namespace headroom::ui
