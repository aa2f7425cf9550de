// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan says: why cheaper options fail, what absurd wishes get, and answers that can be checked by hand.
#include "core/catalog/catalog.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/plan/planner_base.hpp"
#include "core/plan/planner_table.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace headroom::test_planner_report
{

using test::planBase;

namespace
{

PlanResult planned(const PlanRequest& request)
{
    const auto start = std::chrono::steady_clock::now();
    auto result = plan(request);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (!result)
        qFatal("%s", toText(result.error().front()).c_str());
    if (took.count() > 30 * test::timesSlower)
        qFatal("an answer is due at once");
    return std::move(*result);
}

/// Llama 2 70B in 16 bit with 16-bit cache: 138 GB of weights.
PlanRequest llama70b()
{
    PlanRequest request;
    request.base = planBase("llama-2-70b", "h100-sxm-80gb", Task::Inference);
    request.free = PlanDimensions::usual().lock(PlanDimension::Precision).lock(PlanDimension::KvCache);
    request.gpuCounts = {1, 2, 4, 8};
    return request;
}

/// Numbers and units are joined by a narrow no-break space; a plain one reads better here.
std::string plain(const std::string& text)
{
    return QString::fromStdString(text).replace(QChar(0x202F), QLatin1Char(' ')).toStdString();
}

bool says(const PlanResult& result, const std::string& text)
{
    return std::ranges::any_of(result.rejected, [&text](const PlanRejection& rejection) {
        return plain(rejection.reason).find(text) != std::string::npos;
    });
}

#define VERIFY_SAYS(result, text) QVERIFY2(says(result, text), reasons(result).c_str())

std::string reasons(const PlanResult& result)
{
    std::string all;
    for (const PlanRejection& rejection : result.rejected)
        all += plain(rejection.reason) + "\n";
    return all.empty() ? "no rejections" : all;
}

} // namespace

class TestPlannerReport : public QObject
{
    Q_OBJECT
private slots:
    /// What has the name of a figure is that figure: under a load not what a full batch would give.
    void columnsAreTheFiguresTheyAreNamedAfter()
    {
        PlanRequest request = llama70b();
        request.base.hardware.pricePerGpuHour = 3;
        request.base.inference.requestsPerS = 1;
        const PlanResult result = planned(request);
        QVERIFY(!result.ranked.empty());
        int named = 0;
        for (const PlanColumn& column : planColumns(Task::Inference))
            for (const MetricRow& metric : metricRegistry()) {
                std::string name(metric.id);
                std::ranges::replace(name, '.', '_');
                if (name != column.id)
                    continue;
                ++named;
                const PlanOption& best = result.ranked.front();
                QVERIFY2(column.value(best) == metric.value(best.evaluation), name.c_str());
            }
        QVERIFY(named > 4); // cost_per_hour, ttft_s, tpot_s, memory_share, mfu
    }

    /// 138 GB of weights and the cache do not fit two GPUs of 77 GB under this load, and heads do not divide by three:
    /// three stages hold them.
    void threeGpusDoWhereTwoAreTooFew()
    {
        PlanRequest request = llama70b();
        request.base.hardware.pricePerGpuHour = 1;
        request.base.inference.requestsPerS = 1;
        request.base.inference.promptTokens = 4096;
        request.gpuCounts = {1, 2, 3, 4};
        const PlanResult result = planned(request);
        QVERIFY(!result.ranked.empty());
        const PreparedScenario& best = result.ranked.front().scenario;
        QCOMPARE(best.hardware.count, std::int64_t(3));
        QCOMPARE(best.parallelism.pipeline, std::int64_t(3));
        QVERIFY(evaluate(best).fits);
    }

    void cacheThatDoesNotFitIsTheReason()
    {
        PlanRequest request = llama70b();
        request.free = request.free.lock(PlanDimension::Batch);
        request.base.inference.batch = 64;
        request.base.inference.promptTokens = 4096;
        request.objective = PlanObjective::Gpus;
        const PlanResult result = planned(request);
        // 320 KB of cache a token (80 layers × 8 heads × 128 × 2 × 2 bytes), 64 × 4352 tokens: 91 GB in all.
        QCOMPARE(result.ranked.front().scenario.hardware.count, 4);
        QCOMPARE(result.rejected.size(), std::size_t(2));
        VERIFY_SAYS(result, "2 × H100 SXM5 80GB fails: the weights leave ");
        VERIFY_SAYS(result, " for a cache that needs 45.6 GB");
        VERIFY_SAYS(result, "1 × H100 SXM5 80GB fails: the weights take 138 GB of the 77.0 GB");
    }

    void missedTargetIsTheReason()
    {
        PlanRequest request = llama70b();
        request.base.inference.tpotTargetS = 0.016;
        const PlanResult result = planned(request);
        QVERIFY(!result.ranked.empty());
        for (const PlanOption& option : result.ranked)
            QVERIFY(option.evaluation.fits && *option.evaluation.tpotS <= 0.016);
        VERIFY_SAYS(result, "against a target of 16.0 ms");
        QVERIFY(*result.rejected.front().nearest.evaluation.tpotS > 0.016);
    }

    /// A lock on replicas that follow from the count: the window asks from a base whose other sizes are at their least.
    void lockedReplicasStayAsManyAsTheyAre()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        scenario.hardware.count = 8;
        scenario.parallelism.tensor = 2;
        const PlanDimensions locked = PlanDimensions::usual().lock(PlanDimension::Replicas);
        QCOMPARE(*headroom::planBase(scenario, locked, false).parallelism.replicas, std::int64_t(4));
        QCOMPARE(headroom::planBase(scenario, locked, false).hardware.count, std::int64_t(4));
        QVERIFY(!headroom::planBase(scenario, PlanDimensions::usual(), false).parallelism.replicas);
    }

    void loadDecidesTheReplicas()
    {
        PlanRequest request = llama70b();
        request.gpuCounts = {1, 4096};
        for (const double load : {1.0, 10.0, 100.0}) {
            request.base.inference.requestsPerS = load;
            const PlanResult result = planned(request);
            QVERIFY(!result.ranked.empty());
            const PlanOption& best = result.ranked.front();
            const QueueResult queue = *best.evaluation.queue;
            QVERIFY(queue.utilization < 1 && queue.p95WaitS.has_value());
            PlanOption less = best; // one replica less has to fail
            const std::int64_t replicas = *best.scenario.parallelism.replicas;
            if (replicas == 1)
                continue;
            less.scenario.hardware.count -= less.scenario.hardware.count / replicas;
            less.scenario.parallelism.replicas = replicas - 1;
            QVERIFY(evaluate(less.scenario).queue->utilization >= 1);
        }
        VERIFY_SAYS(planned(request), "of what it can serve");
    }

    void nothingServesAnInfiniteLoad()
    {
        PlanRequest request = llama70b();
        request.base.inference.requestsPerS = 1e9;
        const PlanResult result = planned(request);
        QVERIFY(result.ranked.empty() && result.front.empty());
        VERIFY_SAYS(result, "replicas of this kind would be needed");
    }

    void aModelThatFitsNowhere()
    {
        PlanRequest request;
        request.base = planBase("llama-3.1-405b", "a10", Task::Training);
        request.gpuCounts = {1, 2, 4, 8};
        const PlanResult result = planned(request);
        QVERIFY(result.ranked.empty());
        QCOMPARE(result.counts.evaluated, std::uint64_t(0));
        VERIFY_SAYS(result, "8 × A10 fails: the leanest layout needs ");
    }

    void aDeadlineOfASecondAndAMillionGpus()
    {
        PlanRequest request;
        request.base = planBase("llama-3.1-405b", "h100-sxm-80gb", Task::Training);
        request.base.training.trainingTokens = 1e13;
        request.gpuCounts = {1000000};
        request.limits.deadlineS = 1;
        const PlanResult result = planned(request);
        QVERIFY(result.ranked.empty());
        VERIFY_SAYS(result, "the deadline is 1.00 s");
        request.limits = {};
        QVERIFY(!planned(request).ranked.empty());
    }

    void nobodyNeedsNothing()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Inference);
        request.gpuCounts = {1, 8};
        for (const double load : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
            request.base.inference.requestsPerS = load;
            const auto result = plan(request);
            QVERIFY(!result);
            QCOMPARE(result.error().front().path, std::string("/workload/requests_per_s"));
        }
        request.base.inference.requestsPerS.reset();
        request.users = PlanUsers{0, 10};
        QCOMPARE(plan(request).error().front().path, std::string("/workload/requests_per_s"));
        request.users->count = 1;
        QVERIFY(!planned(request).ranked.empty());
    }

    void moneyThatBuysNothing()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
        request.gpuCounts = {8, 16, 32};
        request.limits.costPerHour = 10;
        PlanResult result = planned(request);
        QCOMPARE(result.counts.excludedByLimit, result.counts.configurations);
        VERIFY_SAYS(result, "8 × H100 SXM5 80GB fails: it costs $24.00 an hour against a limit of $10.00");
        request.limits.costPerHour = 50;
        result = planned(request);
        QVERIFY(!result.ranked.empty());
        for (const PlanOption& option : result.ranked)
            QVERIFY(option.scenario.hardware.count <= 16);
    }

    /// Spares stand by and are paid for: with eight of them $36 an hour buy four GPUs that train, not twelve.
    void sparesAreBoughtToo()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
        request.base.training.reliability.gpuMtbfHours = 5e4;
        request.base.training.reliability.spares = 8;
        request.base.training.trainingTokens = 1e12;
        request.gpuCounts = {4, 8};
        request.limits.costPerHour = 36;
        request.limits.deadlineS = 1;
        const PlanResult result = planned(request);
        QVERIFY(result.ranked.empty() && !result.rejected.empty());
        QVERIFY2(result.rejected.front().reason.starts_with("4 × H100 SXM5 80GB fails: the fastest layout trains"),
                 result.rejected.front().reason.c_str());
        request.limits = {};
        request.limits.costPerHour = 20;
        request.gpuCounts = {4};
        const PlanCounts counts = planned(request).counts;
        QCOMPARE(counts.excludedByLimit, counts.configurations);
    }

    void noLegalLayoutIsSaid()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
        request.base.training.globalBatch = 5;
        request.base.parallelism.tensor = 2;
        request.free = request.free.lock(PlanDimension::Tensor);
        request.gpuCounts = {7};
        const PlanResult result = planned(request);
        QCOMPARE(result.counts.configurations, std::uint64_t(0));
        QVERIFY(!result.notes.empty() && result.notes.back().find("No legal layout") == 0);
    }

    void requestsWithoutMeaningAreRefused()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
        QCOMPARE(plan(request).error().front().path, std::string("/hardware/count"));
        request.gpuCounts = {0};
        QCOMPARE(plan(request).error().front().code, std::string("out-of-range"));
        request.gpuCounts = {8};
        request.limits.deadlineS = 1e6;
        QCOMPARE(plan(request).error().front().path, std::string("/workload/training_tokens"));
        request.limits = {};
        request.base.hardware.pricePerGpuHour = std::nullopt;
        QCOMPARE(plan(request).error().front().path, std::string("/hardware/price_per_gpu_hour"));
        request.objective = PlanObjective::Time;
        QVERIFY(!planned(request).ranked.empty());
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Inference);
        request.limits.deadlineS = 1e6;
        QCOMPARE(plan(request).error().front().code, std::string("wrong-task")); // and not: give training_tokens
    }

    void heldValuesStay()
    {
        PlanRequest request;
        request.base = planBase("llama-3-70b", "h100-sxm-80gb", Task::Training);
        request.base.parallelism.tensor = 4;
        request.base.training.checkpointing = Checkpointing::Full;
        request.gpuCounts = {64};
        request.free =
            request.free.lock(PlanDimension::Tensor).lock(PlanDimension::Checkpointing).lock(PlanDimension::Precision);
        const PlanResult result = planned(request);
        QCOMPARE(result.ranked.size(), request.top);
        for (const PlanOption& option : result.ranked) {
            QCOMPARE(option.scenario.parallelism.tensor, 4);
            QVERIFY(option.scenario.training.checkpointing == Checkpointing::Full);
            QVERIFY(option.scenario.training.precision == DataType::Bf16);
            QVERIFY(checkSetup(option.scenario).empty());
            QVERIFY(option.evaluation == evaluate(option.scenario));
        }
    }

    void jsonIsWhole()
    {
        const PlanRequest request = llama70b();
        const PlanResult result = planned(request);
        const auto json = nlohmann::json::parse(planJson(result));
        QCOMPARE(json["ranked"].size(), result.ranked.size());
        QCOMPARE(json["front"].size(), result.front.size());
        QCOMPARE(json["rejected"].size(), result.rejected.size());
        QCOMPARE(json["counts"]["configurations"].get<std::uint64_t>(), result.counts.configurations);
        QCOMPARE(json["ranked"][0]["evaluation"]["tpot_s"].get<double>(), *result.ranked[0].evaluation.tpotS);
        QCOMPARE(json["ranked"][0]["count"].get<std::int64_t>(), result.ranked[0].scenario.hardware.count);
    }
};
HEADROOM_TEST(TestPlannerReport)

} // namespace headroom::test_planner_report
#include "test_planner_report.moc"
