// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluate.hpp"
// PLACEHOLDER, replaced by the inference work.
namespace headroom {
void evaluateInference(const PreparedScenario& p, Evaluation& r) noexcept
{
    r.fits = true; r.mfu = 0.1; r.hfu = 0.1; r.mbu = 0.7; r.ttftS = 0.2; r.tpotS = 0.02 + 1e-4 * double(p.inference.batch); r.requestLatencyS = 5; r.tokensPerS = 50; r.requestsPerS = 0.2;
    r.time[0] = *r.tpotS; r.capacityBytes = 80e9; r.usedBytes = 40e9; r.memory[0] = 40e9; r.prefill = PrefillResult{0.2, 0.5}; r.maxBatch = 64;
    r.peakFlops = 989.4e12; r.memoryBandwidth = 3.35e12;
}
std::vector<OperatorCost> inferenceOperatorCosts(const PreparedScenario&) { return {}; }
} // namespace headroom
