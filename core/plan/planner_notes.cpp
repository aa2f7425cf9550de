// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_notes.hpp"

#include "core/plan/planner_base.hpp"
#include "core/plan/planner_dimensions.hpp"
#include "core/plan/planner_layouts.hpp"
#include "core/plan/planner_load.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::planner
{
namespace
{

/// Of what stays in its format; empty where everything is free.
std::string heldFormats(const PlanRequest& request)
{
    const PreparedScenario& base = request.base;
    const bool precision = !request.free.has(PlanDimension::Precision);
    if (base.task == Task::Training)
        return precision ? say("The matmuls stay in {}", toId(base.training.precision)) : std::string();
    const bool cache = !request.free.has(PlanDimension::KvCache);
    if (precision && cache)
        return say("Weights stay in {}, the cache in {}", toId(base.inference.weights), toId(base.inference.kvCache));
    if (precision)
        return say("Weights stay in {}", toId(base.inference.weights));
    return cache ? say("The cache stays in {}", toId(base.inference.kvCache)) : std::string();
}

/// The devices without which cost would rank; empty where it does, or something else is asked for.
std::string unpriced(const PlanRequest& request)
{
    if (!request.costIsAsked || request.objective == PlanObjective::Cost)
        return {};
    std::vector<std::string> names;
    const PriceKind kind = request.base.hardware.priceKind.value_or(PriceKind::OnDemand);
    for (const PlanAccelerator& device : request.accelerators)
        if (!device.pricePerGpuHour) {
            const bool readers = readerUnpriced(request.base, *device.accelerator, kind);
            const std::string& name = readers ? request.base.prefillAccelerator->name : device.accelerator->name;
            if (std::ranges::find(names, name) == names.end()) // readers are the same for all
                names.push_back(name);
        }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Of what would be tried, what the software does not have.
LayoutParts notTried(const PlanRequest& request)
{
    const PreparedScenario& base = request.base;
    const LayoutParts missing = missingParts(base, 1);
    const bool training = base.task == Task::Training;
    const auto isFree = [&](LayoutPart part) {
        return request.free.has(
            std::ranges::find(planDimensionNames, parameterOf(part), &PlanDimensionName::key)->dimension);
    };
    const auto isOpen = [&](LayoutPart part) {
        const bool needsExperts = part == LayoutPart::Expert || part == LayoutPart::AttentionData;
        const bool one = part == LayoutPart::Interleaving && missing.has(LayoutPart::Pipeline);
        return missing.has(part) && !one && !(training && part == LayoutPart::AttentionData) &&
               !(needsExperts && base.model->experts < 1) && isFree(part);
    };
    LayoutParts parts;
    for (std::size_t i = 0; i < layoutPartCount; ++i)
        if (const auto part = static_cast<LayoutPart>(i); isOpen(part))
            parts.add(part);
    return parts;
}

std::string unreadable()
{
    return said("No pool can read the prompts: in every layout the weights are more than it has memory for");
}

std::string noLegalLayout(const PlanRequest& request)
{
    if (request.fewestReplicas.value_or(1) > 1)
        return say("No layout has {} replicas, the fewest that are stated, on at most {} GPUs", *request.fewestReplicas,
                   request.gpuCounts.back());
    return request.base.task == Task::Training
               ? said("No legal layout: the GPUs do not divide into the parallel sizes, or the global batch does "
                      "not divide over the data-parallel ranks")
               : said("No legal layout: the GPUs do not divide into the parallel sizes");
}

} // namespace

std::vector<std::string> spaceNotes(const PlanSpace& space)
{
    const PlanRequest& request = space.request();
    std::vector<std::string> notes;
    const PreparedScenario& base = request.base;
    if (const std::string devices = unpriced(request); !devices.empty())
        notes.push_back(say("Not ranked by cost but by the fewest GPUs: no price is known of {}", devices));
    if (base.task == Task::Inference && !isLoaded(request))
        notes.push_back(said("No load is stated (requests_per_s): the smallest number of replicas is taken"));
    if (request.fewestReplicas.value_or(1) > 1 && !space.blocks().empty())
        notes.push_back(say("No deployment has fewer replicas than the {} that are stated", *request.fewestReplicas));
    if (isLoaded(request) && request.objective == PlanObjective::Time)
        notes.push_back(said("The most replicas are the fastest: as many are taken as the GPUs allow"));
    if (base.task == Task::Inference && request.gpuCounts.back() > mostReplicaGpus)
        notes.push_back(
            say("One replica has at most {} GPUs", std::max(mostReplicaGpus, modelParallelRanks(base.parallelism))));
    if (base.task == Task::Training && !base.training.globalBatch && !isRl(base))
        notes.emplace_back(
            said("No global batch is stated: each configuration trains micro-batch × data sequences a step"));
    if (base.task == Task::Training && base.training.trainingTokens && !countsFailures(base.training))
        notes.emplace_back(said("Failures are not counted in the time and the cost to train"));
    if (const LayoutParts parts = notTried(request); parts.any())
        notes.push_back(say("{} does not have {}: such layouts are not tried", softwareName(base), partsText(parts)));
    if (space.hasReaders())
        notes.emplace_back(said("The GPUs are those of both pools together"));
    if (space.hasReaders() && space.readers().empty())
        notes.push_back(unreadable());
    if (isRl(base)) {
        if (base.training.rl.generatesApart())
            notes.emplace_back(said("The GPUs are those that train and those that generate together"));
        notes.emplace_back(said("Published steps of reinforcement learning took 1.1 to 1.8 times as long as predicted, "
                                "and have no interval: what is asked for holds for the predicted step"));
    } else if (request.slowEnd)
        notes.emplace_back(said("Targets hold at the slow end of the 80 % interval"));
    if (const std::string held = heldFormats(request); !held.empty())
        notes.push_back(held);
    if (space.blocks().empty())
        notes.push_back(noLegalLayout(request));
    return notes;
}

std::string noLayoutText(const PlanSpace& space)
{
    if (space.hasReaders() && space.readers().empty())
        return unreadable();
    return space.blocks().empty() ? noLegalLayout(space.request()) : std::string();
}

} // namespace headroom::planner
