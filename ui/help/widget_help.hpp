// SPDX-License-Identifier: GPL-3.0-or-later
// What a part of the window is: the glossary's entry of a parameter, a metric or a chart, else its own words.
#pragma once

#include <QString>

class QWidget;

namespace headroom::ui
{

/// Links are `glossary:ID` (an entry) and `help:ID` (a help page).
struct WidgetHelp {
    QString title;
    QString html; ///< ends with the way to more
    QString link; ///< that way
};
/// `windowPage` is the page in front.
[[nodiscard]] WidgetHelp widgetHelp(const QWidget& widget, const QString& windowPage);

} // namespace headroom::ui
