// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_pool_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom::planner
{
namespace
{

bool isBetter(const std::optional<PlanFind>& best, double value, PlanObjective objective)
{
    if (!best)
        return true;
    const double standing = at(best->values, objective);
    return value < standing - roundingSlack * std::abs(standing);
}

/// How many of something at `each` a limit leaves room for.
std::int64_t within(double limit, double each)
{
    return each > 0 ? static_cast<std::int64_t>(std::min(std::max(0.0, limit) / each * (1 + roundingSlack), 1e15))
                    : std::numeric_limits<std::int64_t>::max();
}

} // namespace

/// A decode replica and a prefill instance, and how many of each there may be.
struct PoolSearch::Pair {
    PlanPoint point; ///< of one replica
    std::int64_t decodes = 1, reads = 1;
    double decodeCost = 0, readCost = 0; ///< an hour, of one replica and of one instance
    Replicas replicas;                   ///< that decode
    std::int64_t least = 1;              ///< of them that keep up, however quickly prompts are read
    std::int64_t few = 1, all = 1;       ///< GPUs
    double limit = std::numeric_limits<double>::infinity();
    std::optional<std::int64_t> held; ///< instances that read

    /// Whether a reader's formats are those of what decodes.
    [[nodiscard]] bool suits(const PlanReader& reader) const
    {
        return reader.precision == point.precision && reader.kvCache == point.kvCache;
    }
    /// Index of the first reader that suits; as many as there are where none does.
    [[nodiscard]] std::uint32_t firstOf(const std::vector<PlanReader>& readers) const
    {
        const auto first = std::ranges::find_if(readers, [this](const PlanReader& reader) { return suits(reader); });
        return static_cast<std::uint32_t>(first - readers.begin());
    }
    /// The configuration with so many replicas and instances.
    [[nodiscard]] PlanPoint with(std::int64_t decoding, std::int64_t reading) const
    {
        PlanPoint of = point;
        of.replicas = decoding;
        of.gpus = decodes * decoding;
        of.readers = reading;
        return of;
    }
    [[nodiscard]] std::int64_t mostReaders(std::int64_t decoding) const
    {
        const std::int64_t room =
            std::min((all - decodes * decoding) / reads, within(limit - decodeCost * double(decoding), readCost));
        return held ? (*held <= room ? *held : 0) : room;
    }
    [[nodiscard]] std::int64_t mostReplicas(std::int64_t reading) const
    {
        return std::min(
            {replicas.most, (all - reads * reading) / decodes, within(limit - readCost * double(reading), decodeCost)});
    }
    /// Lower bound of every pair with more replicas than `decoding` and at least `reading` instances.
    [[nodiscard]] double leastBeyond(std::int64_t decoding, std::int64_t reading, PlanObjective objective) const
    {
        const double more = double(decoding + 1), those = double(reading), fewest = double(few);
        switch (objective) {
        case PlanObjective::Cost: // the least number of GPUs is filled up with the cheaper kind
            return std::max(decodeCost * more + readCost * those,
                            fewest * std::min(decodeCost / double(decodes), readCost / double(reads)));
        case PlanObjective::Gpus:
            return std::max(double(decodes) * more + double(reads) * those, fewest);
        case PlanObjective::Mfu:
        case PlanObjective::Time:
        case PlanObjective::Energy:
            break;
        }
        return -std::numeric_limits<double>::infinity();
    }
};

/// Misses something other than the limit on cost. Evaluates.
bool PoolSearch::fallsShort(const Pair& pair, std::int64_t decoding, std::int64_t reading)
{
    return m_trial.missesMoreThanCost(pair.with(decoding, reading));
}

/// So many of each, where they keep all limits and the least number of GPUs. Evaluates.
std::optional<PlanFind> PoolSearch::findOf(const Pair& pair, std::int64_t decoding, std::int64_t reading)
{
    const PlanPoint point = pair.with(decoding, reading);
    if (point.gpus + pair.reads * reading < pair.few || m_trial.missedBy(point).any())
        return std::nullopt;
    return PlanFind{m_trial.values(), point, 0};
}

/// The fewest replicas that keep up with the load and with the TPOT target while others read; 0 where none do. More of
/// them each have less in flight.
std::int64_t PoolSearch::leastDecoding(const Pair& pair)
{
    const auto& target = m_trial.request().base.inference.tpotTargetS;
    const auto fails = [&](std::int64_t replicas) {
        (void)fallsShort(pair, replicas, 0);
        const Evaluation& e = m_trial.evaluation();
        return !e.fits || (e.queue && !e.queue->meanWaitS) || // users who each have a place may fill what they have
               (target && *heldTpot(m_trial.request(), e) > *target);
    };
    const std::int64_t low = pair.replicas.least, high = pair.replicas.most;
    if (!fails(low))
        return low;
    return fails(high) ? 0 : lastThatHolds(low, high, fails) + 1;
}

/// Best by anything but time. Starts with the fewest replicas that decode, and adds one at a time while that lets
/// instances that read go.
std::optional<PlanFind> PoolSearch::fewestPair(const Pair& pair, std::optional<PlanFind> best)
{
    const PlanObjective objective = m_trial.request().objective;
    std::optional<PlanFind> found;
    const std::int64_t generous = pair.held.value_or(std::max<std::int64_t>(1, (pair.all - pair.decodes) / pair.reads));
    const auto cannot = [&](std::int64_t decoding) { return fallsShort(pair, decoding, generous); };
    std::int64_t first = pair.least;
    if (cannot(first)) {
        if (cannot(pair.replicas.most))
            return found;
        first = lastThatHolds(first, pair.replicas.most, cannot) + 1;
    }
    for (std::int64_t decoding = first; decoding <= pair.replicas.most; ++decoding) {
        const std::int64_t most = pair.mostReaders(decoding);
        if (most < 1)
            break;
        const bool missed = fallsShort(pair, decoding, most);
        const PoolResult& prefill = m_trial.evaluation().pools->prefill;
        const double busy = prefill.utilization * prefill.instances; // instances that never rest
        if (busy >= double(most))
            break; // more that decode leave fewer to read
        if (missed)
            continue;
        // MFU is what decodes: each further replica does less of the same load.
        if (objective == PlanObjective::Mfu && !isBetter(best, at(m_trial.values(), objective), objective))
            break;
        constexpr double rounding = 1e-9;
        const auto need = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(busy * (1 - rounding))));
        std::int64_t reading = std::max(need, (pair.few - pair.decodes * decoding + pair.reads - 1) / pair.reads);
        if (pair.held)
            reading = *pair.held;
        if (reading > most)
            continue;
        const bool filled = reading > need;
        const auto slow = [&](std::int64_t readers) { return fallsShort(pair, decoding, readers); };
        const bool lean = !slow(reading);
        if (!lean)
            reading = lastThatHolds(reading, most, slow) + 1;
        if (const auto find = findOf(pair, decoding, reading);
            find && isBetter(best, at(find->values, objective), objective))
            best = found = find;
        if (lean && !filled)
            break; // as few as keep up: further replicas let nobody go
        if (!isBetter(best, pair.leastBeyond(decoding, need, objective), objective))
            break;
    }
    return found;
}

