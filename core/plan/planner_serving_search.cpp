// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_serving_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace headroom::planner
{
namespace
{

/// Better by more than rounding.
bool isBetter(const PlanFind& a, const PlanFind& b, PlanObjective objective)
{
    const double left = at(a.values, objective), right = at(b.values, objective);
    return left < right - roundingSlack * std::abs(right);
}

} // namespace

void ServingSearch::decide(PlanPoint block)
{
    const PlanRequest& request = m_trial.request();
    const std::vector<std::int64_t>& batches = m_trial.space().batches();
    m_trial.counts().configurations += batches.size();
    Replicas range = *replicasOf(m_trial.request(), block);
    const auto price = request.accelerators[block.accelerator].pricePerGpuHour;
    if (price && *price > 0 && request.limits.costPerHour) {
        const double perReplica = *price * double(block.gpus), limit = *request.limits.costPerHour;
        while (range.most >= range.least && double(range.most) * perReplica > limit)
            range.most =
                range.upTo(std::min(range.most - 1, static_cast<std::int64_t>(std::min(limit / perReplica, 1e15))));
        if (range.most < range.least) {
            m_trial.counts().excludedByLimit += batches.size();
            return;
        }
    }
    PlanPoint point = block;
    point.replicas = 1;
    m_trial.apply(point);
    const std::int64_t inPass = largestInPass(m_trial.scenario(), m_trial.space().isFree(PlanDimension::Batch));
    const std::int64_t most = std::min(largestBatch(m_trial.scenario()), inPass);
    if (m_trial.space().hasReaders()) {
        block.batch = batches.front();
        const bool fits =
            m_trial.space().loadDecidesBatch() || m_trial.scenario().inference.batchMax || most >= block.batch;
        return m_pools.decide(block, range, fits ? most : 0);
    }
    if (m_trial.space().loadDecidesBatch())
        return decideLoaded(block, range, most);
    for (const std::int64_t batch : batches) {
        block.batch = batch;
        if (inPass < batch) {
            --m_trial.counts().configurations;
            continue;
        }
        if (most < (m_trial.scenario().inference.batchMax ? 1 : batch)) {
            ++m_trial.counts().excludedByMemory;
            continue;
        }
        ++m_trial.counts().evaluated;
        if (const auto find = withReplicas(block, range))
            m_trial.offer(*find);
    }
    if (m_trial.space().isFree(PlanDimension::Batch))
        refine(block, range, most);
}

/// Under a load the batch is a limit: what is in flight follows from the load, and a larger limit serves more (but
/// where pools of GPUs are divided by it: decideHalves). Three are considered: the largest whose targets, or whose
/// TPOT, hold even when it is full, and the largest that fits. Preferred is the first; where another does with fewer
/// replicas or is better otherwise, that. Fewer still may do with a limit between them: withFewer().
void ServingSearch::decideLoaded(PlanPoint block, Replicas range, std::int64_t most)
{
    if (most < 1) {
        ++m_trial.counts().excludedByMemory;
        return;
    }
    ++m_trial.counts().evaluated;
    if (m_trial.scenario().inference.scheduling == Scheduling::Disaggregated)
        return decideHalves(block, range, most);
    // Ranks that share a batch evenly serve more than ranks of which one holds a sequence more than others.
    const std::int64_t even = std::max<std::int64_t>(1, most / block.attentionData * block.attentionData);
    const InferenceWorkload& w = m_trial.request().base.inference;
    const std::int64_t inTime = m_trial.fullWithinTargets(block, most);
    const bool differs = w.ttftTargetS && w.tpotTargetS && inTime < most;
    const std::int64_t quick = differs ? m_trial.fullWithinTargets(block, most, false) : inTime;
    std::optional<PlanFind> best;
    for (const std::int64_t batch : {inTime, quick, most, even}) {
        if (batch < 1 || (best && batch == best->point.batch))
            continue;
        block.batch = batch;
        if (const auto find = withReplicas(block, range);
            find && (!best || isBetter(*find, *best, m_trial.request().objective)))
            best = find;
    }
    if (w.ttftTargetS || w.tpotTargetS)
        withFewer(block, range, most, best);
    if (best)
        m_trial.offer(*best);
}

/// A small limit answers soon and lets many wait, a large one the other way round, and targets may hold between the two
/// alone. Takes fewer replicas than `best` has where any limit does with them: with more of them each carries less.
void ServingSearch::withFewer(const PlanPoint& block, Replicas range, std::int64_t most, std::optional<PlanFind>& best)
{
    const bool fastest = m_trial.request().objective == PlanObjective::Time;
    const auto better = [&](std::int64_t replicas) {
        const auto find = withAnyLimit(block, range.from(replicas), most);
        if (find && (!best || isBetter(*find, *best, m_trial.request().objective)))
            best = find;
        return find.has_value();
    };
    if (!best && !better(range.most))
        return;
    if (fastest || best->point.replicas <= range.least)
        return;
    (void)lastThatHolds(range.least - 1, best->point.replicas,
                        [&](std::int64_t replicas) { return !better(replicas); });
}

/// With the largest limit that writes soon enough, or one below it with which first tokens come sooner.
std::optional<PlanFind> ServingSearch::withAnyLimit(PlanPoint point, std::int64_t replicas, std::int64_t most)
{
    const PlanRequest& request = m_trial.request();
    point.replicas = replicas;
    point.gpus *= replicas;
    const auto missed = [&](std::int64_t limit) {
        point.batch = limit;
        return m_trial.missedBy(point);
    };
    const auto isQuick = [&](std::int64_t limit) {
        (void)missed(limit);
        const auto& target = request.base.inference.tpotTargetS;
        return !target || *heldTpot(request, m_trial.evaluation()) <= *target;
    };
    if (!missed(most).any())
        return foundAt(point);
    if (!m_trial.evaluation().queue->meanWaitS || !isQuick(1))
        return std::nullopt; // no limit serves more, or writes sooner
    const std::int64_t quick = isQuick(most) ? most : lastThatHolds(1, most, isQuick);
    std::map<std::int64_t, double> seen; // how often a limit takes up its targets, where it misses any
    const auto share = [&](std::int64_t limit) {
        const auto [place, isNew] = seen.try_emplace(limit);
        if (isNew)
            place->second = missed(limit).share();
        return place->second;
    };
    if (share(quick) > 0)
        for (const std::int64_t limit : listedBatches(quick))
            (void)share(limit);
    const auto least = [&] { return std::ranges::min_element(seen, {}, [](const auto& one) { return one.second; }); };
    const auto best = least();
    std::int64_t low = best == seen.begin() ? best->first : std::prev(best)->first;
    std::int64_t high = std::next(best) == seen.end() ? best->first : std::next(best)->first;
    while (high - low > 2 && best->second > 0) {
        const std::int64_t left = low + (high - low) / 3, right = high - (high - low) / 3;
        share(left) <= share(right) ? high = right : low = left;
    }
    if (missed(least()->first).any())
        return std::nullopt;
    return foundAt(point);
}

/// Disaggregated: a larger decode batch needs fewer GPUs that decode, and slows each token. So the batches that serve a
/// number of replicas lie between one with too few places and one that is too slow. The number will do if the largest
/// batch that is fast enough has enough places.
void ServingSearch::decideHalves(PlanPoint block, Replicas range, std::int64_t most)
{
    const PlanRequest& request = m_trial.request();
    const std::int64_t gpus = block.gpus;
    const auto misses = [&](std::int64_t replicas, std::int64_t batch) {
        block.replicas = range.from(replicas);
        block.gpus = gpus * block.replicas;
        block.batch = batch;
        return m_trial.missedBy(block);
    };
    const auto& target = request.base.inference.tpotTargetS;
    const auto isSlow = [&] { return target && *heldTpot(request, m_trial.evaluation()) > *target; };
    const auto largest = [&](std::int64_t replicas) {
        const auto isQuick = [&](std::int64_t batch) {
            (void)misses(replicas, batch);
            return !isSlow();
        };
        return isQuick(most) ? most : lastThatHolds(1, most + 1, isQuick);
    };
    const auto fails = [&](std::int64_t replicas) { return misses(replicas, largest(replicas)).any(); };
    if (fails(range.most))
        return;
    const bool fastest = request.objective == PlanObjective::Time;
    std::int64_t high = range.least;
    if (fastest)
        high = range.most;
    else if (fails(high))
        high = lastThatHolds(high, range.most, fails) + 1;
    const std::int64_t end = largest(high);
    const auto lacksPlaces = [&](std::int64_t batch) { return misses(high, batch).any(); };
    std::int64_t begin = lastThatHolds(0, end, lacksPlaces) + 1; // the smallest with places enough
    const auto value = [&](std::int64_t batch) {
        (void)misses(high, batch);
        return at(m_trial.values(), request.objective);
    };
    // Once the load leaves places empty, more of them change nothing: between equals the best lies on the smaller side.
    std::int64_t last = end;
    while (last - begin > 2) {
        const std::int64_t left = begin + (last - begin) / 3, right = last - (last - begin) / 3;
        value(left) <= value(right) ? last = right : begin = left;
    }
    std::optional<PlanFind> best;
    for (const std::int64_t batch : {end, begin, begin + 1, last}) {
        if (batch > last && batch != end)
            continue;
        if (misses(high, batch).any())
            continue;
        if (const PlanFind here = foundAt(block); !best || isBetter(here, *best, request.objective))
            best = here;
    }
    if (best)
        m_trial.offer(*best);
}

/// Between the batches of the list: the largest that meets the targets, and the best by the objective.
void ServingSearch::refine(PlanPoint block, Replicas range, std::int64_t most)
{
    const PlanRequest& request = m_trial.request();
    const std::vector<std::int64_t>& listed = m_trial.space().batches();
    if (request.objective == PlanObjective::Time || request.objective == PlanObjective::Gpus || most < 1)
        return; // 1 is the fastest, and no batch takes fewer GPUs
    std::map<std::int64_t, std::optional<PlanFind>> seen;
    const auto tried = [&](std::int64_t batch) -> const std::optional<PlanFind>& {
        const auto [place, isNew] = seen.try_emplace(batch);
        if (isNew) {
            block.batch = batch;
            place->second = withReplicas(block, range);
            if (std::ranges::find(listed, batch) == listed.end()) {
                ++m_trial.counts().configurations;
                ++m_trial.counts().evaluated;
            }
        }
        return place->second;
    };
    if (!tried(1))
        return;
    std::int64_t largest = 1, beyond = most + 1;
    for (const std::int64_t batch : listed)
        if (batch <= most && tried(batch))
            largest = batch;
        else
            beyond = std::min(beyond, batch);
    largest = lastThatHolds(largest, beyond, [&](std::int64_t batch) { return tried(batch).has_value(); });
    (void)tried(std::max<std::int64_t>(1, largest / block.attentionData * block.attentionData));
    // The best lies between the neighbours of the best seen: the objective falls towards it from either side.
    const auto value = [&](std::int64_t batch) {
        const auto& find = tried(batch);
        return find ? at(find->values, request.objective) : std::numeric_limits<double>::infinity();
    };
    const auto best = std::ranges::min_element(seen, {}, [&](const auto& one) { return value(one.first); });
    const auto next = std::next(best);
    std::int64_t low = best == seen.begin() ? best->first : std::prev(best)->first;
    std::int64_t high = next == seen.end() ? best->first : std::min(largest, next->first);
    while (high - low > 2) {
        const std::int64_t left = low + (high - low) / 3, right = high - (high - low) / 3;
        value(left) <= value(right) ? high = right : low = left;
    }
    for (std::int64_t batch = low; batch <= high; ++batch)
        (void)tried(batch);
    // Neighbours are alike, and would fill the ranking: of a layout it shows two beside the list.
    const auto chosen = std::ranges::min_element(seen, {}, [&](const auto& one) { return value(one.first); });
    for (const std::int64_t batch : std::set{chosen->first, largest})
        if (std::ranges::find(listed, batch) == listed.end())
            m_trial.offer(*tried(batch));
}

/// With the smallest number of replicas that carries the load and meets the targets (best by time: with the largest).
/// With more of them each carries less, so waits and latencies fall, and doubling and halving find it.
std::optional<PlanFind> ServingSearch::withReplicas(PlanPoint point, Replicas range)
{
    const PlanRequest& request = m_trial.request();
    const std::int64_t gpus = point.gpus;
    const auto misses = [&](std::int64_t replicas) {
        point.replicas = range.from(replicas);
        point.gpus = gpus * point.replicas;
        return m_trial.missedBy(point).any();
    };
    const bool loaded = isLoaded(m_trial.request());
    const bool fastest = loaded && request.objective == PlanObjective::Time;
    if (!misses(fastest ? range.most : range.least))
        return foundAt(point);
    if (!loaded || fastest || range.most == range.least)
        return std::nullopt;
    std::int64_t low = range.least;
    if (!m_trial.evaluation().queue->meanWaitS) {
        if (m_trial.evaluation().queue->replicasNeeded > double(range.most))
            return std::nullopt;
        low = std::max(low, static_cast<std::int64_t>(m_trial.evaluation().queue->replicasNeeded));
        if (!misses(low))
            return foundAt(point);
    }
    PlanValues least = m_trial.values();
    if (misses(range.most) || outbid(least))
        return std::nullopt;
    std::int64_t high = range.most;
    for (std::int64_t step = 1; low + step < high; step *= 2) {
        if (!misses(low + step)) {
            high = low + step;
            break;
        }
        low += step;
    }
    (void)misses(lastThatHolds(low, high, misses) + 1);
    return foundAt(point);
}

/// Whether every number of replicas between two is worse than an answer. `least` holds the values of the smaller; the
/// larger was evaluated last. More replicas cost more, and are no faster than the most there may be.
bool ServingSearch::outbid(PlanValues& least)
{
    at(least, PlanObjective::Time) =
        std::max(0.0, m_trial.evaluation().requestLatencyS.value_or(0)) * (1 - roundingSlack);
    at(least, PlanObjective::Energy) *= 1 - roundingSlack;
    at(least, PlanObjective::Mfu) = -1;
    m_trial.renew();
    return m_trial.hopeless(least, 0);
}

} // namespace headroom::planner
