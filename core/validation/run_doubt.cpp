// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/run_doubt.hpp"

#include "core/predict/inference/inference_memory.hpp"

#include <cmath>

namespace headroom
{
namespace
{

RunDoubt ofServing(const PreparedScenario& p)
{
    const InferenceWorkload& w = p.inference;
    const inference::Machine machine = inference::makeMachine(p, false);
    const inference::MemoryPlan plan = inference::planMemory(p, machine);
    const inference::StageNeed& stage = plan.fullest(1);
    if (stage.weights > plan.usable)
        return RunDoubt::Weights;
    // Static batches run in waves where they do not fit, which is predicted; "max" is what fits.
    if (w.batchMax || w.scheduling == Scheduling::Static)
        return RunDoubt::None;
    const auto prompt = static_cast<double>(w.promptTokens), output = static_cast<double>(w.outputTokens);
    const double share =
        (prompt + output / 2) / (prompt + output); // a cache grows at most in proportion: the least it can be
    const double perReplica = static_cast<double>(w.batch);
    const double cache = plan.sequences(perReplica) * stage.cachePerSequence * share;
    return stage.weights + cache > plan.usable ? RunDoubt::Queues : RunDoubt::None;
}

} // namespace

RunDoubt runDoubt(const PreparedScenario& prepared, const Evaluation& evaluation) noexcept
{
    const Measured& m = prepared.measured;
    if (!m.any() || m.outOfMemory.value_or(false))
        return RunDoubt::None;
    if (evaluation.observed && evaluation.observed->impossible)
        return RunDoubt::TooFast;
    return prepared.task == Task::Inference ? ofServing(prepared) : RunDoubt::None;
}

std::string_view doubtText(RunDoubt doubt) noexcept
{
    switch (doubt) {
    case RunDoubt::TooFast:
        return "faster than the hardware allows";
    case RunDoubt::Weights:
        return "the weights are larger than the memory";
    case RunDoubt::Queues:
        return "the cache of so many requests is larger than the memory: some of them waited";
    case RunDoubt::None:
        break;
    }
    return {};
}

} // namespace headroom
