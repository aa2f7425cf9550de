// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner says of fewer GPUs than it answers with, and what it must not leave out before it says so.
#include "core/plan/planner.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_planner_rejections
{
namespace
{

PlanRequest question(const PreparedScenario& base, std::vector<std::int64_t> counts)
{
    PlanRequest request;
    request.base = base;
    request.accelerators = {{base.accelerator, base.hardware.pricePerGpuHour}};
    request.gpuCounts = std::move(counts);
    request.objective = PlanObjective::Gpus;
    request.free = PlanDimensions::usual().lock(PlanDimension::Precision).lock(PlanDimension::KvCache);
    return request;
}

std::string whyNot(const PlanRequest& request)
{
    const auto result = plan(request);
    return result && !result->rejected.empty() ? result->rejected.front().reason : std::string();
}

} // namespace

class TestPlannerRejections : public QObject
{
    Q_OBJECT
private slots:
    /// A state-space model has no heads that tensor ranks could fail to divide.
    void modelsWithoutHeadsAreSplit()
    {
        const PreparedScenario base = test::serving("falcon-mamba-7b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.parallelism.tensor = 8;
            s.inference.batch = 8;
            s.inference.requestsPerS = 4;
            s.inference.tpotTargetS = 0.007;
        });
        QVERIFY(*evaluate(base).tpotS < 0.007);
        const auto result = plan(question(base, {1, 2, 4, 8, 16}));
        QVERIFY(result && !result->ranked.empty());
        QVERIFY(result->ranked.front().scenario.parallelism.tensor > 1);
        QVERIFY(*result->ranked.front().evaluation.tpotS <= 0.007);
    }

    /// "TPOT is 59.7 ms at best": a smaller batch has a sixth of that, and serves no more of the load.
    void aLoadThatIsNotServedIsTheReason()
    {
        const PreparedScenario base = test::serving("llama-3.1-8b", "h100-sxm-80gb", 2, [](Scenario& s) {
            s.inference.batch = 8;
            s.inference.promptTokens = 4096;
            s.inference.outputTokens = 256;
            s.inference.requestsPerS = 50;
            s.inference.tpotTargetS = 0.01;
        });
        const std::string reason = whyNot(question(base, {1, 2}));
        QVERIFY2(reason.find("of what it can serve") != reason.npos, reason.c_str());
    }

    /// The least TPOT belongs to a layout that misses the other target by more.
    void ofTwoTargetsNoneIsCalledTheBest()
    {
        const PreparedScenario base = test::serving("deepseek-llm-7b", "mi325x", 2, [](Scenario& s) {
            s.inference.batch = 32;
            s.inference.promptTokens = 16384;
            s.inference.outputTokens = 256;
            s.inference.software = InferenceSoftware::LlamaCpp;
            s.inference.ttftTargetS = 0.3;
            s.inference.tpotTargetS = 0.005;
        });
        const std::string both = whyNot(question(base, {2}));
        QVERIFY2(both.find("in the nearest layout T") != both.npos, both.c_str());
        PreparedScenario one = base;
        one.inference.ttftTargetS.reset();
        one.inference.tpotTargetS = 0.001;
        const std::string least = whyNot(question(one, {2}));
        QVERIFY2(least.find("at best") != least.npos, least.c_str());
    }

    /// Nothing keeps the budget: the number of GPUs that comes closest is named, not the largest, which is furthest.
    void theNearestToTheBudgetIsNamed()
    {
        PreparedScenario base = test::planBase("llama-3-8b", "rtx-4090", Task::Training);
        base.hardware.pricePerGpuHour = 0.5;
        base.training.sequenceLength = 4096;
        base.training.globalBatch = 64;
        base.training.trainingTokens = 1e9;
        base.training.software = TrainingSoftware::TorchFsdp;
        PlanRequest request = question(base, {8, 16, 32, 64});
        request.objective = PlanObjective::Cost;
        const PlanOption cheapest = plan(request).value().ranked.front();
        const double cost = *cheapest.evaluation.costToTrain;
        QVERIFY(cheapest.scenario.hardware.count < 64);
        request.limits.costToTrain = 0.98 * cost;
        const PlanResult result = plan(request).value();
        QVERIFY(result.ranked.empty());
        QCOMPARE(result.rejected.size(), std::size_t(1));
        const PlanOption& nearest = result.rejected.front().nearest;
        QCOMPARE(nearest.scenario.hardware.count, cheapest.scenario.hardware.count);
        QVERIFY(std::abs(*nearest.evaluation.costToTrain / cost - 1) < 1e-9);
        const std::string& reason = result.rejected.front().reason;
        QVERIFY2(reason.find("(2.0") != reason.npos, reason.c_str());
    }
};
HEADROOM_TEST(TestPlannerRejections)

} // namespace headroom::test_planner_rejections
#include "test_planner_rejections.moc"
