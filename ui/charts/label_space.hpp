// SPDX-License-Identifier: GPL-3.0-or-later
// LabelSpace: what is already written on a chart, so that no two labels overlap; and the labels by kind.
#pragma once

#include "ui/charts/chart_scene.hpp"

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

    void take(const QRectF& rect) { m_taken.push_back(rect); }
    [[nodiscard]] bool isFree(const QRectF& rect) const;
    /// A line that labels avoid where they can.
    void avoid(QPointF from, QPointF to);
    /// Right, left, above or below `anchor` at distance `gap`, the first that is free and off the lines, or just
    /// free; taken from then on.
    [[nodiscard]] std::optional<QRectF> beside(QPointF anchor, QSizeF size, double gap);

private:
    [[nodiscard]] bool isOffLines(const QRectF& rect) const;

    QRectF m_card;
    std::vector<QRectF> m_taken;
    std::vector<QPointF> m_lines; ///< sampled, every few pixels
};

// The painter carries the caption font. In the order of their claim to space:
void drawBarLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawGuideLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawEndLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);
void drawPointLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space);

} // namespace headroom::ui
