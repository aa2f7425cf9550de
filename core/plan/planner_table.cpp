// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_table.hpp"

#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/words.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/day.hpp"
#include "core/predict/figure_interval.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/json_text.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom
{
namespace
{

template <std::optional<double> Evaluation::*Member>
std::optional<double> field(const PlanOption& option)
{
    return option.evaluation.*Member;
}

/// Of the fullest GPU of the job: one that reads prompts, learns from answers or writes them may be it.
std::optional<double> memoryShare(const PlanOption& option)
{
    const Evaluation& e = option.evaluation;
    std::optional<double> most;
    const auto consider = [&most](double used, double capacity) {
        if (capacity > 0)
            most = std::max(most.value_or(0), used / capacity);
    };
    consider(e.task == Task::Training ? e.deviceBytes : e.usedBytes, e.capacityBytes);
    if (e.pools)
        consider(e.pools->prefill.usedBytes, e.pools->prefill.capacityBytes);
    if (e.rl) {
        consider(e.rl->learnBytes, e.rl->learnCapacityBytes);
        consider(e.rl->usedBytes, e.rl->capacityBytes);
    }
    return most;
}

std::optional<double> utilization(const PlanOption& option)
{
    return option.evaluation.queue ? std::optional(option.evaluation.queue->utilization) : std::nullopt;
}

std::optional<double> headRoom(const PlanOption& option)
{
    const auto used = utilization(option);
    return used ? std::optional(1 - *used) : std::nullopt;
}

// With steps of reinforcement learning a run consists of these, and the MFU of the update says nothing of it.

std::optional<double> stepS(const PlanOption& option)
{
    const auto& rl = option.evaluation.rl;
    return rl ? std::optional(rl->stepS) : option.evaluation.stepTimeS;
}

std::optional<double> trainedTokens(const PlanOption& option)
{
    const auto& rl = option.evaluation.rl;
    return rl ? std::optional(rl->tokens / rl->stepS) : option.evaluation.tokensPerS;
}

std::optional<double> trainingMfu(const PlanOption& option)
{
    return option.evaluation.rl ? std::nullopt : option.evaluation.mfu;
}

/// Of the tokens that the load asks for, not of what a full batch would give: with a day, of all its hours.
std::optional<double> servedCost(const PlanOption& option)
{
    const Evaluation& e = option.evaluation;
    if (option.day && option.day->cost)
        return costPerMillionOfDay(*option.day, option.scenario.inference);
    return e.queue ? e.costPerMillionTokens : std::nullopt;
}

std::optional<double> fullTokens(const PlanOption& option)
{
    const Evaluation& e = option.evaluation;
    const double output = inference::answerTokens(option.scenario.inference);
    return e.queue ? std::optional(e.queue->capacityRequestsPerS * output) : e.tokensPerS;
}

std::optional<double> fullCost(const PlanOption& option)
{
    const Evaluation& e = option.evaluation;
    const auto tokens = fullTokens(option);
    return e.queue && e.costPerHour && tokens ? std::optional(costPerMillion(*e.costPerHour, *tokens))
                                              : e.costPerMillionTokens;
}

std::optional<double> energyToTrain(const PlanOption& option)
{
    const Evaluation& e = option.evaluation;
    return e.watts && e.secondsToTrain ? std::optional(*e.watts * *e.secondsToTrain / joulesPerKwh) : std::nullopt;
}

bool heldTo99(const PlanOption& option)
{
    return holdsFor99(option.scenario.inference);
}

constexpr PlanColumn memoryColumn{"memory_share", phrase("Memory"),
                                  phrase("Share of the fullest GPU's memory that is taken"), ValueFormat::Percent,
                                  memoryShare};
constexpr PlanColumn hourColumn{"cost_per_hour", phrase("Cost/h"),
                                phrase("Of the whole job; with a day, of its busiest hour"), ValueFormat::Money,
                                field<&Evaluation::costPerHour>};
constexpr PlanColumn joulesColumn{"joules_per_token", phrase("J/token"), phrase("Energy, the host's share included"),
                                  ValueFormat::Plain, field<&Evaluation::joulesPerToken>};

constexpr std::array trainingColumns{
    PlanColumn{"seconds_to_train", phrase("Time to train"),
               phrase("training_tokens over the throughput; failures are in it where reliability is stated"),
               ValueFormat::Seconds, field<&Evaluation::secondsToTrain>, false, PlanSpread::WithStep},
    PlanColumn{"cost_to_train", phrase("Cost to train"), phrase("GPU hours times the price"), ValueFormat::Money,
               field<&Evaluation::costToTrain>, false, PlanSpread::WithStep},
    PlanColumn{"energy_to_train_kwh", phrase("kWh to train"),
               phrase("Energy of the whole run, the host's share included"), ValueFormat::Plain, energyToTrain},
    PlanColumn{"mfu", phrase("MFU"), phrase("Model FLOP over what the GPUs could do at their peak"),
               ValueFormat::Percent, trainingMfu, false, PlanSpread::AgainstStep},
    PlanColumn{"step_time_s", phrase("Step"),
               phrase("Seconds of one optimizer step, or of one of reinforcement learning"), ValueFormat::Seconds,
               stepS, false, PlanSpread::WithStep},
    PlanColumn{"tokens_per_s", phrase("Tokens/s"), phrase("Processed by the whole job"), ValueFormat::TokensPerS,
               trainedTokens, false, PlanSpread::AgainstStep},
    memoryColumn,
    hourColumn,
    PlanColumn{"cost_per_million_tokens", phrase("Cost/M tokens"), phrase("A million processed tokens"),
               ValueFormat::Money, field<&Evaluation::costPerMillionTokens>, false, PlanSpread::WithStep},
    PlanColumn{"joules_per_token", phrase("J/token"),
               phrase("Energy, the host's share included; over lost hours too where reliability is stated"),
               ValueFormat::Plain, [](const PlanOption& o) { return paidJoulesPerToken(o.evaluation); }},
};

constexpr std::array inferenceColumns{
    hourColumn,
    PlanColumn{"cost_per_day", phrase("Cost/day"), phrase("Of the stated day, with its replicas hour by hour"),
               ValueFormat::Money, [](const PlanOption& o) { return o.day ? o.day->cost : std::nullopt; }},
    PlanColumn{"cost_per_million_served", phrase("Cost/M served"), phrase("A million output tokens of the stated load"),
               ValueFormat::Money, servedCost},
    PlanColumn{"cost_per_million_tokens", phrase("Cost/M tokens"), phrase("A million output tokens"),
               ValueFormat::Money, field<&Evaluation::costPerMillionTokens>, true},
    PlanColumn{"full_batch_cost_per_million", phrase("Cost/M, full batch"),
               phrase("A million output tokens at full batch, the least there is"), ValueFormat::Money, fullCost, true},
    PlanColumn{"ttft_p95_s", phrase("TTFT p95"),
               phrase("Of a long prompt after a long wait: what 95 % stay under. Where another pool reads prompts, the "
                      "wait to be read alone"),
               ValueFormat::Seconds, [](const PlanOption& o) { return heldTo99(o) ? std::nullopt : o.ttftP95S; }, false,
               PlanSpread::WithFirstToken},
    PlanColumn{"ttft_p99_s", phrase("TTFT p99"),
               phrase("Of a long prompt after a long wait: what 99 % stay under. Where another pool reads prompts, the "
                      "wait to be read alone"),
               ValueFormat::Seconds, [](const PlanOption& o) { return heldTo99(o) ? o.ttftP95S : std::nullopt; }, false,
               PlanSpread::WithFirstToken},
    PlanColumn{"ttft_s", phrase("TTFT"), phrase("Of a mean prompt, without waiting"), ValueFormat::Seconds,
               field<&Evaluation::ttftS>, true, PlanSpread::WithFirstToken},
    PlanColumn{"p95_wait_s", phrase("Wait p95"),
               phrase("Seconds that 95 % of the requests wait less than. Where another pool reads prompts, the wait "
                      "for a place to decode is in it"),
               ValueFormat::Seconds,
               [](const PlanOption& o) { return o.evaluation.queue ? o.evaluation.queue->p95WaitS : std::nullopt; }},
    PlanColumn{"tpot_s", phrase("TPOT"), phrase("Seconds between two output tokens"), ValueFormat::Seconds,
               field<&Evaluation::tpotS>, false, PlanSpread::WithToken},
    PlanColumn{"utilization", phrase("Utilisation"), phrase("Load over what the replicas can serve"),
               ValueFormat::Percent, utilization, true},
    PlanColumn{"head_room", phrase("Headroom"), phrase("Share of the capacity that the load leaves free"),
               ValueFormat::Percent, headRoom},
    PlanColumn{"autoscale_max", phrase("Most replicas"),
               phrase("Of a day whose load replicas follow: as many as its busiest hour was sized for"),
               ValueFormat::Integer,
               [](const PlanOption& o) {
                   return o.autoscale && o.autoscale->max ? std::optional(real(*o.autoscale->max)) : std::nullopt;
               },
               true},
    PlanColumn{"target_utilization", phrase("Target utilisation"),
               phrase("Of a day whose load replicas follow: the share of their capacity beyond which one more starts"),
               ValueFormat::Percent,
               [](const PlanOption& o) { return o.autoscale ? o.autoscale->target : std::nullopt; }, true},
    PlanColumn{"tokens_per_s", phrase("Tokens/s"), phrase("Output of all replicas"), ValueFormat::TokensPerS,
               field<&Evaluation::tokensPerS>, true},
    PlanColumn{"full_batch_tokens_per_s", phrase("Tokens/s, full batch"),
               phrase("Output of all replicas at full batch"), ValueFormat::TokensPerS, fullTokens},
    memoryColumn,
    joulesColumn,
    PlanColumn{"mfu", phrase("MFU"), phrase("Of decoding"), ValueFormat::Percent, field<&Evaluation::mfu>},
};

std::string header(std::string_view first, Task task, std::string_view last)
{
    std::string text = fmt::format("{},gpus,accelerator,layout", first);
    for (const PlanColumn& column : planColumns(task))
        text += fmt::format(",{}", column.id);
    return text + std::string(last) + "\r\n";
}

std::string cells(Task task, const PlanOption* option)
{
    std::string text = ",,,";
    if (option)
        text = fmt::format(",{},{},{}", planGpus(*option), csvCell(option->scenario.accelerator->id),
                           csvCell(layoutText(*option, Thousands::Plain)));
    for (const PlanColumn& column : planColumns(task)) {
        const auto value = option ? column.value(*option) : std::nullopt;
        text += value ? "," + exactNumber(*value) : ",";
    }
    return text;
}

} // namespace

std::span<const PlanColumn> planColumns(Task task)
{
    if (task == Task::Training)
        return trainingColumns;
    return inferenceColumns;
}

std::optional<Interval> planInterval(const PlanColumn& column, const PlanOption& option)
{
    const Evaluation& e = option.evaluation;
    const auto value = column.value(option);
    switch (column.spread) {
    case PlanSpread::None:
        break;
    case PlanSpread::WithStep:
        return intervalAlong(value, e.stepTimeS, planner::stepInterval(e));
    case PlanSpread::AgainstStep:
        return intervalAgainst(value, e.stepTimeS, planner::stepInterval(e));
    case PlanSpread::WithFirstToken:
        return intervalAlong(value, e.ttftS, e.ttftInterval);
    case PlanSpread::WithToken:
        return intervalAlong(value, e.tpotS, e.tpotInterval);
    }
    return std::nullopt;
}

std::string planCsv(Task task, std::span<const PlanOption> options)
{
    const InEnglish file;
    std::string text = header("rank", task, "");
    for (std::size_t i = 0; i < options.size(); ++i)
        text += fmt::format("{}{}\r\n", i + 1, cells(task, &options[i]));
    return text;
}

std::string growthCsv(Task task, std::span<const PlanGrowthRow> rows)
{
    const InEnglish file;
    std::string text = header("multiple", task, ",reason");
    for (const PlanGrowthRow& row : rows)
        text += fmt::format("{}{},{}\r\n", exactNumber(row.multiple), cells(task, row.best ? &*row.best : nullptr),
                            csvCell(row.reason));
    return text;
}

std::string bindingConstraint(const PlanRequest& request, const PlanOption& option, Room room)
{
    double tightest = 0;
    std::string words;
    const auto consider = [&](std::string_view name, std::optional<double> value, std::optional<double> limit) {
        if (!value || !limit || !(*limit > 0) || *value / *limit <= tightest)
            return;
        tightest = *value / *limit;
        words = fmt::format("{} {}", say(name), formatText(tightest, ValueFormat::Percent));
    };
    const Evaluation& e = option.evaluation;
    const InferenceWorkload& w = request.base.inference;
    consider("memory", memoryShare(option), 1.0);
    consider("load", utilization(option), 1.0);
    if (e.hostStates)
        consider(phrase("host memory"), e.hostStates->hostBytes, e.hostStates->mostBytes);
    if (e.task == Task::Inference) {
        consider("TTFT", option.ttftP95S, w.ttftTargetS);
        consider("TPOT", e.tpotS, w.tpotTargetS);
    } else {
        consider("deadline", e.secondsToTrain, request.limits.deadlineS);
        consider("budget", e.costToTrain, request.limits.costToTrain);
    }
    consider("cost", e.costPerHour, request.limits.costPerHour);
    if (!e.warnings.has(WarningCode::MemoryMayNotFit))
        return words;
    if (tightest > memoryShare(option))
        return say("{}, memory may not fit", words);
    return room == Room::Cell ? said("memory, may not fit") : say("{}, may not fit", words);
}

std::string riskText(const PlanRequest& request, const PlanOption& option)
{
    std::string text;
    const auto consider = [&text](std::string_view name, std::optional<double> value, std::optional<double> expected,
                                  const std::optional<Interval>& interval, std::optional<double> limit,
                                  std::string_view kind) {
        if (!value || !expected || !interval || !limit || !(*expected > 0))
            return;
        const double slow = *value * interval->high / *expected;
        if (slow > *limit && *value <= *limit && text.empty())
            text = say("{} may reach {} (80 % interval), {} over the {} of {}", name,
                       formatText(slow, ValueFormat::Seconds), formatText(slow / *limit - 1, ValueFormat::Percent),
                       say(kind), formatText(*limit, ValueFormat::Seconds));
    };
    const Evaluation& e = option.evaluation;
    const InferenceWorkload& w = request.base.inference;
    if (e.task == Task::Training) {
        consider(say("Training"), e.secondsToTrain, e.stepTimeS, planner::stepInterval(e), request.limits.deadlineS,
                 phrase("deadline"));
        if (e.warnings.has(WarningCode::MemoryMayNotFit))
            text += (text.empty() ? "" : ". ") + say("Memory may reach {} of the {} that software sees (80 % interval)",
                                                     formatText(e.usedBytesInterval->high, ValueFormat::Bytes),
                                                     formatText(e.capacityBytes, ValueFormat::Bytes));
    } else {
        consider("TPOT", e.tpotS, e.tpotS, e.tpotInterval, w.tpotTargetS, phrase("target"));
        consider("TTFT", option.ttftP95S, e.ttftS, e.ttftInterval, w.ttftTargetS, phrase("target"));
    }
    return text;
}

std::string saferText(const PlanRequest& request, const PlanResult& result)
{
    const auto mayNotFit = [](const PlanOption& o) { return o.evaluation.warnings.has(WarningCode::MemoryMayNotFit); };
    const auto& ranked = result.ranked;
    if (ranked.empty() || !mayNotFit(ranked.front()))
        return {};
    const auto safe = std::ranges::find_if_not(ranked, mayNotFit);
    if (safe == ranked.end())
        return ranked.size() == 1 ? std::string() : say("None of the {} ranked surely fits", ranked.size());
    std::string text = say("Rank {} fits at that end, too: {}", safe - ranked.begin() + 1, planMachines(*safe));
    if (const PlanColumn* column = optimisedColumn(planColumns(request.base.task), request.objective, ranked.front())) {
        const auto now = column->value(ranked.front()), then = column->value(*safe);
        if (now && then)
            text += ", " + say("{} {} (first: {})", inSentence(column->label), formatText(*then, column->format),
                               formatText(*now, column->format));
    }
    return text;
}

const PlanColumn* optimisedColumn(std::span<const PlanColumn> columns, PlanObjective objective,
                                  const PlanOption& option)
{
    const auto& wanted = option.values[static_cast<std::size_t>(objective)];
    const auto found = std::ranges::find_if(columns, [&](const PlanColumn& c) {
        const auto value = c.value(option);
        return wanted && value && (*value == *wanted || *value == -*wanted); // a share is negated: less is better
    });
    return found == columns.end() ? nullptr : &*found;
}

} // namespace headroom
