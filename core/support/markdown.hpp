// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown: foreign text put into a page of it, shown as it is.
#pragma once

#include <string>
#include <string_view>

namespace headroom
{

/// Within a line or a table's cell: what would be a picture, a link, HTML, code or the cell's end is words.
[[nodiscard]] std::string markdownText(std::string_view text);

/// The same between backticks, for names; backticks become apostrophes, bars slashes.
[[nodiscard]] std::string markdownCode(std::string_view text);

} // namespace headroom
