// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/physics_start.hpp"

#include "core/predict/inference/inference_machine.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom::test
{
namespace
{

/// Numbers of a start, and on which side of each threshold it lies.
struct Start {
    double passTokens = 0, share = 0;
    std::ptrdiff_t size = 0; ///< which row of PassSize
    bool large = false;      ///< SGLang leaves at least so many bytes (fraction_large_gib)
    bool raised = false;     ///< an operator raised SGLang's share, for the heaviest of several stages

    explicit Start(const PreparedScenario& p)
    {
        const inference::Machine m = inference::makeMachine(p, false);
        const inference::MemoryPlan plan = inference::planMemory(p, m);
        const StartConstants& c = p.calibration->inference.memory.start;
        const bool fraction = m.engine.reserve == ReserveRule::Fraction;
        const auto& rows = fraction ? c.fractioned : c.profiled;
        size = std::ranges::find_if(rows, [&](const PassSize& row) { return plan.usable < row.belowBytes; }) -
               rows.begin();
        passTokens = plan.chunkTokens;
        share = plan.utilization;
        large = fraction && plan.usable > c.fractionLargeBytes;
        double heaviest = plan.first.weights;
        for (const inference::StageNeed& stage : plan.others)
            heaviest = std::max(heaviest, stage.weights);
        constexpr double rounding = 1e-9;
        const double left = (1 - c.fractionCacheShare) * plan.usable - plan.overhead - heaviest;
        raised = fraction && !p.inference.memoryUtilization && !plan.others.empty() &&
                 plan.reservedActivations >= left * (1 - rounding);
    }
};

} // namespace

void startAlike(PreparedScenario& first, PreparedScenario& second)
{
    const auto rule = [](const PreparedScenario& p) {
        return p.calibration->inference.engines[std::size_t(effectiveSoftware(p.inference))].reserve;
    };
    if (first.task != Task::Inference || rule(first) != rule(second) ||
        (rule(first) != ReserveRule::Profile && rule(first) != ReserveRule::Fraction))
        return;
    const Start a(first), b(second);
    const bool otherSize = a.size != b.size || a.large != b.large;
    for (InferenceWorkload* w : {&first.inference, &second.inference}) {
        if (otherSize && !w->maxTokensPerPass)
            w->maxTokensPerPass = std::int64_t(a.passTokens);
        if (rule(first) == ReserveRule::Fraction && (otherSize || a.raised || b.raised) && !w->memoryUtilization)
            w->memoryUtilization = a.share;
    }
}

} // namespace headroom::test
