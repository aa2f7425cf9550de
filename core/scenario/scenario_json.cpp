// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_json.hpp"
// PLACEHOLDER, replaced by the scenario work.
namespace headroom {
Expected<ScenarioReading> readScenario(std::string_view, const Catalog&) { return ScenarioReading{}; }
std::string writeScenario(const Scenario&) { return "{}\n"; }
std::string writeScenarioLine(const Scenario&) { return "{}"; }
Expected<ModelArchitecture> resolveModel(const ModelChoice& c, const Catalog& catalog) { return *catalog.model(c.id); }
Expected<Accelerator> resolveAccelerator(const AcceleratorChoice& c, const Catalog& catalog) { return *catalog.accelerator(c.id); }
} // namespace headroom
