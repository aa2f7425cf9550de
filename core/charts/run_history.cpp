// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/run_history.hpp"

#include "core/charts/axis.hpp"
#include "core/predict/source_peak.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom::charts
{
namespace
{

Series seriesOf(const char* metric, std::string label, SeriesRole role, int slot)
{
    return {.id = metric,
            .label = std::move(label),
            .role = role,
            .kind = SeriesKind::Points,
            .slot = slot,
            .metric = metric};
}

} // namespace

ChartSpec runHistory(const std::vector<DatedRun>& runs)
{
    ChartSpec spec;
    spec.id = "run_history";
    spec.title = said("Runs over time");
    Series training = seriesOf("mfu", said("MFU of training"), SeriesRole::Current, 0);
    Series serving = seriesOf("mbu", said("MBU of serving"), SeriesRole::Secondary, 1);
    DataRange x, y;
    double place = 0;
    for (const DatedRun& dated : runs) {
        const Evaluation& e = dated.run->evaluation;
        ++place;
        if (!e.observed || e.observed->impossible)
            continue;
        const bool trains = dated.run->prepared.task == Task::Training;
        const auto share = trains ? e.observed->mfu : e.observed->mbu;
        if (!share)
            continue;
        const double theirs = trains ? sourcePeakRatio(dated.run->prepared, e) : 1; // runs of one peak are compared
        Point point;
        point.x = place;
        point.y = *share / theirs;
        point.label = dated.run->name.empty() ? runTitle(*dated.run) : dated.run->name;
        point.detail = dated.at.empty() ? runTitle(*dated.run) : dated.at.substr(0, 10) + " · " + runTitle(*dated.run);
        point.origin = {PointOrigin::Kind::OwnRun, dated.run->id};
        x.add(point.x);
        y.add(point.y);
        (trains ? training : serving).points.push_back(std::move(point));
    }
    spec.x = linearAxis("run_order", said("Runs in order of time"), {}, ValueFormat::Integer, x);
    constexpr double half = 0.5; // beside the first and the last: a name has room there, and there is no run 0
    spec.x.minimum = 1 - half;
    spec.x.maximum = std::max(1.0, place) + half;
    spec.y = shareAxis("mfu_or_mbu", said("MFU, of serving MBU"), y);
    const Series& told = training.points.empty() ? serving : training;
    if (told.points.empty()) {
        spec.reading = said("No run here has a figure to draw.");
    } else {
        const auto best = std::ranges::max_element(told.points, {}, &Point::y);
        spec.reading =
            say("{} of {} runs drawn; the best {} is {} ({}).", training.points.size() + serving.points.size(),
                runs.size(), training.points.empty() ? "MBU" : "MFU", percentText(best->y), best->label);
    }
    spec.summary = say("{}. {}", spec.title, spec.reading);
    for (Series* series : {&training, &serving})
        if (!series->points.empty())
            spec.series.push_back(std::move(*series));
    return spec;
}

} // namespace headroom::charts
