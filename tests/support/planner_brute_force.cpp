// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/planner_brute_force.hpp"

#include "core/catalog/catalog.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::test
{
namespace
{

using Sizes = std::vector<std::int64_t>;

class Enumeration final
{
public:
    explicit Enumeration(const PlanRequest& request) : r(request), b(request.base), s(request.base) {}

    BruteForce run()
    {
        training();
        std::ranges::sort(m_result.ranked);
        for (const auto& point : m_points) {
            const bool beaten = std::ranges::any_of(m_points, [&](const auto& other) {
                return other[0] <= point[0] && other[1] <= point[1] && other != point;
            });
            if (!beaten)
                m_result.front.push_back(point);
        }
        std::ranges::sort(m_result.front);
        auto& front = m_result.front;
        front.erase(std::unique(front.begin(), front.end()), front.end());
        return m_result;
    }

private:
    const PlanRequest& r;
    const PreparedScenario& b;
    PreparedScenario s;
    BruteForce m_result;
    std::vector<std::array<double, 2>> m_points;

    [[nodiscard]] Sizes range(PlanDimension d, std::int64_t held, std::int64_t most) const
    {
        if (!r.free.has(d))
            return {held};
        Sizes sizes;
        for (std::int64_t n = 1; n <= most; ++n)
            sizes.push_back(n);
        return sizes;
    }
    [[nodiscard]] bool headsDivide(std::int64_t t) const
    {
        const auto& a = b.model->architecture;
        if (a.heads == 0)
            return divides(t, a.hidden) && a.hidden >= 64 * t;
        return divides(t, a.heads) && (divides(t, a.kvHeads) || divides(a.kvHeads, t));
    }
    [[nodiscard]] bool tensorLegal(std::int64_t t) const
    {
        return !r.free.has(PlanDimension::Tensor) || headsDivide(t);
    }
    [[nodiscard]] std::vector<DataType> types(DataType held, std::initializer_list<DataType> others) const
    {
        std::vector<DataType> all{held};
        if (r.free.has(PlanDimension::Precision))
            for (const DataType type : others)
                if (type != held && (type == DataType::Int4 || b.accelerator->peakFlops(type) > 0))
                    all.push_back(type);
        return all;
    }

    /// Sizes of a copy that divide so many GPUs that generate.
    [[nodiscard]] Sizes copies(std::int64_t gpus) const
    {
        const bool free = r.free.has(PlanDimension::RolloutTensor);
        Sizes sizes;
        for (std::int64_t t = 1; t <= gpus; ++t)
            if (divides(t, gpus) && (free ? headsDivide(t) : t == rolloutTensor(b)))
                sizes.push_back(t);
        return sizes;
    }

    /// GPUs that train and those that generate beside them, of so many.
    [[nodiscard]] std::vector<std::array<std::int64_t, 2>> splits(std::int64_t n) const
    {
        if (!isRl(b))
            return {{n, 0}};
        std::vector<std::array<std::int64_t, 2>> all;
        if (b.training.rl.placement == RlPlacement::Colocated) {
            if (!copies(n).empty())
                all.push_back({n, 0});
            return all;
        }
        std::int64_t step = std::max<std::int64_t>(1, (n + 63) / 64);
        for (std::int64_t d = step; d <= n / 16; ++d)
            if (divides(d, n))
                step = d;
        const bool free = r.free.has(PlanDimension::RolloutGpus);
        for (std::int64_t generating = 1; generating < n; ++generating)
            if ((free ? divides(step, generating) : generating == rolloutGpus(b)) && !copies(generating).empty())
                all.push_back({n - generating, generating});
        return all;
    }

    /// Of the scenario with the copies that make its step shortest; empty where none fit.
    std::optional<Evaluation> bestCopies()
    {
        std::optional<Evaluation> best;
        for (const std::int64_t t : copies(rolloutGpus(s))) {
            s.training.rl.rolloutTensor = t;
            if (const auto e = feasible(); e && (!best || e->rl->stepS < best->rl->stepS))
                best = e;
        }
        return best;
    }

    std::optional<Evaluation> feasible()
    {
        if (!checkSetup(s).empty())
            std::abort(); // the rules let something through that no file may say
        const Evaluation e = evaluate(s);
        const bool over = (r.limits.costPerHour && *e.costPerHour > *r.limits.costPerHour) ||
                          (r.limits.deadlineS && *e.secondsToTrain > *r.limits.deadlineS) ||
                          (r.limits.costToTrain && *e.costToTrain > *r.limits.costToTrain);
        return e.fits && !(e.rl && !e.rl->fits) && !over ? std::optional(e) : std::nullopt;
    }

    void add(const Evaluation& e)
    {
        std::array<double, planObjectiveCount> v{};
        v[0] = *e.costPerMillionTokens;
        v[1] = 1 / (e.goodput ? e.goodput->tokensPerS : *e.tokensPerS);
        v[2] = e.watts.value_or(0) / (e.goodput ? e.goodput->tokensPerS : *e.tokensPerS); // over all the calendar
        v[3] = double(s.hardware.count);
        v[4] = -*e.mfu;
        if (e.rl) {
            v[1] = e.rl->stepS / e.rl->tokens / (e.goodput ? e.goodput->share : 1);
            if (s.training.rl.placement == RlPlacement::Separate)
                v[3] += double(rolloutGpus(s));
        }
        const double mayNotFit = e.warnings.has(WarningCode::MemoryMayNotFit) ? 1 : 0;
        m_result.ranked.push_back({v[std::size_t(r.objective)], mayNotFit, v[1], v[3]});
        m_points.push_back({v[std::size_t(r.front[0])], v[std::size_t(r.front[1])]});
    }

    void training()
    {
        const std::int64_t layers = std::int64_t(b.model->layers);
        for (const std::int64_t all : r.gpuCounts)
            for (const auto& [n, generating] : splits(all)) {
                if (generating > 0)
                    s.training.rl.rolloutCount = generating;
                layouts(n, layers);
            }
    }

    void layouts(std::int64_t n, std::int64_t layers)
    {
        for (const std::int64_t t : range(PlanDimension::Tensor, b.parallelism.tensor, n))
            for (const std::int64_t p : range(PlanDimension::Pipeline, b.parallelism.pipeline, std::min(n, layers)))
                for (const std::int64_t c : range(PlanDimension::Context, b.parallelism.context, n)) {
                    if (!divides(t * p * c, n) || !tensorLegal(t))
                        continue;
                    if (r.free.has(PlanDimension::Context) && c > 1 && !divides(2 * c, b.training.sequenceLength))
                        continue;
                    const std::int64_t data = n / (t * p * c);
                    if (b.training.globalBatch && !divides(data, *b.training.globalBatch))
                        continue;
                    for (const std::int64_t e : legalExperts(r, t, t * c * data)) {
                        s.hardware.count = n;
                        s.parallelism.tensor = t;
                        s.parallelism.pipeline = p;
                        s.parallelism.context = c;
                        s.parallelism.expert = e;
                        batches(data, layers);
                    }
                }
    }

    void batches(std::int64_t data, std::int64_t layers)
    {
        const std::int64_t local = b.training.globalBatch.value_or(0) / data;
        const std::int64_t p = s.parallelism.pipeline;
        for (const std::int64_t m : range(PlanDimension::MicroBatch, b.training.microBatch, local > 0 ? local : 64)) {
            const bool freeSize = !b.training.globalBatch && r.free.has(PlanDimension::MicroBatch);
            if (local > 0 ? !divides(m, local) : freeSize && (m & (m - 1)) != 0)
                continue;
            const std::int64_t passes = local > 0 && !isRl(b) ? local / m : 1;
            for (const std::int64_t v :
                 range(PlanDimension::VirtualPipeline, b.parallelism.virtualPipeline, (layers + 2) / p)) {
                const bool even = divides(p * v, layers) || divides(p * v, layers + 2);
                if (r.free.has(PlanDimension::VirtualPipeline) && v > 1 && (p == 1 || !even || passes % p != 0))
                    continue;
                s.training.microBatch = m;
                s.parallelism.virtualPipeline = v;
                states(data);
            }
        }
    }

    [[nodiscard]] std::vector<std::optional<Gradients>> gradientKinds() const
    {
        const bool adapters = b.training.method != Method::Full;
        if (!r.free.has(PlanDimension::Gradients) || adapters)
            return {b.training.gradients};
        return {Gradients::Fp32, Gradients::Bf16};
    }
    [[nodiscard]] std::vector<std::optional<bool>> lossKinds() const
    {
        if (!r.free.has(PlanDimension::ChunkedLoss))
            return {b.training.chunkedLoss};
        return {false, true};
    }

    void states(std::int64_t data)
    {
        const std::int64_t ranks = data * s.parallelism.context;
        std::vector<Sharding> kinds{Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Fsdp};
        if (!r.free.has(PlanDimension::Sharding))
            kinds = {s.hardware.count > 1 ? Sharding::Fsdp : Sharding::None}; // the base leaves it out
        for (const Sharding kind : kinds) {
            const bool choosing = r.free.has(PlanDimension::Sharding);
            if (choosing && ranks == 1 && kind != Sharding::None && kind != Sharding::Zero2)
                continue; // ZeRO-2 stands for all that offload alike
            if (choosing && kind == Sharding::Zero2 && s.parallelism.pipeline > 1)
                continue;
            const bool isFree = r.free.has(PlanDimension::Replicas), hybrid = isFree && kind == Sharding::Fsdp;
            const std::int64_t held = kind == Sharding::None ? 1 : b.parallelism.replicas.value_or(1);
            for (std::int64_t g = 1; g <= std::max(data, held); ++g) {
                const bool tried = hybrid || g == held || (isFree && g == 1);
                if (!tried || !divides(g, data) || (isFree && g > 1 && ranks / g < 2))
                    continue;
                s.parallelism.sharding = kind;
                s.parallelism.replicas = g;
                for (const auto& gradients : gradientKinds())
                    for (const auto& chunked : lossKinds()) {
                        s.training.gradients = gradients;
                        s.training.chunkedLoss = chunked;
                        rest();
                    }
            }
        }
    }

    void rest()
    {
        std::vector<std::pair<Checkpointing, int>> modes{{Checkpointing::None, 2},
                                                         {Checkpointing::SelectiveOp, 2},
                                                         {Checkpointing::AttentionOnly, 2},
                                                         {Checkpointing::SelectiveLayer, 2},
                                                         {Checkpointing::SelectiveLayer, 3},
                                                         {Checkpointing::SelectiveLayer, 4},
                                                         {Checkpointing::SelectiveLayer, 5},
                                                         {Checkpointing::SelectiveLayer, 6},
                                                         {Checkpointing::SelectiveLayer, 7},
                                                         {Checkpointing::SelectiveLayer, 8},
                                                         {Checkpointing::Full, 2}};
        if (!r.free.has(PlanDimension::Checkpointing))
            modes = {{b.training.checkpointing, 2}};
        std::vector<Offload> offloads{Offload::None};
        if (r.free.has(PlanDimension::Offload))
            offloads = {Offload::None, Offload::Optimizer, Offload::Parameters};
        std::vector<bool> sequenceParallel{s.parallelism.tensor > 1};
        if (r.free.has(PlanDimension::SequenceParallel) && s.parallelism.tensor > 1)
            sequenceParallel = {false, true};
        for (const auto& mode : modes)
            for (const Offload offload : offloads) {
                if (offload == Offload::None && alone())
                    continue;
                for (const bool split : sequenceParallel)
                    for (const DataType type : types(b.training.precision, {DataType::Bf16, DataType::Fp8})) {
                        s.training.checkpointing = mode.first;
                        s.training.checkpointEvery = mode.second;
                        s.training.offload = offload;
                        s.parallelism.sequenceParallel = split;
                        s.training.precision = type;
                        ++m_result.configurations;
                        if (const auto e = isRl(s) ? bestCopies() : feasible())
                            add(*e);
                    }
            }
    }

    /// One rank has all states, and is as without sharding where nothing leaves for the host.
    [[nodiscard]] bool alone() const
    {
        return r.free.has(PlanDimension::Sharding) && s.parallelism.sharding != Sharding::None &&
               s.hardware.count == s.parallelism.tensor * s.parallelism.pipeline;
    }
};

} // namespace

bool divides(std::int64_t a, std::int64_t b)
{
    return a > 0 && b % a == 0;
}

std::vector<std::int64_t> legalExperts(const PlanRequest& request, std::int64_t tensor, std::int64_t ranks)
{
    const auto count = std::int64_t(request.base.model->experts);
    if (count < 2 || !request.free.has(PlanDimension::Expert))
        return {request.base.parallelism.expert};
    Sizes sizes;
    for (std::int64_t e = 1; e <= count; ++e)
        if (divides(e, count) && divides(e, ranks) && (divides(e, tensor) || divides(tensor, e)))
            sizes.push_back(e);
    return sizes;
}

BruteForce bruteForce(const PlanRequest& request)
{
    return request.base.task == Task::Training ? Enumeration(request).run() : servingBruteForce(request);
}

PreparedScenario planBase(const char* model, const char* accelerator, Task task)
{
    Scenario scenario;
    scenario.task = task;
    scenario.model.id = model;
    scenario.accelerator.id = accelerator;
    scenario.hardware.pricePerGpuHour = 3;
    auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    if (!prepared)
        std::abort(); // a test that misspells an id
    return *prepared;
}

} // namespace headroom::test
