// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_readers.hpp"

#include "core/plan/planner_space.hpp"
#include "core/plan/planner_table.hpp"
#include "core/predict/inference/inference_pools.hpp"
#include "core/predict/inference/inference_tail.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace headroom::planner
{
namespace
{

/// The request for one pool: of the same GPUs, with prompts and answers on all of them.
PlanRequest withoutPool(PlanRequest request)
{
    InferenceWorkload& w = request.base.inference;
    w.scheduling = Scheduling::Continuous;
    w.prefillPool = {};
    request.base.prefillAccelerator = nullptr;
    return request;
}

/// What a reader does, whatever decodes; false where it does not fit.
bool measure(PlanReader& reader, PreparedScenario s)
{
    s.inference.scheduling = Scheduling::Disaggregated;
    s.inference.prefillPool.tensor =
        reader.layout.tensor; // a pool is stated; the rest is as in decode, which is the same
    const inference::Machine decode = inference::makeMachine(s, s.efficiency.base == EfficiencyBase::Ideal);
    const inference::PrefillPool pool(s, decode);
    if (!inference::planMemory(pool.p, pool.m, pool.drafter()).holds(pool.prompts))
        return false;
    reader.requestS = pool.readS;
    reader.firstS = pool.firstTokenS() - pool.shownS;
    reader.movedBytes = inference::prefillBytes(pool.p, pool.m, pool.prompts) * double(reader.gpus) / pool.prompts;
    const TargetPercentile percentile = heldPercentile(s.inference);
    s.inference.promptTokens =
        std::max<std::int64_t>(s.inference.promptTokens, std::llround(inference::promptQuantile(s, percentile)));
    inference::takeOneLength(s.inference); // one prompt of that length
    reader.longS = inference::PrefillPool(s, decode).passS;
    return true;
}

/// Nothing that decodes would rather have `other`.
bool beats(const PlanReader& one, const PlanReader& other, bool linksStated)
{
    return one.device.accelerator == other.device.accelerator && one.precision == other.precision &&
           one.kvCache == other.kvCache && (linksStated ? one.gpus <= other.gpus : one.gpus == other.gpus) &&
           one.requestS <= other.requestS && one.firstS <= other.firstS && one.longS <= other.longS &&
           one.movedBytes <= other.movedBytes;
}

/// A value of an objective as people read it; MFU is negated there.
std::string valueText(PlanObjective objective, double value, bool loaded)
{
    switch (objective) {
    case PlanObjective::Cost:
        return loaded ? say("{} an hour", formatText(value, ValueFormat::Money))
                      : say("{} a million tokens", formatText(value, ValueFormat::Money));
    case PlanObjective::Time:
        return say("{} a request", formatText(value, ValueFormat::Seconds));
    case PlanObjective::Energy:
        return say("{} J/token", formatText(value, ValueFormat::Plain));
    case PlanObjective::Gpus:
        return say("{} GPUs", formatText(value, ValueFormat::Integer));
    case PlanObjective::Mfu:
        break;
    }
    return say("MFU {}", formatText(-value, ValueFormat::Percent));
}

std::string nameOf(const PlanOption& option)
{
    return fmt::format("{} ({})", planMachines(option), layoutText(option));
}

} // namespace

std::vector<PlanReader> readersOf(const PlanRequest& request)
{
    std::vector<PlanReader> readers;
    const PreparedScenario& base = request.base;
    if (!hasPrefillPool(base))
        return readers;
    PlanRequest own = withoutPool(request);
    own.base.inference.prefillPool.batch = base.inference.prefillPool.batch;
    own.base.parallelism = prefillLayout(base);
    own.free = request.free.release(PlanDimension::Replicas);
    own.gpuCounts = {1, request.gpuCounts.back()};
    own.exactCounts = false;
    if (base.prefillAccelerator) {
        const auto price = base.inference.prefillPool.pricePerGpuHour;
        own.accelerators = {
            {base.prefillAccelerator, price ? price : base.hardware.pricePerGpuHour, base.prefillPrice}};
    } else if (const auto price = base.inference.prefillPool.pricePerGpuHour) {
        for (PlanAccelerator& device : own.accelerators) {
            device.pricePerGpuHour = price;
            device.price.reset();
        }
    }
    const PlanSpace layouts(own);
    PreparedScenario scenario = own.base;
    for (PlanPoint point : layouts.blocks()) {
        layouts.apply(point, scenario);
        PlanReader reader{own.accelerators[point.accelerator], scenario.parallelism, point.precision, point.kvCache,
                          point.gpus};
        if (!measure(reader, scenario))
            continue;
        const bool linksStated = base.inference.transferGbitPerS.has_value();
        if (std::ranges::any_of(readers, [&](const PlanReader& one) { return beats(one, reader, linksStated); }))
            continue;
        std::erase_if(readers, [&](const PlanReader& other) { return beats(reader, other, linksStated); });
        readers.push_back(std::move(reader));
    }
    return readers;
}

void compareOnePool(const PlanRequest& request, PlanResult& result, const std::stop_token& stop)
{
    PlanRequest alone = withoutPool(request);
    alone.top = 1;
    alone.rejections = 0;
    auto found = plan(alone, stop);
    if (!found || stop.stop_requested())
        return;
    const bool two = !result.ranked.empty();
    if (found->ranked.empty()) {
        if (two)
            result.notes.insert(result.notes.begin(), said("No single pool of at most as many GPUs meets the targets"));
        return;
    }
    result.onePool = std::move(found->ranked.front());
    const auto value = [](const PlanOption& option, PlanObjective objective) {
        return option.values[static_cast<std::size_t>(objective)].value_or(std::numeric_limits<double>::infinity());
    };
    const PlanOption& pool = *result.onePool;
    const double best = two ? value(result.ranked.front(), request.objective) : 0, one = value(pool, request.objective);
    const bool equal = two && (one == best || std::abs(one - best) <= roundingError * std::abs(best));
    const PlanObjective decides = equal ? PlanObjective::Time : request.objective; // as in the ranking
    const auto text = [&](const PlanOption& option) {
        const auto shown = [&](PlanObjective by) { return valueText(by, value(option, by), isLoaded(request)); };
        return decides == request.objective ? shown(decides)
                                            : fmt::format("{}, {}", shown(request.objective), shown(decides));
    };
    std::string note;
    if (!two)
        note = say("One pool meets the targets where two do not: {}, {}", nameOf(pool), text(pool));
    else if (value(pool, decides) <= value(result.ranked.front(), decides))
        note = say("One pool is better: {}, {} against {}", nameOf(pool), text(pool), text(result.ranked.front()));
    else
        note = say("Two pools are better: one pool takes {}, {} against {}", nameOf(pool), text(pool),
                   text(result.ranked.front()));
    result.notes.insert(result.notes.begin(), std::move(note));
}

} // namespace headroom::planner
