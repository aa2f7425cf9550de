// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner excludes by: lower bounds that hold for every scenario, and memory that adds up from two halves.
#include "core/plan/planner_bounds.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_step.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>

namespace headroom::test_planner_bounds
{

using test::near;

using namespace planner;

namespace
{

TrainingPlan planOf(const PreparedScenario& scenario)
{
    WarningSet ignored;
    return planTraining(scenario, ignored);
}

} // namespace

class TestPlannerBounds : public QObject
{
    Q_OBJECT
private slots:
    void noStepBeatsItsBound()
    {
        test::RandomScenarios scenarios(1);
        double closest = 0;
        for (int i = 0; i < 5000; ++i) {
            const PreparedScenario scenario = knownRecipe(scenarios.next(Task::Training));
            const Evaluation e = evaluateStep(scenario); // no plan is made of reinforcement learning
            const TrainingPlan plan = planOf(scenario);
            const double least = leastStepSeconds(plan);
            QVERIFY(least > 0 && least <= *e.stepTimeS);
            closest = std::max(closest, least / *e.stepTimeS);
            const PlanValues bound = bestValues(scenario, plan, least, tokenFlop(scenario, plan)),
                             value = valuesOf(scenario, e);
            for (std::size_t o = 0; o < planObjectiveCount; ++o)
                QVERIFY2(bound[o] <= value[o], qPrintable(QStringLiteral("objective %1: %2 is below its bound %3")
                                                              .arg(o)
                                                              .arg(value[o], 0, 'g', 17)
                                                              .arg(bound[o], 0, 'g', 17)));
        }
        QVERIFY2(closest > 0.99, "a bound that is never close excludes nothing");
    }

    /// Cost and time had the hours that failures take, and energy those of steps that run.
    void lostHoursTakeEnergy()
    {
        PreparedScenario p = test::trainingCase("llama-3.1-405b", "h100-sxm-80gb", 16384);
        p.parallelism.tensor = 8;
        p.parallelism.pipeline = 16;
        const double running = at(valuesOf(p, evaluate(p)), PlanObjective::Energy);
        QCOMPARE(running, *evaluate(p).joulesPerToken);
        p.training.reliability.gpuMtbfHours = 10000;
        const Evaluation e = evaluate(p);
        QVERIFY(near(at(valuesOf(p, e), PlanObjective::Energy), running / e.goodput->share));
        QVERIFY(e.goodput->share < 0.9);
    }

    void memoryFollowsFromStatesAndActivations()
    {
        test::RandomScenarios scenarios(2);
        for (int i = 0; i < 5000; ++i) {
            const PreparedScenario scenario = knownRecipe(scenarios.next(Task::Training));
            const TrainingPlan plan = planOf(scenario);
            const StageStates states = trainingStateBytes(plan);
            const StageActivationBytes activations = trainingActivationBytes(plan);
            const Evaluation e = evaluate(scenario);
            const double device = TrainingDevice(plan).bytes(peakBytes(states, activations));
            QCOMPARE(device <= plan.accelerator->usableMemoryBytes(), e.fits);
            // What the stack may save counts as saved in the sum, and in the result only where it must be.
            const bool saves =
                plan.mayChunkLoss || plan.mayNarrowStore || plan.mayNarrowGradients || plan.mayProjectAgain;
            QVERIFY(saves ? device <= e.deviceBytes * (1 + 1e-8) : near(device, e.deviceBytes));
        }
    }

    void neitherHalfReadsTheOthersSettings()
    {
        test::RandomScenarios scenarios(3);
        for (int i = 0; i < 2000; ++i) {
            const PreparedScenario one = knownRecipe(scenarios.next(Task::Training));
            PreparedScenario other = one;
            other.parallelism.sharding = one.parallelism.sharding == Sharding::Fsdp ? Sharding::None : Sharding::Fsdp;
            other.training.offload = one.training.offload == Offload::None ? Offload::Parameters : Offload::None;
            other.parallelism.replicas = std::nullopt;
            QCOMPARE(trainingActivationBytes(planOf(other)), trainingActivationBytes(planOf(one)));
            QVERIFY(near(leastStepSeconds(planOf(other)), leastStepSeconds(planOf(one))));

            other = one;
            other.training.microBatch *= 2;
            other.training.globalBatch = std::nullopt;
            other.parallelism.sequenceParallel = one.parallelism.tensor == 1 || !other.parallelism.sequenceParallel;
            other.training.checkpointing =
                one.training.checkpointing == Checkpointing::Full ? Checkpointing::None : Checkpointing::Full;
            QCOMPARE(trainingStateBytes(planOf(other)), trainingStateBytes(planOf(one)));
        }
    }

private:
    /// `unknown` checkpointing belongs to measured runs; a plan never has it.
    static PreparedScenario knownRecipe(PreparedScenario scenario)
    {
        scenario.measured = {};
        if (scenario.training.checkpointing == Checkpointing::Unknown)
            scenario.training.checkpointing = Checkpointing::Full;
        return scenario;
    }
};
HEADROOM_TEST(TestPlannerBounds)

} // namespace headroom::test_planner_bounds
#include "test_planner_bounds.moc"
