// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/day.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

void assumeTheDay(DerivationBuilder& b)
{
    b.assume(say("The load steps from hour to hour, and each day is like the other."));
    if (autoscales(b.p.inference))
        b.assume(say("A replica is paid for while it starts; one that is not needed stops at once. Power, energy "
                     "and cost are the day's; all other figures are of the scenario's own replicas under the day's "
                     "mean."));
    else
        b.assume(say("Nothing scales: the scenario's own replicas run all day. State the fewest or the most replicas "
                     "to let them follow the load."));
}

struct GpuHours {
    double all = 0, readers = 0; ///< of the day; of them, of what reads prompts
    std::string writerFigures, figures;
    [[nodiscard]] std::string_view formula() const { return readers > 0 ? "24 × n × G + h" : "24 × n × G"; }
};

/// Hours × mean replicas × GPUs, with what reads prompts beside them.
GpuHours gpuHours(DerivationBuilder& b, const DayPlan& plan)
{
    const DayResult& d = *b.e.day;
    const double replicas = b.input("n", say("replicas, mean of the day"), d.replicas, Plain);
    const double each = b.input("G", say("GPUs of a replica"), plan.replicaGpus, Integer);
    double readers = 0;
    for (const DayHour& hour : plan.hours)
        readers += hour.paid.readers;
    if (readers > 0)
        readers = b.input("h", say("GPU-hours of the prefill pool"), readers * plan.readerGpus, Plain);
    const std::string writers = fmt::format("24 × {} × {}", shown(replicas, Plain), wholeText(each));
    return {LoadProfile::hours * replicas * each + readers, readers, writers,
            readers > 0 ? writers + " + " + shown(readers, Plain) : writers};
}

/// A day of replicas that may be parts of one.
struct BrokenDay {
    double saving = 0;
    bool isBound = false; ///< whether the fewest or the most that are stated hold in an hour
};

BrokenDay brokenDay(const InferenceWorkload& w, const DayPlan& plan)
{
    const double least = double(w.autoscale.min.value_or(0)), most = double(w.autoscale.max.value_or(mostReplicas));
    const auto gpus = [&](double perS, double replicas) { // those that read for them read what they can serve
        const double read = std::min(perS, replicas * plan.replicaRequestsPerS);
        return replicas * plan.replicaGpus +
               (plan.readerGpus > 0 ? read / (plan.target * plan.readerRequestsPerS) * plan.readerGpus : 0);
    };
    BrokenDay day;
    double all = 0, fixed = 0;
    for (const DayHour& hour : plan.hours) {
        const double needed = hour.requestsPerS / (plan.target * plan.replicaRequestsPerS);
        const double replicas = std::clamp(needed, std::min(least, most), most);
        day.isBound = day.isBound || replicas != needed;
        all += gpus(hour.requestsPerS, replicas);
        fixed = std::max(fixed, gpus(hour.requestsPerS, std::min(needed, most)));
    }
    day.saving = 1 - all / (fixed * LoadProfile::hours);
    return day;
}

} // namespace

void dayPeakReplicas(DerivationBuilder& b)
{
    const DayResult& d = *b.e.day;
    const double needed = planDay(b.p, b.e).needed;
    if (!autoscales(b.p.inference)) {
        b.parameter("replicas", d.peakReplicas);
        const std::string_view rule = say("the scenario's own replicas");
        b.derivation.statement = said(b.metric.label) + " = " + std::string(rule);
        b.result(rule, {}, d.peakReplicas);
        if (d.peakReplicas != needed)
            b.explain(say("The busiest hour needs {}.", wholeText(needed)));
        return assumeTheDay(b);
    }
    const double load = b.input("λ", say("requests/s in the busiest hour"), d.peakRequestsPerS, Plain);
    const double each = b.input("c", say("requests/s that a replica serves with its full batch"), d.replicaRequestsPerS,
                                Plain, b.calibrationSource());
    const double target =
        b.parameter("autoscale_target", b.p.inference.autoscale.target.value_or(usualAutoscaleTarget));
    std::string formula = "⌈λ ÷ (u × c)⌉", numbers = fmt::format("⌈{} ÷ ({} × {})⌉", shown(load, Plain),
                                                                 shown(target, Percent), shown(each, Plain));
    if (const bool more = d.peakReplicas > needed; more || d.peakReplicas < needed) {
        const double bound = b.parameter(more ? "autoscale_min" : "autoscale_max", d.peakReplicas);
        formula = more ? say("max(fewest replicas, {})", formula) : say("min(most replicas, {})", formula);
        numbers = fmt::format("{}({}, {})", more ? "max" : "min", wholeText(bound), numbers);
        b.explain(say("The busiest hour needs {}; the fewest or the most replicas decide.", wholeText(needed)));
    }
    b.result(formula, numbers, d.peakReplicas, say("rule: Knative's autoscaler"));
    assumeTheDay(b);
}

