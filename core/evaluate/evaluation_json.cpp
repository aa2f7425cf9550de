// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation_json.hpp"
// PLACEHOLDER, replaced by the scenario work.
namespace headroom {
std::string evaluationJson(std::string_view, const PreparedScenario&, const Evaluation&, int) { return "{}"; }
std::string errorJson(std::string_view, const Diagnostics&) { return "{}"; }
std::string evaluationText(std::string_view, const PreparedScenario&, const Evaluation&) { return ""; }
} // namespace headroom
