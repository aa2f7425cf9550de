// SPDX-License-Identifier: GPL-3.0-or-later
// PinnedScenario: a scenario kept beside the one in hand, with its evaluation, for charts, tiles and comparisons.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>

namespace headroom
{

struct PinnedScenario {
    char letter = 'A';
    std::string name; ///< the user's; may be empty
    PreparedScenario prepared;
    Evaluation evaluation;
    std::string otherMeasurement{}; ///< what was measured with other settings, a sentence; mostly empty
};

/// "A", or with a name "A baseline": as charts and tables call it.
[[nodiscard]] inline std::string pinLabel(const PinnedScenario& pin)
{
    return pin.name.empty() ? std::string(1, pin.letter) : std::string(1, pin.letter) + ' ' + pin.name;
}

} // namespace headroom
