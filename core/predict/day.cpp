// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/day.hpp"

#include "core/predict/cost_energy.hpp"
#include "core/predict/day_targets.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

/// The fewest that serve `perS` at `target` of what they can.
double staffFor(double perS, double each, double target)
{
    return std::min(real(mostReplicas), std::ceil(perS / (target * each) * (1 - roundingError)));
}

/// A replica and a reader, as the scenario's own evaluation has them.
DayPlan unitsOf(const PreparedScenario& p, const Evaluation& e)
{
    DayPlan plan;
    plan.target = p.inference.autoscale.target.value_or(usualAutoscaleTarget);
    if (e.pools) {
        const PoolResult &reads = e.pools->prefill, &writes = e.pools->decode;
        plan.replicaRequestsPerS = writes.requestsPerS / writes.instances;
        plan.replicaGpus = writes.devices / writes.instances;
        plan.readerRequestsPerS = reads.requestsPerS / reads.instances;
        plan.readerGpus = reads.devices / reads.instances;
    } else {
        plan.replicaRequestsPerS = e.day ? e.day->replicaRequestsPerS : e.queue->capacityRequestsPerS / e.replicas;
        plan.replicaGpus = real(modelParallelRanks(p.parallelism) * p.parallelism.attentionData);
    }
    return plan;
}

/// Who reads for replicas that are too few reads what these can serve.
double servedOf(const DayPlan& plan, double perS, double replicas)
{
    return std::min(perS, replicas * plan.replicaRequestsPerS);
}

/// Who is wanted under a load: who follows it, or the scenario's own.
Staff wanted(const PreparedScenario& p, const Evaluation& e, const DayPlan& plan, double perS)
{
    const InferenceWorkload& w = p.inference;
    if (!autoscales(w))
        return {e.replicas, e.pools ? e.pools->prefill.instances : 0};
    const double least = real(w.autoscale.min.value_or(1)), most = real(w.autoscale.max.value_or(mostReplicas));
    const double replicas =
        std::clamp(staffFor(perS, plan.replicaRequestsPerS, plan.target), std::min(least, most), most);
    return {replicas, e.pools ? staffFor(servedOf(plan, perS, replicas), plan.readerRequestsPerS, plan.target) : 0};
}

Staff fewer(const Staff& a, const Staff& b)
{
    return {std::min(a.replicas, b.replicas), std::min(a.readers, b.readers)};
}

/// Who has been wanted in each of the `before` hours before this one, and in it.
Staff started(const DayPlan& plan, std::size_t hour, std::size_t before)
{
    Staff staff = plan.hours[hour].paid;
    for (std::size_t i = 1; i <= std::min(before, LoadProfile::hours - 1); ++i)
        staff = fewer(staff, plan.hours[(hour + LoadProfile::hours - i) % LoadProfile::hours].paid);
    return staff;
}

/// The requests that come in seconds in which more is asked than is served.
double lateOf(const DayPlan& plan, const DayHour& hour)
{
    const auto beyond = [&](const Staff& staff) {
        return hour.requestsPerS > plan.capacity(staff) * (1 + roundingError) ? 1.0 : 0.0;
    };
    return (hour.firstS * beyond(hour.first) + (secondsPerHour - hour.firstS) * beyond(hour.then)) / secondsPerHour;
}

/// Of the requests of the busiest hours, those that meet the targets. What waits at the end of an hour waits on in the
/// next; a day follows on one like it.
std::optional<double> peakShare(const DayPlan& plan, double busiest, BusyHour& busy)
{
    double backlog = 0, met = 0, seconds = 0;
    const auto pass = [&](double requestsPerS, const Staff& staff, double time, bool counts) {
        if (!(time > 0))
            return;
        const double capacity = plan.capacity(staff);
        if (counts) {
            met += time * busy.shareInTime(plan, staff, capacity, time, backlog);
            seconds += time;
        }
        backlog = std::max(0.0, backlog + (requestsPerS - capacity) * time);
    };
    for (const bool again : {false, true})
        for (const DayHour& hour : plan.hours) {
            const bool counts = again && hour.requestsPerS >= busiest * (1 - roundingError);
            pass(hour.requestsPerS, hour.first, hour.firstS, counts);
            pass(hour.requestsPerS, hour.then, secondsPerHour - hour.firstS, counts);
        }
    return met / seconds;
}

} // namespace

double DayPlan::capacity(const Staff& staff) const noexcept
{
    const double writes = staff.replicas * replicaRequestsPerS;
    return readerGpus > 0 ? std::min(writes, staff.readers * readerRequestsPerS) : writes;
}

double DayPlan::gpus(const Staff& staff) const noexcept
{
    return staff.replicas * replicaGpus + staff.readers * readerGpus;
}

