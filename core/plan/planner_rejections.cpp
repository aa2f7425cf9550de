// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_report.hpp"
#include "core/plan/planner_table.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace headroom::planner
{
namespace
{

std::string bytes(double value)
{
    return formatText(std::max(0.0, value), ValueFormat::Bytes);
}

std::string inferenceMemory(const Evaluation& e)
{
    const double cache = e.part(MemoryPart::KvCache);
    const double left = e.capacityBytes - (e.usedBytes - cache);
    if (left > 0)
        return say("the weights leave {} for a cache that needs {}", bytes(left), bytes(cache));
    if (e.part(MemoryPart::Weights) > e.capacityBytes)
        return say("the weights take {} of the {} a GPU can give them", bytes(e.part(MemoryPart::Weights)),
                   bytes(e.capacityBytes));
    return say("weights ({}) and work space take {} of {}, which leaves nothing for the cache",
               bytes(e.part(MemoryPart::Weights)), bytes(e.usedBytes - cache), bytes(e.capacityBytes));
}

std::string trainingMemoryText(const Evaluation& e)
{
    const double states = e.part(MemoryPart::Weights) + e.part(MemoryPart::Gradients) + e.part(MemoryPart::Optimizer);
    const std::string_view largest = states > e.usedBytes / 2 ? say("weights, gradients and optimizer states") : "";
    return say("the leanest layout needs {} of {} a GPU{}", bytes(e.deviceBytes), bytes(e.capacityBytes),
               largest.empty() ? "" : say(", {} of it for {}", bytes(states), largest));
}

std::string over(const Shortfall& s)
{
    const double share = s.share() - 1;
    return share < 10 ? say("{} over", formatText(share, ValueFormat::Percent))
                      : say("{} times as much", formatText(s.share(), ValueFormat::Integer));
}

/// Of a latency that is missed. The nearest layout has the least of it where nothing else is asked for: else another
/// one may have less, and miss something else by more.
std::string missedLatency(const Shortfall& s, const PlanOption& option, const PlanRequest& request)
{
    const InferenceWorkload& w = option.scenario.inference;
    const bool alone = !w.requestsPerS && !request.limits.costPerHour && !(w.ttftTargetS && w.tpotTargetS);
    const std::string value = secondsText(s.value), limit = secondsText(s.limit), more = over(s);
    if (s.kind == LimitKind::Ttft)
        return alone ? say("TTFT, waiting included, is {} at best against a target of {} ({})", value, limit, more)
                     : say("in the nearest layout TTFT, waiting included, is {} against a target of {} ({})", value,
                           limit, more);
    return alone ? say("TPOT is {} at best against a target of {} ({})", value, limit, more)
                 : say("in the nearest layout TPOT is {} against a target of {} ({})", value, limit, more);
}

std::string missed(const Shortfall& s, const PlanOption& option, const PlanRequest& request)
{
    switch (s.kind) {
    case LimitKind::Memory:
        if (const auto& rl = option.evaluation.rl; rl && option.evaluation.fits)
            return rl->usedBytes > rl->capacityBytes ? say("a copy that generates needs {} of {} a GPU",
                                                           bytes(rl->usedBytes), bytes(rl->capacityBytes))
                                                     : said("the update does not fit with its longest answers");
        if (const auto& pools = option.evaluation.pools; pools && !pools->prefill.fits)
            return say("what reads prompts needs {} of {} a GPU", bytes(pools->prefill.usedBytes),
                       bytes(pools->prefill.capacityBytes));
        return option.evaluation.task == Task::Training ? trainingMemoryText(option.evaluation)
                                                        : inferenceMemory(option.evaluation);
    case LimitKind::HostMemory:
        return say("what is offloaded needs {} of a host's memory of {}", bytes(s.value), bytes(s.limit));
    case LimitKind::Load:
        return say("the load is {} of what it can serve: {} replicas of this kind would be needed, not {}",
                   formatText(s.value, ValueFormat::Percent),
                   formatText(option.evaluation.queue->replicasNeeded, ValueFormat::Integer),
                   formatText(option.evaluation.replicas, ValueFormat::Integer));
    case LimitKind::Ttft:
    case LimitKind::Tpot:
        return missedLatency(s, option, request);
    case LimitKind::Deadline:
        return say("the fastest layout trains for {}, the deadline is {} ({})", secondsText(s.value),
                   secondsText(s.limit), over(s));
    case LimitKind::CostToTrain:
        return say("the fastest layout costs {} to train against a budget of {} ({})",
                   formatText(s.value, ValueFormat::Money), formatText(s.limit, ValueFormat::Money), over(s));
    case LimitKind::CostPerHour:
        return say("it costs {} an hour against a limit of {} ({})", formatText(s.value, ValueFormat::Money),
                   formatText(s.limit, ValueFormat::Money), over(s));
    case LimitKind::None:
        break;
    }
    return {};
}

/// A number of GPUs of one accelerator, to be explained.
struct Machine {
    const PlanAccelerator* device = nullptr;
    std::int64_t gpus = 1;
    double spares = 0; ///< paid for beside them
    [[nodiscard]] double cost() const { return device->pricePerGpuHour.value_or(0) * (double(gpus) + spares); }
};

/// By price if both are known, otherwise by the number of GPUs of the same accelerator.
bool cheaper(const Machine& machine, const PlanOption& best)
{
    const double gpus = planGpus(best);
    if (machine.device->pricePerGpuHour && best.scenario.hardware.pricePerGpuHour)
        return machine.cost() < *best.scenario.hardware.pricePerGpuHour * (gpus + machine.spares);
    return machine.device->accelerator == best.scenario.accelerator && double(machine.gpus) < gpus;
}

/// The largest number of GPUs of a device that costs less than the best answer; 0 where there is none to compare.
std::int64_t nextCheaper(const PlanAccelerator& device, const PlanOption& best)
{
    const std::int64_t gpus = best.scenario.hardware.count;
    const auto price = best.scenario.hardware.pricePerGpuHour;
    if (device.accelerator == best.scenario.accelerator)
        return gpus - 1;
    if (!price || !device.pricePerGpuHour || !(*device.pricePerGpuHour > 0))
        return 0;
    const double most = std::ceil(*price * double(gpus) / *device.pricePerGpuHour) - 1;
    return static_cast<std::int64_t>(std::min(most, 1e15));
}

bool anyNumber(const PlanRequest& request)
{
    return request.base.task == Task::Inference && request.base.inference.requestsPerS && !request.exactCounts &&
           request.free.has(PlanDimension::Replicas);
}

/// The most GPUs that the limit on cost allows, else the fewest.
std::int64_t largestAffordable(const PlanRequest& request, const PlanAccelerator& device)
{
    const std::vector<std::int64_t>& counts = request.gpuCounts;
    if (!request.limits.costPerHour || !device.pricePerGpuHour || !(*device.pricePerGpuHour > 0))
        return counts.back();
    const double most = *request.limits.costPerHour / *device.pricePerGpuHour - paidSpares(request.base);
    if (anyNumber(request) && most >= double(counts.front()))
        return std::min(counts.back(), static_cast<std::int64_t>(std::min(most, 1e15)));
    std::int64_t largest = counts.front();
    for (const std::int64_t gpus : counts)
        if (double(gpus) <= most)
            largest = gpus;
    return largest;
}

std::vector<Machine> machinesOf(const PlanRequest& request, const PlanOption* best)
{
    std::vector<Machine> machines;
    const double spares = paidSpares(request.base);
    for (const PlanAccelerator& device : request.accelerators) {
        if (best == nullptr) {
            machines.push_back({&device, largestAffordable(request, device), spares});
            continue;
        }
        std::vector<std::int64_t> counts = request.gpuCounts;
        if (anyNumber(request))
            if (const std::int64_t next = nextCheaper(device, *best); next >= counts.front() && next <= counts.back())
                counts.push_back(next); // any number of GPUs counts
        std::ranges::sort(counts);
        counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
        for (const std::int64_t gpus : counts)
            if (cheaper({&device, gpus, spares}, *best))
                machines.push_back({&device, gpus, spares});
    }
    std::ranges::stable_sort(machines, [](const Machine& a, const Machine& b) {
        return a.cost() != b.cost() ? a.cost() > b.cost() : a.gpus > b.gpus;
    });
    return machines;
}

} // namespace

std::string failure(const PlanRequest& request, const PlanOption& option)
{
    Shortfall worst = shortfall(request, option.scenario, option.evaluation);
    if (!worst.any())
        return {};
    const bool late = worst.kind == LimitKind::Ttft || worst.kind == LimitKind::Tpot;
    if (late && !servesItsLoad(option.evaluation)) // whatever the limit on the batch, it is not served
        worst = {LimitKind::Load, option.evaluation.queue->utilization, 1};
    const PreparedScenario& s = option.scenario;
    if (const auto& pools = option.evaluation.pools; pools && s.readingAccelerator().id != s.accelerator->id)
        return say("{} × {} and {} × {} for the prompts fail: {}", wholeText(double(s.hardware.count)),
                   s.accelerator->name, wholeText(pools->prefill.devices), s.readingAccelerator().name,
                   missed(worst, option, request));
    return say("{} × {} fails: {}", wholeText(planGpus(option)), s.accelerator->name, missed(worst, option, request));
}

namespace
{

/// Of a budget that nothing keeps: of each device the number of GPUs that misses its limits by the least, nearest
/// first. More GPUs train sooner and cost more, so neither the fewest nor the most need be it.
std::vector<PlanRejection> overBudget(const PlanRequest& request, const std::stop_token& stop)
{
    struct Miss {
        bool fits = false;
        double share = 0;
        PlanRejection rejection;
    };
    const auto isNearer = [](const Miss& a, const Miss& b) { return a.fits != b.fits ? a.fits : a.share < b.share; };
    std::vector<Miss> nearest;
    for (const PlanAccelerator& device : request.accelerators) {
        std::optional<Miss> least;
        const double most = request.limits.costPerHour.value_or(std::numeric_limits<double>::infinity());
        for (const std::int64_t gpus : request.gpuCounts) {
            const Machine machine{&device, gpus, paidSpares(request.base)};
            if (stop.stop_requested() || (gpus > request.gpuCounts.front() && machine.cost() > most))
                break; // with more of them the limit of an hour is further away
            PlanRequest one = request;
            one.accelerators = {device};
            one.gpuCounts = {gpus};
            auto option = nearestMiss(PlanSpace(one), stop);
            if (!option)
                continue;
            const Shortfall missed = shortfall(request, option->scenario, option->evaluation);
            std::string reason = failure(request, *option);
            const bool fits = missed.kind != LimitKind::Memory && missed.kind != LimitKind::HostMemory;
            Miss miss{fits, missed.share(), {std::move(*option), std::move(reason)}};
            if (missed.any() && (!least || isNearer(miss, *least)))
                least = std::move(miss);
        }
        if (least)
            nearest.push_back(std::move(*least));
    }
    std::ranges::stable_sort(nearest, isNearer);
    std::vector<PlanRejection> result;
    for (Miss& miss : nearest)
        if (result.size() < request.rejections)
            result.push_back(std::move(miss.rejection));
    return result;
}

} // namespace

std::vector<PlanRejection> rejections(const PlanRequest& request, const PlanOption* best, const std::stop_token& stop)
{
    if (best == nullptr && request.limits.costToTrain)
        return overBudget(request, stop);
    std::vector<PlanRejection> result;
    std::size_t tries = 4 * request.rejections;
    for (const Machine& machine : machinesOf(request, best)) {
        if (result.size() == request.rejections || tries-- == 0 || stop.stop_requested())
            break;
        PlanRequest one = request;
        one.accelerators = {*machine.device};
        one.gpuCounts = {machine.gpus};
        if (anyNumber(request) && machine.gpus > request.gpuCounts.front()) // with this many, or fewer
            one.gpuCounts = {request.gpuCounts.front(), machine.gpus};
        const PlanSpace space(one);
        if (anyFeasible(space, stop))
            continue;
        auto nearest = nearestMiss(space, stop);
        if (!nearest)
            continue;
        std::string reason = failure(request, *nearest);
        // "At most 7 GPUs" and "at most 4" may both end at the same 4.
        if (!reason.empty() && std::ranges::find(result, reason, &PlanRejection::reason) == result.end())
            result.push_back({std::move(*nearest), std::move(reason)});
    }
    return result;
}

} // namespace headroom::planner
