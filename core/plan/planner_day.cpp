// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_day.hpp"

#include "core/plan/planner_table.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom::planner
{
namespace
{

/// Requests a second of a replica with its full batch.
double replicaRequestsPerS(const Evaluation& e)
{
    return e.pools ? e.pools->decode.requestsPerS / e.pools->decode.instances
                   : e.queue->capacityRequestsPerS / e.replicas;
}

std::string noteOf(const PreparedScenario& base, const DayResult& day)
{
    const std::string hour = formatText(day.peakRequestsPerS, ValueFormat::Plain);
    const std::string hours = formatText(day.gpuHours, ValueFormat::Parameters);
    std::string text =
        autoscales(base.inference)
            ? say("Sized for the busiest hour, {} requests/s; over the day the best takes {} GPU-hours "
                  "with {} replicas on average and {} at most",
                  hour, hours, formatText(day.replicas, ValueFormat::Plain),
                  formatText(day.peakReplicas, ValueFormat::Integer))
            : say("Sized for the busiest hour, {} requests/s; over the day the best takes {} GPU-hours", hour, hours);
    if (day.cost)
        text += " · " + say("cost of the day {}", planText(*day.cost, ValueFormat::Money));
    return text;
}

} // namespace

PreparedScenario withDay(const PreparedScenario& base, const PlanOption& option) noexcept
{
    PreparedScenario s = option.scenario;
    InferenceWorkload& w = s.inference;
    w.requestsPerS = base.inference.requestsPerS;
    takeDay(w, base.inference);
    if (autoscales(w) && option.evaluation.queue) {
        const std::int64_t replicas = servingReplicas(s);
        const double each = replicaRequestsPerS(option.evaluation);
        w.autoscaleMax = replicas;
        if (w.autoscaleMin)
            w.autoscaleMin = std::min(*w.autoscaleMin, replicas);
        // Where latency asks for more replicas than the target does, the target gives way.
        w.autoscaleTarget = std::min(w.autoscaleTarget.value_or(usualAutoscaleTarget),
                                     busiestRequestsPerS(base.inference) / (double(replicas) * each));
    }
    return s;
}

void priceDay(const PreparedScenario& base, PlanResult& result)
{
    for (std::vector<PlanOption>* options : {&result.ranked, &result.front})
        for (PlanOption& option : *options)
            option.day = evaluate(withDay(base, option)).day;
    if (!result.ranked.empty() && result.ranked.front().day)
        result.notes.insert(result.notes.begin(), noteOf(base, *result.ranked.front().day));
}

} // namespace headroom::planner
