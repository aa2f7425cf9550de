// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text for writers that build their lines themselves.
#pragma once

#include <string>
#include <string_view>

namespace headroom
{

/// A string with its quotes; malformed UTF-8 is replaced by U+FFFD.
[[nodiscard]] std::string jsonString(std::string_view text);

/// A JSON text without spaces with line breaks, `indent` spaces for each level, and a space behind each colon. What it
/// says is copied as it stands: it has to be valid.
[[nodiscard]] std::string indentedJson(std::string_view compact, int indent);

} // namespace headroom
