// SPDX-License-Identifier: GPL-3.0-or-later
// What is most likely wrong with a measurement that no run of its scenario can have made.
#pragma once

#include "core/predict/evaluate.hpp"

#include <cstdint>
#include <string>

namespace headroom
{

/// A clause without a full stop: "the 1,979 TFLOP/s of its peak count sparsity, twice the dense 989". `excess`: how
/// many times faster than the speed of light (the value of WarningCode::FasterThanIdeal); 0 where it is not known.
[[nodiscard]] std::string likelyCause(const PreparedScenario& prepared, double excess);

/// Why a measurement is far slower than predicted.
enum class SlowCause : std::uint8_t {
    None,
    Milliseconds, ///< taken for seconds
    RateOfOneGpu, ///< taken for that of all
    OtherUnit     ///< which one is not known: no machine is so slow
};

/// What is likeliest wrong with a measurement that took `times` as long as predicted.
[[nodiscard]] SlowCause slowCauseOf(const PreparedScenario& prepared, double times) noexcept;

/// How many times as long as predicted what was measured took, where slowCauseOf() has a cause for it; 0 elsewhere.
[[nodiscard]] double slowForACause(const PreparedScenario& prepared, const Evaluation& evaluation) noexcept;

/// slowCauseOf() as a clause; empty where there is none, or none but a unit that is not known.
[[nodiscard]] std::string slowCause(const PreparedScenario& prepared, double times);

/// The text of WarningCode::FasterThanIdeal; empty where the measurement is possible or there is none.
[[nodiscard]] std::string impossibleText(const PreparedScenario& prepared, const Evaluation& evaluation);

} // namespace headroom
