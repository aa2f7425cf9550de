// SPDX-License-Identifier: GPL-3.0-or-later
// A step of reinforcement learning: its parts, each from when to when.
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/rl.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/two_figures.hpp"

#include <algorithm>

namespace headroom::charts
{

namespace
{

struct PartBar {
    std::string name;
    double from = 0, seconds = 0;
    bool fits = true;
};

/// In the order in which they run; beside generation where answers may be behind the weights.
std::vector<PartBar> barsOf(const RlResult& r)
{
    std::vector<PartBar> bars{{said("reading prompts"), 0, r.promptS, r.fits},
                              {said(rlPartLabel(RlPart::Generate)), r.promptS, r.fullS, r.fits},
                              {said("tail of long answers"), r.promptS + r.fullS, r.tailS, r.fits}};
    const double generate = r.part(RlPart::Generate), around = r.around[std::size_t(RlPart::Generate)];
    if (around > 0)
        bars.push_back({said("collecting answers"), generate - around, around, r.fits});
    double at = r.hiddenS > 0 ? 0 : generate;
    for (int i = 1; i < rlPartCount; ++i) {
        const auto part = static_cast<RlPart>(i);
        if (part == RlPart::Sync)
            at = std::max(at, generate);
        if (r.part(part) > 0)
            bars.push_back({said(rlPartLabel(part)), at, r.part(part), r.fits});
        at += r.part(part);
    }
    return bars;
}

/// As short as a small card shows it; what the bars show by their place and length is in restOf().
std::string readingOf(const RlResult& r)
{
    return say("A step takes {}: generating answers {} of all work, its tail of long answers {}.", secondsText(r.stepS),
               shareText(r.part(RlPart::Generate), r.sumS()), shareText(r.tailS, r.sumS())) +
           " " + say("GPUs wait for {} of their time.", percentText(r.idle));
}

std::string restOf(const RlResult& r)
{
    std::string text;
    if (r.hiddenS > 0)
        text += " " + say("{} of it run beside the longer side.", secondsText(r.hiddenS));
    if (const double under = r.answersS + r.statesS; under > 0)
        text += " " + say("Moving answers and states takes {}.", shareText(under, r.sumS()));
    return text;
}

} // namespace

ChartSpec rlParts(const ChartContext& context)
{
    ChartSpec spec;
    spec.id = "rl_parts";
    spec.title = said("RL step by part");
    spec.barDirection = BarDirection::Horizontal;
    const auto& rl = context.evaluation.rl;
    std::vector<PartBar> all;
    if (rl)
        all = barsOf(*rl);
    else // the training alone
        all.push_back(
            {said(rlPartLabel(RlPart::Update)), 0, context.evaluation.stepTimeS.value_or(0), context.evaluation.fits});
    Series bars{.id = "time", .label = said("time"), .kind = SeriesKind::Bar, .metric = "rl.step_s"};
    std::vector<std::string> names;
    const double sum = rl ? rl->sumS() : all.front().seconds;
    for (const PartBar& bar : all) {
        bars.points.push_back(
            {.x = static_cast<double>(names.size()),
             .y = bar.from + bar.seconds,
             .label = partOfTimeText(bar.seconds, sum),
             .base = bar.from,
             .infeasible = !bar.fits,
             .detail = say("{}, {} of all work", secondsText(bar.seconds), shareText(bar.seconds, sum))});
        names.push_back(bar.name);
    }
    DataRange range;
    range.add(bars);
    spec.series.push_back(std::move(bars));
    spec.x = categoryAxis("rl_part", said("Part"), names);
    spec.y = linearAxis("rl_step_s", said("Time"), timeUnit(sum), ValueFormat::Seconds, range);
    spec.reading = rl ? readingOf(*rl)
                      : said("No reinforcement learning: state the prompts of a step to see where its time goes.");
    if (rl)
        spec.note = said("Published steps took 1.1 to 1.8 times as long.");
    if (rl && !rl->fits)
        spec.note += " " + said("It does not fit: times are as if it did.");
    spec.summary = say("What a step of reinforcement learning spends its time on. {}",
                       rl ? spec.reading + restOf(*rl) : spec.reading);
    return spec;
}

} // namespace headroom::charts
