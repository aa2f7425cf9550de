// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_day.hpp"

#include "core/plan/planner_table.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

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

/// `s` was sized for the busiest hour and evaluated as `e`: now with the day of `question`. Where the day scales, as
/// many replicas as it has run in that hour, and fewer follow by the same rule, never fewer than it states.
void giveDay(const InferenceWorkload& question, const Evaluation& e, PreparedScenario& s) noexcept
{
    InferenceWorkload& w = s.inference;
    w.requestsPerS = question.requestsPerS;
    takeDay(w, question);
    if (autoscales(w) && e.queue) {
        const std::int64_t replicas = servingReplicas(s);
        const double each = replicaRequestsPerS(e);
        w.autoscale.max = replicas;
        // Where latency asks for more replicas than the target does, the target gives way. The fewest run anyway.
        const double stated = w.autoscale.target.value_or(usualAutoscaleTarget);
        w.autoscale.target = replicas > w.autoscale.min.value_or(1)
                                 ? std::min(stated, busiestRequestsPerS(question) / (double(replicas) * each))
                                 : stated;
    }
}

/// What was sized for the busiest hour, with the whole day.
PreparedScenario withDay(const InferenceWorkload& question, const PreparedScenario& sized, const Evaluation& e) noexcept
{
    PreparedScenario s = sized;
    giveDay(question, e, s);
    return s;
}

std::string noteOf(const PreparedScenario& base, const DayResult& day)
{
    const std::string hour = formatText(day.peakRequestsPerS, ValueFormat::Plain);
    const std::string hours = numberText(day.gpuHours);
    std::string text =
        autoscales(base.inference)
            ? say("Sized for the busiest hour, {} requests/s; over the day the best takes {} GPU-hours "
                  "with {} replicas on average and {} at most",
                  hour, hours, formatText(day.replicas, ValueFormat::Plain),
                  formatText(day.peakReplicas, ValueFormat::Integer))
            : say("Sized for the busiest hour, {} requests/s; over the day the best takes {} GPU-hours", hour, hours);
    if (day.cost)
        text += " · " + say("cost of the day {}", formatText(*day.cost, ValueFormat::Money));
    return text;
}

} // namespace

PlanValues valuesOf(const PlanRequest& request, const PreparedScenario& scenario, const Evaluation& evaluation) noexcept
{
    PlanValues values = valuesOf(scenario, evaluation);
    if (request.day && std::isfinite(at(values, PlanObjective::Cost)))
        if (const auto day = evaluate(withDay(*request.day, scenario, evaluation)).day; day && day->cost)
            at(values, PlanObjective::Cost) = *day->cost / double(LoadProfile::hours);
    return values;
}

void priceDay(const PreparedScenario& base, PlanResult& result)
{
    for (std::vector<PlanOption>* options : {&result.ranked, &result.front})
        for (PlanOption& option : *options) {
            const PreparedScenario s = withDay(base.inference, option.scenario, option.evaluation);
            option.day = evaluate(s).day;
            if (option.day && autoscales(s.inference))
                option.autoscale = s.inference.autoscale;
        }
    if (!result.ranked.empty() && result.ranked.front().day)
        result.notes.insert(result.notes.begin(), noteOf(base, *result.ranked.front().day));
}

} // namespace headroom::planner

namespace headroom
{

PreparedScenario deployed(const PreparedScenario& base, const PlanOption& option) noexcept
{
    return option.day ? planner::withDay(base.inference, option.scenario, option.evaluation) : option.scenario;
}

} // namespace headroom
