// SPDX-License-Identifier: GPL-3.0-or-later
// withoutBareWords: Infinity, -Infinity and NaN, which Python writes and JSON does not know, become null.
#pragma once

#include <string>
#include <string_view>

namespace headroom::hf
{

/// Replaces the words outside strings, padded with spaces so that lines and most columns in messages stay right.
[[nodiscard]] std::string withoutBareWords(std::string_view text);

} // namespace headroom::hf
