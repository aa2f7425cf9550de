// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of steps of reinforcement learning: every split and every size of a copy tried by hand, and what an answer
// says.
#include "core/plan/planner_bounds.hpp"
#include "core/plan/planner_map.hpp"
#include "core/plan/planner_table.hpp"
#include "core/plan/several_changes.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::test_planner_rl
{

using planner::rlValues;
using planner::valuesOf;
using test::bruteForce;
using test::BruteForce;
using test::near;
using test::planBase;

namespace
{

PlanRequest requestOf(const char* model, RlPlacement placement)
{
    PlanRequest request;
    request.base = planBase(model, "h100-sxm-80gb", Task::Training);
    request.base.training.trainingTokens = 1e9;
    RlWorkload& w = request.base.training.rl;
    w.prompts = 64;
    w.samples = 8;
    w.promptTokens = 200;
    w.outputTokens = 1000;
    w.placement = placement;
    request.gpuCounts = {8};
    request.threads = 1;
    return request;
}

template <typename T>
T oneOf(std::initializer_list<T> values)
{
    return *rc::gen::elementOf(std::vector<T>(values));
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

double valueOf(const PlanOption& option, PlanObjective objective)
{
    return option.values[static_cast<std::size_t>(objective)].value_or(-1);
}

PlanRequest problem()
{
    PlanRequest request = requestOf(oneOf<const char*>({"gpt-3-xl", "llama-3-8b", "qwen1.5-moe-a2.7b"}),
                                    oneOf({RlPlacement::Colocated, RlPlacement::Separate}));
    TrainingWorkload& t = request.base.training;
    t.sequenceLength = oneOf<std::int64_t>({1024, 8192});
    if (*rc::gen::inRange(0, 2) == 0)
        t.globalBatch = oneOf<std::int64_t>({48, 256});
    RlWorkload& w = t.rl;
    w.staleness = oneOf<std::int64_t>({0, 1, 3});
    w.critic = *rc::gen::inRange(0, 3) == 0;
    if (*rc::gen::inRange(0, 2) == 0)
        w.outputTokensP99 = oneOf<std::int64_t>({2000, 8000});
    w.rolloutCount = oneOf<std::optional<std::int64_t>>({std::nullopt, 4});
    w.rolloutTensor = oneOf<std::optional<std::int64_t>>({std::nullopt, 2});
    if (*rc::gen::inRange(0, 3) == 0) {
        t.reliability.gpuMtbfHours = oneOf({1e3, 5e4});
        t.reliability.spares = oneOf<std::int64_t>({0, 2});
    }
    request.gpuCounts = oneOf<std::vector<std::int64_t>>({{8}, {2, 4}, {6, 12}, {32}});
    request.free = PlanDimensions::all()
                       .lock(PlanDimension::Precision)
                       .lock(PlanDimension::Offload)
                       .lock(PlanDimension::Gradients)
                       .lock(PlanDimension::ChunkedLoss);
    for (const PlanDimension d : {PlanDimension::Tensor, PlanDimension::Context, PlanDimension::Checkpointing,
                                  PlanDimension::Sharding, PlanDimension::RolloutGpus, PlanDimension::RolloutTensor})
        if (*rc::gen::inRange(0, 4) == 0)
            request.free = request.free.lock(d);
    if (request.gpuCounts.back() > 12) // each of 16 splits is a search of its own
        request.free = request.free.lock(PlanDimension::Checkpointing).lock(PlanDimension::Replicas);
    const std::initializer_list<PlanObjective> objectives{PlanObjective::Cost, PlanObjective::Time,
                                                          PlanObjective::Gpus};
    request.objective = oneOf(objectives);
    request.front = {oneOf(objectives), oneOf(objectives)};
    request.top = oneOf<std::size_t>({1, 5, 20});
    request.threads = oneOf({1u, 2u});
    if (*rc::gen::inRange(0, 3) == 0)
        request.limits.deadlineS = oneOf({3e4, 1e5, 3e5});
    if (*rc::gen::inRange(0, 4) == 0)
        request.limits.costToTrain = oneOf({300.0, 1000.0});
    if (*rc::gen::inRange(0, 4) == 0)
        request.limits.costPerHour = oneOf({14.0, 25.0});
    return request;
}

void compare(const PlanRequest& request)
{
    const auto found = plan(request);
    RC_ASSERT(found.has_value());
    const BruteForce truth = bruteForce(request);
    RC_LOG() << truth.configurations << " configurations, " << truth.ranked.size() << " feasible, "
             << found->counts.evaluated << " evaluated\n";
    RC_CLASSIFY(!truth.ranked.empty(), "has an answer");
    RC_ASSERT(found->counts.configurations == truth.configurations);
    RC_ASSERT(found->counts.decided() == truth.configurations);
    RC_ASSERT(found->ranked.size() == std::min(truth.ranked.size(), request.top));
    for (std::size_t i = 0; i < found->ranked.size(); ++i)
        RC_ASSERT(near(valueOf(found->ranked[i], request.objective), truth.ranked[i][0]));
    for (const PlanOption& option : found->ranked)
        RC_ASSERT(checkSetup(option.scenario.setup()).empty());
    for (const auto& point : truth.front) {
        const bool there = std::ranges::any_of(found->front, [&](const PlanOption& option) {
            return valueOf(option, request.front[0]) <= point[0] * (1 + 1e-9) &&
                   valueOf(option, request.front[1]) <= point[1] * (1 + 1e-9);
        });
        RC_ASSERT(there);
    }
}

} // namespace

class TestPlannerRl : public QObject
{
    Q_OBJECT
private slots:
    void agreesWithBruteForce()
    {
        QVERIFY(rc::check("reinforcement learning", [] { compare(problem()); }));
    }

    /// However the states are kept, and to the digit where generation decides.
    void noStepIsShorterThanTheLeast()
    {
        test::RandomScenarios scenarios(4);
        double closest = 0;
        for (int i = 0; i < 3000; ++i) {
            PreparedScenario s = scenarios.next(Task::Training);
            s.measured = {};
            s.phases.reset();
            if (s.training.checkpointing == Checkpointing::Unknown)
                s.training.checkpointing = Checkpointing::Full;
            if (!isRl(s))
                s.training.rl.prompts = 32;
            const RlResult generation = rlGeneration(s), least = leastRlStep(s, generation), whole = rlStep(s);
            QVERIFY2(least.stepS <= whole.stepS && learnS(least) <= learnS(whole),
                     qPrintable(QStringLiteral("%1 > %2").arg(least.stepS, 0, 'g', 17).arg(whole.stepS, 0, 'g', 17)));
            closest = std::max(closest, least.stepS / whole.stepS);
            QCOMPARE(rlStep(s, generation), whole);
            const Evaluation e = evaluate(s);
            const auto exact = valuesOf(s, e), bound = rlValues(s, least);
            for (std::size_t o = 0; o < planObjectiveCount; ++o)
                QVERIFY(bound[o] <= exact[o]);
            if (!e.goodput)
                QCOMPARE(rlValues(s, whole), exact);
        }
        QCOMPARE(closest, 1.0);
    }

    /// Where generation takes longer than any of them learns: the one that learns soonest, of those with room to spare.
    void ofEqualStepsTheOneWithMostTimeToSpareIsFirst()
    {
        PlanRequest request = requestOf("llama-3-8b", RlPlacement::Separate);
        request.base.training.rl.staleness = 1;
        request.base.training.rl.outputTokensP99 = 8000;
        request.gpuCounts = {64};
        request.objective = PlanObjective::Time;
        const auto found = plan(request);
        QVERIFY(found && found->ranked.size() > 5);
        const PlanOption &first = found->ranked[0], &second = found->ranked[1];
        QCOMPARE(first.evaluation.rl->stepS, second.evaluation.rl->stepS);
        QVERIFY(learnS(*first.evaluation.rl) <= learnS(*second.evaluation.rl));
        QVERIFY(first.evaluation.usedBytesInterval->high <= first.evaluation.capacityBytes);
        QCOMPARE(riskText(request, first), std::string());
    }

    /// What a row says of sizes and workload is what a scenario file takes.
    void aRowIsWhatAFileTakes()
    {
        for (const bool learns : {true, false}) {
            PlanRequest request = requestOf("llama-3-8b", RlPlacement::Colocated);
            if (!learns)
                request.base.training.rl = {};
            const auto found = plan(request);
            QVERIFY(found && !found->ranked.empty());
            const auto document = nlohmann::json::parse(planJson(*found));
            for (const auto& row : document["ranked"]) {
                nlohmann::json workload = row["workload"];
                workload["task"] = "training";
                QCOMPARE(workload.contains("global_batch"), !learns);
                const nlohmann::json file{{"format", "headroom-scenario"},
                                          {"version", 1},
                                          {"model", "llama-3-8b"},
                                          {"hardware", {{"accelerator", row["accelerator"]}, {"count", row["count"]}}},
                                          {"parallelism", row["parallelism"]},
                                          {"workload", workload}};
                const auto reading = readScenario(file.dump(), Catalog::builtIn());
                QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
            }
        }
    }

    /// GPUs and their price are those of both sides, wherever an answer says them.
    void countsBothSides()
    {
        PlanRequest request = requestOf("llama-3-8b", RlPlacement::Separate);
        request.gpuCounts = {16};
        auto found = plan(request);
        QVERIFY(found && !found->ranked.empty());
        const PlanOption& best = found->ranked.front();
        QCOMPARE(planGpus(best), 16.0);
        QCOMPARE(valueOf(best, PlanObjective::Gpus), 16.0);
        const RlWorkload& w = best.scenario.training.rl;
        QCOMPARE(best.scenario.hardware.count + *w.rolloutCount, 16);
        QCOMPARE(*best.evaluation.costPerHour, 48.0);
        const std::string copies = "generating " + std::to_string(*w.rolloutCount / *w.rolloutTensor) + " × TP " +
                                   std::to_string(*w.rolloutTensor);
        QVERIFY2(layoutText(best).ends_with(copies), layoutText(best).c_str());
        QVERIFY(contains(planJson(*found), R"("rollout_pool":{"count":)" + std::to_string(*w.rolloutCount)));
        QVERIFY(!contains(planJson(*found), R"("global_batch")")); // an update is of all answers
        QVERIFY(contains(planCsv(Task::Training, found->ranked), "\r\n1,16,h100-sxm-80gb,"));
        request.limits.costPerHour = 47;
        found = plan(request);
        QVERIFY(found && found->ranked.empty());
        QCOMPARE(found->counts.excludedByLimit, found->counts.configurations);
        QVERIFY(!found->rejected.empty());
        QVERIFY(found->rejected.front().reason.starts_with("16 × "));
    }

    /// No figure of the update stands for one of the step, and none has an interval.
    void showsTheStepNotTheUpdate()
    {
        for (const RlPlacement placement : {RlPlacement::Colocated, RlPlacement::Separate}) {
            const auto found = plan(requestOf("llama-3-8b", placement));
            QVERIFY(found && !found->ranked.empty());
            const PlanOption& best = found->ranked.front();
            const RlResult& rl = *best.evaluation.rl;
            for (const PlanColumn& column : planColumns(Task::Training)) {
                const auto value = column.value(best);
                if (column.id == "mfu" || column.id == "joules_per_token")
                    QVERIFY(!value);
                if (column.id == "step_time_s")
                    QCOMPARE(*value, rl.stepS);
                if (column.id == "tokens_per_s")
                    QCOMPARE(*value, rl.tokens / rl.stepS);
                QVERIFY(!planInterval(column, best));
            }
            const auto says = [&](const char* text) {
                return std::ranges::any_of(found->notes, [&](const auto& note) { return contains(note, text); });
            };
            QVERIFY(says("1.1 to 1.8 times as long"));
            QVERIFY(!says("micro-batch × data sequences"));
            QCOMPARE(says("those that generate together"), placement == RlPlacement::Separate);
        }
    }

    void whatItDoesNotHaveIsRefused()
    {
        PlanRequest request = requestOf("llama-3-8b", RlPlacement::Separate);
        for (const PlanObjective objective : {PlanObjective::Mfu, PlanObjective::Energy}) {
            request.objective = objective;
            const auto refused = plan(request);
            QVERIFY(!refused);
            QCOMPARE(refused.error().front().path, "/workload/rl");
        }
        request.objective = PlanObjective::Cost;
        request.gpuCounts = {1};
        QVERIFY(!plan(request));
        request.base.training.rl.placement = RlPlacement::Colocated;
        QVERIFY(plan(request).has_value());
    }

    /// A copy that generates may be what does not fit.
    void saysWhichSideDoesNotFit()
    {
        PlanRequest request = requestOf("llama-3-70b", RlPlacement::Separate);
        request.base.training.method = Method::Qlora; // trains on one GPU, and generates in 16 bit
        request.gpuCounts = {2};
        const auto found = plan(request);
        QVERIFY(found && found->ranked.empty());
        QVERIFY(!found->rejected.empty());
        QVERIFY2(contains(found->rejected.front().reason, "a copy that generates needs"),
                 found->rejected.front().reason.c_str());
    }

    /// What to change next is about the whole step, and the planner's answer is taken by one click.
    void severalChangesShortenTheStep()
    {
        for (const RlPlacement placement : {RlPlacement::Colocated, RlPlacement::Separate}) {
            PreparedScenario s = requestOf("llama-3-8b", placement).base;
            s.hardware.count = 16;
            s.training.rl.outputTokens = 2000; // most of the step is writing
            s.training.rl.staleness = placement == RlPlacement::Separate ? 1 : 0;
            const Evaluation before = evaluate(s);
            for (const Advice& single : improvements(s, before)) {
                QVERIFY2(contains(single.text, "RL step "), single.text.c_str());
                QVERIFY(!contains(single.text, "the tokens a step"));
                QVERIFY(single.after.rl->stepS < before.rl->stepS);
            }
            const auto several = severalChanges(s, before);
            QVERIFY(several);
            QVERIFY2(contains(several->text, "RL step "), several->text.c_str());
            PreparedScenario after = s;
            applyEdits(after, several->edits);
            QVERIFY(checkSetup(after.setup()).empty());
            QCOMPARE(evaluate(after).rl->stepS, several->after.rl->stepS);
            QVERIFY(several->after.rl->stepS < 0.9 * before.rl->stepS);
            QCOMPARE(several->after.rl->gpus, before.rl->gpus);
            QCOMPARE(several->after.rl->answers, before.rl->answers);
            const auto held = severalChanges(s, before, [](std::string_view id) { return id == "rl_rollout_tensor"; });
            if (held)
                QVERIFY(
                    std::ranges::none_of(held->edits, [](const auto& e) { return e.row->id == "rl_rollout_tensor"; }));
        }
    }

    void theMapHasWhatAMillionTokensCost()
    {
        const PlanMap map = planMap(requestOf("llama-3-8b", RlPlacement::Separate));
        const auto best = std::ranges::find_if(map.cells, [](const PlanCell& cell) { return cell.best.has_value(); });
        QVERIFY(best != map.cells.end());
        QVERIFY(best->best->evaluation.costPerMillionTokens.has_value());
    }
};
HEADROOM_TEST(TestPlannerRl)

} // namespace headroom::test_planner_rl
#include "test_planner_rl.moc"
