// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace headroom::charts
{

namespace
{

/// Parts below this share of the whole are left out (0.2 %: no bar would be seen).
constexpr double smallestShare = 0.002;

bool isCommunication(TimePart part)
{
    return part == TimePart::TensorParallel || part == TimePart::ContextParallel || part == TimePart::ExpertParallel ||
           part == TimePart::DataParallel || part == TimePart::PipelineSend;
}

double total(const Evaluation& e)
{
    return std::accumulate(e.time.begin(), e.time.end(), 0.0);
}

} // namespace

ChartSpec timeBreakdown(const ChartContext& context)
{
    const Evaluation& now = context.evaluation;
    const bool training = context.scenario.task == Task::Training;
    const double whole = total(now);
    ChartSpec spec;
    spec.id = "time_breakdown";
    spec.title = training ? said("Where the step's time goes") : said("Where the token's time goes");
    spec.barDirection = BarDirection::Horizontal;

    std::vector<TimePart> parts;
    double communication = 0;
    for (int i = 0; i < timePartCount; ++i) {
        const auto part = static_cast<TimePart>(i);
        if (now.part(part) > smallestShare * whole || (i == 0 && whole <= 0))
            parts.push_back(part);
        if (isCommunication(part))
            communication += now.part(part);
    }
    std::ranges::stable_sort(parts, [&](TimePart a, TimePart b) { return now.part(a) > now.part(b); });

    Series bars;
    bars.id = "time";
    bars.label = training ? said("step time") : said("TPOT");
    bars.kind = SeriesKind::Bar;
    bars.metric = training ? "step_time_s" : "tpot_s";
    std::vector<std::string> names;
    for (const TimePart part : parts) {
        bars.points.push_back(
            {.x = static_cast<double>(names.size()),
             .y = now.part(part),
             .label = fmt::format("{} · {}", formatText(now.part(part), ValueFormat::Seconds),
                                  formatText(whole > 0 ? now.part(part) / whole : 0, ValueFormat::Percent)),
             .base = 0.0});
        names.push_back(said(label(part)));
    }
    DataRange range;
    range.add(bars);
    spec.series.push_back(std::move(bars));

    for (std::size_t i = 0; i < std::min<std::size_t>(context.pins.size(), 3); ++i) {
        const PinnedScenario& pin = context.pins[i];
        if (pin.prepared.task != context.scenario.task)
            continue;
        Series marks;
        marks.metric = spec.series.front().metric;
        marks.id = fmt::format("pin-{}.time", static_cast<char>(pin.letter - 'A' + 'a'));
        marks.label = pinLabel(pin);
        marks.role = pinRole(i);
        marks.kind = SeriesKind::Points;
        marks.slot = static_cast<int>(i + 1);
        for (std::size_t p = 0; p < parts.size(); ++p)
            marks.points.push_back({.x = static_cast<double>(p),
                                    .y = pin.evaluation.part(parts[p]),
                                    .label = std::string(1, pin.letter),
                                    .base = {}});
        range.add(marks);
        spec.series.push_back(std::move(marks));
    }

    spec.x = categoryAxis(said("Part"), names);
    spec.y = linearAxis(training ? said("Time of a step") : said("Time of an output token"), said("seconds"),
                        ValueFormat::Seconds, range);
    const std::string share = formatText(whole > 0 ? now.part(parts.front()) / whole : 0, ValueFormat::Percent);
    spec.reading =
        say("{}: {} of {}", capitalized(said(label(parts.front()))), share, formatText(whole, ValueFormat::Seconds));
    if (communication > smallestShare * whole && !isCommunication(parts.front()))
        spec.reading +=
            say("; communication that shows takes {}", formatText(communication / whole, ValueFormat::Percent));
    spec.reading += ".";
    spec.summary = say("{} in {} parts. {}", spec.title, names.size(), spec.reading);
    return spec;
}

} // namespace headroom::charts
