// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/step_bar.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

namespace headroom::ui
{

void StepBar::show(int steps, int current)
{
    m_steps = steps;
    m_current = current;
    update();
}

void StepBar::paintEvent(QPaintEvent*)
{
    if (m_steps <= 0)
        return;
    constexpr double gap = 4;
    const Theme& colours = themeOf(palette());
    const double room = width() - 10, stroke = (room - (m_steps - 1) * gap) / m_steps;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (int i = 0; i < m_steps; ++i) {
        painter.setBrush(i <= m_current ? colours.accent : mixed(colours.surface, colours.text, 0.15));
        const int place = isRightToLeft() ? m_steps - 1 - i : i;
        painter.drawRoundedRect(QRectF(place * (stroke + gap), 0, stroke, height()), 2, 2);
    }
}

} // namespace headroom::ui
