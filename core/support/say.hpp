// SPDX-License-Identifier: GPL-3.0-or-later
// say() with arguments: a sentence composed in the language in force; the English one is checked by the compiler.
#pragma once

#include "core/support/language.hpp"

#include <fmt/format.h>
#include <string>

namespace headroom
{

/// say() as a string of its own, for what keeps its texts.
[[nodiscard]] inline std::string said(std::string_view english)
{
    return std::string(say(english));
}

/// The other language's sentence may take the arguments in another order ("{1} … {0}"); it holds the same ones with
/// the same specifications (Phrases sees to it), so that what suits the English suits it too and nothing throws.
template <typename First, typename... Rest>
[[nodiscard]] std::string say(fmt::format_string<First, Rest...> english, First&& first, Rest&&... rest)
{
    const fmt::string_view text = english;
    const std::string_view said = say(std::string_view(text.data(), text.size()));
    return fmt::vformat(fmt::string_view(said.data(), said.size()), fmt::make_format_args(first, rest...));
}

} // namespace headroom
