// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8: checking bytes from outside, and making them fit to print.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headroom
{

/// Offset of the first byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7), empty when all is well.
[[nodiscard]] std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

/// Characters, not bytes: as wide as a table shows the text.
[[nodiscard]] std::size_t characterCount(std::string_view text);

/// A piece of foreign text for a message: control characters and malformed bytes become '?', long text is cut.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 60);

/// A control character in a text; `length` 0 and `at` the text's size where there is none.
struct ControlCharacter {
    std::size_t at = 0, length = 0; ///< bytes
};

/// The first one at or behind `from` that is neither a tab nor an end of a line.
[[nodiscard]] ControlCharacter nextControl(std::string_view text, std::size_t from);

/// The text with '?' for every control character but tabs and ends of lines: a terminal obeys them, XML forbids them.
[[nodiscard]] std::string withoutControls(std::string text);

} // namespace headroom
