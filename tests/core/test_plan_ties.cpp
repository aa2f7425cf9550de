// SPDX-License-Identifier: GPL-3.0-or-later
// Ties within the predictor's interval go to the smaller deployment, exactly: no fewer GPUs would have been alike, and
// what is certain is ranked as it is.
#include "core/charts/plan_charts.hpp"
#include "core/plan/planner_question.hpp"
#include "core/plan/planner_ties.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_plan_ties
{
namespace
{

PlanRequest serving(PlanObjective objective)
{
    Scenario scenario;
    scenario.task = Task::Inference;
    scenario.model.id = "llama-3.1-405b";
    scenario.accelerator.id = "h100-sxm-80gb";
    scenario.hardware.pricePerGpuHour = 3;
    PlanRequest request;
    request.base = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    request.gpuCounts = {8, 16, 32};
    request.objective = objective;
    return request;
}

PlanRequest training(PlanObjective objective)
{
    Scenario scenario;
    scenario.model.id = "llama-3-8b";
    scenario.accelerator.id = "h100-sxm-80gb";
    scenario.hardware.pricePerGpuHour = 3;
    PlanRequest request;
    request.base = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    request.gpuCounts = {8, 32, 128};
    request.objective = objective;
    return request;
}

bool mayNotFit(const PlanOption& option)
{
    return option.evaluation.warnings.has(WarningCode::MemoryMayNotFit);
}

double valueOf(const PlanOption& option, PlanObjective objective)
{
    return *option.values[static_cast<std::size_t>(objective)];
}

} // namespace

class TestPlanTies : public QObject
{
    Q_OBJECT
private slots:
    void theSmallestWithinTheIntervalIsFirst()
    {
        int moved = 0;
        for (const PlanObjective objective :
             {PlanObjective::Cost, PlanObjective::Energy, PlanObjective::Mfu, PlanObjective::Time})
            for (PlanRequest request : {serving(objective), training(objective)}) {
                const auto strict = plan(request);
                QVERIFY(strict && !strict->ranked.empty());
                const PlanOption& best = strict->ranked.front();
                const double limit = planner::alikeUpTo(request, best);
                QVERIFY(limit >= valueOf(best, objective));
                request.smallerWithinInterval = true;
                const auto tied = plan(request);
                QVERIFY(tied && !tied->ranked.empty());
                const PlanOption& first = tied->ranked.front();
                QVERIFY(valueOf(first, objective) <= limit);
                QVERIFY(first.scenario.hardware.count <= best.scenario.hardware.count || mayNotFit(best));
                // No smaller number of GPUs has anything that surely fits and that the interval does not tell from the
                // best.
                for (const std::int64_t count : request.gpuCounts) {
                    if (count >= first.scenario.hardware.count)
                        continue;
                    PlanRequest fewer = request;
                    fewer.smallerWithinInterval = false;
                    fewer.gpuCounts = {count};
                    const auto there = plan(fewer);
                    QVERIFY(there);
                    for (const PlanOption& option : there->ranked)
                        QVERIFY2((mayNotFit(option) && !mayNotFit(first)) || valueOf(option, objective) > limit,
                                 std::to_string(count).c_str());
                }
                // The rest is ranked by the objective alone, as long as before, and why is said.
                QCOMPARE(tied->ranked.size(), strict->ranked.size());
                const bool other = deploymentId(first) != deploymentId(best);
                moved += other ? 1 : 0;
                if (other)
                    QCOMPARE(deploymentId(tied->ranked.at(1)), deploymentId(best));
                const bool told = std::ranges::any_of(
                    tied->notes, [](const std::string& note) { return note.find("ranks first") != std::string::npos; });
                QCOMPARE(told, other);
                // Whatever the number of threads.
                request.threads = 1;
                const auto alone = plan(request);
                QCOMPARE(deploymentId(alone->ranked.front()), deploymentId(first));
            }
        QVERIFY2(moved >= 2, std::to_string(moved).c_str());
    }

    /// The first rank is the smallest that surely fits of all that are alike, however small one is that may not.
    void whatSurelyFitsComesFirst()
    {
        int moved = 0, told = 0, sames = 0;
        for (const auto& [objective, counts] : {std::pair{PlanObjective::Cost, std::vector<std::int64_t>{4, 8, 64}},
                                                {PlanObjective::Mfu, {4, 8, 64}},
                                                {PlanObjective::Time, {4, 8, 64}},
                                                {PlanObjective::Cost, {8}},
                                                {PlanObjective::Cost, {4}}}) {
            PlanRequest request = training(objective);
            request.base.training.software = TrainingSoftware::TorchFsdp; // of an interval that runs make
            request.base.training.sequenceLength = 8192;
            request.base.training.globalBatch = 256;
            request.gpuCounts = counts;
            request.free = PlanDimensions::none()
                               .release(PlanDimension::MicroBatch)
                               .release(PlanDimension::Checkpointing)
                               .release(PlanDimension::Tensor)
                               .release(PlanDimension::Sharding);
            request.top = 1'000'000;
            const auto all = plan(request);
            QVERIFY(all && all->ranked.size() > 20);
            QVERIFY(mayNotFit(all->ranked.front()));
            const double limit = planner::alikeUpTo(request, all->ranked.front());
            request.top = 20;
            request.smallerWithinInterval = true;
            const auto tied = plan(request);
            QVERIFY(tied);
            QCOMPARE(tied->ranked.size(), std::size_t(20));
            const PlanOption* wanted = nullptr;
            for (const PlanOption& option : all->ranked)
                if (!mayNotFit(option) && valueOf(option, objective) <= limit &&
                    (!wanted || option.scenario.hardware.count < wanted->scenario.hardware.count))
                    wanted = &option;
            const auto says = [&](std::string_view words) {
                return std::ranges::any_of(
                    tied->notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
            };
            if (wanted) {
                ++moved;
                QCOMPARE(deploymentId(tied->ranked.front()), deploymentId(*wanted));
                // Of machines of the same name layouts are told apart, and no interval: room decides.
                const bool same = planMachines(*wanted) == planMachines(all->ranked.front());
                const std::string start = same ? layoutText(*wanted) + " ranks first, because it surely fits: "
                                               : planMachines(*wanted) + " ranks first: ";
                QVERIFY2(says(start), (start + " / " + tied->notes.front()).c_str());
                QVERIFY(says("less than the 80 % interval") != same);
                sames += same ? 1 : 0;
            } else {
                ++told;
                QVERIFY(says("The best that surely fits is"));
            }
        }
        QVERIFY2(moved > 0 && told > 0 && sames > 0, (std::to_string(moved) + " " + std::to_string(told)).c_str());
    }

    /// Of deployments with the same number of GPUs, one that surely fits comes before a faster one that may not.
    void equalOnesAreRankedByWhetherTheySurelyFit()
    {
        PlanRequest request = training(PlanObjective::Gpus);
        request.base.training.sequenceLength = 8192;
        request.base.training.globalBatch = 256;
        request.gpuCounts = {4, 8};
        for (const std::size_t top : {std::size_t(1), std::size_t(20)}) {
            request.top = top;
            const auto result = plan(request);
            QVERIFY(result && result->ranked.size() == top);
            QCOMPARE(result->ranked.front().scenario.hardware.count, 4);
            QVERIFY(!mayNotFit(result->ranked.front()));
        }
    }

    /// What has no interval is ranked as it is; what would surely fit is named there, too.
    void whatIsCertainNamesWhatSurelyFits()
    {
        PlanRequest request = training(PlanObjective::Cost);
        request.base.training.rl.prompts = 256;
        request.gpuCounts = {2, 4, 8, 16};
        request.smallerWithinInterval = true;
        QVERIFY(!planner::isPredicted(request));
        const auto result = plan(request);
        QVERIFY(result && mayNotFit(result->ranked.front()));
        QVERIFY(std::ranges::any_of(
            result->notes, [](const std::string& note) { return note.starts_with("The best that surely fits is "); }));
    }

    /// The map called two GPUs feasible, where the memory's interval reaches half as far again as there is.
    void theMapSaysWhereItMayNotFit()
    {
        PlanRequest request = training(PlanObjective::Cost);
        request.base.training.sequenceLength = 8192;
        request.base.training.globalBatch = 256;
        request.gpuCounts = {2, 16};
        request.smallerWithinInterval = true;
        const std::string told = charts::planMap(request, planMap(request)).reading;
        QVERIFY2(told.starts_with("Fewest on this map: 2 GPUs (TP 1), where it may not fit; 4 GPUs (TP 1), "),
                 told.c_str());
        request.gpuCounts = {16};
        QVERIFY(charts::planMap(request, planMap(request)).reading.find("may not") == std::string::npos);
    }

    void whatIsCertainIsRankedAsItIs()
    {
        for (const bool loaded : {true, false}) {
            PlanRequest request = serving(loaded ? PlanObjective::Cost : PlanObjective::Gpus);
            if (loaded)
                request.base.inference.requestsPerS = 40;
            const auto strict = plan(request);
            request.smallerWithinInterval = true;
            const auto same = plan(request);
            QVERIFY(strict && same);
            QCOMPARE(same->ranked.size(), strict->ranked.size());
            for (std::size_t i = 0; i < same->ranked.size(); ++i)
                QCOMPARE(deploymentId(same->ranked[i]), deploymentId(strict->ranked[i]));
            QVERIFY(!planner::isPredicted(request));
        }
    }

    void aSavedQuestionMakesTheRequest()
    {
        const PlanRequest base = training(PlanObjective::Cost);
        PlanQuestion question;
        question.fewestGpus = 3;
        question.mostGpus = 20;
        question.objective = PlanGoal::Mfu;
        question.accelerators = {{"a100-sxm-80gb", 1.25}, {"h100-sxm-80gb", 9}, {"mi300x", std::nullopt}};
        question.deadlineDays = 2;
        question.users = 7; // of serving: a training run has none
        question.slowEnd = question.offload = true;
        const PlanRequest request = planRequest(question, base.base, Catalog::builtIn());
        QCOMPARE(request.gpuCounts, (std::vector<std::int64_t>{3, 6, 12, 20}));
        QCOMPARE(request.accelerators.size(), std::size_t(3));
        QCOMPARE(request.accelerators[0].pricePerGpuHour, std::optional(3.0)); // the scenario's for its own
        QCOMPARE(request.accelerators[1].pricePerGpuHour, std::optional(1.25));
        QCOMPARE(request.accelerators[2].pricePerGpuHour,
                 std::optional(Catalog::builtIn().accelerator("mi300x")->price->usdPerHour));
        QVERIFY(request.objective == PlanObjective::Mfu && request.slowEnd && request.smallerWithinInterval);
        QCOMPARE(request.limits.deadlineS, std::optional(2 * 86400.0));
        QVERIFY(!request.users);
        QVERIFY(request.free.has(PlanDimension::Offload) && !request.free.has(PlanDimension::Precision));
        const PlanRequest held =
            planRequest(question, base.base, Catalog::builtIn(), [](std::string_view id) { return id == "tensor"; });
        QVERIFY(request.free.has(PlanDimension::Tensor) && !held.free.has(PlanDimension::Tensor));
    }

    /// Asked for the least cost, a plan took the fewest GPUs without a word where one device of several has no price.
    void whatStandsInForCostIsSaid()
    {
        const PreparedScenario base = test::serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.hardware.pricePerGpuHour = 2;
            s.inference.requestsPerS = 2;
        });
        PlanQuestion question;
        question.mostGpus = 4;
        const auto noted = [&] {
            const PlanResult result = plan(planRequest(question, base, Catalog::builtIn())).value();
            return std::ranges::find(result.notes, "Not ranked by cost but by the fewest GPUs: no price is known of "
                                                   "Gaudi 3") != result.notes.end();
        };
        QVERIFY(!noted());
        question.accelerators = {{"gaudi3", {}}};
        QVERIFY(!knownPrice(*Catalog::builtIn().accelerator("gaudi3"), PriceKind::OnDemand));
        QVERIFY(noted());
        question.objective = PlanGoal::Gpus;
        QVERIFY(!noted());
        question.objective = PlanGoal::Cost;
        question.accelerators = {{"gaudi3", 3.0}};
        QVERIFY(!noted());
    }
};
HEADROOM_TEST(TestPlanTies)

} // namespace headroom::test_plan_ties
#include "test_plan_ties.moc"
