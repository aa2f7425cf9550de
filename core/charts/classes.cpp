// SPDX-License-Identifier: GPL-3.0-or-later
// The classes of a mix of requests: how long each takes, until its first token and until its last.
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom::charts
{

namespace
{

/// "1,155 + 211": what is read and what is written.
std::string nameOf(const ClassResult& c)
{
    return wholeText(c.promptTokens) + " + " + wholeText(c.outputTokens);
}

Series bars(const char* id, std::string label, SeriesRole role, int slot, const char* metric)
{
    return {.id = id, .label = std::move(label), .role = role, .kind = SeriesKind::Bar, .slot = slot, .metric = metric};
}

/// The classes of the mix, or the one that all requests are of.
std::vector<ClassResult> classesOf(const Setup& setup, const Evaluation& e)
{
    if (e.mix)
        return {e.mix->classes().begin(), e.mix->classes().end()};
    ClassResult one;
    one.share = 1;
    one.promptTokens = static_cast<double>(setup.inference.promptTokens);
    one.outputTokens = static_cast<double>(setup.inference.outputTokens);
    one.ttftS = e.ttftS.value_or(0);
    one.latencyS = e.requestLatencyS.value_or(0);
    one.requestsPerS = e.requestsPerS.value_or(0);
    one.tokensPerS = e.tokensPerS.value_or(0);
    one.inFlight = setup.inference.requestsPerS ? one.requestsPerS * one.latencyS : e.batch * e.replicas;
    return {one};
}

std::string reading(const std::vector<ClassResult>& all)
{
    const auto slowest = std::ranges::max_element(all, {}, &ClassResult::latencyS);
    const auto busiest = std::ranges::max_element(all, {}, &ClassResult::inFlight);
    double places = 0;
    for (const ClassResult& c : all)
        places += c.inFlight;
    const std::string batch = shareText(busiest->inFlight, places);
    const std::string requests = percentText(busiest->share);
    if (slowest == busiest)
        return say("{} takes longest, {}, and {} of the batch with {} of the requests.", nameOf(*slowest),
                   secondsText(slowest->latencyS), batch, requests);
    return say("{} takes longest, {}; {} takes {} of the batch with {} of the requests.", nameOf(*slowest),
               secondsText(slowest->latencyS), nameOf(*busiest), batch, requests);
}

} // namespace

ChartSpec classes(const ChartContext& context)
{
    ChartSpec spec;
    spec.id = "classes";
    spec.title = said("Classes of requests");
    spec.barDirection = BarDirection::Horizontal;
    const std::vector<ClassResult> all = classesOf(context.scenario, context.evaluation);
    Series first = bars("ttft", said("to the first token"), SeriesRole::Secondary, 1, "mix.ttft_s");
    Series last = bars("latency", said("on to the last token"), SeriesRole::Current, 0, "mix.latency_s");
    std::vector<std::string> names;
    for (const ClassResult& c : all) {
        const double at = static_cast<double>(names.size());
        last.points.push_back({.x = at,
                               .y = c.latencyS,
                               .label = say("{} · {} requests/s, {} in flight", secondsText(c.latencyS),
                                            numberText(c.requestsPerS), numberText(c.inFlight)),
                               .base = c.ttftS,
                               .infeasible = !context.evaluation.fits});
        first.points.push_back({.x = at,
                                .y = c.ttftS,
                                .label = secondsText(c.ttftS),
                                .base = 0.0,
                                .infeasible = !context.evaluation.fits});
        names.push_back(nameOf(c));
    }
    DataRange range;
    range.add(last);
    range.add(first);
    spec.series = {std::move(first), std::move(last)};
    if (const auto target = context.scenario.inference.ttftTargetS; target && *target <= range.high)
        spec.guides.push_back(
            {GuideKind::Horizontal, SeriesRole::Target, 0, *target, 0, say("TTFT target {}", secondsText(*target))});
    spec.x = categoryAxis("request_class", said("Tokens read + written"), names);
    spec.y = linearAxis("latency_s", said("Time of a request"), said("seconds"), ValueFormat::Seconds, range);
    spec.reading = all.size() > 1 ? reading(all) : said("All requests are alike: add a second class to see two.");
    if (all.size() > 1)
        spec.note = said("Without waiting: all classes wait alike.");
    spec.summary = say("How long requests of each class take. {}", spec.reading);
    return spec;
}

} // namespace headroom::charts
