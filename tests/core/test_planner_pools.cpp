// SPDX-License-Identifier: GPL-3.0-or-later
// The planner with a pool that reads prompts: both pools' layouts and numbers, against every combination of them.
#include "core/catalog/catalog.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/planner_growth.hpp"
#include "core/plan/planner_table.hpp"
#include "core/scenario/effective.hpp"
#include "tests/support/near.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <fmt/format.h>

namespace headroom::test_planner_pools
{

using test::keepsItsWord;
using test::near;
using test::planBase;

namespace
{

template <typename T>
T oneOf(std::initializer_list<T> values)
{
    return *rc::gen::elementOf(std::vector<T>(values));
}

double valueOf(const PlanRequest& request, const PlanOption& option)
{
    return *option.values[static_cast<std::size_t>(request.objective)];
}

PlanRequest poolsProblem()
{
    PlanRequest request;
    request.base = planBase(oneOf<const char*>({"llama-3-8b", "llama-2-13b"}),
                            oneOf<const char*>({"h100-sxm-80gb", "a100-sxm-40gb"}), Task::Inference);
    InferenceWorkload& w = request.base.inference;
    w.scheduling = Scheduling::Disaggregated;
    w.prefillPool.tensor = 1; // a pool
    w.promptTokens = oneOf<std::int64_t>({2000, 9000, 9000, 30000});
    w.outputTokens = oneOf<std::int64_t>({64, 256, 1000});
    w.batch = oneOf<std::int64_t>({1, 8, 20});
    w.software = oneOf({InferenceSoftware::Tuned, InferenceSoftware::Vllm});
    w.requestsPerS = oneOf({0.05, 0.2, 0.5, 2.0});
    if (*rc::gen::inRange(0, 3) == 0)
        w.promptTokensP95 = w.promptTokens * oneOf({1, 2});
    if (*rc::gen::inRange(0, 2) == 0)
        w.ttftTargetS = oneOf({0.3, 1.0, 3.0, 10.0});
    if (*rc::gen::inRange(0, 3) == 0)
        w.tpotTargetS = oneOf({0.012, 0.02, 0.05});
    if (*rc::gen::inRange(0, 3) == 0)
        w.prefillPool.batch = oneOf<std::int64_t>({1, 4});
    if (*rc::gen::inRange(0, 2) == 0)
        w.transferGbitPerS = oneOf({10.0, 400.0});
    if (*rc::gen::inRange(0, 3) == 0)
        w.arrivalCv = oneOf({0.5, 3.0});
    request.gpuCounts = oneOf<std::vector<std::int64_t>>({{1, 6}, {2, 5}, {1, 8}, {4}, {8}});
    request.exactCounts = *rc::gen::inRange(0, 4) == 0;
    request.free = PlanDimensions::usual().lock(PlanDimension::Pipeline).lock(PlanDimension::Context);
    if (*rc::gen::inRange(0, 3) == 0 && request.gpuCounts.back() < 6)
        request.free = request.free.release(oneOf({PlanDimension::Pipeline, PlanDimension::Context}));
    if (w.promptTokens < 9000 || *rc::gen::inRange(0, 2) == 0) // else too many batches to try
        request.free = request.free.lock(PlanDimension::Batch);
    request.objective = oneOf({PlanObjective::Cost, PlanObjective::Cost, PlanObjective::Time, PlanObjective::Energy,
                               PlanObjective::Gpus, PlanObjective::Mfu});
    request.top = oneOf<std::size_t>({1, 5});
    request.threads = oneOf({1u, 2u});
    if (*rc::gen::inRange(0, 4) == 0)
        request.limits.costPerHour = oneOf({7.0, 13.0, 20.0});
    if (*rc::gen::inRange(0, 3) == 0) { // two kinds of device, of which either may read
        const auto other = Catalog::builtIn().accelerator("l40s");
        request.accelerators = {{request.base.accelerator, 3.0}, {other, 1.0}};
        if (*rc::gen::inRange(0, 2) == 0) {
            request.accelerators.pop_back();
            request.base.prefillAccelerator = other;
            request.base.inference.prefillPool.accelerator = CatalogId::from(other->id);
            request.base.inference.prefillPool.pricePerGpuHour = 0.8;
        }
    }
    request.comparesOnePool = false;
    return request;
}

PlanRequest chat()
{
    PlanRequest request;
    request.base = planBase("llama-3-70b", "h100-sxm-80gb", Task::Inference);
    InferenceWorkload& w = request.base.inference;
    w.scheduling = Scheduling::Disaggregated;
    w.prefillPool.tensor = 4;
    w.promptTokens = 6000;
    w.outputTokens = 300;
    w.requestsPerS = 4;
    w.ttftTargetS = 3;
    request.base.hardware.pricePerGpuHour = 2;
    request.gpuCounts = {1, 64};
    return request;
}

bool hasNote(const PlanResult& result, const char* start)
{
    return std::ranges::any_of(result.notes, [&](const std::string& note) { return note.starts_with(start); });
}

} // namespace

class TestPlannerPools : public QObject
{
    Q_OBJECT
private slots:
    void agreesWithBruteForce()
    {
        QVERIFY(rc::check("pools", [] {
            compareWithTruth(poolsProblem());
            compareWithTruth(poolsProblem()); // two a time: 200 a run
        }));
    }
    static void compareWithTruth(const PlanRequest& request)
    {
        const auto found = plan(request);
        RC_ASSERT(found.has_value());
        const std::optional<double> truth = test::poolsBruteForce(request);
        RC_CLASSIFY(truth.has_value(), "has an answer");
        RC_ASSERT(found->counts.decided() == found->counts.configurations);
        if (!found->ranked.empty())
            RC_LOG() << layoutText(found->ranked.front()) << ": " << valueOf(request, found->ranked.front());
        RC_LOG() << ", the best is " << truth.value_or(-1) << ", objective " << int(request.objective) << "\n";
        RC_ASSERT(found->ranked.empty() == !truth);
        for (const auto& options : {found->ranked, found->front})
            for (const PlanOption& option : options) {
                RC_ASSERT(keepsItsWord(request, option));
                RC_ASSERT(checkSetup(option.scenario).empty());
                const double gpus = planGpus(option);
                RC_ASSERT(gpus >= double(request.gpuCounts.front()) && gpus <= double(request.gpuCounts.back()));
            }
        if (truth)
            RC_ASSERT(near(valueOf(request, found->ranked.front()), *truth));
    }

