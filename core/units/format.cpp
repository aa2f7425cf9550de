// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/units/format.hpp"

#include "core/support/language.hpp"
#include "core/units/currency.hpp"
#include "core/units/memory_unit.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <span>

namespace headroom
{

namespace
{

constexpr std::string_view narrowNoBreakSpace = "\u202F";
constexpr std::string_view minusSign = "\u2212";

struct Prefix {
    double factor;
    std::string_view name;
};

constexpr std::array<Prefix, 11> siPrefixes{{{1e24, "Y"},
                                             {1e21, "Z"},
                                             {1e18, "E"},
                                             {1e15, "P"},
                                             {1e12, "T"},
                                             {1e9, "G"},
                                             {1e6, "M"},
                                             {1e3, "k"},
                                             {1, ""},
                                             {1e-3, "m"},
                                             {1e-6, "µ"}}};

constexpr std::array<Prefix, 7> binaryPrefixes{
    {{0x1p60, "Ei"}, {0x1p50, "Pi"}, {0x1p40, "Ti"}, {0x1p30, "Gi"}, {0x1p20, "Mi"}, {0x1p10, "Ki"}, {1, ""}}};

// A plan's thread prints beside the window's.
std::atomic<MemoryUnit> chosenUnit = MemoryUnit::Gigabyte;

/// Decimals that show three significant digits of |value| in 1…1000.
int decimalsForThreeDigits(double magnitude)
{
    if (magnitude >= 99.95)
        return 0;
    return magnitude >= 9.995 ? 1 : 2;
}

std::string withGroups(std::string digits)
{
    const auto point = digits.find('.');
    auto position = static_cast<std::ptrdiff_t>(point == std::string::npos ? digits.size() : point) - 3;
    const std::ptrdiff_t first = !digits.empty() && digits[0] == '-' ? 1 : 0;
    if (point != std::string::npos)
        digits.replace(point, 1, say("."));
    for (; position > first; position -= 3)
        digits.insert(static_cast<std::size_t>(position), say(","));
    return digits;
}

std::string signedText(std::string text)
{
    if (!text.empty() && text[0] == '-')
        text.replace(0, 1, minusSign);
    return text;
}

std::string fixed(double value, int decimals)
{
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find_first_not_of("-0.") == std::string::npos) // "-0.00" is zero
        text = "0";
    return signedText(withGroups(std::move(text)));
}

/// Three significant digits without a prefix: 0.00123 stays 0.00123, 1234 is 1,234.
std::string threeDigits(double value)
{
    const double magnitude = std::abs(value);
    if (magnitude == 0)
        return "0";
    if (magnitude >= 0.9995)
        return fixed(value, decimalsForThreeDigits(magnitude));
    const int leadingZeros = static_cast<int>(std::floor(-std::log10(magnitude)));
    return fixed(value, std::min(leadingZeros + 3, 12));
}

FormattedValue prefixed(double value, std::string_view unit, double largest, double smallest,
                        std::span<const Prefix> prefixes = siPrefixes)
{
    const double magnitude = std::abs(value);
    for (const Prefix& prefix : prefixes) {
        if (prefix.factor > largest || prefix.factor < smallest)
            continue;
        // 999.6 rounds to 1000: it belongs to the next prefix.
        const bool last = prefix.factor <= smallest * 1.001;
        if (magnitude >= prefix.factor * 0.9995 || last || magnitude == 0) {
            const double factor = magnitude == 0 ? 1 : prefix.factor;
            const std::string_view name = magnitude == 0 ? "" : prefix.name;
            return {threeDigits(value / factor), std::string(name) + std::string(unit)};
        }
    }
    return {threeDigits(value), std::string(unit)};
}

FormattedValue percent(double fraction)
{
    const double value = fraction * 100;
    const double magnitude = std::abs(value);
    // Beside the whole a full memory and one that lacks a little, or all of the time and all but two hours, read alike.
    const double fromWhole = std::abs(magnitude - 100);
    const bool besideWhole = fromWhole >= 0.05 && fromWhole < 0.5;
    return {fixed(value, magnitude < 0.995 ? 2 : magnitude < 9.95 || besideWhole ? 1 : 0), "%"};
}

FormattedValue seconds(double value)
{
    const double magnitude = std::abs(value);
    constexpr double minute = 60, hour = 3600, day = 86400;
    if (magnitude >= 3 * day)
        return {threeDigits(value / day), std::string(say("days"))};
    if (magnitude >= 3 * hour)
        return {threeDigits(value / hour), "h"};
    if (magnitude >= 5 * minute)
        return {threeDigits(value / minute), "min"};
    // Launches, links and queues are known to a part of a microsecond at best: nanoseconds would be digits that nobody
    // knows, and the wait of an idle queue, some of them, is nothing.
    constexpr double microsecond = 1e-6, toTheNext = 0.9995;
    constexpr int hundredths = 2;
    if (magnitude >= toTheNext * microsecond)
        return prefixed(value, "s", 1, microsecond);
    std::string number = fixed(value / microsecond, hundredths);
    const std::string_view unit = number == "0" ? "s" : "µs";
    return {std::move(number), std::string(unit)};
}

} // namespace

