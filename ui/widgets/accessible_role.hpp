// SPDX-License-Identifier: GPL-3.0-or-later
// What assistive technology calls a widget for which Qt has no word, or a wrong one.
#pragma once

#include <QAccessible>

class QWidget;

namespace headroom::ui
{

/// To be said before the widget is shown. It keeps name, description and children, but no action of
/// Qt's: for what is read, not pressed.
void setAccessibleRole(QWidget& widget, QAccessible::Role role);

} // namespace headroom::ui
