// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/loss_ladder.hpp"

#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/source_peak.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::charts
{

namespace
{

/// Steps below a tenth of a point are drawn together as "other".
constexpr double smallestStep = 0.001;

struct Bar {
    std::string name;
    double from = 0, to = 0;
    std::string text;
};

Series bars(std::string id, std::string label, SeriesRole role, int slot)
{
    return {.id = std::move(id),
            .label = std::move(label),
            .role = role,
            .kind = SeriesKind::Bar,
            .slot = slot,
            .metric = "mfu"};
}

void add(Series& series, std::vector<std::string>& names, Bar bar)
{
    series.points.push_back(
        {.x = static_cast<double>(names.size()), .y = bar.to, .label = std::move(bar.text), .base = bar.from});
    names.push_back(std::move(bar.name));
}

/// What a part of the step, longer or shorter than predicted, takes of the MFU.
struct GapPart {
    std::string_view label;
    double share = 0;
};

/// The ladder of the built-in calibration, and where the user's own calibration ends.
struct Ladder : LossLadder {
    double expected = 0; ///< MFU with the calibration in force
    bool calibrated = false;
};

Ladder ladderOf(const ChartContext& context)
{
    const PreparedScenario& scenario = context.scenario;
    if (scenario.efficiency.isPlain() || !context.evaluation.mfu) {
        Ladder ladder{headroom::lossLadder(scenario, context.evaluation, operatorCosts(scenario))};
        ladder.expected = ladder.predicted;
        return ladder;
    }
    PreparedScenario builtIn = scenario;
    builtIn.efficiency = builtIn.efficiency.plain();
    Ladder ladder{headroom::lossLadder(builtIn, evaluate(builtIn), operatorCosts(builtIn))};
    ladder.calibrated = true;
    ladder.expected = *context.evaluation.mfu;
    // Of tokens a second, what was observed leaves out the prompts' time as it is expected: the tile's, not the
    // built-in.
    const Evaluation& own = context.evaluation;
    ladder.observed = own.credible() && own.observed->mfu
                          ? std::optional(*own.observed->mfu / sourcePeakRatio(scenario, own))
                          : std::nullopt;
    ladder.unexplained.reset();
    if (ladder.observed)
        ladder.unexplained = ladder.expected - *ladder.observed;
    return ladder;
}

/// The gap between the expected and the measured MFU by the parts of a profile, largest first; none without a profile
/// or without a measured step. p of T_p predicted and o of T_m measured are the same FLOP, so a second more costs
/// p ÷ T_m: the parts add up to p − o where the profile's step is the measured one.
std::vector<GapPart> gapParts(const ChartContext& context, const Ladder& ladder)
{
    const MeasuredProfile& measured = context.scenario.measured.profile;
    const auto& observed = context.evaluation.observed;
    std::vector<GapPart> parts;
    if (!measured.any() || context.scenario.task != Task::Training || !ladder.observed || !observed->stepTimeS)
        return parts;
    for (const profile::ProfilePart& part :
         profile::compareProfile(measured, context.scenario, context.evaluation).parts)
        if (const double share = ladder.expected * part.differenceS() / *observed->stepTimeS;
            std::abs(share) >= smallestStep)
            parts.push_back({part.label, share});
    std::ranges::stable_sort(parts, std::greater(), [](const GapPart& part) { return std::abs(part.share); });
    return parts;
}

std::string reading(const Ladder& ladder, const std::vector<GapPart>& parts)
{
    if (ladder.calibrated)
        return ladder.observed ? say("Predicted {}, own calibration {}; measured: {}.", percentText(ladder.predicted),
                                     percentText(ladder.expected), percentText(*ladder.observed))
                               : say("Predicted {}, own calibration {}.", percentText(ladder.predicted),
                                     percentText(ladder.expected));
    if (!parts.empty())
        return say("From {} predicted to {} measured. By the profile most lies in {}: {} points {}.",
                   percentText(ladder.predicted), percentText(*ladder.observed), said(parts.front().label),
                   points(std::abs(parts.front().share), false),
                   parts.front().share > 0 ? say("lost") : say("better than predicted"));
    if (ladder.unexplained && std::abs(*ladder.unexplained) >= smallestStep)
        return say("From {} predicted to {} measured: {} points are {}.", percentText(ladder.predicted),
                   percentText(*ladder.observed), points(std::abs(*ladder.unexplained), false),
                   *ladder.unexplained > 0 ? say("unexplained") : say("better than predicted"));
    const auto largest = std::ranges::max_element(ladder.steps, {}, &LossStep::share);
    if (largest == ladder.steps.end() || largest->share <= 0)
        return said("MFU is not defined here.");
    return say("Most goes to {}: {} of the 100 points; {} are left.", said(largest->name),
               points(largest->share, false), points(ladder.predicted, false));
}

/// Why a tile reads 0.80 % where this chart has 0.79: the source divides by another peak. Empty where both read alike.
std::string otherPeak(const ChartContext& context, const Ladder& ladder)
{
    const auto& peakTflops = context.scenario.measured.peakTflops;
    const auto& observed = context.evaluation.observed;
    if (!ladder.observed || !peakTflops || !observed || !observed->mfu)
        return {};
    const std::string ofSource = percentText(*observed->mfu);
    if (ofSource == percentText(*ladder.observed))
        return {};
    return say("Of {}, the catalogue's peak. The source divides by {}: {} measured.",
               formatText(context.evaluation.peakFlops, ValueFormat::FlopPerS),
               formatText(*peakTflops * 1e12, ValueFormat::FlopPerS), ofSource);
}

} // namespace

ChartSpec lossLadder(const ChartContext& context)
{
    const Ladder ladder = ladderOf(context);
    ChartSpec spec;
    spec.id = "loss_ladder";
    spec.title = said("Where the peak goes");
    spec.barDirection = BarDirection::Horizontal;

    Series totals = bars("totals", said("share of peak"), SeriesRole::Current, 0);
    Series losses = bars("losses", said("lost"), SeriesRole::Secondary, 1);
    Series gap = bars("unexplained", said("unexplained"), SeriesRole::Measured, 3);
    std::vector<std::string> names;
    add(totals, names, {said("peak"), 0, 1, "100"});
    double left = 1, other = 0;
    for (const LossStep& step : ladder.steps) {
        if (std::abs(step.share) < smallestStep) {
            other += step.share;
            continue;
        }
        add(losses, names, {said(step.name), left, left - step.share, points(-step.share, true)});
        left -= step.share;
    }
    if (std::abs(other) >= smallestStep)
        add(losses, names, {said("other"), left, left - other, points(-other, true)});
    if (ladder.calibrated)
        add(losses, names,
            {said("own calibration"), ladder.predicted, ladder.expected,
             points(ladder.expected - ladder.predicted, true)});
    const auto predictedRow = static_cast<double>(names.size());
    add(totals, names,
        {ladder.calibrated ? said("calibrated") : said("predicted"), 0, ladder.expected,
         points(ladder.expected, false)});
    const std::vector<GapPart> parts = gapParts(context, ladder);
    if (ladder.observed) {
        double at = ladder.expected;
        for (const GapPart& part : parts) {
            add(gap, names,
                {say("{} in the profile", said(part.label)), at, at - part.share, points(-part.share, true)});
            at -= part.share;
        }
        const double rest = at - *ladder.observed;
        if (parts.empty() || std::abs(rest) >= smallestStep)
            add(gap, names, {said("unexplained"), at, *ladder.observed, points(-rest, true)});
        add(totals, names, {said("observed"), 0, *ladder.observed, points(*ladder.observed, false)});
    }
    spec.series.push_back(std::move(totals));
    for (Series* series : {&losses, &gap})
        if (!series->points.empty())
            spec.series.push_back(std::move(*series));

    for (const PinnedScenario* pin : comparablePins(context))
        if (const auto mfu = pin->evaluation.mfu) {
            Series mark = pinMarks(*pin, spec.id, "mfu");
            mark.points.push_back({.x = predictedRow, .y = *mfu, .label = mark.label});
            spec.series.push_back(std::move(mark));
        }
    addRunPoints(spec, context, {"mfu", "mfu", {}, [predictedRow](const MeasuredRun&, const RunFigure& figure) {
                                     return std::optional(std::pair(predictedRow, figure.measured));
                                 }});
    DataRange range;
    range.add(spec.series);
    spec.x = categoryAxis("loss_step", said("Step"), names);
    spec.y = shareAxis("peak_share", said("Share of the peak"), range);
    spec.y.minimum = std::min(0.0, std::floor(range.low * 5) / 5);
    spec.reading = reading(ladder, parts);
    spec.note = otherPeak(context, ladder);
    spec.summary = say("Losses from 100 % of peak to {} MFU in {} steps. {}", percentText(ladder.expected),
                       names.size(), spec.reading);
    return spec;
}

} // namespace headroom::charts
