// SPDX-License-Identifier: GPL-3.0-or-later
// PinnedScenario: a scenario kept beside the one in hand, with its evaluation, for charts, tiles and comparisons.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>

namespace headroom
{

struct PinnedScenario {
    char letter = 'A';
    std::string name;
    PreparedScenario prepared;
    Evaluation evaluation;
};

} // namespace headroom
