// SPDX-License-Identifier: GPL-3.0-or-later
// Recalculator: turns edits into results, once per turn of the event loop however many edits there were.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/explain/result_notes.hpp"
#include "ui/base/before_paint.hpp"
#include "ui/document/scenario_store.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <map>
#include <optional>

namespace headroom::ui
{

class Recalculator final : public QObject
{
    Q_OBJECT

public:
    Recalculator(ScenarioStore& store, Catalog catalog, std::shared_ptr<const Calibration> calibration,
                 QObject* parent = nullptr);

    /// The last good result; null only before the first. While isRefused() it is older than the scenario.
    [[nodiscard]] const ChartContext* context() const { return m_context ? &*m_context : nullptr; }
    /// What context() assumes or leaves out, composed once for all who show it.
    [[nodiscard]] const std::vector<ResultNote>& notes() const { return m_notes; }
    /// Why the scenario on the screen cannot be evaluated; empty when it can.
    [[nodiscard]] const Diagnostics& refusal() const { return m_refusal; }
    [[nodiscard]] bool isRefused() const { return !m_refusal.empty(); }
    /// The pins that can be evaluated, by letter; those of the store.
    [[nodiscard]] const std::vector<PinnedScenario>& pins() const { return m_pins; }
    /// Why a pin cannot be evaluated, as when its model has left the catalogue; empty when it can.
    [[nodiscard]] const Diagnostics& pinRefusal(char letter) const;
    /// What it evaluates.
    [[nodiscard]] const ScenarioStore& store() const { return m_store; }
    /// The same object for the life of the recalculator; its content changes with setCatalog().
    [[nodiscard]] const Catalog& catalog() const { return m_catalog; }
    /// Evaluates the scenario and the pins again with what the new catalogue says of their models and accelerators.
    void setCatalog(Catalog catalog);

    /// The x axis of the sweep charts; empty = the task's own.
    void setSweepParameter(const QString& parameterId);
    [[nodiscard]] const QString& sweepParameter() const { return m_sweepParameter; }
    /// What the heat map is drawn of.
    void setHeatMap(const HeatMapChoice& choice);
    [[nodiscard]] const HeatMapChoice& heatMap() const { return m_heatMap; }

    /// context() with its shared sweep; evaluated when first asked for, so that no sweep runs while no chart shows one.
    [[nodiscard]] const ChartContext* sweptContext();

    /// Measured runs to lay beside every result.
    void setRuns(std::shared_ptr<const RunShelf> runs);

    /// Evaluates now if something is pending.
    void flush();

signals:
    /// context() or refusal() is new.
    void evaluated();
    /// catalog() is new; evaluated() follows.
    void catalogChanged();
    /// Milliseconds from the first pending edit's turn to the last repaint it caused.
    void updateFinished(double milliseconds);

private:
    void schedule();
    void run();
    void preparePins();

    ScenarioStore& m_store;
    Catalog m_catalog;
    std::shared_ptr<const Calibration> m_calibration;
    std::optional<ChartContext> m_context;
    std::vector<ResultNote> m_notes;
    std::vector<PinnedScenario> m_pins;
    bool m_pinsAreNew = false;                   ///< the context has not got them yet
    std::shared_ptr<const SweepCurves> m_curves; ///< the last ones with the context's pins
    std::map<char, Diagnostics> m_pinRefusals;
    Diagnostics m_refusal;
    QString m_sweepParameter;
    HeatMapChoice m_heatMap;
    std::shared_ptr<const RunShelf> m_runs;
    BeforePaint m_run{[this] { run(); }};
    QElapsedTimer m_clock;
};

} // namespace headroom::ui
