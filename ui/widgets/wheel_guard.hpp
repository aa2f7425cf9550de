// SPDX-License-Identifier: GPL-3.0-or-later
// WheelGuard: keeps the wheel from changing a control that has no focus; the area around it scrolls instead.
#pragma once

#include <QObject>

class QWidget;

namespace headroom::ui
{

class WheelGuard final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    /// Guards a control; its focus no longer follows the wheel either.
    void guard(QWidget* control);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::ui
