// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/sweep.hpp"

#include "core/predict/prices.hpp"
#include "core/scenario/measurement.hpp"
#include "core/scenario/stated_value.hpp"
#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

PreparedScenario withValues(const PreparedScenario& base, std::span<const ParameterValue> values)
{
    PreparedScenario scenario = base;
    for (const ParameterValue& each : values) {
        const PreparedScenario before = scenario; // a price of a value before this one stays
        stateValue(scenario, *each.row, each.value);
        followPriceKind(scenario, each.row->id, before);
    }
    leaveMeasurement(scenario, base);
    return scenario;
}

std::vector<double> sweepValues(const ParameterRow& row, double minimum, double maximum, int count, double current)
{
    std::vector<double> values;
    minimum = std::max(minimum, row.minimum);
    maximum = std::min(maximum, row.maximum);
    const bool whole = row.kind != ParameterKind::Real;
    if (row.kind == ParameterKind::Choice || row.kind == ParameterKind::Toggle) {
        for (double value = row.minimum; value <= row.maximum; ++value)
            values.push_back(value);
        return values;
    }
    const bool logarithmic = row.scale == ParameterScale::Log && minimum > 0;
    const int last = std::max(count - 1, 1);
    for (int i = 0; i <= last; ++i) {
        const double share = static_cast<double>(i) / last;
        double value =
            logarithmic ? minimum * std::pow(maximum / minimum, share) : minimum + share * (maximum - minimum);
        values.push_back(whole ? std::round(value) : value);
    }
    values.front() = whole ? std::ceil(minimum) : minimum; // exact ends, whatever pow() rounds to
    values.back() = whole ? std::floor(maximum) : maximum;
    if (current >= minimum && current <= maximum)
        values.push_back(current);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

namespace
{

constexpr std::size_t maximumValues = 100000; // a sweep axis longer than this is a slip of the pen

Expected<double> readSweepValue(const ParameterRow& row, std::string_view text)
{
    const std::string key(row.id);
    if (!row.choices.empty()) {
        const auto found = std::ranges::find(row.choices, text, &ParameterChoice::id);
        if (found != row.choices.end())
            return static_cast<double>(found - row.choices.begin());
        std::vector<std::string_view> known;
        for (const ParameterChoice& choice : row.choices)
            known.push_back(choice.id);
        return fail("unknown-choice", key, say("'{}' is not a value of {}", text, key),
                    say("one of {}", listOf(known)));
    }
    if (row.kind == ParameterKind::Toggle && (text == "true" || text == "false"))
        return text == "true" ? 1.0 : 0.0;
    const auto value = readNumber(text, row.format, row.unit == "tokens");
    if (!value)
        return fail("not-a-number", key, say("'{}' is not a number", text), said("for example 1..1024:x2 or 1,2,4"));
    if (*value < row.minimum || *value > row.maximum)
        return fail("out-of-range", key, say("{} is out of range", exactNumber(*value)),
                    say("from {} to {}", exactNumber(row.minimum), exactNumber(row.maximum)));
    if (row.kind == ParameterKind::Integer && *value != std::round(*value))
        return fail("not-whole", key, say("{} is not a whole number", exactNumber(*value)));
    return *value;
}

/// The part after the colon of "1..1024:x2", "0..1:+0.1".
struct Step {
    bool multiply = true;
    double amount = 2;
};

Expected<Step> readStep(const ParameterRow& row, std::string_view text)
{
    const bool plus = text.starts_with('+');
    const bool times = text.starts_with('x') || text.starts_with('*');
    const auto amount = plus || times ? readNumber(text.substr(1), ValueFormat::Plain, false) : std::nullopt;
    if (!amount || (times && *amount <= 1) || (plus && *amount <= 0))
        return fail("bad-step", std::string(row.id), say("'{}' is not a step", text),
                    said("x2 multiplies (above 1), +64 adds (above 0)"));
    return Step{times, *amount};
}

Expected<std::vector<double>> readRange(const ParameterRow& row, std::string_view text, std::size_t dots)
{
    const std::size_t colon = text.find(':', dots);
    const auto first = readSweepValue(row, text.substr(0, dots));
    const auto last =
        readSweepValue(row, text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2));
    if (!first)
        return tl::unexpected(first.error());
    if (!last)
        return tl::unexpected(last.error());
    if (*first > *last)
        return fail("empty-range", std::string(row.id), say("the range '{}' runs backwards", text),
                    said("smallest value first"));
    Step step{row.scale == ParameterScale::Log && *first > 0,
              row.scale == ParameterScale::Log && *first > 0 ? 2.0 : 1.0};
    if (row.kind == ParameterKind::Real && !step.multiply)
        step.amount = (*last - *first) / 10;
    if (colon != std::string_view::npos) {
        const auto read = readStep(row, text.substr(colon + 1));
        if (!read)
            return tl::unexpected(read.error());
        step = *read;
    }
    if (step.multiply && *first <= 0)
        return fail("bad-step", std::string(row.id), said("a multiplied range cannot start at 0"),
                    said("add instead: 0..10:+1"));
    std::vector<double> values;
    const double tolerance = 1e-9 * std::abs(*last);
    for (double value = *first; value <= *last + tolerance && values.size() < maximumValues;) {
        values.push_back(row.kind == ParameterKind::Real ? value : std::round(value));
        // From the start, not from the neighbour: rounding must not add up.
        const auto n = static_cast<double>(values.size());
        value = step.multiply ? *first * std::pow(step.amount, n) : *first + n * step.amount;
        if (step.amount <= 0)
            break;
    }
    if (values.size() >= maximumValues)
        return fail("too-many-values", std::string(row.id), said("the range has more than 100,000 values"),
                    said("take a larger step"));
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

} // namespace

Expected<std::vector<double>> parseSweepValues(const ParameterRow& row, std::string_view text)
{
    std::vector<double> values;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        const std::size_t dots = item.find("..");
        if (dots != std::string_view::npos && row.choices.empty()) {
            const auto range = readRange(row, item, dots);
            if (!range)
                return tl::unexpected(range.error());
            values.insert(values.end(), range->begin(), range->end());
        } else {
            const auto value = readSweepValue(row, item);
            if (!value)
                return tl::unexpected(value.error());
            values.push_back(*value);
        }
        if (comma == std::string_view::npos)
            return values;
        text.remove_prefix(comma + 1);
    }
}

} // namespace headroom
