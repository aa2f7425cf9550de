// SPDX-License-Identifier: GPL-3.0-or-later
// Training cases in a line: a prepared scenario to change and evaluate.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/training/training_plan.hpp"

namespace headroom::test
{

[[nodiscard]] inline const Catalog& catalog()
{
    static const Catalog builtIn = Catalog::builtIn();
    return builtIn;
}

[[nodiscard]] inline std::shared_ptr<const ModelProfile> profileOf(std::string_view id)
{
    return std::make_shared<const ModelProfile>(compileModel(*catalog().model(id)));
}

/// Training of `model` on `count` accelerators, everything else at its default.
[[nodiscard]] inline PreparedScenario trainingCase(std::string_view model, std::string_view accelerator,
                                                   std::int64_t count = 1)
{
    PreparedScenario p;
    p.task = Task::Training;
    p.model = profileOf(model);
    p.accelerator = catalog().accelerator(accelerator);
    p.calibration = Calibration::builtIn();
    p.hardware.count = count;
    return p;
}

/// The same on H100s with samples of 4,096 tokens, whose states are shared out.
[[nodiscard]] inline PreparedScenario shardedCase(std::string_view model, std::int64_t count, Sharding sharding)
{
    PreparedScenario p = trainingCase(model, "h100-sxm-80gb", count);
    p.training.sequenceLength = 4096;
    p.parallelism.sharding = sharding;
    return p;
}

[[nodiscard]] inline TrainingPlan planOf(const PreparedScenario& p)
{
    WarningSet ignored;
    return planTraining(p, ignored);
}

} // namespace headroom::test
