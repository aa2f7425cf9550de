// SPDX-License-Identifier: GPL-3.0-or-later
// LossLadder: from 100 % of the peak down to the predicted MFU, one named loss a step, adding up exactly.
#pragma once

#include "core/predict/evaluate.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace headroom
{

struct LossStep {
    std::string_view name; ///< "memory traffic", in a sentence
    double share = 0;      ///< of the peak; positive lowers MFU, negative raises it (only "counting" may)
};

/// The ladder with its foot: what is predicted, and what was measured.
struct LossLadder {
    std::vector<LossStep> steps;       ///< 1 − their sum = predicted
    double predicted = 0;              ///< MFU under the scenario's convention
    std::optional<double> observed;    ///< measured MFU
    std::optional<double> unexplained; ///< predicted − observed
};

/// Each second of the step that is not model FLOP at peak rate is a loss of the time part it is in
/// (docs/method/training_step.md). Within matmuls and attention, what their memory traffic alone would take beyond the
/// FLOP is "memory traffic", the rest is the kernel's. Where the convention counts other FLOP than `exact`, the
/// difference is the step "counting". Defined where MFU is; otherwise empty. `operators` are those of the scenario
/// (operatorCosts).
[[nodiscard]] LossLadder lossLadder(const PreparedScenario& prepared, const Evaluation& evaluation,
                                    const std::vector<OperatorCost>& operators);

} // namespace headroom
