// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown of the help as a text document in the window's type and colours.
#pragma once

#include <QString>

class QFont;
class QTextDocument;

namespace headroom::ui
{

struct Theme;

void setHelpText(QTextDocument& document, const QString& markdown, const QFont& font, const Theme& colours);

} // namespace headroom::ui