void setMemoryUnit(MemoryUnit unit)
{
    chosenUnit.store(unit, std::memory_order_relaxed);
}

MemoryUnit memoryUnit()
{
    return chosenUnit.load(std::memory_order_relaxed);
}

std::string_view memoryUnitName()
{
    return memoryUnit() == MemoryUnit::Gibibyte ? "GiB" : "GB";
}

namespace
{

/// The one place that says how money is written: a sign stands before its number, the letters of a currency behind it.
FormattedValue money(double value)
{
    const double size = std::abs(value);
    const int decimals = size >= 100 ? 0 : size >= 0.995 ? 2 : 4;
    if (currencyCode() != usDollars)
        return {fixed(value, decimals), currencyCode()};
    return {(value < 0 ? std::string(minusSign) : std::string()) + currencySign() + fixed(size, decimals), ""};
}

} // namespace

std::string FormattedValue::text() const
{
    return unit.empty() ? number : number + std::string(narrowNoBreakSpace) + unit;
}

FormattedValue formatValue(double value, ValueFormat format)
{
    switch (format) {
    case ValueFormat::Plain:
        return {threeDigits(value), ""};
    case ValueFormat::Integer:
        return {fixed(std::round(value), 0), ""};
    case ValueFormat::Percent:
        return percent(value);
    case ValueFormat::Seconds:
        return seconds(value);
    case ValueFormat::Bytes:
        if (std::abs(value) < 0.5) // what a difference of large amounts left: nobody has part of a byte
            return {"0", "B"};
        return memoryUnit() == MemoryUnit::Gibibyte ? prefixed(value, "B", 0x1p60, 1, binaryPrefixes)
                                                    : prefixed(value, "B", 1e18, 1);
    case ValueFormat::FlopPerS:
        return prefixed(value, "FLOP/s", 1e24, 1);
    case ValueFormat::BytesPerS:
        return prefixed(value, "B/s", 1e18, 1);
    case ValueFormat::Flop:
        return prefixed(value, "FLOP", 1e24, 1);
    case ValueFormat::TokensPerS:
        return {threeDigits(value), std::string(say("tokens/s"))};
    case ValueFormat::Watts:
        return prefixed(value, "W", 1e12, 1);
    case ValueFormat::FlopPerByte:
        return {threeDigits(value), std::string(say("FLOP/byte"))};
    case ValueFormat::Money:
        return money(value);
    case ValueFormat::Parameters: {
        FormattedValue result = prefixed(value, "", 1e12, 1);
        if (result.unit == "G")
            result.unit = "B"; // the field counts parameters in billions
        if (result.unit == "k")
            result.unit = "K";
        return result;
    }
    }
    return {threeDigits(value), ""};
}

std::string formatText(double value, ValueFormat format)
{
    return formatValue(value, format).text();
}

std::string numberText(double value)
{
    return formatText(value, ValueFormat::Plain);
}

std::string wholeText(double value)
{
    return formatText(value, ValueFormat::Integer);
}

std::string percentText(double share)
{
    return formatText(share, ValueFormat::Percent);
}

std::string secondsText(double seconds)
{
    return formatText(seconds, ValueFormat::Seconds);
}

std::string exactNumber(double value)
{
    return fmt::format(FMT_COMPILE("{}"), value);
}

std::string withLocalMark(std::string number)
{
    if (const auto point = number.find('.'); point != std::string::npos)
        number.replace(point, 1, say("."));
    return number;
}

