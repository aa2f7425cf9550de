// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scenario_messages.hpp"

#include "core/comparison/other_measurement.hpp"
#include "core/explain/tile_text.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/impossible.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/panels/message_bar.hpp"

#include <algorithm>

namespace headroom::ui
{

ScenarioMessages::ScenarioMessages(MessageBar& bar, ScenarioStore& store, Recalculator& recalculator, QObject* parent)
    : QObject(parent), m_bar(bar), m_store(store), m_recalculator(recalculator)
{
    constexpr int restMs = 120; // longer than between two steps of a drag, too short to wait for
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &ScenarioMessages::show);
    connect(&m_recalculator, &Recalculator::evaluated, &m_rest, qOverload<>(&QTimer::start));
}

void ScenarioMessages::setWanted(bool wanted)
{
    m_wanted = wanted;
    show();
}

void ScenarioMessages::show()
{
    const ChartContext* context = m_recalculator.context();
    const bool refused = m_recalculator.isRefused();
    if (!m_wanted || (!context && !refused))
        m_bar.clear();
    else if (m_store.isHeld()) // it would come and go under the hand
        m_rest.start();
    else if (refused)
        showRefusal(m_recalculator.refusal().front());
    else
        showResult(*context);
}

std::vector<Remedy> ScenarioMessages::buttons(const std::vector<Advice>& found)
{
    std::vector<Remedy> remedies;
    for (const Advice& advice : found)
        remedies.push_back({toQString(advice.change), [this, advice] { m_store.follow(advice); }});
    return remedies;
}

void ScenarioMessages::showRefusal(const Diagnostic& first)
{
    m_bar.show(MessageKind::Error,
               tr("Cannot be evaluated: %1").arg(toQString(withLabels(first.message))) +
                   (first.hint.empty() ? QString() : QString(QStringLiteral("; ") + toQString(withLabels(first.hint)))),
               tr("Cannot be evaluated"),
               buttons(legalFixes(m_store.scenario(), m_recalculator.catalog(), m_store.locks())));
}

std::vector<Remedy> ScenarioMessages::remediesFor(const ChartContext& context)
{
    if (context.evaluation.warnings.has(WarningCode::LoadBeyondCapacity) && stepFits(context.evaluation))
        for (const char* id : {"batch", "count"}) // more GPUs only where these cannot carry it
            if (const auto more = withoutWarning(context.scenario, WarningCode::LoadBeyondCapacity, *parameterRow(id),
                                                 m_store.locks()))
                return buttons({*more});
    return buttons(remedies(context.scenario, context.evaluation, 3, m_store.locks()));
}

void ScenarioMessages::showResult(const ChartContext& context)
{
    const bool fits = stepFits(context.evaluation);
    QStringList sentences;
    QString withoutParts;
    const std::vector<ResultNote>& notes = m_recalculator.notes();
    if (!usedBytesFit(context.evaluation)) {
        const bool saidBelow = std::ranges::any_of(notes, &saysWhatDoesNotFit, &ResultNote::code);
        const QString need = toQString(memoryNeedText(context.evaluation));
        const QString times = toQString(capitalized(timesWhereItDoesNotFit(context.scenario.task)));
        sentences << (saidBelow ? tr("Does not fit: %1.").arg(need) : tr("Does not fit: %1. %2.").arg(need, times));
        withoutParts = tr("Does not fit: needs %1 per GPU, has %2.")
                           .arg(toQString(formatText(context.evaluation.usedBytes, ValueFormat::Bytes)),
                                toQString(formatText(context.evaluation.capacityBytes, ValueFormat::Bytes)));
    }
    for (const ResultNote& note : notes)
        if (note.grave)
            sentences << toQString(note.text);
    // A lesson asks on purpose what a measured time would mean under other settings.
    const bool judged = !m_store.isAside();
    const auto other =
        judged ? otherMeasurement(m_store.scenario(), m_recalculator.catalog(), Calibration::builtIn()) : std::nullopt;
    const std::string impossible =
        judged && !other ? impossibleText(context.scenario, context.evaluation) : std::string();
    std::vector<Remedy> remedies = remediesFor(context);
    if (other) {
        sentences << toQString(other->sentence());
        // Whose run it is knows what it was run with; what somebody published stays as it is.
        if (m_store.scenario().source.empty())
            remedies.insert(remedies.begin(), {tr("I ran these settings"), [this] { m_store.measureHere(); }});
        remedies.push_back({tr("Back to those settings"), [this] { m_store.returnToMeasurement(); }});
    } else if (!impossible.empty()) {
        sentences << toQString(impossible);
    }
    if (other || !impossible.empty())
        remedies.push_back({tr("Leave the measurement out"), [this] { m_store.dropMeasurement(); }});
    if (sentences.isEmpty())
        return m_bar.clear();
    m_bar.show(fits ? MessageKind::Warning : MessageKind::Error, sentences.join(QChar(u' ')),
               !fits                ? tr("Does not fit")
               : impossible.empty() ? tr("Read the notes")
                                    : tr("Measured: impossible"),
               std::move(remedies), sentences.size() == 1 ? withoutParts : QString());
}

} // namespace headroom::ui
