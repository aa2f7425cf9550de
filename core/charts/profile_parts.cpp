// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a step as a profile can show them: predicted as bars, measured as marks.
#include "core/charts/chart_registry.hpp"
#include "core/charts/part_bars.hpp"
#include "core/metrics/words.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/two_figures.hpp"

#include <algorithm>

namespace headroom::charts
{

namespace
{

/// "818 ms, ○ 900 ms": the circle is the mark of what was measured.
std::string barLabel(const profile::ProfilePart& part, bool profiled, double whole)
{
    const std::string predicted =
        part.predictedS || !profiled ? partOfTimeText(part.predictedS.value_or(0), whole) : "–";
    return part.measuredS ? predicted + ", ○ " + partOfTimeText(*part.measuredS, whole) : predicted;
}

double longer(const profile::ProfilePart& part)
{
    return std::max(part.predictedS.value_or(0), part.measuredS.value_or(0));
}

std::string readingOf(const profile::ProfileComparison& c, bool measured)
{
    if (!measured)
        return say("{} are predicted. Import a profile to see where they went.", secondsText(c.predictedS));
    const profile::ProfilePart* most = c.largest();
    if (most == nullptr)
        return say("Every part is as predicted, {} in all.", secondsText(c.measuredS));
    const std::string part = capitalized(said(most->label)), predicted = secondsText(most->predictedS.value_or(0));
    return most->measuredS ? say("{}: {} measured, {} predicted.", part, secondsText(*most->measuredS), predicted)
                           : say("{}: {} predicted, not to be seen in a profile.", part, predicted);
}

} // namespace

ChartSpec profileParts(const ChartContext& context)
{
    const MeasuredProfile& profile = context.scenario.measured.profile;
    const profile::ProfileComparison c = profile::compareProfile(profile, context.scenario, context.evaluation);
    std::vector<profile::ProfilePart> parts = c.parts;
    const double whole = std::max(c.predictedS, c.measuredS);
    std::erase_if(parts, [&](const auto& part) { return longer(part) < smallestShare * whole; });
    std::ranges::stable_sort(parts, std::greater(), longer);

    const char* metric = context.scenario.task == Task::Training ? "step_time_s" : "tpot_s";
    ChartSpec spec;
    spec.id = "profile";
    spec.title = said("Profile beside the prediction");
    spec.barDirection = BarDirection::Horizontal;
    PartBars bars("predicted", said("predicted"), metric);
    for (const profile::ProfilePart& part : parts)
        bars.add(said(part.label), barLabel(part, profile.any(), whole), part.predictedS, part.measuredS, part.cause);
    const std::vector<std::string> names = bars.names();
    const DataRange range = std::move(bars).into(spec);
    spec.x = categoryAxis("profile_part", said("Part"), names);
    spec.y = linearAxis("step_time_s", said("Time of a step"), timeUnit(whole), ValueFormat::Seconds, range);
    spec.reading = readingOf(c, profile.any());
    spec.summary = say("{} in {} parts. {}", spec.title, names.size(), spec.reading);
    if (profile.any() && !c.notes.empty())
        spec.note = c.notes.front();
    return spec;
}

} // namespace headroom::charts
