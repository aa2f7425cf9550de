// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/units/two_figures.hpp"

#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom
{

namespace
{

/// Seconds of a unit that is longer than they; 0 for others.
double secondsOf(std::string_view unit)
{
    constexpr double minute = 60, hour = 3600, day = 86400;
    return unit == "min" ? minute : unit == "h" ? hour : unit == say("days") ? day : 0;
}

/// From minutes on both in the unit of the longer: "7.40 min" and "3.77 min", which alone is "226 s".
TwoFigures twoTimes(double from, double to)
{
    FormattedValue before = formatValue(from, ValueFormat::Seconds), after = formatValue(to, ValueFormat::Seconds);
    constexpr double leastShare = 0.5; // "0.05 days" say less than "72 min"
    const std::string unit = from > to ? before.unit : after.unit;
    const double each = secondsOf(unit), shorter = std::min(from, to);
    if (before.unit != after.unit && each > 0 && shorter >= leastShare * each) {
        FormattedValue& other = from > to ? after : before;
        other.number = formatValue(shorter / each, ValueFormat::Plain).number;
        other.unit = unit;
    }
    return {before.text(), after.text()};
}

} // namespace

TwoFigures twoFigures(double from, double to, ValueFormat format)
{
    if (format == ValueFormat::Seconds)
        return twoTimes(from, to);
    TwoFigures texts{formatText(from, format), formatText(to, format)};
    const std::string gap =
        format == ValueFormat::Percent ? texts.from.substr(texts.from.find_last_of("0123456789") + 1) : std::string();
    for (int digits = 1; digits <= 2 && format == ValueFormat::Percent && texts.from == texts.to && from != to;
         ++digits)
        texts = {withLocalMark(fmt::format("{:.{}f}", 100 * from, digits)) + gap,
                 withLocalMark(fmt::format("{:.{}f}", 100 * to, digits)) + gap};
    return texts;
}

std::string partOfTimeText(double seconds, double whole)
{
    const std::string unit = formatValue(whole, ValueFormat::Seconds).unit;
    const double each = secondsOf(unit), part = each > 0 ? seconds / each : 0;
    constexpr double least = 0.01, threeDigits = 0.9995; // of the unit
    if (each <= 0 || seconds <= 0)
        return secondsText(seconds);
    FormattedValue text = formatValue(part, ValueFormat::Plain);
    if (part < threeDigits) // "0.85 min": further digits tell nothing beside whole ones
        text.number = withLocalMark(part < least ? fmt::format("<{}", least) : fmt::format("{:.2f}", part));
    text.unit = unit;
    return text.text();
}

} // namespace headroom
