// SPDX-License-Identifier: GPL-3.0-or-later
// withoutBareWords: Infinity, -Infinity and NaN, which Python writes and JSON does not know, become texts.
#pragma once

#include <string>
#include <string_view>

namespace headroom::hf
{

/// Puts the words outside strings between quotes: a key that nobody reads may hold them, one that is read has to hold
/// a number or a text of its own. Lines in messages stay right.
[[nodiscard]] std::string withoutBareWords(std::string_view text);

/// Whether a text is one of these words, and so none that a reader may take.
[[nodiscard]] bool isBareWord(std::string_view text);

} // namespace headroom::hf
