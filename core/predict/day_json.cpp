// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/day_json.hpp"

#include "core/predict/day.hpp"
#include "core/scenario/effective.hpp"

namespace headroom
{

void appendDay(JsonText& json, const PreparedScenario& prepared, const Evaluation& e)
{
    if (!e.day)
        return json.undefined("day");
    const DayResult& d = *e.day;
    json.open("day");
    json.number("peak_requests_per_s", d.peakRequestsPerS);
    json.number("trough_requests_per_s", d.troughRequestsPerS);
    json.number("replica_requests_per_s", d.replicaRequestsPerS);
    json.number("replicas", d.replicas);
    json.number("peak_replicas", d.peakReplicas);
    json.number("gpu_hours", d.gpuHours);
    json.number("cost", d.cost);
    json.number("peak_share", d.peakShare);
    json.number("late_share", d.lateShare);
    json.number("saving", d.saving);
    json.open("fixed");
    json.number("replicas", d.fixedReplicas);
    json.number("gpu_hours", d.fixedGpuHours);
    json.number("cost", d.fixedCost);
    json.number("peak_share", d.fixedPeakShare);
    json.close();
    json.openArray("hours");
    if (hasDay(prepared))
        for (const DayPlan plan = planDay(prepared, e); const DayHour& hour : plan.hours) {
            json.element();
            json.number("requests_per_s", hour.requestsPerS);
            json.number("replicas", hour.paid.replicas);
            json.number("prefill_instances", hour.paid.readers);
            json.number("starting_s", hour.firstS);
            json.number("replicas_meanwhile", hour.first.replicas);
            json.number("late_share", hour.lateShare);
            json.close();
        }
    json.closeArray();
    json.close();
}

} // namespace headroom
