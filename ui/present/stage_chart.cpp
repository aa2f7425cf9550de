// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_chart.hpp"

#include "core/charts/axis.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/present/elided_text.hpp"

#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr int readingGap = 6, indent = 12, mostReadingLines = 2;
constexpr double stageLines = 1.5;   // 3 px for the line in hand
constexpr double leastReading = 0.7; // of the stage's type: about the desktop's

} // namespace

StageChart::StageChart(QWidget* parent)
    : QWidget(parent), m_view(new ChartView), m_reading(new ElidedText(TextStyle::Body, 1))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(readingGap);
    column->addWidget(m_view, 1);
    auto* indented = new QHBoxLayout;
    indented->setContentsMargins(indent, 0, indent, 0);
    indented->addWidget(m_reading);
    column->addLayout(indented);
    m_view->setLineScale(stageLines);
    m_view->setMinimumSize(120, 90);
    m_reading->setLeastScale(leastReading);
    setProperty("fromCore", true);
}

QString StageChart::reading() const
{
    return m_reading->text();
}

void StageChart::setRow(const ChartRow* row)
{
    m_row = row;
    m_view->setObjectName(row ? QStringLiteral("stage.") + toQString(row->id) : QString());
}

void StageChart::setReadingLines(int lines)
{
    m_reading->setLines(lines);
}

void StageChart::setReadingSmall()
{
    m_reading->setLines(mostReadingLines, leastReading);
}

int StageChart::readingLinesNeeded() const
{
    return m_reading->linesNeeded(width() - 2 * indent, mostReadingLines);
}

bool StageChart::isReadingCut() const
{
    return m_reading->isCutIn(width() - 2 * indent); // also before anything is on the screen
}

int StageChart::chartHeight() const
{
    return height() - m_reading->sizeHint().height() - readingGap;
}

void StageChart::show(const ChartContext& context, bool held, ChartPainters& threads)
{
    if (!m_row)
        return;
    ChartSpec spec = m_row->build(context);
    if (held)
        holdAxes(spec, m_view->spec());
    m_reading->setText(toQString(spec.reading));
    spec.reading.clear();
    m_view->setSpec(spec);
    m_view->replotNow(threads);
}

} // namespace headroom::ui