namespace
{

/// Drops group separators: a comma, space or narrow space between a digit and exactly three further digits.
std::string withoutGroups(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t width = 0;
        if (text[i] == ',' || text[i] == ' ' || text[i] == '\'')
            width = 1;
        else if (text.substr(i).starts_with(narrowNoBreakSpace))
            width = narrowNoBreakSpace.size();
        const auto digit = [&](std::size_t at) {
            return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
        };
        const std::size_t next = i + width;
        const bool group = width > 0 && !result.empty() &&
                           std::isdigit(static_cast<unsigned char>(result.back())) != 0 && digit(next) &&
                           digit(next + 1) && digit(next + 2) && !digit(next + 3);
        if (!group)
            result.append(text.substr(i, std::max<std::size_t>(width, 1)));
        i += std::max<std::size_t>(width, 1);
    }
    return result;
}

std::string_view trimmed(std::string_view text)
{
    while (true) {
        if (text.starts_with(narrowNoBreakSpace))
            text.remove_prefix(narrowNoBreakSpace.size());
        else if (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
            text.remove_prefix(1);
        else if (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
            text.remove_suffix(1);
        else
            return text;
    }
}

/// The factor of a unit suffix; empty = not a suffix of this format.
std::optional<double> unitFactor(std::string_view unit, ValueFormat format, bool binaryK)
{
    if (unit.empty())
        return 1.0;
    if (format == ValueFormat::Percent)
        return unit == "%" ? std::optional(0.01) : std::nullopt;
    if (format == ValueFormat::Seconds) {
        struct TimeUnit {
            std::string_view name;
            double seconds;
        };
        static constexpr std::array<TimeUnit, 9> units{{{"s", 1},
                                                        {"ms", 1e-3},
                                                        {"us", 1e-6},
                                                        {"µs", 1e-6},
                                                        {"min", 60},
                                                        {"h", 3600},
                                                        {"d", 86400},
                                                        {"day", 86400},
                                                        {"days", 86400}}};
        const auto found = std::ranges::find(units, unit, &TimeUnit::name);
        return found == units.end() ? std::nullopt : std::optional(found->seconds);
    }
    struct Multiplier {
        std::string_view name;
        double factor;
    };
    static constexpr std::array<Multiplier, 13> multipliers{{{"Ki", 1024.0},
                                                             {"Mi", 1048576.0},
                                                             {"Gi", 1073741824.0},
                                                             {"Ti", 1099511627776.0},
                                                             {"k", 1e3},
                                                             {"K", 1e3},
                                                             {"M", 1e6},
                                                             {"G", 1e9},
                                                             {"B", 1e9},
                                                             {"T", 1e12},
                                                             {"P", 1e15},
                                                             {"E", 1e18},
                                                             {"m", 1e-3}}};
    const bool countsBytes = format == ValueFormat::Bytes || format == ValueFormat::BytesPerS;
    for (const Multiplier& multiplier : multipliers) {
        if (!unit.starts_with(multiplier.name) || (countsBytes && multiplier.name == "B"))
            continue;
        std::string_view rest = trimmed(unit.substr(multiplier.name.size()));
        const bool knownRest = rest.empty() || rest == "B" || rest == "B/s" || rest == "FLOP/s" || rest == "tokens" ||
                               rest == "tokens/s" || rest == "parameters" || rest == "Gbit/s";
        if (!knownRest)
            continue;
        const bool kilo = multiplier.name == "k" || multiplier.name == "K";
        return kilo && binaryK ? 1024.0 : multiplier.factor;
    }
    // A bare word ("tokens", "sequences", "GPUs") names the unit and changes nothing.
    const bool word =
        std::ranges::all_of(unit, [](unsigned char c) { return std::isalpha(c) != 0 || c == '/' || c == ' '; });
    return word && unit.size() > 2      ? std::optional(1.0)
           : unit == "B" && countsBytes ? std::optional(1.0)
                                        : std::nullopt;
}

} // namespace

std::optional<double> readNumber(std::string_view text, ValueFormat format, bool binaryK)
{
    std::string plain = withoutGroups(trimmed(text));
    if (plain.starts_with(minusSign))
        plain.replace(0, minusSign.size(), "-");
    if (const auto sign = plain.find('$'); format == ValueFormat::Money && sign < 2) // what is printed is read
        plain.erase(sign, 1);
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    const std::string_view unit = trimmed(std::string_view(end, plain.data() + plain.size()));
    const std::optional<double> factor = unitFactor(unit, format, binaryK);
    if (!factor || !std::isfinite(value * *factor))
        return std::nullopt;
    return value * *factor;
}

} // namespace headroom
