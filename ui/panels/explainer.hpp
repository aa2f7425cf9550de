// SPDX-License-Identifier: GPL-3.0-or-later
// Explainer: what the explanation speaks of: the chosen tile's metric, another one that was asked for, or a chart's
// point.
#pragma once

#include <QObject>
#include <QString>

namespace headroom::ui
{

class ChartView;
class ExplanationPanel;
class MetricTiles;
class Recalculator;
class ScenarioStore;

/// What is chosen in the explanation becomes an edit of the scenario.
class Explainer final : public QObject
{
    Q_OBJECT

public:
    Explainer(ExplanationPanel& panel, MetricTiles& tiles, ScenarioStore& store, Recalculator& recalculator,
              QObject* parent);

    /// A metric with or without a tile; empty: the one that was explained before.
    void explain(const QString& metricId);
    void explainPoint(const ChartView& chart, const QString& seriesId, int index);
    /// The same of the newest result.
    void refresh();

signals:
    /// Somebody asked: the explanation is to be seen.
    void asked();

private:
    void chooseConvention(const QString& id);

    ExplanationPanel& m_panel;
    MetricTiles& m_tiles;
    ScenarioStore& m_store;
    Recalculator& m_recalculator;
    QString m_metricId; ///< one without a tile; empty = the chosen tile's
};

} // namespace headroom::ui
