// SPDX-License-Identifier: GPL-3.0-or-later
// What would lift the leading metric of a scenario that runs, and by how much: of a measured run, from what it
// measured.
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/figure_interval.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/two_figures.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace headroom
{

namespace
{

/// How far the prediction of a figure that falls with a time may be off, as factors: MFU with the step time.
std::optional<Interval> bandOf(const Evaluation& e, const MetricRow& metric)
{
    const bool training = e.task == Task::Training;
    const auto time = training ? e.stepTimeS : e.tpotS;
    const auto interval = training ? e.stepTimeInterval : e.tpotInterval;
    return metric.better == Better::Lower ? intervalAlong(1, time, interval) // a time itself
                                          : intervalAgainst(1, time, interval);
}

double tokensPerStep(const Evaluation& e)
{
    return e.tokensPerS.value_or(0) * e.stepTimeS.value_or(0);
}

/// "2 × the tokens a step"; empty where a step trains as many.
std::string otherStepText(const Evaluation& before, const Evaluation& after)
{
    constexpr double alike = 0.01;
    if (before.task != Task::Training || before.rl || !(tokensPerStep(before) > 0)) // answers are as many
        return {};
    const double ratio = tokensPerStep(after) / tokensPerStep(before);
    return std::abs(ratio - 1) < alike ? std::string()
                                       : say("{} × the tokens a step", formatText(ratio, ValueFormat::Plain));
}

/// A serving writes noticeably fewer tokens a second.
bool writesLess(const Evaluation& before, const Evaluation& after)
{
    return before.task == Task::Inference &&
           after.tokensPerS.value_or(0) < before.tokensPerS.value_or(0) * (1 - smallestGain);
}

/// "5,200 tokens/s → 3,900 tokens/s, cost $1.20 → $2.40": what a sooner token costs, or a higher share of fewer GPUs;
/// empty where it costs nothing.
std::string lessText(const Evaluation& before, const Evaluation& after)
{
    std::string text;
    const auto add = [&](std::string_view id, double worse) {
        const MetricRow& metric = *metricRow(id);
        const auto now = metric.value(before), then = metric.value(after);
        if (now && then && worse * (*then - *now) > smallestGain * *now)
            text += fmt::format("{}{}{} → {}", text.empty() ? "" : ", ",
                                metric.format == ValueFormat::TokensPerS ? "" : inSentence(metric.label) + " ",
                                formatText(*now, metric.format), formatText(*then, metric.format));
    };
    if (!before.rl) // whose tokens are the update's alone
        add("tokens_per_s", -1);
    add(before.costToTrain ? "cost.to_train" : "cost.per_million_tokens", 1);
    return text;
}

/// Its prefill pool reads fewer prompts: who writes the answers has less to do, and is no faster for it.
bool starvesDecode(const Evaluation& before, const Evaluation& after)
{
    return before.pools && after.pools && after.pools->prefill.requestsPerS < before.pools->prefill.requestsPerS &&
           writesLess(before, after);
}

/// s that a request of a serving takes with the mean wait for a place; empty where the queue grows without bound.
std::optional<double> wholeS(const Evaluation& e)
{
    const std::optional<double> waitS = e.queue ? e.queue->meanWaitS : std::optional(0.0);
    return e.requestLatencyS && waitS ? std::optional(*e.requestLatencyS + *waitS) : std::nullopt;
}

/// A serving writes less because fewer have room together, or while more is asked of it than it serves: its queue grows
/// faster.
bool servesFewer(const Evaluation& before, const Evaluation& after)
{
    return writesLess(before, after) && (after.batch < before.batch || !servesItsLoad(before));
}

/// A time of a request, or a comparison with one, looks better while requests take longer in all or fewer are served: a
/// token comes sooner where more of them wait for a place, tiers save more where prompts are read more slowly.
bool takesLonger(const MetricRow& metric, const Evaluation& before, const Evaluation& after)
{
    const bool ofTime = metric.format == ValueFormat::Seconds || metric.format == ValueFormat::BytesPerS ||
                        metric.id == "tokens_per_s_per_user" || metric.id == "speculation.speedup";
    const std::optional<double> now = wholeS(before), then = wholeS(after);
    return before.task == Task::Inference && ofTime &&
           (servesFewer(before, after) || (now && then && *then > *now * (1 + smallestGain)));
}

/// More of a day's requests come while more is asked than runs, or fewer of its busiest hour are in time.
bool losesOfTheDay(const Evaluation& before, const Evaluation& after)
{
    constexpr double noticed = 0.01; // of the requests: what a percentage of them shows
    return before.day && after.day &&
           (after.day->lateShare > before.day->lateShare + noticed ||
            after.day->peakShare.value_or(0) < before.day->peakShare.value_or(0) - noticed);
}

/// The phases of a training take longer in all, though the first one's step is better.
bool losesOfThePhases(const Evaluation& before, const Evaluation& after)
{
    return before.phases && after.phases && after.phases->seconds > before.phases->seconds * (1 + smallestGain);
}

/// One part of the memory shrinks while the whole grows.
bool movesMemory(const MetricRow& metric, const Evaluation& before, const Evaluation& after)
{
    return metric.id.starts_with("memory.") && after.usedBytes > before.usedBytes;
}

/// A prefill pool whose size follows takes more GPUs, which a figure of time or throughput does not count.
bool needsReaders(const SensitivityStep& step, const MetricRow& metric, const Setup& setup, const Evaluation& before)
{
    const bool counted =
        metric.format == ValueFormat::Money || metric.format == ValueFormat::Bytes || metric.id.starts_with("energy.");
    return before.pools && step.evaluation.pools && !setup.inference.prefillPool.count && !counted &&
           step.evaluation.pools->prefill.devices > before.pools->prefill.devices;
}

/// A figure of a training's step looks better for what is worse: a step of fewer tokens is shorter, and memory is
/// busier with bytes that need not move.
bool isWorseATokenOfTraining(const MetricRow& metric, const Evaluation& before, const Evaluation& after)
{
    const bool ofStep = metric.id == "step_time_s" || metric.id == "mbu";
    const double slack = metric.id == "mbu" ? 1 : 1 + smallestGain;
    return before.task == Task::Training && ofStep &&
           after.tokensPerS.value_or(0) < before.tokensPerS.value_or(0) * slack;
}

/// Power falls because a serving writes less, or by less than the work slows: a GPU that waits draws less.
bool savesByWaiting(const MetricRow& metric, const Evaluation& before, const Evaluation& after)
{
    const std::optional<double> now = wholeS(before), then = wholeS(after);
    const double slower = before.task == Task::Training ? before.tokensPerS.value_or(0) / after.tokensPerS.value_or(1)
                          : now && then                 ? *then / *now
                                                        : 0;
    const bool ofPower = metric.format == ValueFormat::Watts || metric.id == "energy.electricity_per_hour";
    return ofPower && (writesLess(before, after) || metric.value(after).value_or(0) * slower > metric.value(before));
}

/// Whether a step is not proposed: it changes what is done, or gains nothing.
bool isHollow(const SensitivityStep& step, const MetricRow& metric, const PreparedScenario& prepared,
              const Evaluation& before)
{
    return changesTheWork(*step.row) || gainsNothing(step, metric, prepared, before);
}

/// Whether a latency target that was met is missed: the first token of late requests where they are counted.
bool breaksATarget(const Setup& setup, const Evaluation& before, const Evaluation& after)
{
    const auto ttft = [](const Evaluation& e) { return e.tail ? std::optional(e.tail->ttftS) : e.ttftS; };
    const auto misses = [](const std::optional<double>& target, const std::optional<double>& figure) {
        return target && figure > target;
    };
    const InferenceWorkload& w = setup.inference;
    return setup.task == Task::Inference &&
           ((misses(w.ttftTargetS, ttft(after)) && !misses(w.ttftTargetS, ttft(before))) ||
            (misses(w.tpotTargetS, after.tpotS) && !misses(w.tpotTargetS, before.tpotS)));
}

} // namespace

bool gainsNothing(const SensitivityStep& step, const MetricRow& metric, const PreparedScenario& prepared,
                  const Evaluation& before)
{
    return starvesDecode(before, step.evaluation) || (step.row->id == "batch" && writesLess(before, step.evaluation)) ||
           isWorseATokenOfTraining(metric, before, step.evaluation) || losesOfThePhases(before, step.evaluation) ||
           movesMemory(metric, before, step.evaluation) || savesByWaiting(metric, before, step.evaluation) ||
           takesLonger(metric, before, step.evaluation) || needsReaders(step, metric, prepared, before) ||
           ((metric.id == "hfu" || metric.id == "hardware_tflops_per_gpu") &&
            step.evaluation.mfu.value_or(0) < before.mfu.value_or(0)) ||
           (servesItsLoad(before) && !servesItsLoad(step.evaluation)) || losesOfTheDay(before, step.evaluation) ||
           breaksATarget(prepared, before, step.evaluation) || cutsHeads(prepared, {{step.row, step.to}});
}

std::string aloneText(const SensitivityStep& step, const MetricRow& metric)
{
    const TwoFigures figures = twoFigures(step.before, step.after, metric.format);
    if (step.globalBatch)
        return say("With {} and global batch {}, {} would go from {} to {}.", named(*step.row, step.to),
                   wholeText(double(*step.globalBatch)), inSentence(metric.label), figures.from, figures.to);
    return say("With {} alone, {} would go from {} to {}.", named(*step.row, step.to), inSentence(metric.label),
               figures.from, figures.to);
}

std::string gainText(const PreparedScenario& prepared, const Evaluation& before, const Evaluation& after)
{
    const MetricRow& metric = leadingMetric(prepared);
    const double from = metric.value(before).value_or(0), to = metric.value(after).value_or(0);
    const MetricRow* observed = metricRow("observed." + std::string(metric.id));
    const double measured = observed && before.credible() ? observed->value(before).value_or(0) : 0;
    const auto band = bandOf(after, metric);
    if (measured > 0 && from > 0) {
        const double run = measured * to / from;
        const bool own =
            !prepared.efficiency.isPlain(); // a file may be somebody else's; who calibrates to a run owns it
        const auto [now, then] = twoFigures(measured, run, metric.format);
        if (!band) // of what nothing comparable was published
            return own ? say("your {} → about {}", now, then) : say("measured {} → about {}", now, then);
        const std::string low = formatText(run * band->low, metric.format),
                          high = formatText(run * band->high, metric.format);
        return own ? say("your {} → about {} ({} to {})", now, then, low, high)
                   : say("measured {} → about {} ({} to {})", now, then, low, high);
    }
    const TwoFigures figures = twoFigures(from, to, metric.format);
    return metric.format == ValueFormat::Percent
               ? say("{} {} points", say(metric.label), points(to - from, true))
               : fmt::format("{} {} → {}", say(metric.label), figures.from, figures.to);
}

std::vector<Advice> improvements(const PreparedScenario& prepared, const Evaluation& evaluation, std::size_t count,
                                 const IsHeld& held)
{
    std::vector<Advice> found, uncertain, outOfHand;
    if (!isRunning(evaluation))
        return found;
    const MetricRow& metric = leadingMetric(prepared);
    // What ran did fit, whatever is predicted of its memory: so does what needs no more.
    const auto needsNoMore = [&](const Evaluation& after) {
        return !allFits(evaluation) && after.usedBytes <= evaluation.usedBytes;
    };
    for (const SensitivityStep& step : sensitivity(prepared, evaluation, metric)) {
        if (step.gain <= smallestGain * std::abs(step.before))
            break;
        if ((!allFits(step.evaluation) && !needsNoMore(step.evaluation)) ||
            isHollow(step, metric, prepared, evaluation) || (held && held(step.row->id)) ||
            movesHeldBatch(prepared, {{step.row, step.to}}, held))
            continue;
        const std::string change = fmt::format("{} {} → {}", say(step.row->label), parameterText(*step.row, step.from),
                                               parameterText(*step.row, step.to));
        const std::string gain = gainText(prepared, evaluation, step.evaluation);
        const bool mayNot = step.evaluation.warnings.has(WarningCode::MemoryMayNotFit);
        std::string text = !allFits(step.evaluation) ? say("{}: no more memory, {}", change, gain)
                           : mayNot                  ? say("{}: may not fit, {}", change, gain)
                                                     : say("{}: fits, {}", change, gain);
        if (const std::string other = otherStepText(evaluation, step.evaluation); !other.empty())
            text += ", " + other;
        if (const std::string less = lessText(evaluation, step.evaluation); !less.empty())
            text += ", " + less;
        PreparedScenario after = prepared;
        apply(after, *step.row, step.to);
        // What surely fits comes first, unless the scenario itself may not.
        const bool later = mayNot && !evaluation.warnings.has(WarningCode::MemoryMayNotFit);
        std::vector<Advice>& among = isOutOfHand(*step.row) ? outOfHand : later ? uncertain : found;
        among.push_back({.edits = {{step.row, step.to}}, .change = change, .text = text, .after = evaluate(after)});
    }
    found.insert(found.end(), uncertain.begin(), uncertain.end());
    found.insert(found.end(), outOfHand.begin(), outOfHand.end());
    found.resize(std::min(found.size(), count));
    return found;
}

std::string whatWouldHelp(const PreparedScenario& prepared, const Evaluation& evaluation, std::string_view metricId)
{
    const MetricRow* metric = metricRow(metricId);
    if (!metric || metric->better == Better::Neither)
        return {};
    const auto steps = sensitivity(prepared, evaluation, *metric);
    const auto shows = [&](const SensitivityStep& step) {
        const TwoFigures figures = twoFigures(step.before, step.after, metric->format);
        return figures.from != figures.to;
    };
    const auto helps = [&](const SensitivityStep& step) {
        return shows(step) && allFits(step.evaluation) && !isHollow(step, *metric, prepared, evaluation) &&
               step.gain > smallestGain * std::abs(step.before);
    };
    auto runs = std::ranges::find_if(
        steps, [&](const SensitivityStep& step) { return helps(step) && !isOutOfHand(*step.row); });
    if (runs == steps.end())
        runs = std::ranges::find_if(steps, helps);
    if (runs == steps.end())
        return {};
    return aloneText(*runs, *metric);
}

} // namespace headroom
