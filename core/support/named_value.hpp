// SPDX-License-Identifier: GPL-3.0-or-later
// NamedValue: one name of a closed list in files and what it stands for.
#pragma once

#include <string_view>

namespace headroom
{

template <typename Enum>
struct NamedValue {
    std::string_view id;
    Enum value;
};

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
