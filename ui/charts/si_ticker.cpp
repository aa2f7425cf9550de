// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/si_ticker.hpp"

#include "core/support/language.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace headroom::ui
{

namespace
{

using NamedScale = std::pair<std::string_view, double>;

constexpr std::array<NamedScale, 12> secondNames{{{"s", 1},
                                                  {"seconds", 1},
                                                  {"ms", 1e-3},
                                                  {"milliseconds", 1e-3},
                                                  {"µs", 1e-6},
                                                  {"microseconds", 1e-6},
                                                  {"min", 60},
                                                  {"minutes", 60},
                                                  {"h", 3600},
                                                  {"hours", 3600},
                                                  {"days", 86400},
                                                  {"d", 86400}}};
constexpr std::array<NamedScale, 12> prefixes{{{"", 1},
                                               {"k", 1e3},
                                               {"M", 1e6},
                                               {"G", 1e9},
                                               {"T", 1e12},
                                               {"P", 1e15},
                                               {"E", 1e18},
                                               {"Ki", 0x1p10},
                                               {"Mi", 0x1p20},
                                               {"Gi", 0x1p30},
                                               {"Ti", 0x1p40},
                                               {"Pi", 0x1p50}}};

template <std::size_t N>
std::optional<double> find(const std::array<NamedScale, N>& names, std::string_view name)
{
    const auto* const found =
        std::find_if(names.begin(), names.end(), [name](const auto& n) { return n.first == name; });
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

/// Scale of the first word of `unit` when it is a prefix before `base`: "TFLOP/s per GPU" before "FLOP/s".
std::optional<double> prefixedScale(std::string_view unit, std::string_view base)
{
    const std::string_view word = unit.substr(0, unit.find_first_of(" ,"));
    if (!word.ends_with(base))
        return std::nullopt;
    return find(prefixes, word.substr(0, word.size() - base.size()));
}

std::optional<double> writtenScale(const Axis& axis)
{
    const std::string shown = shownUnit(axis);
    const std::string_view unit = shown;
    switch (axis.format) {
    case ValueFormat::Percent:
        return unit.find('%') == std::string_view::npos ? std::nullopt : std::optional(0.01);
    case ValueFormat::Seconds:
        return unit.starts_with(say("seconds")) ? std::optional(1.0)
               : unit.starts_with(say("days"))  ? std::optional(86400.0)
                                                : find(secondNames, unit.substr(0, unit.find_first_of(" ,")));
    case ValueFormat::Bytes:
        return prefixedScale(unit, "B");
    case ValueFormat::BytesPerS:
        return prefixedScale(unit, "B/s");
    case ValueFormat::FlopPerS:
        return prefixedScale(unit, "FLOP/s");
    case ValueFormat::Flop:
        return prefixedScale(unit, "FLOP");
    case ValueFormat::Watts:
        return prefixedScale(unit, "W");
    case ValueFormat::Parameters:
        return unit.starts_with("billion") ? std::optional(1e9) : std::nullopt;
    case ValueFormat::TokensPerS:
    case ValueFormat::FlopPerByte:
    case ValueFormat::Money:
        return unit.empty() ? std::nullopt : std::optional(1.0);
    case ValueFormat::Plain:
    case ValueFormat::Integer:
        break;
    }
    return 1.0;
}

std::string plainNumber(double value, int decimals)
{
    static const QLocale english(QLocale::English, QLocale::UnitedStates); // groups by commas, whatever the desktop
    QString text = english.toString(value, 'f', std::clamp(decimals, 0, 12));
    if (text.startsWith(u'-'))
        text.replace(0, 1, QChar(0x2212));
    std::string local; // with the marks of the language in force
    for (const char c : text.toStdString())
        local += c == '.' ? say(".") : c == ',' ? say(",") : std::string_view(&c, 1);
    return local;
}

/// Decimals that tell multiples of `step` apart: 2.5 → 1, 0.05 → 2.
int decimalsOf(double step)
{
    int decimals = 0;
    for (double scaled = step; decimals < 12 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled; scaled *= 10)
        ++decimals;
    return decimals;
}

/// A tick stands at a round number: "10 GB", not "10.0 GB".
std::string roundText(double value, ValueFormat format)
{
    FormattedValue text = formatValue(value, format);
    const std::string_view mark = say(".");
    if (text.number.find(mark) != std::string::npos) {
        text.number.erase(text.number.find_last_not_of('0') + 1);
        if (text.number.ends_with(mark))
            text.number.erase(text.number.size() - mark.size());
    }
    return text.text();
}

std::string tickText(double value, double step, const Axis& axis, const AxisUnit& unit)
{
    if (!unit.written)
        return axis.format == ValueFormat::Money ? formatText(value, axis.format) : roundText(value, axis.format);
    const double printed = value / unit.scale;
    if (printed == 0)
        return "0";
    const double magnitude = std::abs(printed);
    if (unit.counts && magnitude >= 1000) {
        for (const auto& [name, factor] :
             {NamedScale{"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}})
            if (magnitude >= factor * 0.9999)
                return plainNumber(printed / factor, decimalsOf(step / unit.scale / factor)) + std::string(name);
    }
    return plainNumber(printed, decimalsOf(step / unit.scale));
}

double niceStep(double rough, bool whole)
{
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        const double step = factor * power;
        if (step >= rough * (1 - 1e-9) && !(whole && (step < 1 || std::abs(step - std::round(step)) > 1e-9)))
            return step;
    }
    return whole ? std::max(1.0, 10 * power) : 10 * power;
}

std::vector<Tick> linearTicks(const Axis& axis, const AxisUnit& unit, int wanted)
{
    const double span = (axis.maximum - axis.minimum) / unit.scale;
    if (!(span > 0) || !std::isfinite(span))
        return {};
    const double step = niceStep(span / wanted, axis.format == ValueFormat::Integer) * unit.scale;
    std::vector<Tick> ticks;
    const double slack = step * 1e-6;
    for (double i = std::ceil((axis.minimum - slack) / step); i * step <= axis.maximum + slack; ++i)
        ticks.push_back({i * step, tickText(i * step, step, axis, unit)});
    return ticks;
}

std::vector<Tick> logTicks(const Axis& axis, const AxisUnit& unit, int wanted)
{
    const double low = axis.minimum / unit.scale;
    const double high = axis.maximum / unit.scale;
    if (!(low > 0) || !(high > low) || !std::isfinite(high))
        return {};
    const int first = int(std::floor(std::log10(low) + 1e-9));
    const int last = int(std::ceil(std::log10(high) - 1e-9));
    const auto collect = [&](std::initializer_list<double> mantissas, int every) {
        std::vector<Tick> ticks;
        for (int decade = first; decade <= last; ++decade) {
            if (every > 1 && ((decade % every) + every) % every != 0)
                continue;
            for (const double mantissa : mantissas) {
                const double value = mantissa * std::pow(10.0, decade);
                if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                    ticks.push_back({value * unit.scale, tickText(value * unit.scale, value * unit.scale, axis, unit)});
            }
        }
        return ticks;
    };
    auto ticks = collect({1, 2, 5}, 1);
    if (ticks.size() < 2)
        return linearTicks(axis, unit, wanted);
    if (int(ticks.size()) <= wanted)
        return ticks;
    if (auto thirds = collect({1, 3}, 1); thirds.size() > 2 && int(thirds.size()) <= wanted)
        return thirds; // of few decades the powers of ten alone would be one or two ticks
    for (int every = 1; every <= last - first + 1; ++every) {
        const auto coarser = collect({1}, every);
        if (coarser.size() < 2)
            break;
        ticks = coarser;
        if (int(ticks.size()) <= wanted)
            break;
    }
    return ticks;
}

} // namespace

std::string shownUnit(const Axis& axis)
{
    const bool seconds = axis.format == ValueFormat::Seconds && (axis.unit == "s" || axis.unit == say("seconds"));
    const double largest = std::max(std::abs(axis.minimum), std::abs(axis.maximum));
    if (!seconds || axis.scale == AxisScale::Log || largest >= 1 || !axis.ticks.empty())
        return axis.unit;
    return largest < 1e-3 ? "µs" : "ms";
}

AxisUnit axisUnit(const Axis& axis)
{
    const auto scale = writtenScale(axis);
    if (!scale)
        return {};
    const bool counts = *scale == 1 && axis.format != ValueFormat::Seconds && axis.format != ValueFormat::Money;
    return {.scale = *scale, .written = true, .counts = counts};
}

std::vector<Tick> chooseTicks(const Axis& axis, int wanted)
{
    if (!axis.ticks.empty())
        return axis.ticks;
    const AxisUnit unit = axisUnit(axis);
    const int count = std::max(2, wanted);
    return axis.scale == AxisScale::Log ? logTicks(axis, unit, count) : linearTicks(axis, unit, count);
}

std::string axisText(double value, const Axis& axis)
{
    const AxisUnit unit = axisUnit(axis);
    if (!unit.written)
        return formatText(value, axis.format);
    if (axis.format == ValueFormat::Percent || axis.format == ValueFormat::Integer)
        return formatValue(value, axis.format).number;
    return formatValue(value / unit.scale, ValueFormat::Plain).number;
}

} // namespace headroom::ui
