// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/laser_dot.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

namespace headroom::ui
{
namespace
{

constexpr int side = 26;
constexpr QRgb red = 0xFFE00020; // as a laser; the white rim keeps it in sight on black and on red

} // namespace

LaserDot::LaserDot(QWidget* over) : QWidget(over), m_over(*over)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    resize(side, side);
    hide();
}

LaserDot::~LaserDot()
{
    if (m_on)
        QApplication::restoreOverrideCursor();
}

void LaserDot::setOn(bool on)
{
    if (m_on == on)
        return;
    m_on = on;
    setVisible(on);
    if (!on) {
        qApp->removeEventFilter(this);
        QApplication::restoreOverrideCursor();
        return;
    }
    // Widgets tell where the mouse is only while a button is down, unless asked.
    for (QWidget* widget : m_over.findChildren<QWidget*>())
        widget->setMouseTracking(true);
    m_over.setMouseTracking(true);
    qApp->installEventFilter(this);
    QApplication::setOverrideCursor(Qt::BlankCursor);
    raise();
    follow(QCursor::pos());
}

void LaserDot::follow(QPoint global)
{
    move(m_over.mapFromGlobal(global) - QPoint(side / 2, side / 2));
}

bool LaserDot::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseMove) {
        const auto* widget = qobject_cast<const QWidget*>(watched);
        if (widget && (widget == &m_over || m_over.isAncestorOf(widget)))
            follow(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
    }
    return false;
}

void LaserDot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Qt::white, 2));
    painter.setBrush(QColor(red));
    constexpr double rim = 4;
    painter.drawEllipse(QRectF(rect()).adjusted(rim, rim, -rim, -rim));
}

} // namespace headroom::ui
