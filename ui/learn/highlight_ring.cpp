// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/highlight_ring.hpp"

#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"

#include <QEvent>
#include <QPainter>

namespace headroom::ui
{

HighlightRing::HighlightRing(QWidget* target) : QWidget(target)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(target->rect());
    target->installEventFilter(this);
    raise();
    show();
}

void HighlightRing::paintEvent(QPaintEvent*)
{
    constexpr double width = 2.5;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeOf(palette()).warning, width));
    painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), Card::radius,
                            Card::radius);
}

bool HighlightRing::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    else if (event->type() == QEvent::ChildAdded)
        raise();
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::ui
