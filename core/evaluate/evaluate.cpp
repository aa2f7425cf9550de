// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluate.hpp"
// PLACEHOLDER, replaced by the scenario work.
namespace headroom {
Expected<PreparedScenario> prepare(const Scenario& s, const Catalog& catalog, std::shared_ptr<const Calibration> calibration)
{
    PreparedScenario p;
    static_cast<Setup&>(p) = s;
    const auto model = catalog.model(s.model.id);
    p.accelerator = catalog.accelerator(s.accelerator.id);
    if (!model || !p.accelerator)
        return fail("unknown-id", "/model", "unknown id");
    p.model = std::make_shared<const ModelProfile>(compileModel(*model));
    p.calibration = std::move(calibration);
    return p;
}
Diagnostics checkSetup(const Setup&) { return {}; }
Evaluation evaluate(const PreparedScenario& p) noexcept
{
    Evaluation r;
    r.task = p.task;
    p.task == Task::Training ? evaluateTraining(p, r) : evaluateInference(p, r);
    return r;
}
std::vector<OperatorCost> operatorCosts(const PreparedScenario& p)
{
    return p.task == Task::Training ? trainingOperatorCosts(p) : inferenceOperatorCosts(p);
}
std::string_view warningId(WarningCode) { return "warning"; }
std::string warningText(WarningCode, double, const PreparedScenario&) { return "warning"; }
} // namespace headroom
