// SPDX-License-Identifier: GPL-3.0-or-later
// StageChart: one chart of the stage with the sentence that it wants read under it.
#pragma once

#include "core/charts/chart_registry.hpp"

#include <QWidget>

namespace headroom::ui
{

class ChartPainters;
class ChartView;
class ElidedText;

class StageChart final : public QWidget
{
    Q_OBJECT

public:
    explicit StageChart(QWidget* parent = nullptr);

    [[nodiscard]] ChartView* view() const { return m_view; }
    /// The sentence under the chart.
    [[nodiscard]] QString reading() const;
    /// Which chart; the next show() draws it.
    void setRow(const ChartRow* row);
    [[nodiscard]] const ChartRow* row() const { return m_row; }
    void setReadingLines(int lines);
    /// Two lines of the smallest type that the sentence may have, which take little more than one of the largest.
    void setReadingSmall();
    /// Lines that the sentence takes now, at most two.
    [[nodiscard]] int readingLinesNeeded() const;
    [[nodiscard]] bool isReadingCut() const;
    /// What the sentence leaves of the height, also before anything is on the screen.
    [[nodiscard]] int chartHeight() const;
    /// Draws the context; `held`: its axes stay as they are, a hand moves a slider. The caller finishes `threads`.
    void show(const ChartContext& context, bool held, ChartPainters& threads);
    using QWidget::show;

private:
    const ChartRow* m_row = nullptr;
    ChartView* m_view;
    ElidedText* m_reading;
};

} // namespace headroom::ui
