// SPDX-License-Identifier: GPL-3.0-or-later
// LabelSpace: what is already written on a chart, so that no two labels overlap; and the labels by kind.
#pragma once

#include "ui/charts/chart_mark.hpp"

#include <QRectF>
#include <array>
#include <optional>
#include <vector>

class QCPPainter;

namespace headroom::ui
{

class LabelSpace final
{
public:
    explicit LabelSpace(const QRectF& card) : m_card(card.adjusted(4, 4, -4, -4)) {}

    /// Something that is no label and keeps labels off.
    void take(const QRectF& rect) { m_taken.push_back(rect); }
    /// A label that is about to be drawn.
    void place(const QRectF& rect, const QString& text);
    [[nodiscard]] const std::vector<PlacedLabel>& placed() const { return m_placed; }
    [[nodiscard]] bool isFree(const QRectF& rect) const;
    /// A line that labels avoid where they can.
    void avoid(QPointF from, QPointF to);
    enum class OverLines { Never, IfNeedBe };
    /// Right, left, above or below `anchor` at distance `gap`, the first that is free and off the lines (if need be:
    /// just free). None: there is no such place.
    /// A place that is as near to the end of another line would name that one: it is taken where there is no other.
    [[nodiscard]] std::optional<QRectF> beside(QPointF anchor, QSizeF size, double gap, OverLines overLines,
                                               const std::vector<QPointF>& otherEnds = {}) const;
    [[nodiscard]] bool isOffLines(const QRectF& rect) const;

private:
    QRectF m_card;
    std::vector<QRectF> m_taken;
    std::vector<PlacedLabel> m_placed;
    std::vector<QPointF> m_lines; ///< sampled, every few pixels
};

// The painter carries the caption font. In the order of their claim to space; the names in the margin beside the plot
// have no other place to go.
void drawMarginLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawBarLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawGuideLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawInsideLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawZoneLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawPointLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);

} // namespace headroom::ui
