// SPDX-License-Identifier: GPL-3.0-or-later
// NamedValue: one name of a closed list in files, what it stands for and what people call it.
#pragma once

#include <cstddef>
#include <string_view>

namespace headroom
{

template <typename Enum>
struct NamedValue {
    std::string_view id;
    Enum value;
    std::string_view label{}; ///< as people read it; empty: as the id
};

/// The place of a value in its list; 0 where the list has none.
template <typename Names, typename Enum>
[[nodiscard]] constexpr std::size_t placeOf(const Names& names, Enum value)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].value == value)
            return i;
    }
    return 0;
}

/// The name of a value; empty where the list has none.
template <typename Names, typename Enum>
[[nodiscard]] constexpr std::string_view nameOf(const Names& names, Enum value)
{
    for (const auto& name : names) {
        if (name.value == value)
            return name.id;
    }
    return {};
}

} // namespace headroom
