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

/// Above 1: the relation between the two is broken, by so much. Empty: these two say nothing.
using Badness = std::function<std::optional<double>(const Evaluation&, const Evaluation&)>;
using Change = std::function<void(PreparedScenario&)>;

/// Two scenarios and how much worse the second is than it may be. Names that tests/physics/metamorphic.py has too mean
/// the same.
struct PhysicsRelation {
    std::string name;
    Task task = Task::Training;
    Change first;  ///< makes the first of what was drawn; may be empty
    Change second; ///< makes the second of the first
    Badness badness;
    std::function<bool(const PreparedScenario&)> applies; ///< of what was drawn; may be empty
};

/// How far a relation may be broken: its row in tests/physics_exceptions.json, else rounding.
[[nodiscard]] double allowedBadness(const std::string& relation);

/// Fills the table of a test that asks each relation: one row each, "row" is its index.
void addRelationRows(const std::vector<PhysicsRelation>& relations);
/// Asks a relation of `count` pairs; a failure is shrunk and both scenarios printed.
[[nodiscard]] bool physicsRelationHolds(const PhysicsRelation& relation, int count);

/// Pairs that this program has compared.
[[nodiscard]] long physicsPairsCompared();
/// Prints each relation that was ever broken within its bound, and rows about relations that never were.
void reportPhysicsRelations();

// What is bad of the second of two, `b`.
[[nodiscard]] std::optional<double> lessThroughput(const Evaluation& a, const Evaluation& b);
[[nodiscard]] std::optional<double> moreMemory(const Evaluation& a, const Evaluation& b);
[[nodiscard]] std::optional<double> lessMemory(const Evaluation& a, const Evaluation& b);
/// Bad only beyond `factor`.
[[nodiscard]] Badness within(double factor, const Badness& badness);

/// The same device with some facts changed.
[[nodiscard]] Change device(const std::function<void(Accelerator&)>& change);
[[nodiscard]] Change memoryTwice();
[[nodiscard]] Change scaleOut(double gbitPerS);
[[nodiscard]] Change devicesPerNode(std::int64_t count);
/// Every peak rate of the device times `factor`.
void scalePeak(Accelerator& accelerator, double factor);
/// Twice as many devices, and replicas where they are stated.
void doubleDevices(PreparedScenario& prepared);

} // namespace headroom::test