    /// One replica more waits so little that a reader may go: the least energy is not at the fewest replicas.
    void anotherReplicaLetsAReaderGo()
    {
        for (const InferenceSoftware software : {InferenceSoftware::Tuned, InferenceSoftware::Vllm}) {
            PlanRequest request;
            request.base = planBase("llama-2-13b", "h100-sxm-80gb", Task::Inference);
            InferenceWorkload& w = request.base.inference;
            w.scheduling = Scheduling::Disaggregated;
            w.prefillPool.tensor = w.prefillPool.batch = w.batch = 1;
            w.promptTokens = 9000;
            w.promptTokensP95 = 18000;
            w.outputTokens = 64;
            w.software = software;
            w.requestsPerS = 0.5;
            w.ttftTargetS = 1;
            w.transferGbitPerS = 400;
            request.gpuCounts = {1, 6};
            request.objective = PlanObjective::Energy;
            request.free = PlanDimensions::none().release(PlanDimension::Tensor).release(PlanDimension::Replicas);
            const auto found = plan(request);
            const auto truth = test::poolsBruteForce(request);
            QVERIFY(found && truth && !found->ranked.empty());
            QVERIFY(near(valueOf(request, found->ranked.front()), *truth));
        }
    }

    /// The whole answer: both pools priced, the ratio near the one at which neither waits, and one pool beside them.
    void findsTheRatioForALoad()
    {
        const PlanRequest request = chat();
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty());
        const PlanOption& best = result->ranked.front();
        QVERIFY(best.evaluation.pools.has_value());
        const PoolsResult& pools = *best.evaluation.pools;
        QCOMPARE(*best.evaluation.costPerHour, 2 * planGpus(best));
        QCOMPARE(*pools.prefill.costPerHour + *pools.decode.costPerHour, *best.evaluation.costPerHour);
        QVERIFY(pools.prefill.utilization < 1 && pools.decode.utilization < 1);
        // A GPU less on either side does not do.
        PlanRequest fewer = request;
        fewer.gpuCounts = {1, std::int64_t(planGpus(best)) - 1};
        const auto less = plan(fewer);
        QVERIFY(less && less->ranked.empty());
        QVERIFY(!less->notes.empty());
        const std::string json = planJson(*result);
        QVERIFY(json.find("\"prefill_pool\"") != std::string::npos);
        QVERIFY(json.find("\"one_pool\"") != std::string::npos);
        QVERIFY(layoutText(best).starts_with("prefill "));
        QVERIFY(deploymentId(best).find("prefill_pool") != std::string::npos);
    }

