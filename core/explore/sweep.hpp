// SPDX-License-Identifier: GPL-3.0-or-later
// Sweep: the values that one or more parameters take, and the scenario at one of their points.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <span>
#include <string>
#include <vector>

namespace headroom
{

struct ParameterValue {
    const ParameterRow* row; ///< never null
    double value;
};

/// The scenario with these values stated, one after the other. Its other values stay; its measurement is of its own
/// values alone.
[[nodiscard]] PreparedScenario withValues(const PreparedScenario& base, std::span<const ParameterValue> values);

/// Values for a chart's x axis over [minimum, maximum]: log- or linearly spaced as the row says, whole where it must be
/// (each once), choices all, always including the current value. At most `count` + 1.
[[nodiscard]] std::vector<double> sweepValues(const ParameterRow& row, double minimum, double maximum, int count,
                                              double current);

/// "1..1024:x2", "1,2,4", "0..1:+0.1", "bf16,fp8" → values of a row. Errors name what would be right.
[[nodiscard]] Expected<std::vector<double>> parseSweepValues(const ParameterRow& row, std::string_view text);

} // namespace headroom
