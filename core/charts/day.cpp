// SPDX-License-Identifier: GPL-3.0-or-later
// A day of a load that changes: what is asked, and the replicas that run.
#include "core/predict/day.hpp"
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <cmath>
#include <fmt/format.h>

namespace headroom::charts
{

namespace
{

Series stepLine(std::string id, std::string label, SeriesRole role, int slot, std::string metric)
{
    return {.id = std::move(id),
            .label = std::move(label),
            .role = role,
            .kind = SeriesKind::StepLine,
            .slot = slot,
            .metric = std::move(metric)};
}

void add(Series& series, double hour, double y)
{
    series.points.push_back({.x = hour, .y = y});
}

/// In replicas: the load as how many full ones would serve it.
void addDay(ChartSpec& spec, const DayPlan& plan)
{
    Series load = stepLine("load", said("load, in replicas"), SeriesRole::Secondary, 1, "requests_per_s");
    Series running = stepLine("replicas", said("replicas that serve"), SeriesRole::Current, 0, "day.replicas");
    Series fixed = stepLine("fixed", said("fixed for the peak"), SeriesRole::Tertiary, 2, "day.peak_replicas");
    for (std::size_t i = 0; i < LoadProfile::hours; ++i) {
        const DayHour& hour = plan.hours[i];
        const double at = double(i);
        add(load, at, hour.requestsPerS / plan.replicaRequestsPerS);
        if (hour.firstS > 0)
            add(running, at, hour.first.replicas);
        add(running, at + hour.firstS / secondsPerHour, hour.then.replicas);
    }
    add(load, LoadProfile::hours, load.points.back().y);
    add(running, LoadProfile::hours, running.points.back().y);
    add(fixed, 0, plan.fixed.replicas);
    add(fixed, LoadProfile::hours, plan.fixed.replicas);
    spec.series = {std::move(running), std::move(load), std::move(fixed)};
}

std::string reading(const DayResult& d)
{
    const std::string low = numberText(d.troughRequestsPerS), high = numberText(d.peakRequestsPerS);
    if (!d.saving)
        return say("{} to {} requests/s; replicas on average: {}, needed at the peak: {}.", low, high,
                   numberText(d.replicas), wholeText(d.fixedReplicas));
    const std::string hours = numberText(d.gpuHours), share = percentText(std::abs(*d.saving));
    if (constexpr double nothing = 5e-5; std::abs(*d.saving) < nothing) // as it is written, 0 %
        return say("{} to {} requests/s: replicas that follow take {} GPU-hours, as many as fixed ones.", low, high,
                   hours);
    return *d.saving >= 0 ? say("{} to {} requests/s: replicas that follow take {} GPU-hours, {} less than fixed ones.",
                                low, high, hours, share)
                          : say("{} to {} requests/s: replicas that follow take {} GPU-hours, {} more than fixed ones.",
                                low, high, hours, share);
}

} // namespace

ChartSpec day(const ChartContext& context)
{
    ChartSpec spec;
    spec.id = "day";
    spec.title = said("Replicas and load over the day");
    const Evaluation& e = context.evaluation;
    if (hasDay(context.scenario) && e.day) {
        addDay(spec, planDay(context.scenario, e));
        spec.reading = reading(*e.day);
        if (e.day->lateShare > 0)
            spec.note = say("{} of the requests come while more is asked than runs.", percentText(e.day->lateShare));
    } else { // a chart shows something for every scenario
        Series running = stepLine("replicas", said("replicas that serve"), SeriesRole::Current, 0, "day.replicas");
        add(running, 0, e.replicas);
        add(running, LoadProfile::hours, e.replicas);
        spec.series.push_back(std::move(running));
        spec.reading = said("The load is the same all day: say how it changes to see the day.");
    }
    DataRange range;
    range.add(spec.series);
    spec.x = linearAxis("hour_of_day", said("Hour of the day"), {}, ValueFormat::Plain, {0, LoadProfile::hours});
    spec.x.maximum = LoadProfile::hours;
    for (std::size_t hour = 0; hour <= LoadProfile::hours; hour += 4)
        spec.x.ticks.push_back({double(hour), fmt::format("{}:00", hour)});
    spec.y = linearAxis("replicas", said("Replicas"), {}, ValueFormat::Plain, range);
    spec.summary = say("Replicas that run and the load over the hours of a day. {}", spec.reading);
    return spec;
}

} // namespace headroom::charts
