// SPDX-License-Identifier: GPL-3.0-or-later
// PlanSizes: the values that a dimension may have, each alone; what is held has the base scenario's.
#pragma once

#include "core/plan/planner.hpp"
#include "core/scenario/layout_parts.hpp"

namespace headroom::planner
{

/// All divisors, ascending.
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t n);
/// All divisors of what is free; of what is held its value, where that divides.
[[nodiscard]] std::vector<std::int64_t> freeDivisors(bool free, std::int64_t held, std::int64_t n);

/// Whether so many tensor ranks divide what they split: the attention heads, or the hidden width of a model without, of
/// which each has 64 channels at least.
[[nodiscard]] bool splitsEvenly(const ModelArchitecture& model, std::int64_t tensor);

class PlanSizes final
{
public:
    /// `request` has to outlive it.
    explicit PlanSizes(const PlanRequest& request) : m_request(request) {}

    [[nodiscard]] bool isFree(PlanDimension d) const { return m_request.free.has(d); }
    /// Whether the software has a part of a layout, beside so many pipeline stages.
    [[nodiscard]] bool has(LayoutPart part, std::int64_t pipeline = 1) const
    {
        return !missingParts(m_request.base, pipeline).has(part);
    }
    /// Ranks of a part, at most `most`: 1 where the software lacks it.
    [[nodiscard]] std::int64_t mostRanks(LayoutPart part, std::int64_t most) const { return has(part) ? most : 1; }
    /// Of tensor parallelism (`of` Tensor, or RolloutTensor for a copy that generates), at most `most`
    /// (splitsEvenly()).
    [[nodiscard]] std::vector<std::int64_t> tensor(std::int64_t most, PlanDimension of = PlanDimension::Tensor) const;
    /// Of expert parallelism over ranks that `ranks` says the number of, beside a tensor size.
    [[nodiscard]] std::vector<std::int64_t> expert(std::int64_t tensor, std::int64_t ranks) const;
    /// Of pipeline stages that serve, at most `most`.
    [[nodiscard]] std::vector<std::int64_t> servingStages(std::int64_t most) const;
    /// Powers of two, at most `most`.
    [[nodiscard]] std::vector<std::int64_t> doublings(PlanDimension of, std::int64_t held, std::int64_t most) const;
    /// Of the matmuls in training, of the weights in inference.
    [[nodiscard]] std::vector<DataType> precisions(const Accelerator& accelerator) const;
    [[nodiscard]] std::vector<DataType> cachePrecisions() const;

private:
    const PlanRequest& m_request;
};

} // namespace headroom::planner
