// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_grid.hpp"

#include "ui/charts/chart_view.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/present/stage_chart.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::ui
{

StageGrid::StageGrid(QWidget* stage)
{
    for (StageChart*& chart : m_charts)
        chart = new StageChart(stage);
}

void StageGrid::arrange(const std::vector<std::string>& chartIds, std::size_t first, std::size_t together)
{
    m_first = first;
    m_together = std::min(together, chartIds.size());
    std::vector<StageChart*> shown;
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        const std::size_t at = m_first + i;
        const bool used = i < m_together && at < chartIds.size();
        removeWidget(m_charts[i]);
        m_charts[i]->setRow(used ? chartRow(chartIds[at]) : nullptr);
        m_charts[i]->setVisible(used);
        if (used)
            shown.push_back(m_charts[i]);
    }
    const bool three = shown.size() == 3;
    for (int line = 0; line < 2; ++line) {
        setRowStretch(line, line == 0 || shown.size() > 2 ? 1 : 0);
        setColumnStretch(line, shown.size() < 2 && line == 1 ? 0 : three && line == 0 ? 3 : 2);
    }
    // Of three, the first is the large one.
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const int at = static_cast<int>(i);
        if (three)
            addWidget(shown[i], at == 2 ? 1 : 0, at == 0 ? 0 : 1, at == 0 ? 2 : 1, 1);
        else
            addWidget(shown[i], at / 2, at % 2);
    }
}

std::vector<StageChart*> StageGrid::shown() const
{
    std::vector<StageChart*> shown;
    for (StageChart* chart : m_charts)
        if (chart->row())
            shown.push_back(chart);
    return shown;
}

int StageGrid::lowest(int otherwise) const
{
    int lowest = otherwise;
    for (const StageChart* chart : shown())
        lowest = std::min(lowest, chart->chartHeight());
    return lowest;
}

void StageGrid::setType(const QFont& desktop, double scale)
{
    // Four charts on a small screen: their marks need the room more than their letters do.
    constexpr double step = 0.1;
    constexpr int roomy = 300; // px a chart is high from which its type has the stage's full size
    double own = scale;
    for (const StageChart* chart : shown())
        own = std::min(own, std::max(1.0, std::floor(scale * chart->chartHeight() / roomy / step) * step));
    const QFont font = scaled(desktop, own);
    for (StageChart* chart : m_charts)
        if (chart->view()->font() != font)
            chart->view()->setFont(font);
}

void StageGrid::dropReadings()
{
    m_readingLines = 1;
    m_readingSmall = false;
    for (StageChart* chart : m_charts)
        chart->setReadingLines(1);
}

void StageGrid::reserveReadings(bool roomy)
{
    if (m_readingSmall)
        return;
    int needed = m_readingLines;
    for (const StageChart* chart : shown())
        needed = std::max(needed, roomy ? chart->readingLinesNeeded() : 1);
    if (needed != m_readingLines) {
        m_readingLines = needed;
        for (StageChart* chart : m_charts)
            chart->setReadingLines(needed);
    }
    m_readingSmall = std::ranges::any_of(shown(), [](const StageChart* chart) { return chart->isReadingCut(); });
    if (m_readingSmall)
        for (StageChart* chart : m_charts)
            chart->setReadingSmall();
}

void StageGrid::show(Recalculator& results, bool held)
{
    for (StageChart* chart : shown())
        chart->show(chart->row()->swept ? *results.sweptContext() : *results.context(), held, m_painters);
    m_painters.finish();
}

QFont scaled(QFont font, double factor)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    return font;
}

} // namespace headroom::ui
