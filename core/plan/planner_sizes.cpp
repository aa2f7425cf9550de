// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_sizes.hpp"

#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom::planner
{

std::vector<std::int64_t> divisors(std::int64_t n)
{
    std::vector<std::int64_t> low, high;
    for (std::int64_t i = 1; i * i <= n; ++i) {
        if (n % i != 0)
            continue;
        low.push_back(i);
        if (i != n / i)
            high.push_back(n / i);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

std::vector<std::int64_t> freeDivisors(bool free, std::int64_t held, std::int64_t n)
{
    if (free)
        return divisors(n);
    return n % held == 0 ? std::vector{held} : std::vector<std::int64_t>{};
}

bool splitsEvenly(const ModelArchitecture& model, std::int64_t tensor)
{
    constexpr std::int64_t narrowest = 64; // channels of a rank, as wide as a head
    if (model.heads < 1)
        return model.hidden % tensor == 0 && model.hidden / tensor >= narrowest;
    const auto together = [](std::int64_t a, std::int64_t b) { return a < 1 || b < 1 || a % b == 0 || b % a == 0; };
    return model.heads % tensor == 0 && together(model.kvHeads, tensor);
}

std::vector<std::int64_t> PlanSizes::tensor(std::int64_t most, PlanDimension of) const
{
    const PreparedScenario& base = m_request.base;
    if (!isFree(of))
        return {of == PlanDimension::RolloutTensor ? rolloutTensor(base) : base.parallelism.tensor};
    if (of == PlanDimension::Tensor)
        most = mostRanks(LayoutPart::Tensor, most);
    std::vector<std::int64_t> sizes;
    for (std::int64_t t = 1; t <= most; ++t)
        if (splitsEvenly(base.model->architecture, t))
            sizes.push_back(t);
    return sizes;
}

std::vector<std::int64_t> PlanSizes::expert(std::int64_t tensor, std::int64_t ranks) const
{
    const auto experts = static_cast<std::int64_t>(m_request.base.model->experts);
    if (!isFree(PlanDimension::Expert) || experts < 2)
        return {m_request.base.parallelism.expert};
    std::vector<std::int64_t> sizes;
    for (std::int64_t e = 1; e <= mostRanks(LayoutPart::Expert, std::min(experts, ranks)); ++e) {
        const bool even = e % tensor == 0 || tensor % e == 0;
        if (experts % e == 0 && ranks % e == 0 && even)
            sizes.push_back(e);
    }
    return sizes;
}

std::vector<std::int64_t> PlanSizes::servingStages(std::int64_t most) const
{
    if (!isFree(PlanDimension::Pipeline))
        return {m_request.base.parallelism.pipeline};
    const std::int64_t layers = m_request.base.model->architecture.layers;
    constexpr std::int64_t node = 8; // within a node, three GPUs may do where two are too few
    std::vector<std::int64_t> sizes;
    for (std::int64_t p = 1; p <= mostRanks(LayoutPart::Pipeline, std::min(layers, most)); ++p)
        if (p <= node || layers % p == 0 || (p & (p - 1)) == 0) // some stages may hold a layer more than others
            sizes.push_back(p);
    return sizes;
}

std::vector<std::int64_t> PlanSizes::doublings(PlanDimension of, std::int64_t held, std::int64_t most) const
{
    if (!isFree(of))
        return {held};
    std::vector<std::int64_t> sizes;
    for (std::int64_t n = 1; n <= most; n *= 2)
        sizes.push_back(n);
    return sizes;
}

std::vector<DataType> PlanSizes::precisions(const Accelerator& accelerator) const
{
    const bool training = m_request.base.task == Task::Training;
    const DataType base = training ? m_request.base.training.precision : m_request.base.inference.weights;
    std::vector<DataType> all{base};
    // Bits a weight stated by hand belong to one format only.
    if (!isFree(PlanDimension::Precision) || (!training && m_request.base.inference.weightBits))
        return all;
    const auto add = [&](DataType type, bool there) {
        if (there && std::ranges::find(all, type) == all.end())
            all.push_back(type);
    };
    add(DataType::Bf16, accelerator.peakFlops(DataType::Bf16) > 0);
    add(DataType::Fp8, accelerator.peakFlops(DataType::Fp8) > 0);
    if (!training) {
        add(DataType::Int8, accelerator.peakFlops(DataType::Int8) > 0);
        add(DataType::Fp4, accelerator.peakFlops(DataType::Fp4) > 0);
        add(DataType::Int4, true); // stored in 4 bits, multiplied in 16
    }
    return all;
}

std::vector<DataType> PlanSizes::cachePrecisions() const
{
    std::vector<DataType> all{m_request.base.inference.kvCache};
    if (isFree(PlanDimension::KvCache))
        for (const DataType type : {DataType::Bf16, DataType::Fp8})
            if (std::ranges::find(all, type) == all.end())
                all.push_back(type);
    return all;
}

} // namespace headroom::planner
