// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recalculator.hpp"

#include "core/comparison/other_measurement.hpp"
#include "ui/base/text.hpp"

#include <QTimer>

#include <utility>

namespace headroom::ui
{

Recalculator::Recalculator(ScenarioStore& store, Catalog catalog, std::shared_ptr<const Calibration> calibration,
                           QObject* parent)
    : QObject(parent), m_store(store), m_catalog(std::move(catalog)), m_calibration(std::move(calibration))
{
    connect(&store, &ScenarioStore::scenarioChanged, this, &Recalculator::schedule);
    connect(&store, &ScenarioStore::pinsChanged, this, [this] {
        preparePins();
        schedule();
    });
    schedule();
}

void Recalculator::setCatalog(Catalog catalog)
{
    m_catalog = std::move(catalog);
    preparePins();
    schedule();
    emit catalogChanged();
}

void Recalculator::setSweepParameter(const QString& parameterId)
{
    if (m_sweepParameter == parameterId)
        return;
    m_sweepParameter = parameterId;
    schedule();
}

void Recalculator::setHeatMap(const HeatMapChoice& choice)
{
    if (m_heatMap == choice)
        return;
    m_heatMap = choice;
    schedule();
}

const ChartContext* Recalculator::sweptContext()
{
    if (m_context && !m_context->curves) {
        shareCurves(*m_context, m_curves.get());
        m_curves = m_context->curves;
    }
    return context();
}

void Recalculator::setRuns(std::shared_ptr<const RunShelf> runs)
{
    m_runs = std::move(runs);
    schedule();
}

const Diagnostics& Recalculator::pinRefusal(char letter) const
{
    static const Diagnostics none;
    const auto found = m_pinRefusals.find(letter);
    return found == m_pinRefusals.end() ? none : found->second;
}

void Recalculator::schedule()
{
    m_run.schedule();
}

void Recalculator::flush()
{
    m_run.flush();
}

void Recalculator::run()
{
    m_clock.start();
    if (auto prepared = prepare(m_store.scenario(), m_catalog, m_calibration)) {
        m_refusal.clear();
        ChartContext context;
        context.evaluation = evaluate(*prepared);
        context.scenario = std::move(*prepared);
        context.pins = m_pins;
        context.runs = m_runs;
        // An axis of the other task means nothing here.
        const ParameterRow* axis = parameterRow(toUtf8(m_sweepParameter));
        if (axis && appliesTo(*axis, context.scenario.task))
            context.sweepParameter = axis->id;
        context.heatMap = m_heatMap;
        m_notes = resultNotes(context.scenario, context.evaluation);
        m_context = std::move(context);
        if (std::exchange(m_pinsAreNew, false))
            m_curves.reset();
    } else {
        m_refusal = prepared.error();
    }
    emit evaluated();
    // Queued replots and paints come before the next idle turn: what has passed by then is what the hand waited for.
    QTimer::singleShot(0, this, [this] {
        QTimer::singleShot(0, this, [this] { emit updateFinished(static_cast<double>(m_clock.nsecsElapsed()) / 1e6); });
    });
}

void Recalculator::preparePins()
{
    m_pins.clear();
    m_pinsAreNew = true;
    m_pinRefusals.clear();
    for (const Pin& pin : m_store.pins()) {
        auto prepared = prepare(pin.scenario, m_catalog, m_calibration);
        if (!prepared) {
            m_pinRefusals.emplace(pin.letter, prepared.error());
            continue;
        }
        const Evaluation evaluation = evaluate(*prepared);
        const auto other = otherMeasurement(pin.scenario, m_catalog, m_calibration);
        m_pins.push_back(
            {pin.letter, pin.name, std::move(*prepared), evaluation, other ? other->sentence() : std::string()});
    }
}

} // namespace headroom::ui
