// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to what lists the keys of a file (it includes nlohmann/json): what a key may hold, in English words.
#pragma once

#include "core/support/json_reader.hpp"

#include <fmt/format.h>

namespace headroom
{

/// "whole number from 1 to 1024", "number above 0".
[[nodiscard]] inline std::string rangeWords(std::string_view kind, const NumberRange& range)
{
    constexpr double unbounded = 1e300;
    const auto from = fmt::format("{} {}", range.aboveMinimum ? "above" : "from", range.minimum);
    return range.maximum < unbounded ? fmt::format("{} {} to {}", kind, from, range.maximum)
                                     : fmt::format("{} {}", kind, from);
}

/// "none, zero1, zero2 or fsdp".
template <typename Names>
[[nodiscard]] std::string nameWords(const Names& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 < names.size() ? ", " : " or ", names[i].id);
    return text;
}

} // namespace headroom