/// Best by time: uses all GPUs and divides them. No pair between two numbers of readers is faster than the larger of
/// both pools would be together.
std::optional<PlanFind> PoolSearch::quickestPair(const Pair& pair, std::optional<PlanFind> best)
{
    std::optional<PlanFind> found;
    const std::int64_t most = std::max<std::int64_t>(0, (pair.all - pair.decodes) / pair.reads);
    std::vector<std::pair<std::int64_t, std::int64_t>> open{
        {pair.held.value_or(1), pair.held ? *pair.held : pair.mostReaders(1)}};
    while (!open.empty()) {
        const auto [low, high] = open.back();
        open.pop_back();
        if (low > high || high > most)
            continue;
        const std::int64_t decoding = pair.mostReplicas(low);
        if (decoding < pair.least || fallsShort(pair, decoding, high))
            continue;
        if (!isBetter(best, at(m_trial.values(), PlanObjective::Time), PlanObjective::Time))
            continue;
        if (low == high) {
            if (const auto find = findOf(pair, decoding, low))
                best = found = find;
            continue;
        }
        const std::int64_t middle = low + (high - low) / 2;
        open.emplace_back(middle + 1, high);
        open.emplace_back(low, middle);
    }
    return found;
}

/// Lower bound that no prefill pool can improve on, with the fewest replicas that decode.
double PoolSearch::leastOf(const Pair& pair, const PlanReader& reader, double mfu) const
{
    const PlanRequest& request = m_trial.request();
    const double load = request.users ? 0 : request.base.inference.requestsPerS.value_or(0);
    const double instances = double(pair.held.value_or(1)), decoding = double(pair.least);
    const double reading = std::max(instances, std::ceil(load * reader.requestS * (1 - roundingSlack)));
    switch (request.objective) {
    case PlanObjective::Cost:
        return pair.decodeCost * decoding + pair.readCost * reading;
    case PlanObjective::Gpus:
        return double(pair.decodes) * decoding + double(pair.reads) * reading;
    case PlanObjective::Mfu:
        return mfu;
    case PlanObjective::Time:
    case PlanObjective::Energy:
        break;
    }
    return -std::numeric_limits<double>::infinity();
}

