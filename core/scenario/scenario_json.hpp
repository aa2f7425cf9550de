// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario file format (.headroom): strict reading with JSON paths, canonical writing.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/scenario/scenario.hpp"
#include "core/support/diagnostic.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// A scenario that a file keeps beside its own, for comparison.
struct SavedPin {
    std::string name; ///< the user's; may be empty
    Scenario scenario;
    bool operator==(const SavedPin&) const = default;
};
inline constexpr std::size_t mostPins = 3, longestPinName = 40; ///< names in bytes of UTF-8

/// What came of reading: the scenario, what is pinned beside it, and any warnings.
struct ScenarioReading {
    Scenario scenario;
    std::vector<SavedPin> pins;
    std::string recorded; ///< when the run was entered or imported, "2026-11-25T03:40:00Z"; mostly empty
    Diagnostics warnings;
};

/// Reads one scenario. Refuses unknown and duplicate keys, wrong types, values out of range, nesting
/// over 32, more than 1 MiB (16 with a config.json in it); every error names its JSON path and what would be right. Ids
/// are checked against the catalogue. Never throws.
[[nodiscard]] Expected<ScenarioReading> readScenario(std::string_view text, const Catalog& catalog);

/// Multipliers and whose runs they were fitted to.
struct FittedEfficiency {
    Efficiency efficiency;
    FittedOn fittedOn;
};

/// Reads what a scenario has at "efficiency": "expected", "ideal", or an object of multipliers.
/// Errors as of readScenario(); their paths begin at this value.
[[nodiscard]] Expected<FittedEfficiency> readEfficiency(std::string_view text);

/// The name of a scenario that may itself be refused; empty where there is none or the text cannot be read.
[[nodiscard]] std::string scenarioName(std::string_view text);

/// Canonical text: known key order, two-space indent, defaults left out except required keys, trailing newline.
/// readScenario(writeScenario(s)) gives s back (with the other task's workload at its defaults).
[[nodiscard]] std::string writeScenario(const Scenario& scenario, std::span<const SavedPin> pins = {});
/// The same on one line, without a newline (JSON Lines, clipboard); `recorded` as of ScenarioReading.
[[nodiscard]] std::string writeScenarioLine(const Scenario& scenario, std::string_view recorded = {});

/// Resolve the choices: object forms are read and checked. Errors carry paths under /model and /hardware/accelerator.
[[nodiscard]] Expected<ModelArchitecture> resolveModel(const ModelChoice& choice, const Catalog& catalog);
[[nodiscard]] Expected<Accelerator> resolveAccelerator(const AcceleratorChoice& choice, const Catalog& catalog);

} // namespace headroom
