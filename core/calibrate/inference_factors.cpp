// SPDX-License-Identifier: GPL-3.0-or-later
// Inference: the constants that published runs fit (design/predictor_inference.md). None yet.
#include "core/calibrate/fit_task.hpp"

namespace headroom
{
namespace
{

std::optional<double> tpot(const PreparedScenario& prepared, const Evaluation& r)
{
    if (!prepared.measured.tpotS || !r.tpotS || *r.tpotS <= 0)
        return std::nullopt;
    return *r.tpotS / *prepared.measured.tpotS;
}

std::string acceleratorOf(const PreparedScenario& prepared)
{
    return prepared.accelerator->id;
}

} // namespace

FitTask inferenceFitTask()
{
    FitTask task;
    task.task = Task::Inference;
    task.metrics = {{"tpot_s", 1, tpot}};
    task.group = acceleratorOf;
    return task;
}

} // namespace headroom
