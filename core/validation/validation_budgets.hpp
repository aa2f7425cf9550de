// SPDX-License-Identifier: GPL-3.0-or-later
// ValidationBudgets: what the page of published runs was asked to reach, and why some of it is not.
#pragma once

#include "core/support/diagnostic.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// What was asked of the errors of one group of runs and one figure.
struct ErrorBudget {
    std::string by, group, metric;               ///< as ValidationGroup's
    std::string name;                            ///< for the page; empty: the group's
    std::string reason;                          ///< why a bound is missed; may be empty
    std::optional<double> askedMedian, askedP90; ///< shares of what was measured
};

/// Groups whose 80 % intervals hold more or fewer runs than promised, for one and the same reason.
struct IntervalReason {
    std::string reason;
    std::vector<std::string> groups; ///< "by group metric"
};

/// What the page shows of tests/validation_budgets.json.
struct ValidationBudgets {
    std::vector<ErrorBudget> groups;
    std::vector<IntervalReason> intervals;
};

/// Reads that file. Refused: text that is no JSON, a value of the wrong type, a key that nobody knows. What the tests
/// alone hold (limits of this version's errors, the selection that is shipped, totals) is not looked at.
[[nodiscard]] Expected<ValidationBudgets> readValidationBudgets(std::string_view text);

} // namespace headroom
