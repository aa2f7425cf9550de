// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/dividing_values.hpp"

#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

std::vector<double> dividingValues(const ParameterRow& row, const Setup& setup)
{
    std::vector<double> values;
    const auto& batch = setup.training.globalBatch;
    if (row.id != "micro_batch" || setup.task != Task::Training || !batch)
        return values;
    const std::int64_t ranks = modelParallelRanks(setup.parallelism), data = dataParallelRanks(setup);
    if (ranks < 1 || setup.hardware.count % ranks != 0 || *batch % data != 0)
        return values;
    const std::int64_t share = *batch / data; // of a rank
    const bool whole = setup.training.optimizerInBackward.value_or(false) && !isRl(setup);
    for (std::int64_t value = 1; value * value <= share; ++value)
        if (const std::int64_t other = share / value; share % value == 0) {
            values.push_back(double(value));
            if (value != other)
                values.push_back(double(other));
        }
    std::ranges::sort(values);
    std::erase_if(values, [&](double value) { return value > row.maximum || (whole && value != double(share)); });
    return values;
}

double nearestOf(const std::vector<double>& values, double value, int direction)
{
    if (values.empty())
        return value;
    const auto above = std::ranges::lower_bound(values, value);
    if (direction > 0)
        return above == values.end() ? values.back() : *above;
    if (direction < 0) {
        const auto beyond = std::ranges::upper_bound(values, value);
        return beyond == values.begin() ? values.front() : *std::prev(beyond);
    }
    return *std::ranges::min_element(values, {}, [value](double each) { return distance(each, value); });
}

std::optional<Advice> beyondDividing(const ParameterRow& row, const Setup& setup, const IsHeld& held)
{
    const std::vector<double> values = dividingValues(row, setup);
    const auto next =
        values.empty() ? row.snaps.end() : std::ranges::find_if(row.snaps, [&](double s) { return s > values.back(); });
    const ParameterRow& batch = *parameterRow("global_batch");
    if (next == row.snaps.end() || (held && held(batch.id)))
        return std::nullopt;
    const double pass = *next * double(dataParallelRanks(setup));
    const double larger = std::ceil(double(*setup.training.globalBatch) / pass) * pass;
    return larger > batch.maximum ? std::nullopt : std::optional(adviceOf({{&batch, larger}, {&row, *next}}));
}

} // namespace headroom
