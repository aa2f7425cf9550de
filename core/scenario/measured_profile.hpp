// SPDX-License-Identifier: GPL-3.0-or-later
// MeasuredProfile: where the time of a profiled step went, compact, without the names of anybody's kernels.
#pragma once

#include <cstdint>

namespace headroom
{

/// Seconds of a mean step on the slowest rank. The parts add up to the step: computation comes first, communication
/// counts where nothing else runs, the rest is idle. What is called
/// a part of another (`communicationS`, `matmulFlop` and so on) does not count.
struct MeasuredProfile {
    double stepS = 0; ///< 0: there is no profile
    double matmulS = 0, attentionS = 0, routerS = 0, normS = 0, quantiseS = 0, elementwiseS = 0;
    double optimizerS = 0, copyS = 0, otherS = 0;
    double allReduceS = 0, allGatherS = 0, reduceScatterS = 0, allToAllS = 0, sendRecvS = 0, otherCommunicationS = 0;
    double waitingForRankS = 0; ///< in a collective, for another rank to arrive; 0 where one rank alone was profiled
    double launchBoundS = 0;    ///< idle: the host had not launched the next kernel
    double waitingForDataS = 0; ///< idle: the host waited for its data loader
    double queuedS = 0;         ///< idle, though the next kernel was launched
    double unexplainedS = 0;    ///< idle; the profile does not say what for
    double communicationS = 0;  ///< in which any communication ran, hidden or not
    double matmulFlop = 0;      ///< of the matmuls whose shapes are known
    double shapedMatmulS = 0;   ///< their kernels' durations
    double allowedMatmulS = 0;  ///< the least their shapes allow on the accelerator; 0 where that is not known
    std::int64_t steps = 0;     ///< in the mean
    std::int64_t ranks = 0;     ///< profiled
    bool operator==(const MeasuredProfile&) const = default;

    [[nodiscard]] bool any() const { return stepS > 0; }
    [[nodiscard]] double memoryBoundS() const { return routerS + normS + quantiseS + elementwiseS; }
    [[nodiscard]] double exposedS() const
    {
        return allReduceS + allGatherS + reduceScatterS + allToAllS + sendRecvS + otherCommunicationS + waitingForRankS;
    }
    [[nodiscard]] double idleS() const { return launchBoundS + waitingForDataS + queuedS + unexplainedS; }
    /// Of all parts; `stepS` within 0.1 %.
    [[nodiscard]] double sumS() const
    {
        return matmulS + attentionS + memoryBoundS() + optimizerS + copyS + otherS + exposedS() + idleS();
    }
};

} // namespace headroom
