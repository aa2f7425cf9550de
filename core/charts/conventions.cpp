// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/predict/source_peak.hpp"
#include "core/predict/utilization.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::charts
{

namespace
{

/// The machine's peak over the one that its bars are shares of: the source's of what was measured, else its own.
double barsRatio(const PreparedScenario& prepared, const Evaluation& e)
{
    return e.credible() && e.observed->stepTimeS ? sourcePeakRatio(prepared, e) : 1;
}

} // namespace

ChartSpec conventions(const ChartContext& context)
{
    const Evaluation& now = context.evaluation;
    const bool observed = now.credible() && now.observed->mfu;
    ChartSpec spec;
    spec.id = "conventions";
    spec.title = said("One run, ten ways to count");
    spec.barDirection = BarDirection::Horizontal;

    Series chosen{.id = "chosen", .label = said("chosen convention"), .kind = SeriesKind::Bar, .metric = "mfu"};
    Series others{.id = "others",
                  .label = said("other conventions"),
                  .role = SeriesRole::Tertiary,
                  .kind = SeriesKind::Bar,
                  .metric = "mfu"};
    std::vector<std::string> names;
    const ConventionRow *least = nullptr, *most = nullptr;
    const auto value = [&now](const ConventionRow& row) {
        return now.conventions[static_cast<std::size_t>(row.convention)].value_or(0);
    };
    for (const ConventionRow& row : conventionTable()) {
        if (!now.conventions[static_cast<std::size_t>(row.convention)])
            continue;
        Series& series = row.convention == context.scenario.accounting ? chosen : others;
        series.points.push_back({.x = static_cast<double>(names.size()),
                                 .y = value(row),
                                 .label = fmt::format("{} · {}", percentText(value(row)), say(row.formula)),
                                 .base = 0.0});
        names.push_back(said(row.label));
        least = !least || value(row) < value(*least) ? &row : least;
        most = !most || value(row) > value(*most) ? &row : most;
    }
    if (names.empty()) {
        const double mfu = now.mfu.value_or(0);
        chosen.points.push_back({.x = 0, .y = mfu, .label = percentText(mfu), .base = 0.0});
        names.push_back(said(conventionRow(context.scenario.accounting).label));
    }
    DataRange range;
    for (Series* series : {&chosen, &others}) {
        range.add(*series);
        if (!series->points.empty())
            spec.series.push_back(std::move(*series));
    }
    for (const PinnedScenario* pin : comparablePins(context)) {
        Series marks = pinMarks(*pin, spec.id, "mfu");
        const double onePeak = barsRatio(context.scenario, now) / barsRatio(pin->prepared, pin->evaluation);
        for (std::size_t at = 0; const ConventionRow& row : conventionTable()) {
            if (!now.conventions[static_cast<std::size_t>(row.convention)])
                continue;
            if (const auto mfu = pin->evaluation.conventions[static_cast<std::size_t>(row.convention)])
                marks.points.push_back({.x = static_cast<double>(at), .y = *mfu * onePeak, .label = marks.label});
            ++at;
        }
        range.add(marks);
        if (!marks.points.empty())
            spec.series.push_back(std::move(marks));
    }
    spec.x = categoryAxis("convention", said("Convention"), names);
    spec.y = shareAxis("mfu", said("MFU"), range);
    const std::string kind = observed ? said("measured") : said("predicted");
    spec.reading = least && value(*most) > value(*least)
                       ? say("The same run, {}, reads from {} ({}) to {} ({}).", kind, percentText(value(*least)),
                             say(least->label), percentText(value(*most)), say(most->label))
                       : say("Every convention reads the same {} MFU.", kind);
    spec.summary = say("MFU under {} counting conventions. {}", names.size(), spec.reading);
    return spec;
}

} // namespace headroom::charts