/// Of one batch that decodes, with each pool that may read for it; empty where none is better than `best`.
std::optional<PlanFind> PoolSearch::bestOf(Pair& pair, std::optional<PlanFind> best)
{
    const PlanRequest& request = m_trial.request();
    const std::vector<PlanReader>& readers = m_trial.space().readers();
    std::optional<PlanFind> found;
    pair.point.reader = pair.firstOf(readers);
    pair.least = leastDecoding(pair);
    if (pair.least < 1)
        return found;
    (void)fallsShort(pair, pair.least, 0);
    const double mfu = m_trial.evaluation().mfu ? -*m_trial.evaluation().mfu : 0;
    const auto enter = [&](std::uint32_t i) {
        const PlanReader& reader = readers[i];
        pair.point.reader = i;
        pair.reads = reader.gpus;
        pair.readCost = reader.device.pricePerGpuHour.value_or(0) * double(reader.gpus);
        pair.held = m_trial.space().heldReaders(reader);
    };
    std::vector<std::pair<double, std::uint32_t>> order;
    for (std::uint32_t i = 0; i < readers.size(); ++i)
        if (pair.suits(readers[i]) && m_trial.space().heldReaders(readers[i]).value_or(1) > 0) {
            enter(i);
            order.emplace_back(leastOf(pair, readers[i], mfu), i);
        }
    std::ranges::sort(order);
    for (const auto& [least, i] : order) {
        if (!isBetter(best, least, request.objective))
            break;
        enter(i);
        if (const auto find =
                request.objective == PlanObjective::Time ? quickestPair(pair, best) : fewestPair(pair, best))
            best = found = find;
    }
    return found;
}

void PoolSearch::decide(const PlanPoint& block, Replicas range, std::int64_t most)
{
    const PlanRequest& request = m_trial.request();
    const std::vector<PlanReader>& readers = m_trial.space().readers();
    Pair pair;
    pair.point = block;
    pair.decodes = block.gpus;
    pair.replicas = range;
    pair.decodeCost = request.accelerators[block.accelerator].pricePerGpuHour.value_or(0) * double(block.gpus);
    pair.limit = request.limits.costPerHour.value_or(pair.limit);
    pair.point.reader = pair.firstOf(readers);
    if (most < 1 || pair.point.reader == readers.size()) {
        ++m_trial.counts().excludedByMemory;
        return;
    }
    ++m_trial.counts().evaluated;
    std::vector<std::int64_t> batches{block.batch};
    if (m_trial.space().loadDecidesBatch()) // as where prompts are read beside answers (decideLoaded)
        batches = {m_trial.fullWithinTargets(pair.point, most), most,
                   std::max<std::int64_t>(1, most / block.attentionData * block.attentionData)};
    std::optional<PlanFind> best;
    std::int64_t before = 0;
    const auto search = [&](std::int64_t few, std::int64_t all) {
        pair.few = few;
        pair.all = all;
        if (const auto find = bestOf(pair, best))
            best = find;
    };
    for (const std::int64_t batch : batches) {
        if (batch < 1 || batch == before)
            continue;
        before = pair.point.batch = batch;
        if (request.exactCounts)
            for (const std::int64_t gpus : request.gpuCounts)
                search(gpus, gpus);
        else
            search(request.gpuCounts.front(), request.gpuCounts.back());
    }
    if (best)
        m_trial.offer(*best);
}

} // namespace headroom::planner
