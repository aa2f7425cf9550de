// SPDX-License-Identifier: GPL-3.0-or-later
// Shortfall: which limit of a plan a configuration misses most, and by how much.
#pragma once

#include "core/plan/planner.hpp"

namespace headroom::planner
{

enum class LimitKind : std::uint8_t { None, Memory, HostMemory, Load, Ttft, Tpot, Deadline, CostToTrain, CostPerHour };

struct Shortfall {
    LimitKind kind = LimitKind::None;
    double value = 0, limit = 0; ///< in the limit's unit
    [[nodiscard]] bool any() const { return kind != LimitKind::None; }
    /// How often the limit is taken up; 1 and more where it is missed.
    [[nodiscard]] double share() const { return limit > 0 ? value / limit : 0; }
};

/// Memory before everything else; then the limit that is missed by the largest factor.
[[nodiscard]] Shortfall shortfall(const PlanRequest& request, const PreparedScenario& scenario,
                                  const Evaluation& evaluation) noexcept;

/// TTFT that 95 of 100 requests stay under (99 where the targets hold for that many), as an evaluation that is asked
/// for late requests says: of a prompt of that length after a wait of that length; empty where the queue grows without
/// bound. The sum of two percentiles: an upper estimate.
[[nodiscard]] std::optional<double> waitedTtft(const PreparedScenario& scenario, const Evaluation& evaluation) noexcept;

/// The 80 % interval of the step that a training's run consists of; one of reinforcement learning has none.
[[nodiscard]] std::optional<Interval> stepInterval(const Evaluation& evaluation) noexcept;

/// The TPOT that is held against its target: expected, or at the slow end of the interval where the request says so.
[[nodiscard]] std::optional<double> heldTpot(const PlanRequest& request, const Evaluation& evaluation) noexcept;

/// Accelerators that stand by and are paid for beside those that train (`spares` where failures are counted).
[[nodiscard]] double paidSpares(const PreparedScenario& scenario) noexcept;

/// The largest batch whose memory fits, at most 2,048 (what "max" means in a scenario too); 0 where none does.
[[nodiscard]] std::int64_t largestBatch(const PreparedScenario& scenario) noexcept;

/// The largest batch that leaves a pass of at most so many tokens (`max_tokens_per_pass`) room for prompts: files say
/// no larger one. Where the batch `isFree`, of those that a pass serves together too: beyond them requests only wait.
[[nodiscard]] std::int64_t largestInPass(const PreparedScenario& scenario, bool isFree) noexcept;

/// Evaluates under the request's load: users' requests a second depend on how long each is served, and are written
/// into the scenario.
[[nodiscard]] Evaluation evaluateLoaded(const PlanRequest& request, PreparedScenario& scenario) noexcept;

} // namespace headroom::planner
