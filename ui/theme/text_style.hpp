// SPDX-License-Identifier: GPL-3.0-or-later
// setTextStyle: a widget's type as a step of what it stands in, also after the size of type was changed.
#pragma once

#include "ui/theme/fonts.hpp"

class QWidget;

namespace headroom::ui
{

/// A font that is set holds its size for good; this one follows the parent's, wherever the widget is put.
void setTextStyle(QWidget* widget, TextStyle style);

} // namespace headroom::ui
