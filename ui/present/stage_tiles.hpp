// SPDX-License-Identifier: GPL-3.0-or-later
// StageTiles: the headline figures of the stage, large, as many as fit.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/metrics/metric_registry.hpp"

#include <QWidget>
#include <vector>

namespace headroom::ui
{

class MetricTile;

/// What a talk is about, at most so many, in the registry's order: MFU and times first to be chosen.
[[nodiscard]] std::vector<const MetricRow*> headlineMetrics(Task task, std::size_t most);

class StageTiles final : public QWidget
{
    Q_OBJECT

public:
    explicit StageTiles(QWidget* parent = nullptr);
    void show(const ChartContext& context);
    using QWidget::show;
    /// Those in sight.
    [[nodiscard]] std::vector<const MetricTile*> tiles() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    std::vector<MetricTile*> m_tiles;
    Task m_task = Task::Training;
};

} // namespace headroom::ui
