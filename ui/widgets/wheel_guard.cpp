// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wheel_guard.hpp"

#include <QEvent>
#include <QWidget>

namespace headroom::ui
{

void WheelGuard::guard(QWidget* control)
{
    control->setFocusPolicy(Qt::StrongFocus);
    control->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Wheel)
        return QObject::eventFilter(watched, event);
    const auto* control = qobject_cast<QWidget*>(watched);
    if (control && control->hasFocus())
        return false;
    event->ignore(); // on to the parent, which scrolls
    return true;
}

} // namespace headroom::ui
