// SPDX-License-Identifier: GPL-3.0-or-later
// Sensitivity: what the next step of each everyday parameter would do to one metric, everything else held.
#pragma once

#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluate.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom
{

struct SensitivityStep {
    const ParameterRow* row = nullptr;         ///< never null
    double from = 0, to = 0;                   ///< values of the parameter
    double before = 0, after = 0;              ///< values of the metric
    double gain = 0;                           ///< improvement, in the metric's unit; negative = worse
    std::optional<std::int64_t> globalBatch{}; ///< that goes with it, where another has to (apply())
    /// With the step taken; allFits() says whether it can run. Of the step alone where that has the metric
    /// (isOfStep()) and nothing besides has to fit.
    Evaluation evaluation;
};

/// One entry per parameter that has a valid next step (nextSteps()): the best of them, among those that fit where any
/// does; of what is not in plain view only what gains. Best first. Empty where the metric is undefined. About 70
/// evaluations.
[[nodiscard]] std::vector<SensitivityStep> sensitivity(const PreparedScenario& prepared, const Evaluation& evaluation,
                                                       const MetricRow& metric);

/// Whether a better figure is no gain: FLOP that are recomputed raise HFU while MFU falls, a smaller batch does less
/// work, and so do fewer watts, or work comes later by more than they save; a narrower prefill pool starves decoding, a
/// wider one that follows is not paid for by what it speeds up, a load that is no longer served is not served sooner,
/// nor is a request that waits longer than it gains, a target that was met is missed, and heads that ranks do not
/// divide run nowhere.
[[nodiscard]] bool gainsNothing(const SensitivityStep& step, const MetricRow& metric, const PreparedScenario& prepared,
                                const Evaluation& before);

/// "With X alone, MFU would go from 55.1 % to 55.4 %."; of a micro-batch with the global batch that goes with it.
[[nodiscard]] std::string aloneText(const SensitivityStep& step, const MetricRow& metric);

/// The metric that "what would help" is about: MFU in training, TPOT in inference, the step of reinforcement learning
/// (but for a measured run, whose measurement is the update's).
[[nodiscard]] const MetricRow& leadingMetric(const Setup& setup);

} // namespace headroom
