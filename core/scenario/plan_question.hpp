// SPDX-License-Identifier: GPL-3.0-or-later
// PlanQuestion: what a plan asks for beyond the scenario, kept with it: machines and their prices, users, limits, what
// is free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom
{

/// In the order of PlanObjective (core/plan).
enum class PlanGoal : std::uint8_t { Cost, Time, Energy, Gpus, Mfu };

/// An accelerator to compare with the scenario's own, at a stated price or the one that is looked up.
struct PlanDevice {
    std::string id;
    std::optional<double> pricePerGpuHour; ///< in the currency of the prices
    bool operator==(const PlanDevice&) const = default;
};

/// A scenario without one has asked nothing yet.
struct PlanQuestion {
    double fewestGpus = 1, mostGpus = 1024;
    PlanGoal objective = PlanGoal::Cost;
    std::vector<PlanDevice> accelerators;
    std::optional<double> costPerHour;          ///< of the whole job, at most, in the currency of the prices
    std::optional<double> deadlineDays, budget; ///< training
    std::optional<double> users;                ///< inference: in place of requests a second
    double thinkS = 10;                         ///< seconds between an answer and the next request
    bool formats = false;                       ///< number formats may change
    bool offload = false;                       ///< states may leave the accelerator (training)
    bool slowEnd = false;                       ///< targets hold at the slow end of the 80 % interval too
    bool operator==(const PlanQuestion&) const = default;
};

} // namespace headroom
