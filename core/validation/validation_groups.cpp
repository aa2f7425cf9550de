// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of validated runs: errors, intervals, memory, how far runs of one scenario lie apart.
#include "core/validation/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom
{
namespace
{

double quantile(const std::vector<double>& sorted, double share)
{
    if (sorted.empty())
        return 0;
    const double at = share * double(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const auto high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - double(low)) * (sorted[high] - sorted[low]);
}

std::optional<double> medianOf(std::vector<double> values)
{
    if (values.empty())
        return std::nullopt;
    std::ranges::sort(values);
    return quantile(values, 0.5);
}

/// Errors of every value against the median of its twins, and against the median of its whole key.
struct Spread {
    std::vector<double> twins, floor;
    void add(const std::vector<double>& sorted)
    {
        const double middle = quantile(sorted, 0.5);
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            floor.push_back(middle / sorted[i] - 1);
            if (sorted.size() < 2)
                continue;
            std::vector<double> others = sorted;
            others.erase(others.begin() + std::ptrdiff_t(i));
            twins.push_back(quantile(others, 0.5) / sorted[i] - 1);
        }
    }
};

ValidationGroup summariseGroup(std::string by, std::string key, const std::string& metric,
                               const std::vector<const ValidationRun*>& runs)
{
    ValidationGroup group;
    group.by = std::move(by);
    group.key = std::move(key);
    group.metric = metric;
    std::vector<double> errors, memory, mfu, hfu, mbu, counted;
    std::size_t inside = 0, judged = 0;
    std::map<std::string_view, std::vector<double>> measured; // by key
    for (const ValidationRun* run : runs) {
        const bool possible = run->doubt != RunDoubt::TooFast; // else it says nothing of the prediction
        for (const ValidationFigure& figure : run->figures) {
            if (figure.metric != metric || !possible)
                continue;
            measured[run->key].push_back(figure.measured);
            errors.push_back(figure.error());
            judged += figure.inside ? 1 : 0;
            inside += figure.inside.value_or(false) ? 1 : 0;
        }
        if (run->memoryError && run->recipe == "known")
            memory.push_back(*run->memoryError);
        if (run->mfuPoints && possible)
            mfu.push_back(std::abs(*run->mfuPoints));
        if (run->hfuPoints && possible)
            hfu.push_back(std::abs(*run->hfuPoints));
        if (run->mbuPoints && possible)
            mbu.push_back(std::abs(*run->mbuPoints));
        for (const AccountingFigure& figure : run->accounting)
            counted.push_back(100 * std::abs(figure.published - figure.ours));
        group.accountingFigures += run->accounting.size();
        group.accountingReproduced +=
            std::size_t(std::ranges::count_if(run->accounting, [](const AccountingFigure& f) { return f.reproduced; }));
        (run->ranOutOfMemory ? group.failed : group.ran) += 1;
        group.failedPredictedToFail += run->ranOutOfMemory && !run->predictedFits ? 1 : 0;
        group.ranPredictedToFit += !run->ranOutOfMemory && run->predictedFits ? 1 : 0;
    }
    Spread spread;
    for (auto& [name, values] : measured) {
        std::ranges::sort(values);
        spread.add(values);
    }
    group.twins = summarise(std::move(spread.twins));
    group.floor = summarise(std::move(spread.floor));
    group.error = summarise(std::move(errors));
    group.memory = summarise(std::move(memory));
    if (judged > 0)
        group.insideShare = double(inside) / double(judged);
    group.mfuPoints = medianOf(std::move(mfu));
    group.hfuPoints = medianOf(std::move(hfu));
    group.mbuPoints = medianOf(std::move(mbu));
    group.accountingPoints = medianOf(std::move(counted));
    return group;
}

struct GroupingRow {
    const char* by;
    std::string (*key)(const ValidationRun&);
};

constexpr GroupingRow groupings[] = {
    {"all", [](const ValidationRun&) { return std::string(); }},
    {"task", [](const ValidationRun& r) { return std::string(r.task == Task::Training ? "training" : "inference"); }},
    {"source", [](const ValidationRun& r) { return r.origin; }},
    {"kind", [](const ValidationRun& r) { return r.kind; }},
    {"method", [](const ValidationRun& r) { return r.method; }},
    {"accelerator", [](const ValidationRun& r) { return r.accelerator; }},
    {"precision", [](const ValidationRun& r) { return r.precision; }},
    {"architecture", [](const ValidationRun& r) { return r.architecture; }},
    {"batch", [](const ValidationRun& r) { return r.batchClass; }},
    {"software", [](const ValidationRun& r) { return r.software; }},
    {"recipe", [](const ValidationRun& r) { return r.recipe; }},
};

} // namespace

ErrorSummary summarise(std::vector<double> errors)
{
    ErrorSummary result;
    result.rows = errors.size();
    if (errors.empty())
        return result;
    std::ranges::sort(errors);
    result.bias = quantile(errors, 0.5);
    for (double& error : errors)
        error = std::abs(error);
    std::ranges::sort(errors);
    result.median = quantile(errors, 0.5);
    result.p90 = quantile(errors, 0.9);
    return result;
}

std::vector<std::pair<std::string, std::string>> groupsOf(const ValidationRun& run)
{
    std::vector<std::pair<std::string, std::string>> groups;
    for (const GroupingRow& grouping : groupings)
        if (std::string key = grouping.key(run); !key.empty() || std::string_view(grouping.by) == "all")
            groups.emplace_back(grouping.by, std::move(key));
    return groups;
}

std::vector<ValidationGroup> groupRuns(std::span<const ValidationRun> runs)
{
    // By key and metric: a run counts once under each of its figures, or under none when it only has memory.
    std::map<std::string, std::map<std::pair<std::string, std::string>, std::vector<const ValidationRun*>>> members;
    for (const ValidationRun& run : runs)
        for (const auto& [by, key] : groupsOf(run)) {
            if (run.figures.empty())
                members[by][{key, run.task == Task::Training ? "step_time_s" : "tpot_s"}].push_back(&run);
            for (const ValidationFigure& figure : run.figures)
                members[by][{key, figure.metric}].push_back(&run);
        }
    std::vector<ValidationGroup> result;
    for (const GroupingRow& grouping : groupings)
        for (const auto& [key, group] : members[grouping.by])
            result.push_back(summariseGroup(grouping.by, key.first, key.second, group));
    return result;
}

std::vector<ValidationGroup> totalsOf(std::span<const ValidationRun> runs)
{
    std::map<std::pair<std::string, std::string>, std::vector<const ValidationRun*>> members;
    for (const ValidationRun& run : runs) {
        const std::string task = run.task == Task::Training ? "training" : "inference";
        members[{"task", task}].push_back(&run);
        members[{"source of " + task, run.origin}].push_back(&run);
    }
    std::vector<ValidationGroup> result;
    for (const char* by : {"task", "source of training", "source of inference"})
        for (const auto& [key, group] : members)
            if (key.first == by)
                result.push_back(summariseGroup(by, key.second, {}, group));
    return result;
}

} // namespace headroom
