// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/support: what the JSON parser says of a text that it refuses, in the language in force.
#pragma once

#include <string>
#include <string_view>

namespace headroom
{

/// `english`: nlohmann/json's own words, "invalid literal; last read: 'nul'", "unexpected end of input; expected ']'".
/// What a later release says in other words stays English.
[[nodiscard]] std::string syntaxText(std::string_view english);

} // namespace headroom