    /// Users who ask at once and have a place each fill what decodes, and need no second replica.
    void usersWithoutAPauseFillWhatDecodes()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Inference);
        InferenceWorkload& w = request.base.inference;
        w.scheduling = Scheduling::Disaggregated;
        w.prefillPool.tensor = 1;
        w.promptTokens = 1000;
        w.outputTokens = 200;
        w.batch = 16;
        request.gpuCounts = {1, 8};
        request.free = PlanDimensions::none().release(PlanDimension::Replicas);
        request.objective = PlanObjective::Gpus;
        for (const double thinkS : {0.0, 0.001}) {
            request.users = PlanUsers{16, thinkS};
            const auto result = plan(request);
            QVERIFY(result && !result->ranked.empty());
            QCOMPARE(planGpus(result->ranked.front()), 2.0);
            QVERIFY(!result->ranked.front().evaluation.warnings.has(WarningCode::LoadBeyondCapacity));
        }
    }

    /// The fullest GPU may be one that reads prompts.
    void memoryIsThatOfTheFullestGpu()
    {
        const auto result = plan(chat());
        QVERIFY(result && !result->ranked.empty());
        const auto columns = planColumns(Task::Inference);
        const auto& column = *std::ranges::find(columns, std::string_view("memory_share"), &PlanColumn::id);
        for (PlanOption option : result->ranked) {
            option.evaluation.usedBytes = 0.5 * option.evaluation.capacityBytes;
            PoolResult& reader = option.evaluation.pools->prefill;
            reader.usedBytes = 0.9 * reader.capacityBytes;
            QVERIFY(near(*column.value(option), 0.9));
        }
    }

    /// GPUs of two kinds that cost too much together are not so many of one of them.
    void bothKindsAreNamedWhereTheyFail()
    {
        PlanRequest request = chat();
        request.base.prefillAccelerator = Catalog::builtIn().accelerator("a100-sxm-80gb");
        request.base.hardware.pricePerGpuHour = 3;
        request.base.inference.prefillPool.pricePerGpuHour = 1.5;
        request.limits.costPerHour = 24;
        const auto result = plan(request);
        QVERIFY(result && result->ranked.empty() && !result->rejected.empty());
        for (const PlanRejection& rejection : result->rejected) {
            const PoolsResult& pools = *rejection.nearest.evaluation.pools;
            QVERIFY2(rejection.reason.find(fmt::format(" and {} × A100 SXM4 80GB for the prompts fail: it costs ",
                                                       pools.prefill.devices)) != std::string::npos,
                     rejection.reason.c_str());
        }
    }

    /// Nor where they are what is recommended.
    void bothKindsAreNamedWhereTheyServe()
    {
        PlanRequest request = chat();
        const auto same = plan(request);
        QVERIFY(same && !same->ranked.empty());
        const PlanOption& one = same->ranked.front();
        QCOMPARE(planMachines(one), fmt::format("{} × {}", planGpus(one), one.scenario.accelerator->name));
        request.base.prefillAccelerator = Catalog::builtIn().accelerator("a100-sxm-80gb");
        request.base.inference.ttftTargetS.reset();
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty());
        for (const PlanOption& option : result->ranked)
            QCOMPARE(planMachines(option),
                     fmt::format("{} × A100 SXM4 80GB + {} × {}", option.evaluation.pools->prefill.devices,
                                 option.scenario.hardware.count, option.scenario.accelerator->name));
    }

    /// The same question, answered both ways: without a target for a token one pool is cheaper, with a tight one two.
    void saysWhenOnePoolIsBetter()
    {
        PlanRequest request = chat();
        for (const double tpot : {0.2, 0.02}) {
            request.base.inference.tpotTargetS = tpot;
            const auto result = plan(request);
            QVERIFY(result && !result->ranked.empty());
            PlanRequest one = request;
            one.base.inference.scheduling = Scheduling::Continuous;
            const auto alone = plan(one);
            QVERIFY(alone.has_value());
            QCOMPARE(result->onePool.has_value(), !alone->ranked.empty());
            if (alone->ranked.empty()) {
                QVERIFY(hasNote(*result, "No single pool of at most as many GPUs meets the targets"));
                continue;
            }
            const double together = *alone->ranked.front().evaluation.costPerHour;
            QCOMPARE(*result->onePool->evaluation.costPerHour, together);
            QVERIFY(!result->onePool->evaluation.pools);
            const double apart = *result->ranked.front().evaluation.costPerHour;
            QVERIFY(together != apart); // that is the next one's
            QVERIFY(hasNote(*result, together < apart ? "One pool is better: " : "Two pools are better: "));
        }
    }

    /// At one price the sooner answer is the better one, as in the ranking, and the note says both.
    void equalPricesAreDecidedByTime()
    {
        PlanRequest request = chat();
        request.base.inference.requestsPerS = 2;
        request.base.inference.tpotTargetS = 0.05;
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty() && result->onePool);
        const auto of = [](const PlanOption& option, PlanObjective objective) {
            return *option.values[static_cast<std::size_t>(objective)];
        };
        const PlanOption &two = result->ranked.front(), &one = *result->onePool;
        QCOMPARE(of(one, PlanObjective::Cost), of(two, PlanObjective::Cost));
        QVERIFY(of(two, PlanObjective::Time) < of(one, PlanObjective::Time));
        QVERIFY2(hasNote(*result, "Two pools are better: "), result->notes.front().c_str());
        QVERIFY2(result->notes.front().find(" a request against $") != std::string::npos,
                 result->notes.front().c_str());
    }

    /// A cheap device reads where it is cheaper at that, and what is stated stays.
    void theCheaperDeviceReads()
    {
        PlanRequest request = chat();
        const auto l40s = Catalog::builtIn().accelerator("l40s");
        request.accelerators = {{request.base.accelerator, 2.0}, {l40s, 0.01}};
        request.base.inference.ttftTargetS.reset();
        request.base.inference.tpotTargetS = 0.03;
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty());
        const PlanOption& best = result->ranked.front();
        QCOMPARE(best.evaluation.pools->prefill.costPerHour.value_or(0), 0.01 * best.evaluation.pools->prefill.devices);
        request.free = request.free.lock(PlanDimension::Replicas).lock(PlanDimension::Tensor);
        request.base.parallelism.tensor = 4;
        request.base.inference.prefillPool.count = 8;
        request.accelerators.pop_back();
        const auto held = plan(request);
        QVERIFY(held && !held->ranked.empty());
        QCOMPARE(held->ranked.front().scenario.inference.prefillPool.count, std::optional<std::int64_t>(8));
        QCOMPARE(prefillLayout(held->ranked.front().scenario).tensor, 4);
    }

    void refusesWithoutALoad()
    {
        PlanRequest request = chat();
        request.base.inference.requestsPerS.reset();
        const auto refused = plan(request);
        QVERIFY(!refused);
        QCOMPARE(refused.error().front().path, std::string("/workload/requests_per_s"));
        QVERIFY(!refused.error().front().hint.empty());
        request = chat();
        request.gpuCounts = {1};
        QVERIFY(!plan(request));
    }

    void growsWithTheLoad()
    {
        PlanRequest request = chat();
        const std::array multiples{1.0, 3.0};
        const auto rows = planGrowth(request, multiples);
        QVERIFY(rows && rows->size() == 2 && rows->front().best && rows->back().best);
        QVERIFY(planGpus(*rows->back().best) > planGpus(*rows->front().best));
    }
};
HEADROOM_TEST(TestPlannerPools)

} // namespace headroom::test_planner_pools
#include "test_planner_pools.moc"
