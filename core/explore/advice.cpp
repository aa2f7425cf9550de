// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/advice.hpp"

#include "core/explore/sensitivity.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace headroom
{

namespace
{

using Edits = std::vector<std::pair<std::string, double>>;

/// Gains below this share of the metric are not worth a sentence.
constexpr double smallestGain = 0.01;

double choice(const ParameterRow& row, std::string_view id)
{
    const auto found = std::ranges::find(row.choices, id, &ParameterChoice::id);
    return static_cast<double>(found - row.choices.begin());
}

void addChoice(std::vector<Edits>& all, const PreparedScenario& prepared, std::string_view id, std::string_view value)
{
    const ParameterRow& row = *parameterRow(id);
    if (row.get(prepared) != choice(row, value))
        all.push_back({{std::string(id), choice(row, value)}});
}

/// Halvings of a batch down to 1, doublings of the GPUs up to 64-fold: each is one candidate.
std::vector<Edits> candidates(const PreparedScenario& prepared)
{
    std::vector<Edits> all;
    const bool training = prepared.task == Task::Training;
    const ParameterRow& batch = *parameterRow(training ? "micro_batch" : "batch");
    if (training || !prepared.inference.batchMax)
        for (double value = std::floor(batch.get(prepared) / 2); value >= 1; value = std::floor(value / 2))
            all.push_back({{std::string(batch.id), value}});
    const double count = static_cast<double>(prepared.hardware.count);
    const double tensor = static_cast<double>(prepared.parallelism.tensor);
    for (double factor = 2; factor <= 64; factor *= 2) {
        all.push_back({{"count", count * factor}});
        if (tensor * factor <= 8)
            all.push_back({{"count", count * factor}, {"tensor", tensor * factor}});
    }
    for (double factor = 2; tensor * factor <= std::min(count, 8.0); factor *= 2)
        all.push_back({{"tensor", tensor * factor}});
    if (training) {
        addChoice(all, prepared, "checkpointing", "full");
        addChoice(all, prepared, "sharding", "fsdp");
        addChoice(all, prepared, "optimizer", "adamw8bit");
    } else {
        addChoice(all, prepared, "kv_cache", "fp8");
        addChoice(all, prepared, "weights", "fp8");
        addChoice(all, prepared, "weights", "int4");
    }
    return all;
}

std::optional<Advice> tryEdits(const PreparedScenario& prepared, const Edits& edits)
{
    PreparedScenario trial = prepared;
    for (const auto& [id, value] : edits) {
        const ParameterRow& row = *parameterRow(id);
        if (value < row.minimum || value > row.maximum)
            return std::nullopt;
        apply(trial, row, value);
    }
    if (!checkSetup(trial).empty())
        return std::nullopt;
    Advice advice;
    advice.after = evaluate(trial);
    if (!advice.after.fits)
        return std::nullopt;
    advice.edits = edits;
    return advice;
}

double speedPerGpu(const Advice& advice, const PreparedScenario& prepared)
{
    double gpus = static_cast<double>(prepared.hardware.count);
    for (const auto& [id, value] : advice.edits)
        if (id == "count")
            gpus = value;
    return advice.after.tokensPerS.value_or(0) / gpus;
}

/// Only the mildest step of each kind: batch 8 where 8, 4, 2 and 1 all fit.
bool sameKind(const Edits& a, const Edits& b)
{
    return std::ranges::equal(a, b, {}, &Edits::value_type::first, &Edits::value_type::first);
}

/// Does `a` change all that `b` changes, and something more?
bool containsMore(const Edits& a, const Edits& b)
{
    return a.size() > b.size() &&
           std::ranges::all_of(b, [&a](const auto& edit) { return std::ranges::find(a, edit) != a.end(); });
}

std::string text(const Advice& advice)
{
    std::string changes;
    for (const auto& [id, value] : advice.edits)
        changes += (changes.empty() ? std::string() : said(" and ")) + named(*parameterRow(id), value);
    return say("{}: {} of {}", capitalized(changes), formatText(advice.after.usedBytes, ValueFormat::Bytes),
               formatText(advice.after.capacityBytes, ValueFormat::Bytes));
}

} // namespace

std::vector<Advice> remedies(const PreparedScenario& prepared, const Evaluation& evaluation, std::size_t count)
{
    std::vector<Advice> found;
    if (evaluation.fits)
        return found;
    const std::vector<Edits> singles = candidates(prepared);
    const auto consider = [&](const Edits& edits) {
        const bool known = std::ranges::any_of(found, [&](const Advice& a) { return sameKind(a.edits, edits); });
        if (auto advice = known ? std::nullopt : tryEdits(prepared, edits))
            found.push_back(std::move(*advice));
    };
    for (const Edits& edits : singles)
        consider(edits);
    for (std::size_t i = 0; found.empty() && i < singles.size(); ++i)
        for (std::size_t j = i + 1; j < singles.size(); ++j) {
            Edits both = singles[i];
            both.insert(both.end(), singles[j].begin(), singles[j].end());
            if (both.front().first != both.back().first)
                consider(both);
        }
    std::vector<Edits> enough;
    for (const Advice& advice : found)
        enough.push_back(advice.edits);
    std::erase_if(found, [&enough](const Advice& advice) {
        return std::ranges::any_of(enough, [&](const Edits& edits) { return containsMore(advice.edits, edits); });
    });
    std::ranges::stable_sort(
        found, [&](const Advice& a, const Advice& b) { return speedPerGpu(a, prepared) > speedPerGpu(b, prepared); });
    found.resize(std::min(found.size(), count));
    for (Advice& advice : found)
        advice.text = text(advice);
    return found;
}

std::vector<Advice> improvements(const PreparedScenario& prepared, const Evaluation& evaluation, std::size_t count)
{
    std::vector<Advice> found;
    if (!evaluation.fits)
        return found;
    const MetricRow& metric = leadingMetric(prepared.task);
    for (const SensitivityStep& step : sensitivity(prepared, evaluation, metric)) {
        if (found.size() == count || step.gain <= smallestGain * std::abs(step.before))
            break;
        if (!step.evaluation.fits)
            continue;
        const std::string gain =
            metric.format == ValueFormat::Percent
                ? say("{} {} points", say(metric.label), points(step.after - step.before, true))
                : fmt::format("{} {} → {}", say(metric.label), formatText(step.before, metric.format),
                              formatText(step.after, metric.format));
        found.push_back({say("{} {} → {}: fits, {}", say(step.row->label), parameterText(*step.row, step.from),
                             parameterText(*step.row, step.to), gain),
                         {{std::string(step.row->id), step.to}},
                         step.evaluation});
    }
    return found;
}

std::vector<Advice> whatNext(const PreparedScenario& prepared, const Evaluation& evaluation,
                             const std::function<bool(std::string_view)>& held, std::size_t count)
{
    constexpr std::size_t all = 100; // what is held is taken out afterwards
    std::vector<Advice> found =
        evaluation.fits ? improvements(prepared, evaluation, all) : remedies(prepared, evaluation, all);
    std::erase_if(found, [&held](const Advice& advice) {
        return std::ranges::any_of(advice.edits, [&held](const auto& edit) { return held && held(edit.first); });
    });
    found.resize(std::min(found.size(), count));
    return found;
}

void apply(Setup& setup, const Advice& advice)
{
    for (const auto& [id, value] : advice.edits)
        if (const ParameterRow* row = parameterRow(id, setup.task))
            apply(setup, *row, value);
}

std::string whatWouldHelp(const PreparedScenario& prepared, const Evaluation& evaluation, std::string_view metricId)
{
    const MetricRow* metric = metricRow(metricId);
    if (!metric || metric->better == Better::Neither)
        return {};
    const auto steps = sensitivity(prepared, evaluation, *metric);
    const auto runs = std::ranges::find_if(steps, [](const SensitivityStep& step) { return step.evaluation.fits; });
    if (runs == steps.end() || runs->gain <= smallestGain * std::abs(runs->before))
        return {};
    return say("{} alone would take {} from {} to {}.", capitalized(named(*runs->row, runs->to)),
               inSentence(metric->label), formatText(runs->before, metric->format),
               formatText(runs->after, metric->format));
}

} // namespace headroom
