// SPDX-License-Identifier: GPL-3.0-or-later
// Suggestion: a small change of the scenario that makes it legal, makes it fit, or removes a warning.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui
{

struct ParameterChange {
    const ParameterRow* row = nullptr;
    double value = 0;
};

struct Suggestion {
    std::vector<ParameterChange> changes{}; ///< applied in this order
    std::string text{};                     ///< "Tensor parallel 4"
    /// Instead of changes: ScenarioStore::dropMeasurement(), returnToMeasurement().
    bool dropsMeasurement = false, returnsToMeasurement = false;
    void applyTo(Setup& setup) const;
};

/// Parameters that must stay (locked by the user).
using IsLocked = std::function<bool(std::string_view parameterId)>;

/// Nearest single changes after which checkSetup() is empty; nearest first, at most `count`.
[[nodiscard]] std::vector<Suggestion> legalFixes(const Setup& setup, const IsLocked& locked, std::size_t count = 3);

/// Changes after which the scenario fits into memory, the mildest first, at most `count`; empty when it fits already.
[[nodiscard]] std::vector<Suggestion> memoryRemedies(const PreparedScenario& prepared, const IsLocked& locked,
                                                     std::size_t count = 3);

/// The parameter a warning is about, in this task; null when it is about none.
[[nodiscard]] const ParameterRow* warningParameter(WarningCode code, const Setup& setup);

/// The nearest value of `row` at which `code` is not raised.
[[nodiscard]] std::optional<Suggestion> withoutWarning(const PreparedScenario& prepared, WarningCode code,
                                                       const ParameterRow& row);

} // namespace headroom::ui
