// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/veil.hpp"

#include <QPaintEvent>
#include <QPainter>

namespace headroom::ui
{
namespace
{

constexpr double thickness = 0.6;

} // namespace

Veil::Veil(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setVisible(false);
}

void Veil::paintEvent(QPaintEvent* event)
{
    QColor colour = palette().color(QPalette::Window);
    colour.setAlphaF(static_cast<float>(thickness));
    QPainter(this).fillRect(event->rect(), colour);
}

} // namespace headroom::ui
