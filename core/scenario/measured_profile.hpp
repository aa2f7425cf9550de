// SPDX-License-Identifier: GPL-3.0-or-later
// MeasuredProfile: where the time of a profiled step went, compact, without the names of anybody's kernels. Those are
// kept beside it where somebody asked for them.
#pragma once

#include "core/catalog/data_type.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom
{

/// Matmuls of one shape in a mean step, batch × (m × k) · (k × n), with operands of one type.
struct MeasuredShape {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
    DataType type = DataType::Bf16;
    double count = 1;   ///< in a mean step
    double seconds = 0; ///< of a mean step, all of them
    bool operator==(const MeasuredShape&) const = default;
    [[nodiscard]] double flop() const ///< of one
    {
        return 2.0 * double(batch) * double(m) * double(n) * double(k);
    }
    [[nodiscard]] double bytes() const ///< of one: operands once, a result of 16 bits once
    {
        const double rows = double(m), columns = double(n), depth = double(k);
        return double(batch) * (storedBytes(type) * (rows * depth + depth * columns) + 2 * rows * columns);
    }
};

/// A kernel by its name, of a mean step. A profile keeps it where its user wants that, for names may tell of somebody's
/// work.
struct ProfiledKernel {
    static constexpr std::size_t most = 100, longestName = 512; ///< kernels of a profile, bytes of a name
    std::string name;
    std::string kernelClass; ///< id of what it does: one of `kernelClassIds`
    double count = 0;        ///< in a mean step
    double seconds = 0;      ///< of a mean step, all of them
    bool operator==(const ProfiledKernel&) const = default;
};
/// The longest first; empty where no names are kept.
using ProfiledKernels = std::vector<ProfiledKernel>;
/// In files: what a kernel does, as core/profile classes it; "other" is what no rule recognised.
inline constexpr std::array<const char*, 10> kernelClassIds{
    "matmul", "attention", "router", "norm", "quantise", "elementwise", "optimizer", "copy", "communication", "other"};

/// The shapes that took most of the time, the longest first; held in place, so that a Setup stays trivially copyable.
struct MeasuredShapes {
    static constexpr std::size_t most = 12;
    std::array<MeasuredShape, most> all{};
    std::uint8_t count = 0;
    [[nodiscard]] std::span<const MeasuredShape> shapes() const noexcept { return {all.data(), count}; }
    bool operator==(const MeasuredShapes&) const = default;
};

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
    std::optional<MeasuredShapes> shapes; ///< of its matmuls; empty where the trace does not say them
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
