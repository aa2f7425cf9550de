// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/figure_interval.hpp"
#include "core/predict/source_peak.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>

namespace headroom::charts
{

namespace
{

/// On an axis of the machine's own peak.
std::optional<double> observedMfu(const ChartContext& context)
{
    const auto& mfu = context.evaluation.observed->mfu;
    return mfu ? std::optional(*mfu / sourcePeakRatio(context.scenario, context.evaluation)) : std::nullopt;
}

std::optional<double> mfu(const Evaluation& e)
{
    return e.mfu;
}
std::optional<double> hfu(const Evaluation& e)
{
    return e.hfu;
}
std::optional<double> mbu(const Evaluation& e)
{
    return e.mbu;
}

/// Nothing is busier than all the time: where more is asked of a pool than it can, its line ends.
std::optional<double> busyShare(double utilization)
{
    return utilization <= 1 ? std::optional(utilization) : std::nullopt;
}
std::optional<double> prefillPool(const Evaluation& e)
{
    return e.pools ? busyShare(e.pools->prefill.utilization) : std::nullopt;
}
std::optional<double> decodePool(const Evaluation& e)
{
    return e.pools ? busyShare(e.pools->decode.utilization) : std::nullopt;
}
/// Over 1 where reading prompts is what limits.
std::optional<double> narrower(const Evaluation& e)
{
    return e.pools ? std::optional(e.pools->decode.requestsPerS / e.pools->prefill.requestsPerS) : std::nullopt;
}

/// MFU's interval follows from the step time's (TPOT's in inference): the numerator does not change.
std::optional<Interval> mfuBand(const Evaluation& e)
{
    const bool training = e.task == Task::Training;
    return intervalAgainst(e.mfu, training ? e.stepTimeS : e.tpotS, training ? e.stepTimeInterval : e.tpotInterval);
}

std::optional<Interval> mbuBand(const Evaluation& e)
{
    return intervalAgainst(e.mbu, e.tpotS, e.tpotInterval);
}

/// "MFU passes 30 % at micro-batch 128", or what it does instead.
std::string mfuReading(const SweepCurves& curves)
{
    const auto points = fittingPart(curves.expected);
    const auto byMfu = [](const SweepPoint& a, const SweepPoint& b) {
        return a.evaluation.mfu.value_or(0) < b.evaluation.mfu.value_or(0);
    };
    const auto [low, high] = std::ranges::minmax_element(points, byMfu);
    const double most = high->evaluation.mfu.value_or(0), least = low->evaluation.mfu.value_or(0);
    if (most <= 0)
        return said("MFU is not defined here.");
    if (most - least < 0.05 * most || percentText(most) == percentText(least)) // 14 to 14 % is no rise
        return percentText(most) == percentText(least)
                   ? say("MFU stays near {} whatever the {}.", percentText(most), inSentence(curves.row->label))
                   : say("MFU is {} to {} whatever the {}.", formatValue(least, ValueFormat::Percent).number,
                         percentText(most), inSentence(curves.row->label));
    constexpr std::array thresholds{0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01};
    for (const double threshold : thresholds) {
        const auto at = crossing(points, mfu, threshold, true);
        if (!at)
            continue;
        const auto point = std::ranges::find(points, *at, &SweepPoint::value);
        return say("MFU passes {} at {}{}.", percentText(threshold), named(*curves.row, *at), unlessItFits(*point));
    }
    const auto& first = points.front();
    const auto& last = points.back();
    const bool falls = last.evaluation.mfu.value_or(0) < first.evaluation.mfu.value_or(0);
    const std::string from = percentText(first.evaluation.mfu.value_or(0));
    const std::string to = percentText(last.evaluation.mfu.value_or(0));
    if (from == to) // it may rise and fall between
        return say("MFU peaks at {} with {}.", percentText(most), named(*curves.row, high->value));
    return say("MFU {} from {} at {} to {} at {}{}.", falls ? say("falls") : say("rises"), from,
               named(*curves.row, first.value), to, named(*curves.row, last.value), unlessItFits(last));
}

/// "Decode is memory-bound until batch 290", read off where the bound of the ideal machine changes.
std::string decodeReading(const SweepCurves& curves)
{
    const auto& points = curves.ideal.empty() ? curves.expected : curves.ideal;
    const auto memoryBound = [](const SweepPoint& p) { return p.evaluation.boundBy == BoundBy::MemoryBandwidth; };
    const auto change = std::ranges::find_if_not(points, memoryBound);
    const auto fitting = fittingPart(curves.expected);
    const auto end =
        std::ranges::max_element(fitting, {}, [](const SweepPoint& p) { return p.evaluation.mbu.value_or(0); });
    const std::string best = say("MBU is predicted to reach {}", percentText(end->evaluation.mbu.value_or(0)));
    if (change == points.end())
        return say("At the speed of light, decode is memory-bound over the whole range; {}.", best);
    if (change == points.begin())
        return say("At the speed of light, decode is {} at {}; {}.", say(label(change->evaluation.boundBy)),
                   named(*curves.row, change->value), best);
    return say("At the speed of light, decode is memory-bound until {}; {}.", named(*curves.row, change->value), best);
}

/// Where the bottleneck passes from one pool to the other.
std::string poolsReading(const SweepCurves& curves)
{
    const auto& points = curves.expected;
    if (const auto at = crossing(points, narrower, 1, false))
        return say("Prefill is the bottleneck before {}, decode from there on.", named(*curves.row, *at));
    if (const auto at = crossing(points, narrower, 1, true))
        return say("Decode is the bottleneck before {}, prefill from there on.", named(*curves.row, *at));
    return narrower(points.front().evaluation).value_or(0) > 1 ? said("Prefill is the bottleneck over the whole range.")
                                                               : said("Decode is the bottleneck over the whole range.");
}

} // namespace

ChartSpec utilization(const ChartContext& context)
{
    const auto curves = curvesOf(context);
    const bool training = context.scenario.task == Task::Training;
    ChartSpec spec;
    spec.id = "utilization";
    spec.title = say("Utilisation over {}", inSentence(curves->row->label));
    spec.x = curves->x;
    spec.note = curves->note;

    constexpr ShownMetric showMfu{"mfu", mfu}, showHfu{"hfu", hfu}, showMbu{"mbu", mbu};
    const ShownMetric leading = training ? showMfu : showMbu;
    spec.series.push_back(
        curve("ideal", training ? said("ideal") : said("ideal MFU"), SeriesRole::Ideal, 0, curves->ideal, showMfu));
    if (training) {
        spec.series.push_back(curve("hfu", said("HFU"), SeriesRole::Secondary, besidePins, curves->expected, showHfu));
        addPinCurves(spec, *curves, showMfu);
        spec.series.push_back(curve("mfu", said("MFU"), SeriesRole::Current, 0, curves->expected, showMfu, mfuBand));
    } else {
        spec.series.push_back(curve("mfu", said("MFU"), SeriesRole::Secondary, besidePins, curves->expected, showMfu));
        if (context.evaluation.pools) {
            spec.series.push_back(curve("prefill_pool", said("prefill pool busy"), SeriesRole::Tertiary, besidePins,
                                        curves->expected, {"pools.prefill.utilization", prefillPool}));
            spec.series.push_back(curve("decode_pool", said("decode pool busy"), SeriesRole::Secondary, besidePins + 1,
                                        curves->expected, {"pools.decode.utilization", decodePool}));
        }
        addPinCurves(spec, *curves, showMbu);
        spec.series.push_back(curve("mbu", said("MBU"), SeriesRole::Current, 0, curves->expected, showMbu, mbuBand));
    }
    std::erase_if(spec.series, [](const Series& series) { return series.points.empty(); });
    addRunPoints(spec, context, *curves, leading.id);
    if (context.evaluation.credible())
        addMeasured(spec, curves->current, training ? observedMfu(context) : context.evaluation.observed->mbu,
                    leading.id);
    addOperatingPoint(spec, *curves, context, leading.figure);

    // The ideal line may leave through the top: the range follows what is expected and measured.
    DataRange range;
    for (const Series& series : spec.series)
        if (series.role != SeriesRole::Ideal)
            range.add(series);
    spec.y = shareAxis(training ? "mfu_and_hfu" : "mbu_and_mfu", training ? said("MFU and HFU") : said("MBU and MFU"),
                       range);
    spec.reading = training ? mfuReading(*curves) : decodeReading(*curves);
    if (context.evaluation.pools)
        spec.reading = poolsReading(*curves) + " " + spec.reading;
    spec.summary =
        say("{} from {} to {}: {} now. {}", spec.title, tickText(*curves->row, curves->x.minimum),
            tickText(*curves->row, curves->x.maximum),
            percentText((training ? context.evaluation.mfu : context.evaluation.mbu).value_or(0)), spec.reading);
    return spec;
}

} // namespace headroom::charts
