// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner tries of how states and layers are spread: states in the host's memory, groups, pipeline pieces.
#include "core/plan/planner.hpp"
#include "core/plan/planner_choices.hpp"
#include "core/plan/planner_table.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_planner_offload
{

using test::planBase;

class TestPlannerOffload : public QObject
{
    Q_OBJECT
private slots:
    /// Nothing fitted, while ZeRO-2 by hand did: layer by layer the gradients of one GPU make room.
    void gradientsOfOneGpuLeaveForTheHost()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "a100-sxm-40gb", Task::Training);
        request.base.training.offload = Offload::Optimizer;
        request.gpuCounts = {1};
        request.objective = PlanObjective::Mfu;
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty());
        QCOMPARE(*result->ranked.front().scenario.parallelism.sharding, Sharding::Zero2);
        request.base.training.offload = Offload::None; // then one rank is as without sharding, whatever it is called
        const auto inMemory = plan(request);
        QVERIFY(inMemory.has_value());
        QCOMPARE(result->counts.configurations, 2 * inMemory->counts.configurations);
    }

    /// One RTX 4090 ranked first for all states of 70 billion parameters, without a word on 1.27 TB in its host.
    void hostsHaveTheirMemory()
    {
        PlanRequest request;
        request.base = planBase("llama-3-70b", "rtx-4090", Task::Training);
        request.base.training.sequenceLength = 2048;
        request.base.training.globalBatch = 32;
        request.gpuCounts = {1, 2};
        request.objective = PlanObjective::Gpus;
        request.free = PlanDimensions::all();
        const auto unknown = plan(request);
        QVERIFY(unknown && !unknown->ranked.empty());
        const PlanOption& first = unknown->ranked.front();
        QVERIFY(first.evaluation.warnings.has(WarningCode::HostMemoryTooSmall));
        QVERIFY(bindingConstraint(request, first).starts_with("host memory "));
        request.base.hardware.hostMemoryGb = 512;
        const auto known = plan(request);
        QVERIFY(known && known->ranked.empty() && !known->rejected.empty());
        const std::string& reason = known->rejected.front().reason;
        QVERIFY2(reason.find("of a host's memory of 512") != std::string::npos, reason.c_str());
        request.base.hardware.hostMemoryGb = 4096;
        QVERIFY(!plan(request)->ranked.empty());
    }

    /// Whether there is a memory apart to offload to is asked of each device, not of the scenario's own.
    void eachDeviceOffloadsToItsHost()
    {
        const auto a100 = planBase("llama-3-8b", "a100-sxm-40gb", Task::Training).accelerator;
        const auto mac = planBase("llama-3-8b", "apple-m3-ultra", Task::Training).accelerator;
        QVERIFY(mac->unifiedMemory && !a100->unifiedMemory);
        const auto configurations = [](const std::shared_ptr<const Accelerator>& base,
                                       const std::shared_ptr<const Accelerator>& asked) {
            PlanRequest request;
            request.base = planBase("llama-3-8b", "a100-sxm-40gb", Task::Training);
            request.base.accelerator = base;
            request.accelerators = {{asked, 1.0}};
            request.gpuCounts = {2};
            request.objective = PlanObjective::Mfu;
            request.free = PlanDimensions::all();
            const auto result = plan(request);
            return result ? result->counts.configurations : 0;
        };
        QCOMPARE(configurations(mac, a100), configurations(a100, a100));
        QCOMPARE(configurations(a100, mac), configurations(mac, mac));
        QVERIFY(configurations(a100, a100) > configurations(mac, mac));
    }

    /// ZeRO-1 lost the scenario's own groups, and with them 1.2 of 39.1 % MFU.
    void zeroKeepsItsGroups()
    {
        PlanRequest request;
        request.base = planBase("llama-3.2-1b", "l40s", Task::Training);
        request.base.hardware.count = 8;
        request.base.training.sequenceLength = 1024;
        request.base.training.globalBatch = 48;
        request.base.training.microBatch = 6;
        request.base.parallelism.sharding = Sharding::Zero1;
        request.base.parallelism.replicas = 4;
        request.gpuCounts = {8};
        request.objective = PlanObjective::Mfu;
        const double own = *evaluate(request.base).mfu;
        for (const bool locked : {false, true}) {
            if (locked)
                request.free = request.free.lock(PlanDimension::Replicas).lock(PlanDimension::Sharding);
            const auto result = plan(request);
            QVERIFY(result && !result->ranked.empty());
            const PlanOption& first = result->ranked.front();
            QVERIFY(*first.evaluation.mfu >= own * (1 - 1e-9));
            QVERIFY(!locked || first.scenario.parallelism.replicas == 4);
        }
    }

    /// Embedding and head have a piece each: 34 pieces of 32 layers.
    void endsMayBePiecesOfTheirOwn()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
        request.base.training.globalBatch = 8;
        request.accelerators = {{request.base.accelerator, 3.0}};
        request.gpuCounts = {2};
        planner::PlanPoint block;
        block.gpus = 2;
        block.pipeline = 2;
        const auto sizes = planner::trainingChoices(request, block).microBatches.front().virtualPipelines;
        QCOMPARE(sizes.back(), std::int64_t(17));
    }
};
HEADROOM_TEST(TestPlannerOffload)

} // namespace headroom::test_planner_offload
#include "test_planner_offload.moc"
