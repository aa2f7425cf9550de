// SPDX-License-Identifier: GPL-3.0-or-later
// PlanExample: a published run asked again as a plan — the published layout, the planner's, and what lies between.
#pragma once

#include "core/plan/planner.hpp"

#include <string>
#include <vector>

namespace headroom::test
{

/// A search with some dimensions held at the published run's.
struct PlanVariant {
    std::string name;
    PlanRequest request;
};

/// One line of an example's table: an evaluated layout.
struct PlanLine {
    std::string name;
    std::optional<PlanOption> option; ///< empty: nothing meets the targets
    std::string reason;               ///< then why
};

struct PlanExample {
    std::string title, question;
    PlanOption published;
    std::vector<PlanVariant> variants;
    std::string reasoning; ///< words; what they claim is asserted by tests/core/test_plan_examples.cpp
};

/// A built-in scenario, its measurement put aside, as a request for its own number of GPUs by time.
[[nodiscard]] PlanRequest requestOfExample(std::string_view fileBegin);
[[nodiscard]] PlanOption optionOf(const PreparedScenario& scenario);

/// All eight worked examples of docs/plan_examples.md, in order.
[[nodiscard]] std::vector<PlanExample> planExamples();
/// The published layout first, then each variant's best.
[[nodiscard]] std::vector<PlanLine> linesOf(const PlanExample& example);
/// The document.
[[nodiscard]] std::string planExamplesText(const std::vector<PlanExample>& examples);

} // namespace headroom::test
