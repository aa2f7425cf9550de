// SPDX-License-Identifier: GPL-3.0-or-later
// Every combination of a small plan tried one by one: the rules of planner_space.hpp written down a second time, and
// nothing left out because something else is thought to be better.
#pragma once

#include "core/plan/planner.hpp"

#include <array>
#include <optional>
#include <vector>

namespace headroom::test
{

/// Objective, whether it may not fit, seconds, GPUs: what the ranking goes by.
using Figures = std::array<double, 4>;

struct BruteForce {
    std::uint64_t configurations = 0;
    std::vector<Figures> ranked;              ///< all that keep the limits, best first
    std::vector<std::array<double, 2>> front; ///< sorted, without repetitions
    std::optional<double> best;               ///< by the objective; empty where nothing keeps the limits
    bool isBound = false; ///< of `best`: not all limits of a batch were tried, and another may be better
};

/// A layout that learns from answers stands once: with the copies of the model that make its step shortest.
[[nodiscard]] BruteForce bruteForce(const PlanRequest& request);
/// Of inference: each layout with every whole batch up to 2,048 and every number of replicas. Where both are free only
/// `best` is given. Best by MFU under a load is that of a layout's fewest replicas, as the planner has it.
/// A question with a day is tried at its busiest hour; where replicas follow the load its cost is that of the day, an
/// hour on average.
[[nodiscard]] BruteForce servingBruteForce(const PlanRequest& request);
/// GPU-hours of a day of the question `asked` whose replicas follow the load, hour by hour from what a replica of `s`
/// serves, which was sized for the busiest hour and evaluated as `e`.
[[nodiscard]] double scaledGpuHours(const PreparedScenario& asked, const PreparedScenario& s, const Evaluation& e);
/// Of two pools under a load: the best value of the objective over every pair of layouts, number of each and batch;
/// empty where nothing keeps the limits.
[[nodiscard]] std::optional<double> poolsBruteForce(const PlanRequest& request);
/// Whether an evaluation keeps the request's targets and limits.
[[nodiscard]] bool meetsTargets(const PlanRequest& request, const PreparedScenario& scenario,
                                const Evaluation& evaluation);
/// Sizes of expert parallelism that are legal beside `tensor` where `ranks` share the experts; the stated one where it
/// is not free.
[[nodiscard]] std::vector<std::int64_t> legalExperts(const PlanRequest& request, std::int64_t tensor,
                                                     std::int64_t ranks);
/// Whether `a` divides `b`.
[[nodiscard]] bool divides(std::int64_t a, std::int64_t b);
/// What an answer's own figures say, held against the request's targets and limits here once more.
[[nodiscard]] bool keepsItsWord(const PlanRequest& request, const PlanOption& option);

/// A prepared scenario of catalogue entries at 3 an hour and GPU.
[[nodiscard]] PreparedScenario planBase(const char* model, const char* accelerator, Task task);

} // namespace headroom::test
