// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluate.hpp"
// PLACEHOLDER, replaced by the training work.
namespace headroom {
void evaluateTraining(const PreparedScenario& p, Evaluation& r) noexcept
{
    r.fits = true; r.mfu = 0.4; r.hfu = 0.5; r.mbu = 0.2; r.stepTimeS = double(p.training.microBatch) * 0.1 + 0.05; r.tokensPerS = 1e4; r.tokensPerSPerGpu = 1e4;
    r.time[0] = *r.stepTimeS; r.capacityBytes = 80e9; r.usedBytes = 40e9; r.memory[0] = 40e9;
    r.modelTflopsPerGpu = 400; r.hardwareTflopsPerGpu = 500; r.peakFlops = 989.4e12; r.memoryBandwidth = 3.35e12;
}
std::vector<OperatorCost> trainingOperatorCosts(const PreparedScenario&) { return {}; }
} // namespace headroom
