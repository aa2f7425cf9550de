// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/parameter_registry.hpp"

#include "core/scenario/parameter_rows.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <vector>

namespace headroom
{

std::span<const ParameterRow> parameterRegistry()
{
    static const std::vector<ParameterRow> table = [] {
        std::vector<ParameterRow> rows;
        for (const auto group :
             {rows::hardware(), rows::training(), rows::inference(), rows::traffic(), rows::mix(), rows::day(),
              rows::speculation(), rows::pools(), rows::hostMemory(), rows::parallelism(), rows::assumptions(),
              rows::measured(), rows::reliability(), rows::site(), rows::prices(), rows::reinforcement()})
            rows.insert(rows.end(), group.begin(), group.end());
        return rows;
    }();
    return table;
}

namespace
{

/// "/parallelism/tensor" also answers to "parallelism.tensor".
bool pathMatches(std::string_view path, std::string_view key)
{
    const std::string_view bare = path.substr(1);
    return path == key ||
           std::ranges::equal(bare, key, [](char a, char b) { return a == b || (a == '/' && b == '.'); });
}

std::string_view lastKey(const ParameterRow& row)
{
    return row.path.substr(row.path.rfind('/') + 1);
}

/// The shortest path that ends in `key`, which is whose key it is: "batch" is serving's, not that of a rollout pool.
/// Empty where two are as short.
std::string_view pathEndingIn(std::string_view key)
{
    const auto depth = [](std::string_view path) { return std::ranges::count(path, '/'); };
    std::string_view shortest;
    bool several = false;
    for (const ParameterRow& row : parameterRegistry()) {
        if (lastKey(row) != key || row.path == shortest)
            continue;
        const auto longer = shortest.empty() ? -1 : depth(row.path) - depth(shortest);
        if (longer < 0)
            shortest = row.path;
        several = longer < 0 ? false : several || longer == 0;
    }
    return several ? std::string_view() : shortest;
}

/// Units that are counted things: a lone one is no plural.
std::string_view singular(std::string_view unit)
{
    constexpr std::pair<std::string_view, std::string_view> things[] = {{"sequences", phrase("sequence")},
                                                                        {"tokens", phrase("token")},
                                                                        {"GPUs", phrase("GPU")},
                                                                        {"layers", phrase("layer")},
                                                                        {"replicas", phrase("replica")}};
    const auto found = std::ranges::find(things, unit, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(things) ? unit : found->second;
}

} // namespace

const ParameterRow* parameterRow(std::string_view id)
{
    const auto found = std::ranges::find(parameterRegistry(), id, &ParameterRow::id);
    return found == parameterRegistry().end() ? nullptr : &*found;
}

const ParameterRow* parameterRow(std::string_view key, Task task)
{
    for (const ParameterRow& row : parameterRegistry())
        if (appliesTo(row, task) && row.id == key)
            return &row;
    for (const ParameterRow& row : parameterRegistry())
        if (appliesTo(row, task) && pathMatches(row.path, key))
            return &row;
    const std::string_view path = pathEndingIn(key);
    for (const ParameterRow& row : parameterRegistry())
        if (appliesTo(row, task) && row.path == path)
            return &row;
    return nullptr;
}

std::string parameterText(const ParameterRow& row, double value)
{
    if (row.kind == ParameterKind::Toggle)
        return value != 0 ? said("on") : said("off");
    if (row.kind == ParameterKind::Choice) {
        const double last = static_cast<double>(row.choices.size()) - 1;
        return said(row.choices[static_cast<std::size_t>(std::clamp(value, 0.0, last))].label);
    }
    std::string text = formatText(value, row.format);
    if (!row.unit.empty())
        text += "\u202F" + said(value == 1 ? singular(row.unit) : row.unit);
    return text;
}

std::string_view defaultSweepParameter(Task task)
{
    return task == Task::Training ? "micro_batch" : "batch";
}

} // namespace headroom
