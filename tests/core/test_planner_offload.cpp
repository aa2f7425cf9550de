// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner tries where states may lie in the host's memory.
#include "core/plan/planner.hpp"
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
};
HEADROOM_TEST(TestPlannerOffload)

} // namespace headroom::test_planner_offload
#include "test_planner_offload.moc"
