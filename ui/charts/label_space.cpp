// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/label_space.hpp"

#include <algorithm>

namespace headroom::ui
{

bool LabelSpace::isFree(const QRectF& rect) const
{
    return m_card.contains(rect) &&
           std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& r) { return r.intersects(rect); });
}

std::optional<QRectF> LabelSpace::beside(QPointF anchor, QSizeF size, double gap)
{
    const double w = size.width();
    const double h = size.height();
    const std::array<QPointF, 6> places{QPointF(gap, -h / 2), {-gap - w, -h / 2},    {-w / 2, -gap - h},
                                        {-w / 2, gap},        {gap * 0.7, -gap - h}, {-gap * 0.7 - w, gap}};
    for (const QPointF& place : places) {
        const QRectF rect(anchor + place, size);
        if (!isFree(rect))
            continue;
        take(rect);
        return rect;
    }
    return std::nullopt;
}

} // namespace headroom::ui
