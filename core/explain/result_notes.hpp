// SPDX-License-Identifier: GPL-3.0-or-later
// ResultNote: a sentence on what a result assumes or leaves out, and where in the window it is said.
#pragma once

#include "core/explore/levers.hpp"

#include <string>
#include <vector>

namespace headroom
{

struct ResultNote {
    WarningCode code{};
    std::string text;                  ///< parameters by their labels, as the window names them
    const ParameterRow* row = nullptr; ///< what it is about, where that is one parameter of this scenario
    bool grave = false;                ///< isGrave(code)
};

/// Whether the figures are of another job than the one asked for, so that nobody may miss it: it stands above the
/// charts. What does not fit and what cannot have been measured is said there in words of its own.
[[nodiscard]] bool isGrave(WarningCode code);
/// Whether the words of a grave note say what does not fit, and that times are as if it did.
[[nodiscard]] bool saysWhatDoesNotFit(WarningCode code);

/// Every warning of a result, in the order of WarningCode; each of them is shown.
[[nodiscard]] std::vector<ResultNote> resultNotes(const PreparedScenario& prepared, const Evaluation& evaluation);

/// Their sentences alone.
[[nodiscard]] std::vector<std::string> noteTexts(const PreparedScenario& prepared, const Evaluation& evaluation);

} // namespace headroom
