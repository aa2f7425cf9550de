// SPDX-License-Identifier: GPL-3.0-or-later
// Help sources turned into what is read: the Markdown of the window's help, and the files of docs/guide.
#pragma once

#include "ui/help/help_pages.hpp"

#include <QMap>

namespace headroom::ui
{

/// With its tables, and a link "show it" in the place of each picture; where the window cannot be reached, without
/// those, and with plain words in the place of links to its pages and the glossary.
[[nodiscard]] QString windowMarkdown(const HelpPage& page, bool windowInReach = true);

/// docs/guide, file by file, without the pictures: one page each, an index (README.md) and the glossary.
[[nodiscard]] QMap<QString, QString> guideFiles();
/// Where a picture lies within docs/guide.
[[nodiscard]] QString guidePath(const HelpPicture& picture);

} // namespace headroom::ui
