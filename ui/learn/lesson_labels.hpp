// SPDX-License-Identifier: GPL-3.0-or-later
// The few kinds of label that lessons are set in.
#pragma once

#include "ui/theme/fonts.hpp"

#include <QString>

class QLabel;

namespace headroom::ui
{

/// Words over as many lines as they need; links in them take the keyboard.
[[nodiscard]] QLabel* lessonLabel(TextStyle style = TextStyle::Body);
/// A quiet heading in capitals over a part.
[[nodiscard]] QLabel* lessonCaption(const QString& words);
/// Rich text whose links can be reached; the name that is spoken is `spoken`.
void setLessonText(QLabel& label, const QString& html, const QString& spoken);

} // namespace headroom::ui
