// SPDX-License-Identifier: GPL-3.0-or-later
// swept(): a scenario over the values of one parameter, as `headroom-cli sweep` evaluates it.
#pragma once

#include "core/explore/sweep.hpp"

namespace headroom::test
{

struct SweptPoint {
    double value = 0;
    bool valid = true; ///< the sizes go together
    Evaluation evaluation;
};

[[nodiscard]] inline std::vector<SweptPoint> swept(const PreparedScenario& base, const ParameterRow& row,
                                                   std::span<const double> values)
{
    std::vector<SweptPoint> points;
    for (const double value : values) {
        const PreparedScenario scenario = withValues(base, std::vector{ParameterValue{&row, value}});
        points.push_back({value, checkSetup(scenario).empty(), evaluate(scenario)});
    }
    return points;
}

} // namespace headroom::test