void dayReplicas(DerivationBuilder& b)
{
    const DayResult& d = *b.e.day;
    const double sum = b.input("Σ", say("replicas of the hours, added up"), d.replicas * LoadProfile::hours, Integer);
    b.result(b.metric.formula, fmt::format("{} ÷ 24", wholeText(sum)), sum / LoadProfile::hours);
    assumeTheDay(b);
}

void dayGpuHours(DerivationBuilder& b)
{
    const DayPlan plan = planDay(b.p, b.e);
    const GpuHours hours = gpuHours(b, plan);
    b.result(hours.formula(), hours.figures, hours.all);
    const DayResult& d = *b.e.day;
    b.explain(say("A fixed deployment for the busiest hour takes {} GPU-hours; replicas: {}.",
                  shown(d.fixedGpuHours, Plain), wholeText(d.fixedReplicas)));
    assumeTheDay(b);
}

void dayCost(DerivationBuilder& b)
{
    const DayPlan plan = planDay(b.p, b.e);
    const GpuHours hours = gpuHours(b, plan);
    const double price = b.parameter("price_per_gpu_hour");
    if (const auto& theirs = b.p.inference.prefillPool.pricePerGpuHour; b.e.pools && theirs) {
        b.parameter("prefill_price_per_gpu_hour");
        b.result(say("24 × n × G × price + h × price of a prefill GPU"),
                 fmt::format("{} × {} + {} × {}", hours.writerFigures, shown(price, Money), shown(hours.readers, Plain),
                             shown(*theirs, Money)),
                 (hours.all - hours.readers) * price + hours.readers * *theirs);
    } else
        b.result(b.metric.formula, fmt::format("{} × {}", shown(hours.all, Plain), shown(price, Money)),
                 hours.all * price);
    assumeTheDay(b);
    assumePrice(b);
}

void dayPeakShare(DerivationBuilder& b)
{
    const DayResult& d = *b.e.day;
    const InferenceWorkload& w = b.p.inference;
    b.input("λ", say("requests/s in the busiest hour"), d.peakRequestsPerS, Plain);
    b.input("n", say("replicas in the busiest hour"), d.peakReplicas, Integer);
    if (w.ttftTargetS)
        b.parameter("ttft_target_s");
    if (w.tpotTargetS)
        b.parameter("tpot_target_s");
    b.result(b.metric.formula, {}, *d.peakShare, say("calculation: Erlang C, Allen–Cunneen"));
    b.explain(say("Of a fixed deployment for the busiest hour, {}.", shown(*d.fixedPeakShare, Percent)));
    b.assume(say("The wait is exponentially spread; while more is asked than served, the queue grows evenly. Where "
                 "tokens take longer than their target, no request is in time."));
    assumeTheDay(b);
}

void daySaving(DerivationBuilder& b)
{
    const DayResult& d = *b.e.day;
    const double hours = b.input("h", say("GPU-hours of a day"), d.gpuHours, Plain);
    const double fixed = b.input("h_0", say("GPU-hours of the fixed deployment"), d.fixedGpuHours, Plain);
    b.result("1 − h ÷ h_0", fmt::format("1 − {} ÷ {}", shown(hours, Plain), shown(fixed, Plain)), 1 - hours / fixed);
    const InferenceWorkload& w = b.p.inference;
    const BrokenDay broken = brokenDay(w, planDay(b.p, b.e));
    if (broken.isBound)
        b.explain(say("But for whole replicas it would be {}, with the fewest and the most that are stated.",
                      shown(broken.saving, Percent)));
    else
        b.explain(say("But for whole replicas it would be {}: the busiest hour has {} times the day's mean.",
                      shown(1 - *w.requestsPerS / d.peakRequestsPerS, Percent),
                      shown(d.peakRequestsPerS / *w.requestsPerS, Plain)));
    assumeTheDay(b);
}

void dayLateShare(DerivationBuilder& b)
{
    const DayPlan plan = planDay(b.p, b.e);
    double late = 0, all = 0;
    for (const DayHour& hour : plan.hours) {
        late += hour.requestsPerS * hour.lateShare;
        all += hour.requestsPerS;
    }
    if (autoscales(b.p.inference))
        b.parameter("autoscale_lag_s", b.p.inference.autoscale.lagS.value_or(usualAutoscaleLagS));
    b.input("r", say("requests/s beyond what runs, added up over the hours"), late, Plain);
    b.input("Σ", say("requests/s of the hours, added up"), all, Plain);
    b.result("r ÷ Σ", fmt::format("{} ÷ {}", shown(late, Plain), shown(all, Plain)), late / all);
    assumeTheDay(b);
}

} // namespace headroom::derivations
