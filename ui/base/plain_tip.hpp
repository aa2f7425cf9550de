// SPDX-License-Identifier: GPL-3.0-or-later
// plainTip(): words of a file as a tip; tips guess whether a text is markup.
#pragma once

#include "ui/base/text.hpp"

#include <QTextDocument>

namespace headroom::ui
{

/// The text as a tip shows it letter for letter: escaped where it would be taken for markup.
[[nodiscard]] inline QString plainTip(const QString& text)
{
    return Qt::mightBeRichText(text) ? QStringLiteral("<p>%1</p>").arg(toRichText(text)) : text;
}

} // namespace headroom::ui
