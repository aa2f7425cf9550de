// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/chart_registry.hpp"
#include "core/charts/part_bars.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/two_figures.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace headroom::charts
{

namespace
{

bool isCommunication(TimePart part)
{
    return part == TimePart::TensorParallel || part == TimePart::ContextParallel || part == TimePart::ExpertParallel ||
           part == TimePart::DataParallel || part == TimePart::PipelineSend;
}

double total(const Evaluation& e)
{
    return std::accumulate(e.time.begin(), e.time.end(), 0.0);
}

/// A bar of the prediction, and what a profile measured of it.
struct Row {
    TimePart part = TimePart::Matmul; ///< without a profile
    std::string_view id;              ///< of the profile's part; empty without one
    std::string_view label;
    std::optional<double> predictedS, measuredS;
    std::string cause{};
    bool communication = false;

    [[nodiscard]] double longest() const { return std::max(predictedS.value_or(0), measuredS.value_or(0)); }
};

/// The chart's rows, the longest first, with the sums of both sides.
struct Rows {
    std::vector<Row> rows;
    double predictedS = 0, measuredS = 0;
    double communicationS = 0; ///< predicted, that shows
    std::string note{};
};

Rows predictedRows(const Evaluation& now)
{
    Rows all;
    all.predictedS = total(now);
    for (int i = 0; i < timePartCount; ++i) {
        const auto part = static_cast<TimePart>(i);
        if (now.part(part) > smallestShare * all.predictedS || (i == 0 && all.predictedS <= 0))
            all.rows.push_back({part, {}, label(part), now.part(part), std::nullopt, {}, isCommunication(part)});
        if (isCommunication(part))
            all.communicationS += now.part(part);
    }
    return all;
}

/// A profile cuts a step differently: both sides stand in the parts that it can tell.
Rows profiledRows(const PreparedScenario& scenario, const Evaluation& now)
{
    const profile::ProfileComparison c = profile::compareProfile(scenario.measured.profile, scenario, now);
    Rows all;
    all.predictedS = c.predictedS;
    all.measuredS = c.measuredS;
    all.note = c.notes.empty() ? std::string() : c.notes.front();
    const double whole = std::max(c.predictedS, c.measuredS);
    for (const profile::ProfilePart& part : c.parts) {
        const bool exchange =
            part.id == "sharding_communication" || part.id == "expert_communication" || part.id == "sends";
        Row row{TimePart::Matmul, part.id, part.label, part.predictedS, part.measuredS, part.cause, exchange};
        if (exchange)
            all.communicationS += part.predictedS.value_or(0);
        if (row.longest() > smallestShare * whole)
            all.rows.push_back(std::move(row));
    }
    return all;
}

/// "818 ms · 45 %"; with a profile "818 ms, ○ 900 ms": the circle is the mark of what was measured, and a longer label
/// would run into it.
std::string barLabel(const Row& row, double predictedWhole)
{
    const auto text = [predictedWhole](double seconds) { return partOfTimeText(seconds, predictedWhole); };
    const std::string predicted = row.predictedS ? text(*row.predictedS) : "–";
    if (row.id.empty())
        return fmt::format("{} · {}", predicted, shareText(row.predictedS.value_or(0), predictedWhole));
    return row.measuredS ? predicted + ", ○ " + text(*row.measuredS) : predicted;
}

/// What a pin predicts in the chart's rows; 0 where it has no such part.
std::vector<double> ofPin(const PinnedScenario& pin, const std::vector<Row>& rows)
{
    const bool profiled = !rows.empty() && !rows.front().id.empty();
    const auto parts = profiled ? profile::compareProfile({}, pin.prepared, pin.evaluation).parts
                                : std::vector<profile::ProfilePart>();
    std::vector<double> seconds;
    for (const Row& row : rows) {
        const auto part = std::ranges::find(parts, row.id, &profile::ProfilePart::id);
        seconds.push_back(!profiled             ? pin.evaluation.part(row.part)
                          : part == parts.end() ? 0
                                                : part->predictedS.value_or(0));
    }
    return seconds;
}

std::string readingOf(const Rows& all, bool profiled)
{
    const auto predicted = [](const Row& row) { return row.predictedS.value_or(0); };
    const auto measured = [](const Row& row) { return row.measuredS.value_or(0); };
    const Row& most = *std::ranges::max_element(all.rows, {}, predicted);
    const std::string part = said(most.label), ofAll = shareText(predicted(most), all.predictedS),
                      whole = secondsText(all.predictedS);
    std::string text = profiled ? say("Predicted: {}, {} of {}", part, ofAll, whole)
                                : say("{}: {} of {}", capitalized(part), ofAll, whole);
    if (all.communicationS > smallestShare * all.predictedS && !most.communication)
        text += say("; communication that shows takes {}", shareText(all.communicationS, all.predictedS));
    text += ".";
    if (!profiled)
        return text;
    const Row& longest = *std::ranges::max_element(all.rows, {}, measured);
    return text + " " +
           say("Measured: {}, {} of {}.", said(longest.label), shareText(measured(longest), all.measuredS),
               secondsText(all.measuredS));
}

} // namespace

ChartSpec timeBreakdown(const ChartContext& context)
{
    const bool training = context.scenario.task == Task::Training;
    const bool profiled = context.scenario.measured.profile.any();
    Rows all = profiled ? profiledRows(context.scenario, context.evaluation) : predictedRows(context.evaluation);
    std::ranges::stable_sort(all.rows, std::greater(), &Row::longest);
    ChartSpec spec;
    spec.id = "time_breakdown";
    spec.title = training   ? said("Where the step's time goes")
                 : profiled ? said("Where the decode step's time goes")
                            : said("Where the token's time goes");
    spec.barDirection = BarDirection::Horizontal;

    PartBars bars("time",
                  profiled   ? said("predicted")
                  : training ? said("step time")
                             : said("TPOT"),
                  training ? "step_time_s" : "tpot_s");
    for (const Row& row : all.rows)
        bars.add(said(row.label), barLabel(row, all.predictedS), row.predictedS, row.measuredS, row.cause);
    const std::vector<std::string> names = bars.names();
    DataRange range = std::move(bars).into(spec);
    for (const PinnedScenario* pin : comparablePins(context)) {
        Series pinned = pinMarks(*pin, "time", spec.series.front().metric);
        const std::vector<double> seconds = ofPin(*pin, all.rows);
        for (std::size_t p = 0; p < seconds.size(); ++p)
            pinned.points.push_back(
                {.x = static_cast<double>(p), .y = seconds[p], .label = std::string(1, pin->letter)});
        range.add(pinned);
        spec.series.push_back(std::move(pinned));
    }

    spec.x = categoryAxis("time_part", said("Part"), names);
    spec.y = linearAxis(training   ? "step_time_s"
                        : profiled ? "decode_step_s"
                                   : "tpot_s",
                        training   ? said("Time of a step")
                        : profiled ? said("Time of a decode step")
                                   : said("Time of an output token"),
                        timeUnit(all.predictedS), ValueFormat::Seconds, range);
    spec.reading = readingOf(all, profiled);
    spec.summary = say("{} in {} parts. {}", spec.title, names.size(), spec.reading);
    spec.note = all.note;
    return spec;
}

} // namespace headroom::charts
