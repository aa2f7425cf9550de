// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/suggestion.hpp"

#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::ui
{
namespace
{

constexpr double neighbours = 64; // whole values tried on either side
constexpr double multiplesTried = 16;

Suggestion single(const ParameterRow& row, double value)
{
    const std::string text = parameterText(row, value);
    const bool named = text.ends_with(say(row.label)); // "3 GPUs" need not be called GPUs
    return {{{&row, value}}, named ? text : said(row.label) + " " + text};
}

/// How far a value is from another, in doublings where both are positive.
double distance(double a, double b)
{
    return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : std::abs(a - b);
}

/// Values worth trying for a row, nearest to the current one first.
std::vector<double> candidates(const ParameterRow& row, const Setup& setup)
{
    const double current = row.get(setup);
    std::set<double> values(row.snaps.begin(), row.snaps.end());
    if (row.kind == ParameterKind::Choice)
        for (std::size_t i = 0; i < row.choices.size(); ++i)
            values.insert(static_cast<double>(i));
    if (row.kind == ParameterKind::Integer) {
        for (double step = 1; step <= neighbours; ++step) {
            values.insert(current - step);
            values.insert(current + step);
        }
        // Counts have to be multiples of what divides them.
        const Parallelism& p = setup.parallelism;
        const double unit = static_cast<double>(p.tensor * p.pipeline * p.context);
        const double batch = static_cast<double>(setup.training.microBatch) *
                             std::max(1.0, static_cast<double>(setup.hardware.count) / std::max(1.0, unit));
        for (const double base : {unit, batch})
            for (double k = 0; base > 1 && k < multiplesTried; ++k)
                values.insert(base * std::max(1.0, std::floor(current / base) - multiplesTried / 2 + k));
    }
    std::vector<double> sorted;
    for (const double value : values)
        if (value >= row.minimum && value <= row.maximum && value != current)
            sorted.push_back(value);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](double a, double b) { return distance(a, current) < distance(b, current); });
    return sorted;
}

bool isUsable(const ParameterRow& row, const Setup& setup, const IsLocked& locked)
{
    return (setup.task == Task::Training ? row.training : row.inference) && row.applies(setup) && !locked(row.id);
}

bool fits(const PreparedScenario& base, const Suggestion& suggestion)
{
    PreparedScenario changed = base;
    suggestion.applyTo(changed);
    return checkSetup(changed).empty() && evaluate(changed).fits;
}

/// The first value beyond the current one, in the direction, at which it fits.
std::optional<Suggestion> firstFitting(const PreparedScenario& base, std::string_view id, double factor,
                                       const IsLocked& locked)
{
    const ParameterRow* row = parameterRow(id);
    if (!row || !isUsable(*row, base, locked))
        return std::nullopt;
    const double limit = factor > 1 ? std::min(row->maximum, row->sliderMaximum) : row->minimum;
    for (double value = std::floor(row->get(base) * factor); factor > 1 ? value <= limit : value >= limit;
         value = std::floor(value * factor)) {
        const Suggestion suggestion = single(*row, value);
        if (fits(base, suggestion))
            return suggestion;
    }
    return std::nullopt;
}

std::optional<Suggestion> choiceThatFits(const PreparedScenario& base, std::string_view id,
                                         std::initializer_list<std::string_view> choices, const IsLocked& locked)
{
    const ParameterRow* row = parameterRow(id);
    if (!row || !isUsable(*row, base, locked))
        return std::nullopt;
    for (const std::string_view choice : choices)
        for (std::size_t i = 0; i < row->choices.size(); ++i)
            if (row->choices[i].id == choice && row->get(base) != static_cast<double>(i))
                if (const Suggestion suggestion = single(*row, static_cast<double>(i)); fits(base, suggestion))
                    return suggestion;
    return std::nullopt;
}

/// More GPUs, split so that the model's share per GPU shrinks; `first` is changed along with them.
std::optional<Suggestion> moreGpus(const PreparedScenario& base, const IsLocked& locked, const Suggestion& first = {})
{
    const ParameterRow* count = parameterRow("count");
    const ParameterRow* tensor = parameterRow("tensor");
    if (!count || !tensor || !isUsable(*count, base, locked) || !isUsable(*tensor, base, locked))
        return std::nullopt;
    constexpr double mostTensor = 64, mostGpus = 1024;
    const double gpus = count->get(base), ranks = tensor->get(base);
    for (double n = gpus; n <= std::max(gpus, mostGpus) && n <= count->maximum; n *= 2) {
        for (double t = ranks; t <= std::min({mostTensor, n, tensor->maximum}); t *= 2) {
            Suggestion suggestion = first;
            suggestion.changes.push_back({count, n});
            suggestion.changes.push_back({tensor, t});
            if (!fits(base, suggestion))
                continue;
            const auto add = [&suggestion](const std::string& text) {
                suggestion.text += (suggestion.text.empty() ? "" : ", ") + text;
            };
            if (n != gpus)
                add(parameterText(*count, n));
            if (t != ranks)
                add(single(*tensor, t).text);
            return suggestion;
        }
    }
    return std::nullopt;
}

