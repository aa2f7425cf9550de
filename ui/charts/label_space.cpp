// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/label_space.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::ui
{

bool LabelSpace::isFree(const QRectF& rect) const
{
    return m_card.contains(rect) &&
           std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& r) { return r.intersects(rect); });
}

bool LabelSpace::isOffLines(const QRectF& rect) const
{
    const QRectF clear = rect.adjusted(-3, 0, 3, 0); // a letter that touches a line reads as part of it
    return std::none_of(m_lines.begin(), m_lines.end(), [&](QPointF p) { return clear.contains(p); });
}

void LabelSpace::place(const QRectF& rect, const QString& text)
{
    take(rect);
    m_placed.push_back({rect, text, isOffLines(rect)});
}

void LabelSpace::avoid(QPointF from, QPointF to)
{
    constexpr double sampling = 5; // px
    constexpr double most = 500;
    const QPointF way = to - from;
    const double steps = std::clamp(std::hypot(way.x(), way.y()) / sampling, 1.0, most);
    for (double i = 0; i < steps; ++i)
        m_lines.push_back(from + way * (i / steps));
}

namespace
{

double distance(const QRectF& rect, QPointF point)
{
    const double across = std::max({rect.left() - point.x(), point.x() - rect.right(), 0.0});
    const double down = std::max({rect.top() - point.y(), point.y() - rect.bottom(), 0.0});
    return std::hypot(across, down);
}

} // namespace

std::optional<QRectF> LabelSpace::beside(QPointF anchor, QSizeF size, double gap, OverLines overLines,
                                         const std::vector<QPointF>& otherEnds) const
{
    const auto namesIts = [&](const QRectF& rect, double nearer) {
        return std::ranges::all_of(otherEnds,
                                   [&](QPointF end) { return distance(rect, end) >= distance(rect, anchor) + nearer; });
    };
    const double w = size.width();
    const double h = size.height();
    const std::array<QPointF, 12> places{QPointF(gap, -h / 2),
                                         {-gap - w, -h / 2},
                                         {gap * 0.7, -gap - h},
                                         {-gap * 0.7 - w, -gap - h},
                                         {-w / 2, -gap - h},
                                         {-w / 2, gap},
                                         {gap * 0.7, gap * 0.5},
                                         {-gap * 0.7 - w, gap * 0.5},
                                         // A little farther, for a place between two lines.
                                         {-gap * 1.5 - w, -gap * 1.1 - h},
                                         {gap * 1.5, -gap * 1.1 - h},
                                         {gap * 1.5, gap * 1.1},
                                         {-gap * 1.5 - w, gap * 1.1}};
    struct Wish {
        bool offLines;
        std::optional<double> nearer; ///< px that the label's own end is nearer than any other
    };
    for (const Wish& wish : {Wish{true, 16}, {true, 2}, {false, 2}, {false, std::nullopt}}) {
        if (!wish.offLines && overLines == OverLines::Never)
            break;
        for (const QPointF& place : places)
            if (const QRectF rect(anchor + place, size);
                isFree(rect) && (!wish.offLines || isOffLines(rect)) && (!wish.nearer || namesIts(rect, *wish.nearer)))
                return rect;
    }
    return std::nullopt;
}

} // namespace headroom::ui
