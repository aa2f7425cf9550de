// SPDX-License-Identifier: GPL-3.0-or-later
// What stands around a plan: growth, the map of what is feasible, users in place of requests, and its charts.
#include "core/charts/plan_charts.hpp"
#include "core/plan/planner_growth.hpp"
#include "core/plan/planner_table.hpp"
#include "core/units/format.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace headroom::test_planner_growth
{

using test::planBase;

namespace
{

PlanRequest serving()
{
    PlanRequest request;
    request.base = planBase("llama-2-70b", "h100-sxm-80gb", Task::Inference);
    request.base.inference.requestsPerS = 5;
    request.base.inference.tpotTargetS = 0.03;
    request.base.inference.ttftTargetS = 2;
    request.gpuCounts = {1, 256};
    return request;
}

PlanRequest training()
{
    PlanRequest request;
    request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
    request.base.training.trainingTokens = 1e11;
    request.base.training.globalBatch = 256;
    request.gpuCounts = {8, 16, 32, 64, 128};
    request.limits.deadlineS = 10 * 86400;
    return request;
}

} // namespace

class TestPlannerGrowth : public QObject
{
    Q_OBJECT
private slots:
    void eachMultipleIsAPlanOfItsOwn()
    {
        const PlanRequest request = serving();
        const auto rows = planGrowth(request, growthMultiples);
        QVERIFY(rows.has_value());
        QCOMPARE(rows->size(), growthMultiples.size());
        std::int64_t before = 0;
        for (const PlanGrowthRow& row : *rows) {
            QVERIFY2(row.best, row.reason.c_str());
            QVERIFY(std::abs(*row.best->scenario.inference.requestsPerS - 5 * row.multiple) < 1e-9);
            QVERIFY(row.best->scenario.hardware.count >= before);
            before = row.best->scenario.hardware.count;
        }
        const auto alone = plan(request);
        QCOMPARE(*rows->front().best->evaluation.costPerHour, *alone->ranked.front().evaluation.costPerHour);
    }

    /// Without a date or a budget one search answers for all: each row is what a plan of its own would be.
    void withoutADateTheDeploymentStays()
    {
        PlanRequest request = training();
        request.limits = {};
        request.base.training.reliability.gpuMtbfHours = 5e4;
        const auto rows = planGrowth(request, growthMultiples);
        QVERIFY(rows.has_value());
        QCOMPARE(rows->size(), growthMultiples.size());
        for (const PlanGrowthRow& row : *rows) {
            PlanRequest grown = request;
            *grown.base.training.trainingTokens *= row.multiple;
            const PlanOption own = plan(grown)->ranked.front();
            QCOMPARE(deploymentId(*row.best), deploymentId(own));
            QCOMPARE(*row.best->evaluation.costToTrain, *own.evaluation.costToTrain);
            QCOMPARE(*row.best->evaluation.secondsToTrain, *own.evaluation.secondsToTrain);
        }
    }

    void aStoppedTableSaysWhichRowsItLacks()
    {
        std::stop_source stopped;
        stopped.request_stop();
        const auto rows = planGrowth(serving(), growthMultiples, stopped.get_token());
        QVERIFY(rows && rows->empty());
        QCOMPARE(missingMultiples(growthMultiples, *rows), std::string("Stopped: 1×, 2×, 5×, 10× were not searched"));
        const auto some = planGrowth(serving(), std::array{1.0});
        QCOMPARE(missingMultiples(std::array{1.0, 2.5}, *some), std::string("Stopped: 2.50× were not searched"));
        QCOMPARE(missingMultiples(std::array{1.0}, *some), std::string());
    }

    void trainingGrowsByItsTokens()
    {
        const auto rows = planGrowth(training(), std::array{1.0, 4.0, 1e6});
        QVERIFY(rows.has_value());
        QCOMPARE(rows->size(), std::size_t(3));
        QVERIFY((*rows)[0].best && *(*rows)[0].best->evaluation.secondsToTrain <= 10 * 86400);
        QVERIFY(!(*rows)[2].best);
        QVERIFY2((*rows)[2].reason.find("the deadline is") != std::string::npos, (*rows)[2].reason.c_str());
        PlanRequest request = training();
        request.limits = {};
        request.base.training.trainingTokens = std::nullopt;
        QVERIFY(planGrowth(request, growthMultiples)->empty());
    }

    /// The last note was taken for the reason, whatever it was about.
    void aRowWithoutALayoutSaysWhy()
    {
        PlanRequest request = training();
        request.gpuCounts = {997}; // a prime
        request.base.training.globalBatch = 3;
        request.base.phases = std::make_shared<const TrainingPhases>(1);
        QVERIFY(plan(request)->notes.back().starts_with("The plan is for one phase"));
        const auto rows = planGrowth(request, std::array{1.0, 2.0});
        QCOMPARE(rows->size(), std::size_t(2));
        for (const PlanGrowthRow& row : *rows)
            QVERIFY2(row.reason.starts_with("No legal layout"), row.reason.c_str());
    }

    void usersWaitForTheirAnswers()
    {
        PlanRequest request = serving();
        request.users = PlanUsers{64, 0};
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty());
        for (const PlanOption& option : result->ranked) {
            // 64 requests are always under way: some of them are read, or wait for one of fewer places (Little's law).
            const Evaluation& e = option.evaluation;
            const double waitS = *e.queue->meanWaitS, places = e.queue->mostBatch * e.replicas;
            QVERIFY((waitS > 0) == (places < 64));
            QVERIFY(e.batch * e.replicas < 64 || places == 64);
            const bool isFull = places <= 64; // as seen from outside, within a percent of its own passes
            QVERIFY(std::abs(*e.requestsPerS * (*e.requestLatencyS + waitS) - 64) < (isFull ? 0.64 : 1e-6));
        }
        request.users = PlanUsers{0, 0};
        QCOMPARE(plan(request).error().front().code, std::string("out-of-range"));
    }

    /// In chunks of 1,000 tokens the long prompt takes eight steps beside the answers: the plan said what its passes
    /// take.
    void longPromptsInChunksTakeWhatTheEvaluationSays()
    {
        PlanRequest request = serving();
        request.base.inference.requestsPerS.reset();
        request.base.inference.ttftTargetS = 60;
        request.base.inference.batch = 16;
        request.base.inference.promptTokensP95 = 8192;
        request.base.inference.maxTokensPerPass = 1024;
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty());
        for (const PlanOption& option : result->ranked) {
            PreparedScenario asked = option.scenario;
            asked.inference.targetPercentile = TargetPercentile::P95;
            QCOMPARE(*option.ttftP95S, *evaluate(asked).tail->ttftS);
        }
    }

    /// Several rows stood for the 43 sequences that passes of 256 tokens serve, each with the latency of as many more
    /// that wait; a batch of 256 and more was no scenario at all.
    void noBatchIsLargerThanPassesServe()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Inference);
        InferenceWorkload& w = request.base.inference;
        w.promptTokens = 1000;
        w.outputTokens = 200;
        w.maxTokensPerPass = 256;
        request.gpuCounts = {1};
        request.objective = PlanObjective::Cost;
        for (const InferenceSoftware engine : {InferenceSoftware::Tuned, InferenceSoftware::Sglang}) {
            w.software = engine;
            for (const bool loaded : {false, true}) {
                w.requestsPerS = loaded ? std::optional(2.0) : std::nullopt;
                const auto result = plan(request);
                QVERIFY(result && !result->ranked.empty());
                std::set<std::int64_t> batches;
                for (const PlanOption& option : result->ranked) {
                    const std::int64_t batch = option.scenario.inference.batch;
                    QVERIFY(checkSetup(option.scenario).empty());
                    QVERIFY(batches.insert(batch).second);
                    QVERIFY(!option.evaluation.warnings.has(WarningCode::BatchLimitedByPass));
                }
                // 1 + 199 · 256 ÷ (1000 + 199) where prompts are read beside answers; else as many as fit.
                const auto fits = std::int64_t(*result->ranked.front().evaluation.maxBatch);
                if (engine == InferenceSoftware::Tuned || loaded)
                    QCOMPARE(*batches.rbegin(), engine == InferenceSoftware::Tuned ? 43 : fits);
                QCOMPARE(result->counts.unseen(), std::uint64_t{0});
            }
        }
    }

    void longPromptsTakeLonger()
    {
        PlanRequest request = serving();
        request.free = PlanDimensions::none().release(PlanDimension::Replicas);
        request.base.parallelism.tensor = 8;
        request.base.inference.batch = 16;
        const auto mean = plan(request);
        request.base.inference.promptTokensP95 = 8192;
        const auto spread = plan(request);
        QVERIFY(!mean->ranked.empty() && !spread->ranked.empty());
        QVERIFY(*spread->ranked.front().ttftP95S > 2 * *mean->ranked.front().ttftP95S);
        request.base.inference.ttftTargetS = 1.01 * *mean->ranked.front().ttftP95S;
        QVERIFY2(plan(request)->ranked.empty(), "the mean prompt would be in time, the long one is not");
    }

    void theMapSaysWhatFails()
    {
        PlanRequest request = serving();
        request.gpuCounts = {1, 2, 4, 8, 16, 64};
        const PlanMap map = planMap(request);
        QCOMPARE(map.cells.size(), map.rows.size() * map.gpus.size());
        // The answer of the plan may have batches between those of the map, and fewer GPUs.
        QVERIFY(charts::planMap(request, map).reading.starts_with("Fewest on this map: "));
        for (std::size_t i = 0; i < map.cells.size(); ++i) {
            PlanRequest one = request;
            one.gpuCounts = {map.gpus[i % map.gpus.size()]};
            one.free = one.free.lock(PlanDimension::Batch);
            one.base.inference.batch = map.rows[i / map.gpus.size()];
            QCOMPARE(map.cells[i].best.has_value(), !plan(one)->ranked.empty());
        }
        // One GPU cannot hold the weights, and a batch of one cannot carry five requests a second.
        QVERIFY(map.cells.front().cause == planner::LimitKind::Memory);
        QVERIFY(map.cells[3].cause == planner::LimitKind::Load);
        const ChartSpec chart = charts::planMap(request, map);
        QVERIFY(chart.heatMap.has_value());
        QCOMPARE(chart.heatMap->value.size(), map.cells.size());
        QVERIFY(chart.note.find("M memory") != std::string::npos);
        QVERIFY(chart.note.find("L load") != std::string::npos);
        QVERIFY(chart.note.find("deadline") == std::string::npos);
        // The plan's answer has its frame, where the map has its GPUs.
        QVERIFY(chart.guides.empty());
        PlanOption answer = plan(request)->ranked.front();
        const ChartSpec marked = charts::planMap(request, map, &answer);
        QCOMPARE(marked.guides.size(), std::size_t(1));
        QCOMPARE(map.gpus[std::size_t(marked.guides.front().x)], answer.scenario.hardware.count);
        QVERIFY(marked.note.ends_with("Framed: the answer"));
        PlanMap fails = map; // no cell that fails is the answer
        const auto column = std::size_t(marked.guides.front().x), row = std::size_t(marked.guides.front().y);
        fails.cells[row * map.gpus.size() + column].best.reset();
        const ChartSpec between = charts::planMap(request, fails, &answer);
        QVERIFY(between.guides.empty() && between.note.ends_with("The answer lies between the rows"));
        answer.scenario.hardware.count = 3;
        QVERIFY(charts::planMap(request, map, &answer).guides.empty());
    }

    void aMapOfCostsShadesByTheBest()
    {
        PlanRequest request = serving();
        request.base.inference.requestsPerS.reset(); // then cost is what is best
        request.base.hardware.pricePerGpuHour = 3;
        request.gpuCounts = {1, 2, 4, 8};
        const ChartSpec spec = charts::planMap(request, planMap(request));
        QVERIFY(spec.heatMap.has_value());
        QCOMPARE(std::ranges::max(spec.heatMap->value), 1.0);
        QCOMPARE(spec.heatMap->maximum, 1.0);
        QVERIFY2(spec.reading.find("Best cost of a million tokens on it: $") != std::string::npos,
                 spec.reading.c_str());
    }

    void theMapOfATrainingRun()
    {
        const PlanRequest request = training();
        const PlanMap map = planMap(request);
        QVERIFY(map.across == PlanDimension::Tensor);
        QCOMPARE(map.gpus, request.gpuCounts);
        QVERIFY(map.cells.back().best.has_value());
        QVERIFY(
            std::ranges::any_of(map.cells, [](const PlanCell& c) { return c.cause == planner::LimitKind::Deadline; }));
    }

    void theFrontIsAChart()
    {
        const PlanRequest request = training();
        const auto result = plan(request);
        const ChartSpec chart = charts::planFront(request, *result);
        QCOMPARE(chart.series.size(), std::size_t(3));
        QCOMPARE(chart.series.back().points.size(), result->front.size());
        QVERIFY(std::ranges::is_sorted(chart.series[1].points, {}, &Point::x));
        // A name is short enough to stand beside its dot, and inside the axes.
        for (std::size_t i = 0; i < result->front.size(); ++i) {
            const Point& dot = chart.series.back().points[i];
            QCOMPARE(dot.label, planMachines(result->front[i]));
            QCOMPARE(dot.detail, layoutText(result->front[i]));
            QVERIFY(dot.y < 0.95 * chart.y.maximum);
        }
        const PlanResult nothing;
        QVERIFY(charts::planFront(request, nothing).series.empty());
    }

    /// What nobody knows is drawn nowhere, least of all at 0.
    void withoutAPriceNoCostIsDrawn()
    {
        PlanRequest request = training();
        request.objective = PlanObjective::Gpus;
        request.front = {PlanObjective::Time, PlanObjective::Cost};
        request.base.hardware.pricePerGpuHour.reset();
        const auto result = plan(request);
        QVERIFY(!result->ranked.empty());
        QVERIFY(charts::planFront(request, *result).series.empty());
    }

    void tablesNameWhatBinds()
    {
        PlanRequest request = serving();
        const auto result = plan(request);
        const PlanOption& best = result->ranked.front();
        QVERIFY(!bindingConstraint(request, best).empty());
        request.base.inference.tpotTargetS = *best.evaluation.tpotS;
        QVERIFY2(bindingConstraint(request, best).starts_with("TPOT 100"), bindingConstraint(request, best).c_str());
        const std::string risk = riskText(request, best); // met to the digit: the slow end of the interval is over
        QVERIFY2(risk.starts_with("TPOT may reach ") && risk.find(" over the target of ") != std::string::npos,
                 risk.c_str());
        request.base.inference.tpotTargetS = 10 * *best.evaluation.tpotS;
        QCOMPARE(riskText(request, best), std::string());
        PlanOption full = plan(training())->ranked.front();
        full.evaluation.usedBytesInterval = Interval{60e9, 90e9};
        full.evaluation.warnings.add(WarningCode::MemoryMayNotFit, 90e9);
        QVERIFY2(riskText(training(), full).starts_with("Memory may reach " + formatText(90e9, ValueFormat::Bytes)),
                 riskText(training(), full).c_str());
        QVERIFY2(bindingConstraint(training(), full).ends_with(" may not fit"),
                 bindingConstraint(training(), full).c_str());
        PlanOption safe = full;
        safe.evaluation.warnings = {};
        QCOMPARE(riskText(training(), safe).find("memory"), std::string::npos);
        // A first row that may not fit says which is the first that does.
        PlanResult mixed;
        mixed.ranked = {full, full, safe};
        QVERIFY2(saferText(training(), mixed).starts_with("Rank 3 fits at that end, too: "),
                 saferText(training(), mixed).c_str());
        mixed.ranked.pop_back();
        QCOMPARE(saferText(training(), mixed), std::string("None of the 2 ranked surely fits"));
        mixed.ranked = {safe, full};
        QVERIFY(saferText(training(), mixed).empty());
        const std::string csv = planCsv(Task::Inference, result->ranked);
        QCOMPARE(std::ranges::count(csv, '\n'), std::ptrdiff_t(result->ranked.size() + 1));
        for (const Task task : {Task::Training, Task::Inference})
            for (const PlanColumn& column : planColumns(task))
                QVERIFY(!column.id.empty() && !column.label.empty() && !column.tip.empty());
    }

    void absurdWishesAreAnsweredAtOnce()
    {
        PlanRequest request = serving();
        request.gpuCounts = {1, 1000000};
        for (const double load : {1e-9, 1e4, 1e7, 1e12}) {
            request.base.inference.requestsPerS = load;
            const auto start = std::chrono::steady_clock::now();
            const auto result = plan(request);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            QVERIFY(result.has_value());
            QVERIFY(!result->ranked.empty() || !result->rejected.empty());
            QVERIFY2(took.count() < 10 * test::timesSlower, qPrintable(QString::number(took.count())));
        }
    }
};
HEADROOM_TEST(TestPlannerGrowth)

} // namespace headroom::test_planner_growth
#include "test_planner_growth.moc"
