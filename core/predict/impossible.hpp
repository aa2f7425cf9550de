// SPDX-License-Identifier: GPL-3.0-or-later
// What is most likely wrong with a measurement that no run of its scenario can have made.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>

namespace headroom
{

/// A clause without a full stop: "the 1,979 TFLOP/s of its peak count sparsity, twice the dense 989". `excess`: how
/// many times faster than the speed of light (the value of WarningCode::FasterThanIdeal); 0 where it is not known.
[[nodiscard]] std::string likelyCause(const PreparedScenario& prepared, double excess);

/// The text of WarningCode::FasterThanIdeal; empty where the measurement is possible or there is none.
[[nodiscard]] std::string impossibleText(const PreparedScenario& prepared, const Evaluation& evaluation);

} // namespace headroom
