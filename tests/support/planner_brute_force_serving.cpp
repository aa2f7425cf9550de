// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/planner_brute_force.hpp"

#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test
{
namespace
{

using Sizes = std::vector<std::int64_t>;

bool isPower(std::int64_t n)
{
    return (n & (n - 1)) == 0;
}

/// Requests a second that so many people send, each as soon as the last is answered and thought about: found by
/// halving, from nothing but what evaluations say of services and waits.
double requestsOf(const PlanUsers& users, PreparedScenario s)
{
    s.users = users.count;
    s.thinkS = users.thinkS;
    s.inference.requestsPerS = 1; // as under a load: ranks of attention data then have as many each
    const double capacity = evaluate(s).queue->capacityRequestsPerS;
    s.inference.requestsPerS.reset();
    PreparedScenario alone = s;
    alone.inference.batch = 1;
    const double one = *evaluate(alone).requestsPerS;
    const auto served = [&](double rate) { // time that a request takes a place, and waits for it
        s.inference.requestsPerS = rate;
        const Evaluation e = evaluate(s);
        if (s.inference.scheduling == Scheduling::Continuous && rate < capacity)
            return *e.requestLatencyS + *e.queue->meanWaitS;
        const double placeS = e.batch > 1 ? e.batch * e.replicas / std::min(rate, capacity) : e.replicas / one;
        return std::max(placeS, *e.requestLatencyS) + *e.queue->meanWaitS;
    };
    const double full = users.count / (served(capacity) + users.thinkS);
    if (full >= capacity * (1 - 1e-12))
        return full;
    s.inference.requestsPerS = capacity;
    if (*evaluate(s).queue->meanWaitS > 0 && full >= 0.999 * capacity)
        return capacity; // all but full: places are taken as others leave them
    double low = 0, high = capacity;
    for (int i = 0; i < 45; ++i) {
        const double rate = (low + high) / 2;
        (rate * (served(rate) + users.thinkS) < users.count ? low : high) = rate;
    }
    return high;
}

/// Of a prompt of the 95th percentile length: what others make it wait, and its own prefill. A static batch is as long
/// as its longest prompt.
double longestTtft(const PreparedScenario& s, const Evaluation& e)
{
    const InferenceWorkload& w = s.inference;
    if (w.promptTokensP95.value_or(0) <= w.promptTokens)
        return *e.ttftS;
    // Under a load as many are read together as the evaluation says: of a static batch, and on ranks of their own.
    if (e.queue && (w.scheduling == Scheduling::Static || s.parallelism.attentionData > 1)) {
        PreparedScenario late = s;
        late.inference.targetPercentile = TargetPercentile::P95;
        const TailResult tail = *evaluate(late).tail;
        return *tail.ttftS - *tail.waitS;
    }
    PreparedScenario longest = s;
    Accelerator roomy = *s.accelerator; // what fits was decided with mean prompts
    roomy.memoryUsableGib = 1e6;
    longest.accelerator = std::make_shared<const Accelerator>(std::move(roomy));
    longest.inference.promptTokens = *w.promptTokensP95;
    longest.inference.requestsPerS.reset();
    const auto together = std::int64_t(std::ceil(e.batch));
    longest.inference.batch = w.scheduling == Scheduling::Static
                                  ? together
                                  : std::min(together, s.parallelism.attentionData); // one on each rank
    const Evaluation other = evaluate(longest);
    const double sent = e.pools ? other.pools->shownS - e.pools->shownS : 0;
    return w.scheduling == Scheduling::Static ? *other.ttftS
                                              : *e.ttftS + other.prefill->timeS - e.prefill->timeS + sent;
}

std::array<double, planObjectiveCount> valuesOf(const PreparedScenario& s, const Evaluation& e)
{
    return {s.inference.requestsPerS ? *e.costPerHour : *e.costPerMillionTokens,
            *e.requestLatencyS + (e.queue ? *e.queue->meanWaitS : 0), *e.joulesPerToken, double(s.hardware.count),
            -*e.mfu};
}

/// Requests a second of each hour of the day that is asked for.
std::array<double, LoadProfile::hours> hours(const PreparedScenario& asked)
{
    std::array<double, LoadProfile::hours> loads = asked.inference.loadProfile->factors;
    double sum = 0;
    for (const double factor : loads)
        sum += factor;
    for (double& load : loads)
        load *= *asked.inference.requestsPerS * LoadProfile::hours / sum;
    return loads;
}

double busiest(const PreparedScenario& asked)
{
    return std::ranges::max(hours(asked));
}

class Enumeration final
{
public:
    /// `request` is of one load; `asked` of the day that it is the busiest hour of, if it is of one.
    Enumeration(const PlanRequest& request, const PreparedScenario& asked)
        : r(request), b(request.base), m_asked(asked), s(request.base)
    {
    }

    BruteForce run()
    {
        const std::int64_t most = std::min<std::int64_t>(64, r.gpuCounts.back());
        const std::int64_t layers = std::int64_t(b.model->layers);
        const std::int64_t tokens = b.inference.promptTokens + b.inference.outputTokens;
        for (const std::int64_t t : range(PlanDimension::Tensor, most))
            for (const std::int64_t p : range(PlanDimension::Pipeline, std::min(most, layers)))
                for (const std::int64_t c : range(PlanDimension::Context, std::min(most, tokens)))
                    for (const std::int64_t a : range(PlanDimension::AttentionData, most)) {
                        if (t * p * c * a > most || !tensorLegal(t) || !isPower(c) || !isPower(a))
                            continue;
                        if ((p > 8 && !divides(p, layers) && !isPower(p)) || (a > 1 && b.model->experts == 0))
                            continue;
                        for (const std::int64_t e : legalExperts(r, t, t * a)) {
                            s.parallelism.tensor = t;
                            s.parallelism.pipeline = p;
                            s.parallelism.context = c;
                            s.parallelism.attentionData = a;
                            s.parallelism.expert = e;
                            formats(t * p * c * a);
                        }
                    }
        std::ranges::sort(m_result.ranked);
        return m_result;
    }

private:
    const PlanRequest& r;
    const PreparedScenario& b;
    const PreparedScenario& m_asked;
    PreparedScenario s;
    BruteForce m_result;

    [[nodiscard]] Sizes range(PlanDimension d, std::int64_t most) const
    {
        Sizes sizes{1};
        for (std::int64_t n = 2; n <= most && r.free.has(d); ++n)
            sizes.push_back(n);
        return sizes;
    }
    [[nodiscard]] bool tensorLegal(std::int64_t t) const
    {
        const auto& a = b.model->architecture;
        if (a.heads == 0)
            return divides(t, a.hidden) && a.hidden >= 64 * t;
        return t == 1 || (divides(t, a.heads) && (divides(t, a.kvHeads) || divides(a.kvHeads, t)));
    }

    void formats(std::int64_t gpus)
    {
        std::vector<DataType> weights{b.inference.weights}, caches{b.inference.kvCache};
        if (r.free.has(PlanDimension::Precision))
            for (const DataType type : {DataType::Fp8, DataType::Int8, DataType::Fp4, DataType::Int4})
                if (type == DataType::Int4 || b.accelerator->peakFlops(type) > 0)
                    weights.push_back(type);
        if (r.free.has(PlanDimension::KvCache))
            caches.push_back(DataType::Fp8);
        for (const DataType type : weights)
            for (const DataType cache : caches) {
                s.inference.weights = type;
                s.inference.kvCache = cache;
                batches(gpus);
            }
    }

    /// Numbers of replicas that the GPUs allow, ascending.
    [[nodiscard]] Sizes replicasOf(std::int64_t gpus) const
    {
        Sizes all;
        for (std::int64_t n = 1; n * gpus <= r.gpuCounts.back(); ++n) {
            const bool listed = std::ranges::find(r.gpuCounts, n * gpus) != r.gpuCounts.end();
            const bool any = r.free.has(PlanDimension::Replicas) && (b.inference.requestsPerS || r.users);
            if (autoscales(m_asked.inference) && n < m_asked.inference.autoscale.min.value_or(1))
                continue;
            if (any ? (r.exactCounts ? listed : n * gpus >= r.gpuCounts.front()) : listed && all.empty())
                all.push_back(n);
        }
        return all;
    }

    /// Under a load the batch is a limit of what is in flight.
    [[nodiscard]] bool isLimit() const
    {
        return (b.inference.requestsPerS || r.users) && b.inference.scheduling != Scheduling::Disaggregated;
    }

    /// Batches to try where they are free: all, but of a load that one batch serves those that the method names
    /// (docs/method/planner.md), the largest that keeps the targets, or that of TPOT, when it is full, and the largest;
    /// and where the fewest replicas are asked for, all in steps of a twentieth.
    [[nodiscard]] Sizes limitsUpTo(std::int64_t most, std::int64_t gpus)
    {
        Sizes all;
        const InferenceWorkload& w = b.inference;
        std::int64_t whole = 0, tokens = 0;
        for (std::int64_t batch = 1; batch <= most; ++batch) {
            all.push_back(batch);
            if (!isLimit())
                continue;
            s.inference.batch = batch;
            s.inference.requestsPerS.reset();
            s.parallelism.replicas = 1;
            s.hardware.count = gpus;
            const Evaluation e = evaluate(s);
            if (w.tpotTargetS && *e.tpotS > *w.tpotTargetS)
                continue;
            tokens = batch;
            if (!w.ttftTargetS || longestTtft(s, e) <= *w.ttftTargetS)
                whole = batch;
        }
        if (!isLimit() || most < 1)
            return all;
        const std::int64_t ranks = s.parallelism.attentionData;
        Sizes limits{whole, tokens, most, std::max<std::int64_t>(1, most / ranks * ranks)};
        std::erase(limits, 0);
        // Any limit may do with fewer replicas; what else it changes (time, energy) is left to those four.
        m_result.isBound = r.objective != PlanObjective::Cost && r.objective != PlanObjective::Gpus;
        for (std::int64_t limit = 1; limit < most && !m_result.isBound; limit += 1 + limit / 20)
            limits.push_back(limit);
        return limits;
    }

    void batches(std::int64_t gpus)
    {
        const Sizes replicas = replicasOf(gpus);
        if (replicas.empty())
            return;
        const bool free = r.free.has(PlanDimension::Batch), fewest = r.objective == PlanObjective::Mfu;
        s.inference.batch = 1;
        s.parallelism.replicas = 1;
        s.hardware.count = gpus;
        const double fits = *evaluate(s).maxBatch;
        const Sizes limits = free ? limitsUpTo(std::int64_t(std::min(fits, 2048.0)), gpus) : Sizes{b.inference.batch};
        m_result.configurations += free ? 0 : 1;
        std::int64_t least = replicas.back(); // that keep the limits, whatever the batch; of a limit, with that one
        std::optional<Values> best;
        for (const std::int64_t batch : limits) {
            if (isLimit())
                least = replicas.back();
            for (const std::int64_t n : replicas) {
                if (double(batch) > fits)
                    break;
                if (n > least && fewest)
                    break;
                const auto values = tryOut(batch, n, n * gpus);
                if (!values)
                    continue;
                const bool fewer = fewest && !isLimit() && n < least;
                least = std::min(least, n);
                if (!best || fewer || valueOf(*values) < valueOf(*best))
                    best = values;
                if (!free && r.objective != PlanObjective::Time)
                    break; // the planner's ranking holds a layout once, with the fewest that will do
            }
        }
        if (!best)
            return;
        m_result.best = std::min(valueOf(*best), m_result.best.value_or(valueOf(*best)));
        if (!free)
            m_result.ranked.push_back({valueOf(*best), 0, (*best)[1], (*best)[3]});
    }

    using Values = std::array<double, planObjectiveCount>;
    [[nodiscard]] double valueOf(const Values& values) const { return values[std::size_t(r.objective)]; }

    std::optional<Values> tryOut(std::int64_t batch, std::int64_t replicas, std::int64_t gpus)
    {
        s.inference.batch = batch;
        s.parallelism.replicas = replicas;
        s.hardware.count = gpus;
        if (!checkSetup(s).empty())
            std::abort(); // the rules let something through that no file may say
        s.users = r.users ? r.users->count : 0;
        s.thinkS = r.users ? r.users->thinkS : 0;
        s.inference.requestsPerS = r.users ? std::optional(requestsOf(*r.users, s)) : b.inference.requestsPerS;
        const Evaluation e = evaluate(s);
        if (!meetsTargets(r, s, e))
            return std::nullopt;
        Values values = valuesOf(s, e);
        if (hasDay(m_asked) && autoscales(m_asked.inference))
            values[std::size_t(PlanObjective::Cost)] =
                *s.hardware.pricePerGpuHour * scaledGpuHours(m_asked, s, e) / LoadProfile::hours;
        return values;
    }
};

} // namespace

bool meetsTargets(const PlanRequest& r, const PreparedScenario& s, const Evaluation& e)
{
    const InferenceWorkload& w = r.base.inference;
    if (!e.fits || (r.limits.costPerHour && *e.costPerHour > *r.limits.costPerHour))
        return false;
    if ((w.tpotTargetS && *e.tpotS > *w.tpotTargetS) || (e.queue && !e.queue->meanWaitS))
        return false;
    // Where nobody says how long users may wait, all of them have a place or think.
    if (r.users && !w.ttftTargetS && e.queue->replicasNeeded > e.replicas)
        return false;
    const double waitS = e.queue ? *e.queue->p95WaitS : 0;
    return !w.ttftTargetS || longestTtft(s, e) + waitS <= *w.ttftTargetS;
}

double scaledGpuHours(const PreparedScenario& asked, const PreparedScenario& s, const Evaluation& e)
{
    const double n = double(servingReplicas(s)), each = e.queue->capacityRequestsPerS / n;
    const double target = std::min(asked.inference.autoscale.target.value_or(0.7), busiest(asked) / (n * each));
    double replicas = 0;
    for (const double load : hours(asked)) {
        double wanted = double(asked.inference.autoscale.min.value_or(1));
        while (wanted < n && wanted * target * each < load * (1 - 1e-9))
            wanted += 1;
        replicas += wanted;
    }
    return replicas * double(s.hardware.count) / n;
}

BruteForce servingBruteForce(const PlanRequest& request)
{
    if (!hasDay(request.base))
        return Enumeration(request, request.base).run();
    PlanRequest hour = request;
    hour.base.inference.requestsPerS = busiest(request.base);
    takeDay(hour.base.inference, {});
    return Enumeration(hour, request.base).run();
}

bool keepsItsWord(const PlanRequest& request, const PlanOption& option)
{
    return evaluate(option.scenario) == option.evaluation && meetsTargets(request, option.scenario, option.evaluation);
}

} // namespace headroom::test
