// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/explainer.hpp"

#include "core/predict/utilization.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"

namespace headroom::ui
{

Explainer::Explainer(ExplanationPanel& panel, MetricTiles& tiles, ScenarioStore& store, Recalculator& recalculator,
                     QObject* parent)
    : QObject(parent), m_panel(panel), m_tiles(tiles), m_store(store), m_recalculator(recalculator)
{
    m_panel.setHeld(m_store.locks());
    connect(&m_tiles, &MetricTiles::selectedChanged, this, [this] {
        m_metricId.clear();
        emit asked();
        refresh();
    });
    connect(&m_panel, &ExplanationPanel::backRequested, this, [this] { explain({}); });
    connect(&m_panel, &ExplanationPanel::adviceChosen, &m_store, &ScenarioStore::follow);
    connect(&m_panel, &ExplanationPanel::conventionChosen, this, &Explainer::chooseConvention);
}

void Explainer::explain(const QString& metricId)
{
    const bool hasTile = m_tiles.tile(metricId) != nullptr;
    if (hasTile)
        m_tiles.select(metricId);
    if (!hasTile && !metricId.isEmpty())
        m_metricId = metricId;
    emit asked();
    refresh();
}

void Explainer::explainPoint(const ChartView& chart, const QString& seriesId, int index)
{
    const ChartContext* context = m_recalculator.context();
    const auto point =
        context ? chartPoint(*context, chart.spec(), toUtf8(seriesId), static_cast<std::size_t>(index)) : std::nullopt;
    if (!point)
        return;
    emit asked();
    m_panel.explainPoint(*point, *context);
}

void Explainer::refresh()
{
    if (const ChartContext* context = m_recalculator.context())
        m_panel.explain(m_metricId.isEmpty() ? m_tiles.explained() : m_metricId, *context);
}

void Explainer::chooseConvention(const QString& id)
{
    for (const ConventionRow& row : conventionTable())
        if (toQString(row.id) == id)
            m_store.edit(0, tr("Convention %1").arg(toQString(say(row.label))),
                         [&row](Scenario& scenario) { scenario.accounting = row.convention; });
}

} // namespace headroom::ui
