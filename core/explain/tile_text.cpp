// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/tile_text.hpp"

#include "core/comparison/comparison.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/source_peak.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom
{
namespace
{

/// What was measured, in the tile's own unit, whether or not it can have been.
std::optional<double> statedValue(std::string_view id, const PreparedScenario& scenario, const Evaluation& e)
{
    const Observed observed = e.observed.value_or(Observed{});
    if (id == "mfu")
        return observed.mfu;
    if (id == "hfu")
        return observed.hfu;
    if (id == "mbu")
        return observed.mbu;
    if (id == "step_time_s")
        return observed.stepTimeS;
    if (id == "tpot_s")
        return scenario.measured.tpotS;
    if (id == "ttft_s")
        return observed.ttftS;
    if (id == "tokens_per_s")
        return observed.tokensPerS;
    if (id == "tokens_per_s_per_gpu" && observed.tokensPerS)
        return *observed.tokensPerS / std::max(1.0, static_cast<double>(scenario.hardware.count));
    return std::nullopt;
}

/// The screen never shows a prediction beside it without the word. What cannot have been measured was not observed.
std::optional<double> observedValue(std::string_view id, const PreparedScenario& scenario, const Evaluation& e)
{
    return e.credible() ? statedValue(id, scenario, e) : std::nullopt;
}

std::string intervalText(const std::optional<Interval>& interval)
{
    if (!interval)
        return {};
    const FormattedValue low = formatValue(interval->low, ValueFormat::Seconds);
    const FormattedValue high = formatValue(interval->high, ValueFormat::Seconds);
    return say("{} to {}", low.unit == high.unit ? low.number : low.text(),
               high.text()); // the unit once: tiles are narrow
}

/// What as many replicas all day as the busiest hour takes would come to; empty for all but figures of a day.
std::string fixedFigure(std::string_view id, const Evaluation& e)
{
    if (id == "day.gpu_hours")
        return numberText(e.day->fixedGpuHours);
    if (id == "day.cost")
        return formatText(e.day->fixedCost.value_or(0), ValueFormat::Money);
    if (id == "day.peak_share")
        return percentText(e.day->fixedPeakShare.value_or(0));
    return {};
}

/// Latencies of a day are those of its mean load on all replicas, and not of its busiest hour, which a plan shows.
bool isOfMeanLoad(std::string_view id, const Evaluation& e)
{
    return e.day && (id == "tpot_s" || id == "ttft_s" || id == "tail.ttft_s");
}

/// The companion figure of a tile that stands alone.
std::string companion(std::string_view id, const ChartContext& context)
{
    const Evaluation& e = context.evaluation;
    if (id == "mfu")
        return said(label(e.boundBy));
    if (id == "hfu")
        return context.scenario.training.checkpointing == Checkpointing::None ? said("no checkpointing")
                                                                              : said("with recomputation");
    if (id == "mbu")
        return say("{} a step", formatText(e.bytesMoved, ValueFormat::Bytes));
    if (id == "step_time_s")
        return intervalText(e.stepTimeInterval);
    if (id == "tpot_s")
        return intervalText(e.tpotInterval);
    if (id == "ttft_s")
        return intervalText(e.ttftInterval);
    if (id == "tokens_per_s")
        return e.task == Task::Training ? say("{} a step", wholeText(e.tokensPerStep)) : said("all replicas");
    if (id == "energy.kwh_per_million_tokens")
        return e.site->electricityPerMillionTokens
                   ? say("costs {}", formatText(*e.site->electricityPerMillionTokens, ValueFormat::Money))
                   : say("site: {}", formatText(e.site->watts, ValueFormat::Watts));
    if (id == "energy.carbon_g_per_million_tokens")
        return e.site->runCarbonKg ? say("{} kg in the run", numberText(*e.site->runCarbonKg))
                                   : said("of electricity alone");
    if (id == "goodput.ettr")
        return e.secondsToTrain ? say("{} to train", secondsText(*e.secondsToTrain)) : said("of the time trains");
    if (id == "phases.seconds")
        return say("{} tokens", formatText(e.phases->tokens, ValueFormat::Parameters));
    if (id == "rl.step_s")
        return say("{} answers", wholeText(e.rl->answers));
    if (id == "rl.generate_share")
        return say("{} of it the tail", secondsText(e.rl->tailS));
    if (id == "rl.idle_share")
        return say("of {} GPUs", wholeText(e.rl->gpus));
    if (id == "rl.tokens_per_s_per_gpu")
        return say("{} a step", formatText(e.rl->tokens, ValueFormat::Parameters));
    if (id == "phases.cost")
        return say("{} GPU-hours", formatText(e.phases->gpuHours,
                                              e.phases->gpuHours < 1e6 ? ValueFormat::Plain : ValueFormat::Parameters));
    if (const std::string fixed = fixedFigure(id, e); !fixed.empty())
        return say("sized for the peak: {}", fixed);
    if (id == "pools.prefill.utilization" || id == "pools.decode.utilization") {
        const PoolResult& pool = id == "pools.decode.utilization" ? e.pools->decode : e.pools->prefill;
        return say("of {} GPUs", wholeText(pool.devices));
    }
    if (id == "kv_tiers.saved_s")
        return say("{} to load", secondsText(e.tiers->loadS));
    if (id == "kv_tiers.break_even_bytes_per_s")
        return say("link: {}", formatText(e.tiers->host.bytesPerS, ValueFormat::BytesPerS));
    if (id == "kv_tiers.host.tokens" || id == "kv_tiers.nvme.tokens") {
        const CacheTier& tier = id == "kv_tiers.host.tokens" ? e.tiers->host : e.tiers->nvme;
        return say("of a replica, in {}", formatText(tier.bytes, ValueFormat::Bytes));
    }
    if (id == "host_weights.read_s")
        return say("{} a step", formatText(e.hostWeights->readBytes, ValueFormat::Bytes));
    if (id == "tail.ttft_s")
        return holdsFor99(context.scenario.inference) ? said("99 of 100 requests") : said("95 of 100 requests");
    if (id == "tokens_per_s_per_gpu") {
        const double gpus = std::max(1.0, static_cast<double>(context.scenario.hardware.count));
        return say("{} a step", wholeText(e.tokensPerStep / gpus));
    }
    if (id == "max_batch")
        return context.scenario.inference.requestsPerS // which decides how much of the batch is in use
                   ? say("{} decoding", wholeText(e.batch))
                   : say("batch now {}", wholeText(e.batch));
    return {};
}

/// Beside the value: its label says tokens/s already.
std::string beside(double value, const MetricRow& row)
{
    return row.format == ValueFormat::TokensPerS ? formatValue(value, row.format).number
                                                 : formatText(value, row.format);
}

/// What the built-in calibration predicts; empty where it is in force.
std::optional<double> builtInValue(const MetricRow& row, const ChartContext& context)
{
    if (context.scenario.efficiency.isPlain())
        return std::nullopt;
    PreparedScenario plain = context.scenario;
    plain.efficiency = plain.efficiency.plain();
    return row.value(evaluate(plain));
}

std::string memorySub(const Evaluation& e)
{
    if (std::string others = lackText(e); !others.empty()) // the figure is of GPUs that have room
        return others;
    if (e.warnings.has(WarningCode::MemoryMayNotFit))
        return say("of {}, may not fit", formatText(e.capacityBytes, ValueFormat::Bytes));
    return e.fits ? say("of {}, fits", formatText(e.capacityBytes, ValueFormat::Bytes))
                  : say("lacks {}", formatText(e.usedBytes - e.capacityBytes, ValueFormat::Bytes));
}

/// `brief`: whose figure it is stands before the difference, and not behind it.
std::string pinText(const MetricRow& row, const ChartContext& context, const PinnedScenario& pin, bool brief)
{
    const std::string letter(1, pin.letter);
    if (pin.prepared.task != context.scenario.task) { // its figure, which is no better and no worse
        const auto value = row.value(pin.evaluation);
        const std::string figure = value ? beside(*value, row) : std::string();
        return !value                                ? say("not defined for {}", letter)
               : pin.prepared.task == Task::Training ? say("{} trains: {}", letter, figure)
                                                     : say("{} serves: {}", letter, figure);
    }
    const auto words = [&](const std::optional<double>& now, const std::optional<double>& before) {
        return now && before ? differenceWords(row, {*now, &context.evaluation}, {*before, &pin.evaluation},
                                               brief ? std::string() : letter)
                             : say("not defined for {}", letter);
    };
    const auto named = [&](const std::optional<double>& now, const std::optional<double>& before) {
        return brief && now && before ? letter + ": " + words(now, before) : words(now, before);
    };
    const auto observed = observedValue(row.id, context.scenario, context.evaluation);
    if (!observed)
        return named(row.value(context.evaluation), row.value(pin.evaluation));
    if (const auto before = observedValue(row.id, pin.prepared, pin.evaluation)) {
        const bool ofPeak = row.id == "mfu" || row.id == "hfu"; // of one that its source states: the tile's counts
        const double ratio = ofPeak ? sourcePeakRatio(context.scenario, context.evaluation) /
                                          sourcePeakRatio(pin.prepared, pin.evaluation)
                                    : 1;
        return named(observed, *before * ratio);
    }
    const auto predicted = row.value(context.evaluation), before = row.value(pin.evaluation);
    if (!predicted || !before)
        return words(predicted, before);
    return brief ? say("pred. {}", named(predicted, before)) : say("predicted: {}", words(predicted, before));
}

} // namespace

std::string differenceText(const MetricRow& row, const ChartContext& context, const PinnedScenario& pin)
{
    return pinText(row, context, pin, false);
}

std::string briefDifferenceText(const MetricRow& row, const ChartContext& context, const PinnedScenario& pin)
{
    return pinText(row, context, pin, true);
}

std::string memoryNeedText(const Evaluation& evaluation)
{
    std::array<MemoryPart, memoryPartCount> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i] = static_cast<MemoryPart>(i);
    std::ranges::stable_sort(parts, std::greater{}, [&](MemoryPart part) { return evaluation.part(part); });
    std::string text = say("needs {} per GPU, has {}:", formatText(evaluation.usedBytes, ValueFormat::Bytes),
                           formatText(evaluation.capacityBytes, ValueFormat::Bytes)) +
                       " ";
    for (std::size_t i = 0; i < 3; ++i)
        if (evaluation.part(parts[i]) > 0)
            text += (i > 0 ? ", " : "") + said(label(parts[i])) + " " +
                    formatText(evaluation.part(parts[i]), ValueFormat::Bytes);
    return text;
}

