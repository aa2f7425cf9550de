// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of rows that make up the parameter registry, and what they share. Private to core/scenario.
#pragma once

#include "core/scenario/parameter_access.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_names.hpp"

#include <array>

namespace headroom::rows
{

/// For rows that have a meaning in every scenario.
inline bool always(const Setup&)
{
    return true;
}

/// Completes a row with the functions of its field; what the row already names (an effective value) stays.
template <typename Field>
ParameterRow of(ParameterRow row)
{
    row.applies = row.applies ? row.applies : always;
    row.get = row.get ? row.get : Field::get;
    row.set = row.set ? row.set : Field::set;
    row.isSet = row.isSet ? row.isSet : Field::isSet;
    row.reset = row.reset ? row.reset : Field::reset;
    return row;
}

/// A choice row spans its indices.
inline ParameterRow withChoices(ParameterRow row, std::span<const ParameterChoice> choices)
{
    row.kind = ParameterKind::Choice;
    row.scale = ParameterScale::Linear;
    row.choices = choices;
    row.minimum = row.sliderMinimum = 0;
    row.maximum = row.sliderMaximum = static_cast<double>(choices.size()) - 1;
    return row;
}

/// The choices of a list of scenario_names.hpp.
template <const auto& Names>
inline constexpr auto choicesOf = [] {
    std::array<ParameterChoice, Names.size()> choices;
    for (std::size_t i = 0; i < choices.size(); ++i)
        choices[i] = {Names[i].id, Names[i].label.empty() ? Names[i].id : Names[i].label};
    return choices;
}();

/// A row of a field whose values such a list names.
template <const auto& Names, auto... Member>
ParameterRow choice(ParameterRow row)
{
    return of<access::NamedField<Names, Member...>>(withChoices(row, choicesOf<Names>));
}

/// The row as a switch: 0 or 1, nothing between.
inline ParameterRow asToggle(ParameterRow row)
{
    row.kind = ParameterKind::Toggle;
    row.scale = ParameterScale::Linear;
    row.minimum = row.sliderMinimum = 0;
    row.maximum = row.sliderMaximum = 1;
    return row;
}

/// A share or factor on a linear slider.
inline ParameterRow asReal(ParameterRow row, double minimum, double maximum, double sliderMinimum, double sliderMaximum)
{
    row.kind = ParameterKind::Real;
    row.scale = ParameterScale::Linear;
    row.minimum = minimum;
    row.maximum = maximum;
    row.sliderMinimum = sliderMinimum;
    row.sliderMaximum = sliderMaximum;
    return row;
}

/// Snap points.
inline constexpr std::array<double, 11> powersTo1024{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
inline constexpr std::array<double, 14> powersTo8192{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
inline constexpr std::array<double, 8> powersTo128{1, 2, 4, 8, 16, 32, 64, 128};
inline constexpr std::array<double, 7> powersTo64{1, 2, 4, 8, 16, 32, 64};
inline constexpr std::array<double, 12> tokenSnaps{64,   128,  256,   512,   1024,  2048,
                                                   4096, 8192, 16384, 32768, 65536, 131072};

/// The groups, one per file.
[[nodiscard]] std::span<const ParameterRow> hardware();
[[nodiscard]] std::span<const ParameterRow> training();
[[nodiscard]] std::span<const ParameterRow> inference();
[[nodiscard]] std::span<const ParameterRow> speculation();
[[nodiscard]] std::span<const ParameterRow> traffic();
[[nodiscard]] std::span<const ParameterRow> mix();
[[nodiscard]] std::span<const ParameterRow> day();
[[nodiscard]] std::span<const ParameterRow> pools();
[[nodiscard]] std::span<const ParameterRow> hostMemory();
[[nodiscard]] std::span<const ParameterRow> reliability();
[[nodiscard]] std::span<const ParameterRow> reinforcement();
[[nodiscard]] std::span<const ParameterRow> site();
[[nodiscard]] std::span<const ParameterRow> prices();
[[nodiscard]] std::span<const ParameterRow> parallelism();
[[nodiscard]] std::span<const ParameterRow> assumptions();
[[nodiscard]] std::span<const ParameterRow> measured();

} // namespace headroom::rows
