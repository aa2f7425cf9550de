// SPDX-License-Identifier: GPL-3.0-or-later
// The time to the first token where a share of the prompt's cache is found in one tier or another.
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

namespace headroom::charts
{

namespace
{

constexpr int shareSteps = 10; ///< of the share that is found

enum class Place { Device, Host, Nvme };

/// The first token where so much of each prompt lies in one place, the rest nowhere; empty where the load is then more
/// than can be served.
std::optional<double> ttftAt(const PreparedScenario& scenario, Place place, double share)
{
    PreparedScenario p = scenario;
    InferenceWorkload& w = p.inference;
    p.measured = {};
    w.loadProfile.reset();
    w.targetPercentile.reset();
    w.prefixCachedTokens = 0;
    w.prefixHitRate.reset();
    w.tierHostHits.reset();
    w.tierNvmeHits.reset();
    (place == Place::Device ? w.prefixHitRate : place == Place::Host ? w.tierHostHits : w.tierNvmeHits) = share;
    const Evaluation e = evaluate(p);
    return e.queue && e.queue->utilization >= 1 ? std::nullopt : e.ttftS; // beyond the capacity nobody knows the wait
}

Series line(const PreparedScenario& scenario, std::string id, std::string label, SeriesRole role, int slot, Place place)
{
    Series series{.id = std::move(id), .label = std::move(label), .role = role, .slot = slot, .metric = "ttft_s"};
    for (int i = 0; i <= shareSteps; ++i) {
        const double share = double(i) / shareSteps;
        if (const auto ttft = ttftAt(scenario, place, share))
            series.points.push_back({.x = share, .y = *ttft});
    }
    return series;
}

/// What half of the prompt in host memory is worth.
std::string reading(const Series& host, const TiersResult& tiers)
{
    const std::string rates = say("Loading pays from {}; the host link gives {}.",
                                  formatText(tiers.breakEvenBytesPerS, ValueFormat::BytesPerS),
                                  formatText(tiers.host.bytesPerS, ValueFormat::BytesPerS));
    if (host.points.size() <= shareSteps)
        return said("Where no point stands, the load is more than can be served.") + " " + rates;
    const double again = host.points.front().y, half = host.points[shareSteps / 2].y;
    return say("With half of a prompt in host memory its first token comes after {}, computed again after {}.",
               secondsText(half), secondsText(again)) +
           " " + rates;
}

} // namespace

ChartSpec cacheTiers(const ChartContext& context)
{
    PreparedScenario scenario = context.scenario;
    const bool overloaded =
        scenario.inference.requestsPerS && !ttftAt(scenario, Place::Device, 1) && !ttftAt(scenario, Place::Host, 1);
    if (overloaded)
        scenario.inference.requestsPerS.reset();
    const InferenceWorkload& w = scenario.inference;
    ChartSpec spec;
    spec.id = "cache_tiers";
    spec.title = said("First token by cache tier");
    if (context.evaluation.tiers && usesTiers(w)) {
        spec.series.push_back(line(scenario, "host", said("in host memory"), SeriesRole::Current, 0, Place::Host));
        if (w.tierNvmeGb || w.tierNvmeHits)
            spec.series.push_back(line(scenario, "nvme", said("on NVMe"), SeriesRole::Tertiary, 2, Place::Nvme));
        spec.reading = reading(spec.series.front(), *context.evaluation.tiers);
    } else { // a chart shows something for every scenario
        spec.reading = said("Nothing is kept below GPU memory: state host memory for the cache to compare.");
    }
    spec.series.push_back(line(scenario, "device", said("in GPU memory"), SeriesRole::Secondary, 1, Place::Device));
    DataRange range;
    range.add(0);
    range.add(spec.series);
    const Series& device = spec.series.back();
    if (!device.points.empty() && device.points.front().x == 0)
        spec.guides.push_back({GuideKind::Horizontal, SeriesRole::Limit, 0, device.points.front().y, 0,
                               say("computed again {}", secondsText(device.points.front().y))});
    if (const auto target = w.ttftTargetS; target && *target <= range.high)
        spec.guides.push_back(
            {GuideKind::Horizontal, SeriesRole::Target, 0, *target, 0, say("TTFT target {}", secondsText(*target))});
    spec.x = linearAxis("prompt_share", said("Share of the prompt found there"), {}, ValueFormat::Percent, {0, 1});
    spec.y = linearAxis("ttft_s", said("Time to first token"), said("seconds"), ValueFormat::Seconds, range);
    if (overloaded)
        spec.note = said("Without the load, which is more than can be served.");
    spec.summary = say("The time to the first token over the share of a prompt that a tier holds. {}", spec.reading);
    return spec;
}

} // namespace headroom::charts