TileText tileText(const MetricRow& row, const ChartContext& context)
{
    const Evaluation& e = context.evaluation;
    const auto predicted = row.value(e);
    const auto observed = observedValue(row.id, context.scenario, e);
    const auto value = observed ? observed : predicted;
    TileText text;
    text.label = say(row.label);
    text.observed = observed.has_value();
    const auto builtIn = builtInValue(row, context);
    const bool moved = builtIn && predicted && *builtIn != *predicted; // memory, for one, does not move
    text.calibrated = !text.observed && moved;
    if (!value) {
        text.number = "—";
        text.sub = say("not defined here");
        return text;
    }
    const FormattedValue formatted = formatValue(*value, row.format);
    text.number = formatted.number;
    text.unit = row.format == ValueFormat::TokensPerS ? std::string() : formatted.unit; // the label says it
    if (const auto limit = row.limit(context.scenario, e); limit && *limit > 0) {
        text.bar = *value / *limit;
        const bool bounded = row.better == Better::Lower; // a capacity or a target, not a peak
        const bool within = row.id == "memory.used_bytes" ? stepFits(e) : *text.bar <= 1;
        const bool doubtful = row.id == "memory.used_bytes" && e.warnings.has(WarningCode::MemoryMayNotFit);
        text.state = !within && bounded     ? TileState::BeyondLimit
                     : bounded && !doubtful ? TileState::WithinLimit
                                            : TileState::Plain;
    }
    for (const PinnedScenario& pin : context.pins) {
        text.pins.push_back(differenceText(row, context, pin));
        text.briefPins.push_back(briefDifferenceText(row, context, pin));
    }
    if (observed && predicted) {
        const bool ofPeak = row.id == "mfu" || row.id == "hfu"; // a share of the peak that the source divides by
        const std::string figure = beside(ofPeak ? *predicted * sourcePeakRatio(context.scenario, e) : *predicted, row);
        text.sub = moved ? say("calibrated {}", figure) : say("predicted {}", figure);
        text.brief = moved ? say("cal. {}", figure) : say("pred. {}", figure);
    } else if (const auto stated = statedValue(row.id, context.scenario, e)) {
        const std::string figure = beside(*stated, row);
        text.sub = say("measured {}: impossible", figure);
        text.brief = say("{}: impossible", figure);
    } else if (moved) {
        text.sub = say("built-in {}", beside(*builtIn, row));
    } else if (row.id == "memory.used_bytes") {
        text.sub = memorySub(e);
        if (e.warnings.has(WarningCode::MemoryMayNotFit))
            text.brief = said("may not fit");
        else if (!lackText(e).empty())
            text.brief = said("does not fit");
        else if (text.state == TileState::WithinLimit) // its bar says that it fits
            text.brief = say("of {}", formatText(e.capacityBytes, ValueFormat::Bytes));
    } else {
        text.sub = companion(row.id, context);
        if (isOfMeanLoad(row.id, e)) {
            text.brief = said("at mean load");
            text.sub = text.sub.empty() ? text.brief : say("mean load: {}", text.sub);
        }
        if (row.id == "mfu") { // a bare "communication" says nothing
            const bool memory = e.boundBy == BoundBy::MemoryBandwidth;
            text.brief = say("by {}", memory ? say("memory") : say(resource(e.boundBy)));
            if (text.brief.size() >= text.sub.size())
                text.brief.clear();
        }
        if (row.id == "mbu")
            text.brief = formatText(e.bytesMoved, ValueFormat::Bytes);
        if (const std::string fixed = fixedFigure(row.id, e); !fixed.empty())
            text.brief = say("fixed: {}", fixed);
    }
    return text;
}

} // namespace headroom
