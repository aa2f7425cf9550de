// SPDX-License-Identifier: GPL-3.0-or-later
// Access: get, set and reset of one Setup field as plain functions, for the rows of the parameter registry.
#pragma once

#include "core/scenario/scenario.hpp"
#include "core/support/named_value.hpp"
#include "core/support/value_type.hpp"

#include <cmath>
#include <type_traits>

namespace headroom::access
{

/// Converts the registry's double to a field's type; whole-number fields are rounded.
template <typename T>
T fromDouble(double value)
{
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        return static_cast<T>(std::llround(value));
    else if constexpr (std::is_same_v<T, bool>)
        return value != 0;
    else if constexpr (std::is_enum_v<T>)
        return static_cast<T>(std::llround(value));
    else
        return value;
}

/// A field of a part of Setup, named by the members on the way to it: &Setup::training, &TrainingWorkload::microBatch.
template <auto... Member>
struct Field {
    using Type = std::remove_cvref_t<decltype((std::declval<Setup&>().*....*Member))>;
    static constexpr bool isNumber = std::is_arithmetic_v<ValueOf<Type>> || std::is_enum_v<ValueOf<Type>>;

    static double get(const Setup& setup)
    {
        if constexpr (!isNumber)
            return 0; // the row brings its own reading
        else if constexpr (isOptional<Type>)
            return value(setup) ? static_cast<double>(*value(setup)) : 0;
        else
            return static_cast<double>(value(setup));
    }
    static void set(Setup& setup, double value)
    {
        if constexpr (isNumber)
            (setup.*....*Member) = fromDouble<ValueOf<Type>>(value);
    }
    static bool isSet(const Setup& setup)
    {
        if constexpr (isOptional<Type>)
            return value(setup).has_value();
        else
            return value(setup) != value(Setup{});
    }
    static void reset(Setup& setup) { (setup.*....*Member) = value(Setup{}); }
    static const Type& value(const Setup& setup) { return (setup.*....*Member); }
};

/// A field whose values a closed list names: the registry carries the place in that list.
template <const auto& Names, auto... Member>
struct NamedField : Field<Member...> {
    static double get(const Setup& setup)
    {
        const auto& value = Field<Member...>::value(setup);
        if constexpr (isOptional<std::remove_cvref_t<decltype(value)>>)
            return value ? static_cast<double>(placeOf(Names, *value)) : 0;
        else
            return static_cast<double>(placeOf(Names, value));
    }
    static void set(Setup& setup, double place)
    {
        (setup.*....*Member) = Names[static_cast<std::size_t>(std::llround(place))].value;
    }
};

/// One row for a key that both workloads have: the field of the current task.
template <auto TrainingMember, auto InferenceMember>
struct TaskField {
    using Training = Field<&Setup::training, TrainingMember>;
    using Inference = Field<&Setup::inference, InferenceMember>;
    static double get(const Setup& s) { return s.task == Task::Training ? Training::get(s) : Inference::get(s); }
    static void set(Setup& s, double v) { s.task == Task::Training ? Training::set(s, v) : Inference::set(s, v); }
    static bool isSet(const Setup& s) { return s.task == Task::Training ? Training::isSet(s) : Inference::isSet(s); }
    static void reset(Setup& s) { s.task == Task::Training ? Training::reset(s) : Inference::reset(s); }
};

} // namespace headroom::access
