// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a text that a JSON parser refused, in the language in force.
#pragma once

#include <string>
#include <string_view>

namespace headroom
{

/// "a comma or the end of the object is missing": of the first mistake. Reads the text again, whatever its depth.
[[nodiscard]] std::string syntaxText(std::string_view text);

} // namespace headroom
