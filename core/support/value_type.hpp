// SPDX-License-Identifier: GPL-3.0-or-later
// ValueOf and isOptional: the types of fields that may be left out.
#pragma once

#include <optional>
#include <type_traits>

namespace headroom
{

/// ValueOf of what must be there: the type itself.
template <typename T>
struct Unwrapped {
    using Type = T;
};
/// ValueOf of what may be left out: the type that it then has.
template <typename T>
struct Unwrapped<std::optional<T>> {
    using Type = T;
};
/// The type of a field without its std::optional.
template <typename T>
using ValueOf = typename Unwrapped<T>::Type;

/// Whether a field of this type may be left out.
template <typename T>
inline constexpr bool isOptional = !std::is_same_v<ValueOf<T>, T>;

} // namespace headroom
