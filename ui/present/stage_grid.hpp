// SPDX-License-Identifier: GPL-3.0-or-later
// StageGrid: the charts of a view on the stage, one to four of them together.
#pragma once

#include "core/present/stage_view.hpp"
#include "ui/charts/chart_painters.hpp"

#include <QFont>
#include <QGridLayout>
#include <array>

namespace headroom::ui
{

class Recalculator;
class StageChart;

/// A layout whose charts are children of the stage from the beginning: a view changes what they show.
class StageGrid final : public QGridLayout
{
public:
    explicit StageGrid(QWidget* stage);

    /// Lays out so many of the charts, at most, from the one at `first` on.
    void arrange(const std::vector<std::string>& chartIds, std::size_t first, std::size_t together);
    [[nodiscard]] std::size_t first() const { return m_first; }
    [[nodiscard]] std::size_t together() const { return m_together; }
    /// Those that stand together now.
    [[nodiscard]] std::vector<StageChart*> shown() const;
    /// All there are, whether they show something or not.
    [[nodiscard]] const std::array<StageChart*, StageView::mostCharts>& all() const { return m_charts; }
    /// px of the lowest of the charts shown, without its sentence; `otherwise` where there is none.
    [[nodiscard]] int lowest(int otherwise) const;
    /// Type of `scale` times the desktop's; smaller in charts that are low.
    void setType(const QFont& desktop, double scale);
    /// One line under every chart, whatever stands there.
    void dropReadings();
    /// As many lines under every chart as the longest of the sentences takes, where there is room for them, or smaller
    /// type; they never become fewer or larger until they are dropped, so that nothing jumps.
    void reserveReadings(bool roomy);
    /// Draws the result; `held`: a hand moves a slider, and axes stay as they are.
    void show(Recalculator& results, bool held);

private:
    std::array<StageChart*, StageView::mostCharts> m_charts{};
    ChartPainters m_painters;
    std::size_t m_first = 0, m_together = StageView::mostCharts;
    int m_readingLines = 1;
    bool m_readingSmall = false;
};

/// A font of so many times the size.
[[nodiscard]] QFont scaled(QFont font, double factor);

} // namespace headroom::ui
