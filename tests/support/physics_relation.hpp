// SPDX-License-Identifier: GPL-3.0-or-later
// PhysicsRelation: what must hold between two scenarios that differ in one thing.
#pragma once

#include "tests/support/physics.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::test
{

/// Two scenarios and how much worse the second is than it may be. Names that tests/physics/metamorphic.py has too mean
/// the same.
struct PhysicsRelation {
    std::string name;
    Task task = Task::Training;
    std::function<void(PreparedScenario&)> first;  ///< makes the first of what was drawn; may be empty
    std::function<void(PreparedScenario&)> second; ///< makes the second of the first
    /// Above 1: the relation is broken, by so much. Empty: these two say nothing.
    std::function<std::optional<double>(const Evaluation&, const Evaluation&)> badness;
    std::function<bool(const PreparedScenario&)> applies; ///< of what was drawn; may be empty
};

/// How far a relation may be broken: its row in tests/physics_exceptions.json, else rounding.
[[nodiscard]] double allowedBadness(const std::string& relation);

/// Asks a relation of `count` pairs; a failure is shrunk and both scenarios printed.
[[nodiscard]] bool physicsRelationHolds(const PhysicsRelation& relation, int count);

/// Pairs that this program has compared.
[[nodiscard]] long physicsPairsCompared();
/// Prints each relation that was ever broken within its bound, and rows about relations that never were.
void reportPhysicsRelations();

/// The same device with some facts changed.
void changeDevice(PreparedScenario& prepared, const std::function<void(Accelerator&)>& change);
/// Every peak rate of the device times `factor`.
void scalePeak(Accelerator& accelerator, double factor);
/// Twice as many devices, and replicas where they are stated.
void doubleDevices(PreparedScenario& prepared);

} // namespace headroom::test