/// Where no single change is enough: the smallest batch on more GPUs.
std::optional<Suggestion> smallBatchOnMoreGpus(const PreparedScenario& base, const IsLocked& locked)
{
    const ParameterRow* batch = parameterRow(base.task == Task::Training ? "micro_batch" : "batch");
    if (!batch || !isUsable(*batch, base, locked))
        return std::nullopt;
    return moreGpus(base, locked, single(*batch, 1));
}

} // namespace

void Suggestion::applyTo(Setup& setup) const
{
    for (const ParameterChange& change : changes)
        change.row->set(setup, change.value);
}

std::vector<Suggestion> legalFixes(const Setup& setup, const IsLocked& locked, std::size_t count)
{
    std::vector<std::pair<double, Suggestion>> found;
    for (const ParameterRow& row : parameterRegistry()) {
        if (row.kind != ParameterKind::Integer || row.group == ParameterGroup::Measured ||
            !isUsable(row, setup, locked))
            continue;
        for (const double value : candidates(row, setup)) {
            Setup changed = setup;
            row.set(changed, value);
            if (checkSetup(changed).empty()) {
                found.emplace_back(distance(value, row.get(setup)), single(row, value));
                break;
            }
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Suggestion> best;
    for (auto& [away, suggestion] : found)
        if (best.size() < count)
            best.push_back(std::move(suggestion));
    return best;
}

std::vector<Suggestion> memoryRemedies(const PreparedScenario& prepared, const IsLocked& locked, std::size_t count)
{
    if (evaluate(prepared).fits)
        return {};
    std::vector<std::optional<Suggestion>> tried;
    if (prepared.task == Task::Training) {
        tried.push_back(firstFitting(prepared, "micro_batch", 0.5, locked));
        tried.push_back(choiceThatFits(prepared, "checkpointing", {"selective_op", "full"}, locked));
        tried.push_back(choiceThatFits(prepared, "sharding", {"zero1", "fsdp"}, locked));
        tried.push_back(moreGpus(prepared, locked));
        tried.push_back(choiceThatFits(prepared, "method", {"lora", "qlora"}, locked));
        tried.push_back(choiceThatFits(prepared, "optimizer", {"adamw8bit"}, locked));
        tried.push_back(choiceThatFits(prepared, "offload", {"optimizer", "parameters"}, locked));
    } else {
        tried.push_back(firstFitting(prepared, "batch", 0.5, locked));
        tried.push_back(choiceThatFits(prepared, "kv_cache", {"fp8", "int4"}, locked));
        tried.push_back(choiceThatFits(prepared, "weights", {"fp8", "int8", "int4"}, locked));
        tried.push_back(moreGpus(prepared, locked));
        tried.push_back(firstFitting(prepared, "prompt_tokens", 0.5, locked));
    }
    std::vector<Suggestion> best;
    if (std::none_of(tried.begin(), tried.end(), [](const auto& each) { return each.has_value(); }))
        tried.push_back(smallBatchOnMoreGpus(prepared, locked));
    for (auto& suggestion : tried)
        if (suggestion && best.size() < count)
            best.push_back(std::move(*suggestion));
    return best;
}

const ParameterRow* warningParameter(WarningCode code, const Setup& setup)
{
    const bool training = setup.task == Task::Training;
    switch (code) {
    case WarningCode::LayersNotDivisible:
        return parameterRow("pipeline");
    case WarningCode::HeadsNotDivisible:
        return parameterRow("tensor");
    case WarningCode::ExpertsNotDivisible:
    case WarningCode::ExpertGroupTooLarge:
        return parameterRow("expert");
    case WarningCode::BeyondMaxContext:
        return parameterRow(training ? "sequence_length" : "prompt_tokens");
    case WarningCode::PrecisionUnavailable:
        return parameterRow(training ? "precision" : setup.inference.compute ? "compute" : "weights");
    case WarningCode::NicAssumed:
        return parameterRow("scale_out_gbit_per_s");
    case WarningCode::SoftwareWithoutFit:
        return parameterRow("software");
    case WarningCode::BatchLimitedByMemory:
        return parameterRow("batch");
    default:
        return nullptr;
    }
}

std::optional<Suggestion> withoutWarning(const PreparedScenario& prepared, WarningCode code, const ParameterRow& row)
{
    for (const double value : candidates(row, prepared)) {
        PreparedScenario changed = prepared;
        row.set(changed, value);
        if (checkSetup(changed).empty() && !evaluate(changed).warnings.has(code))
            return single(row, value);
    }
    return std::nullopt;
}

} // namespace headroom::ui
