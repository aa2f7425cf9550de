// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson texts as a window shows them: **bold** and [words](glossary:id) as rich text, and as words to be spoken.
#pragma once

#include <QString>
#include <string_view>

class QColor;

namespace headroom::ui
{

/// Links keep their target: "glossary:mfu".
[[nodiscard]] QString lessonHtml(std::string_view text, const QColor& link);
/// The words alone.
[[nodiscard]] QString lessonPlain(std::string_view text);

} // namespace headroom::ui
