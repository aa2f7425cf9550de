// SPDX-License-Identifier: GPL-3.0-or-later
// Lever: a parameter that may be changed to mend or to improve a scenario, what that costs, and which values to try.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <functional>
#include <vector>

namespace headroom
{

/// What a change costs, the cheapest first.
enum class LeverPrice : std::uint8_t {
    Speed,    ///< the same results on the same machines
    Hardware, ///< more GPUs
    Accuracy, ///< coarser numbers
    Workload, ///< less work of the same kind
    Question  ///< another job than the one that was asked about
};

/// One parameter set to a value.
struct ParameterEdit {
    const ParameterRow* row = nullptr; ///< never null
    double value = 0;
    bool operator==(const ParameterEdit&) const = default;
};
/// Applied in this order.
using Edits = std::vector<ParameterEdit>;

/// Sets a parameter as a person would: a global batch of its own follows where the new value no longer divides it.
void apply(Setup& setup, const ParameterRow& row, double value);
void applyEdits(Setup& setup, const Edits& edits);

/// Parameters that must stay as they are; empty where all may change.
using IsHeld = std::function<bool(std::string_view parameterId)>;
/// Whether a person could change the parameter in this scenario.
[[nodiscard]] bool isFree(const ParameterRow& row, const Setup& setup, const IsHeld& held);

/// Edits that belong together, and what they cost.
struct LeverMove {
    Edits edits;
    LeverPrice price = LeverPrice::Speed;
};

/// Moves that may save memory, each of one lever (tensor and pipeline parallel may grow along with the GPUs); of one
/// lever the mildest first. Not all of them are legal.
[[nodiscard]] std::vector<LeverMove> memoryMoves(const PreparedScenario& prepared, const IsHeld& held);

/// Whether edits give tensor ranks heads that they do not divide, where they do now: it can be evaluated, and engines
/// refuse it.
[[nodiscard]] bool cutsHeads(const PreparedScenario& prepared, const Edits& edits);

/// Whether a global batch that must stay would follow edits (apply()).
[[nodiscard]] bool movesHeldBatch(const PreparedScenario& prepared, const Edits& edits, const IsHeld& held);

/// Whether another value of it makes another job of it: other tokens, other numbers, another answer. Advice on how to
/// run what is asked for leaves these alone.
[[nodiscard]] bool changesTheWork(const ParameterRow& row);

/// Whether another value of it is no change of how the job is run: another number of machines, or software that is as
/// well tuned as any, which nobody can switch on. Advice names first what a person can change.
[[nodiscard]] bool isOutOfHand(const ParameterRow& row);

/// Speed for whatever has no row in the table of levers.
[[nodiscard]] LeverPrice priceOf(const ParameterRow& row);

/// The values to try as the next step of a parameter that stands in plain view, or helps where it does not: its two
/// neighbouring snap points, all of expert parallelism, or all other choices. Empty where another value would ask
/// another question, or where another row holds in its place.
[[nodiscard]] std::vector<double> nextSteps(const ParameterRow& row, const Setup& setup);

/// Values within the parameter's range, the nearest to the current one first.
[[nodiscard]] std::vector<double> nearbyValues(const ParameterRow& row, const Setup& setup);
/// How far a value is from another, in doublings where both are positive.
[[nodiscard]] double distance(double a, double b);

} // namespace headroom