DayPlan planDay(const PreparedScenario& p, const Evaluation& e) noexcept
{
    DayPlan plan = unitsOf(p, e);
    const LoadProfile& profile = *p.inference.loadProfile;
    const double unit = *p.inference.requestsPerS / profile.mean();
    double busiest = 0;
    for (std::size_t i = 0; i < LoadProfile::hours; ++i) {
        DayHour& hour = plan.hours[i];
        hour.requestsPerS = unit * profile.factors[i];
        hour.paid = wanted(p, e, plan, hour.requestsPerS);
        busiest = std::max(busiest, hour.requestsPerS);
    }
    plan.needed = std::max(1.0, staffFor(busiest, plan.replicaRequestsPerS, plan.target));
    const bool isBound = autoscales(p.inference) && p.inference.autoscale.max;
    plan.fixed.replicas = isBound ? std::min(plan.needed, real(*p.inference.autoscale.max)) : plan.needed;
    const double read = isBound ? servedOf(plan, busiest, plan.fixed.replicas) : busiest;
    plan.fixed.readers = e.pools ? std::max(1.0, staffFor(read, plan.readerRequestsPerS, plan.target)) : 0;
    const double lag = autoscales(p.inference) ? p.inference.autoscale.lagS.value_or(usualAutoscaleLagS) : 0;
    const auto whole = static_cast<std::size_t>(lag / secondsPerHour);
    for (std::size_t i = 0; i < LoadProfile::hours; ++i) {
        DayHour& hour = plan.hours[i];
        hour.firstS = lag - double(whole) * secondsPerHour;
        hour.first = started(plan, i, whole + 1);
        hour.then = started(plan, i, whole);
        if (hour.first == hour.then)
            hour.firstS = 0;
        hour.lateShare = lateOf(plan, hour);
    }
    return plan;
}

PreparedScenario loadOfRunning(const PreparedScenario& prepared, const DayResult& day, double replicas) noexcept
{
    PreparedScenario each = prepared;
    *each.inference.requestsPerS *= replicas / day.replicas;
    return each;
}

void takeRunning(const PreparedScenario& prepared, Evaluation& e) noexcept
{
    const double times = e.day->replicas / e.replicas;
    const auto take = [times](std::optional<double>& total) {
        if (total)
            *total *= times;
    };
    take(e.tokensPerS);
    take(e.requestsPerS);
    if (e.tokensPerSInterval)
        e.tokensPerSInterval = {e.tokensPerSInterval->low * times, e.tokensPerSInterval->high * times};
    e.queue->capacityRequestsPerS *= times;
    const double needed = *prepared.inference.requestsPerS / e.day->replicaRequestsPerS;
    e.queue->replicasNeeded = std::floor(needed * (1 + roundingError)) + 1;
    if (!e.mix)
        return;
    for (ClassResult& one : std::span(e.mix->all).first(e.mix->count)) {
        one.requestsPerS *= times;
        one.tokensPerS *= times;
        one.inFlight *= times;
    }
}

std::optional<double> costPerMillionOfDay(const DayResult& day, const InferenceWorkload& w) noexcept
{
    return day.cost ? std::optional(costPerMillion(*day.cost / double(LoadProfile::hours),
                                                   day.servedRequestsPerS * inference::answerTokens(w)))
                    : std::nullopt;
}

std::optional<DayResult> dayOf(const PreparedScenario& p, const Evaluation& e, inference::Replica& replica) noexcept
{
    const DayPlan plan = planDay(p, e);
    if (!(plan.replicaRequestsPerS > 0))
        return std::nullopt;
    DayResult d;
    d.replicaRequestsPerS = plan.replicaRequestsPerS;
    d.troughRequestsPerS = plan.hours.front().requestsPerS;
    double asked = 0, late = 0, most = 0;
    Staff all;
    for (const DayHour& hour : plan.hours) {
        d.peakRequestsPerS = std::max(d.peakRequestsPerS, hour.requestsPerS);
        d.troughRequestsPerS = std::min(d.troughRequestsPerS, hour.requestsPerS);
        d.peakReplicas = std::max(d.peakReplicas, hour.paid.replicas);
        d.peakUse = std::max(d.peakUse, hour.requestsPerS / plan.capacity(hour.paid));
        all.replicas += hour.paid.replicas;
        all.readers += hour.paid.readers;
        asked += hour.requestsPerS;
        most += plan.capacity(hour.paid);
        late += hour.requestsPerS * hour.lateShare;
    }
    d.replicas = all.replicas / LoadProfile::hours;
    d.fixedReplicas = plan.fixed.replicas;
    d.gpuHours = plan.gpus(all);
    d.fixedGpuHours = plan.gpus(plan.fixed) * LoadProfile::hours;
    if (autoscales(p.inference) && d.peakUse <= 1 + roundingError) // fewer that cannot serve it save nothing
        d.saving = 1 - d.gpuHours / d.fixedGpuHours;
    d.servedRequestsPerS = std::min(asked, most) / LoadProfile::hours; // what waits is served in quieter hours
    d.lateShare = late / asked;
    if (const auto& price = p.hardware.pricePerGpuHour) {
        const PoolResult* pool = e.pools ? &e.pools->prefill : nullptr;
        const double reader = pool ? plan.readerGpus * pool->costPerHour.value_or(0) / pool->devices : 0;
        const auto cost = [&](const Staff& hours) {
            return hours.replicas * plan.replicaGpus * *price + hours.readers * reader;
        };
        d.cost = cost(all);
        d.fixedCost = cost(plan.fixed) * LoadProfile::hours;
    }
    if (p.inference.ttftTargetS || p.inference.tpotTargetS) {
        BusyHour busy(p, d.peakRequestsPerS, replica);
        d.peakShare = peakShare(plan, d.peakRequestsPerS, busy);
        d.fixedPeakShare = busy.shareInTime(plan, plan.fixed, plan.capacity(plan.fixed), secondsPerHour, 0);
    }
    return d;
}

} // namespace headroom
