// SPDX-License-Identifier: GPL-3.0-or-later
// compared(): the comparison of a chart's scenario with its pins.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/comparison/comparison.hpp"

namespace headroom::test
{

[[nodiscard]] inline Comparison compared(const ChartContext& context)
{
    return compare(context.scenario, context.evaluation, context.pins);
}

} // namespace headroom::test
