// SPDX-License-Identifier: GPL-3.0-or-later
// PlanReader: one way to read prompts in a pool of their own, beside which a plan decodes.
#pragma once

#include "core/plan/planner.hpp"

namespace headroom::planner
{

/// A device and the layout of one instance on it.
struct PlanReader {
    PlanAccelerator device;
    Parallelism layout;
    DataType precision = DataType::Bf16, kvCache = DataType::Bf16; ///< of what decodes with it
    std::int64_t gpus = 1;                                         ///< of an instance
    double requestS = 0;                                           ///< for a prompt where others wait
    /// What does not depend on decoding: TTFT without wait and transfer, the same of a long prompt, and bytes that all
    /// GPUs of an instance move for a prompt.
    double firstS = 0, longS = 0, movedBytes = 0;
};

/// Every way to read that fits into memory, but for those that another one of the same device beats in everything: no
/// more GPUs, no slower, as many links. Empty where the request's base has no prefill pool.
[[nodiscard]] std::vector<PlanReader> readersOf(const PlanRequest& request);

/// Says whether one pool with continuous scheduling would be the better answer, and keeps it (PlanResult::onePool).
void compareOnePool(const PlanRequest& request, PlanResult& result, const std::stop_token& stop);

} // namespace headroom::planner
