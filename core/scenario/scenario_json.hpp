// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario file format (.headroom): strict reading with JSON paths, canonical writing.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/scenario/scenario.hpp"
#include "core/support/diagnostic.hpp"

#include <string>
#include <string_view>

namespace headroom
{

/// What came of reading: the scenario and any warnings.
struct ScenarioReading {
    Scenario scenario;
    Diagnostics warnings;
};

/// Reads one scenario. Refuses unknown and duplicate keys, wrong types, values out of range, nesting
/// over 32, more than 1 MiB; every error names its JSON path and what would be right. Ids are checked against the
/// catalogue. Never throws.
[[nodiscard]] Expected<ScenarioReading> readScenario(std::string_view text, const Catalog& catalog);

/// Reads what a scenario has at "efficiency": "expected", "ideal", or an object of multipliers.
/// Errors as of readScenario(); their paths begin at this value.
[[nodiscard]] Expected<Efficiency> readEfficiency(std::string_view text);

/// The name of a scenario that may itself be refused; empty where there is none or the text cannot be read.
[[nodiscard]] std::string scenarioName(std::string_view text);

/// Canonical text: known key order, two-space indent, defaults left out except required keys, trailing newline.
/// readScenario(writeScenario(s)) gives s back (with the other task's workload at its defaults).
[[nodiscard]] std::string writeScenario(const Scenario& scenario);
/// The same on one line, without a newline (JSON Lines, clipboard).
[[nodiscard]] std::string writeScenarioLine(const Scenario& scenario);

/// Resolve the choices: object forms are read and checked. Errors carry paths under /model and /hardware/accelerator.
[[nodiscard]] Expected<ModelArchitecture> resolveModel(const ModelChoice& choice, const Catalog& catalog);
[[nodiscard]] Expected<Accelerator> resolveAccelerator(const AcceleratorChoice& choice, const Catalog& catalog);

} // namespace headroom
