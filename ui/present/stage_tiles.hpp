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

/// What a talk is about, at most so many, in the registry's order. MFU and the time of a step are chosen first, then
/// what a key of the scenario asks for (a day, pools, reinforcement learning).
[[nodiscard]] std::vector<const MetricRow*> headlineMetrics(const ChartContext& context, std::size_t most);

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
    std::vector<const MetricRow*> m_weighed; ///< of what is shown: the tail gives way where there is no room
};

} // namespace headroom::ui
