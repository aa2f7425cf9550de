// SPDX-License-Identifier: GPL-3.0-or-later
// What is conserved at the speed of light: where one thing alone is slow, all the time goes into the work or the bytes
// that are counted, and none is counted that takes no time.
#include "tests/support/physics.hpp"
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <fmt/format.h>

namespace headroom::test_physics_conservation
{

using test::scalePeak;

namespace
{

constexpr int scenarios = 1500;

/// On one device of which arithmetic or memory alone is slow, and everything else takes no time.
PreparedScenario alone(const PreparedScenario& drawn, bool slowMemory)
{
    constexpr double slow = 1e-6, fast = 1e9;
    PreparedScenario p = drawn;
    p.efficiency = Efficiency{};
    p.efficiency.base = EfficiencyBase::Ideal;
    p.accounting = Convention::Exact;
    p.parallelism = {};
    p.hardware.count = 1;
    p.measured = {};
    p.phases.reset();
    p.training.rl = {};
    p.training.reliability = {};
    p.training.offload = Offload::None;
    p.training.globalBatch.reset();
    p.training.precision = DataType::Bf16; // one peak for all matmuls
    p.training.flashAttention = FlashAttention::On;
    p.training.optimizer = Optimizer::AdamW; // Muon's products are no FLOP of the model
    p.inference.compute = DataType::Bf16;
    p.inference.flashAttention = FlashAttention::On;
    p.inference.hostWeightsGb.reset();
    p.inference.requestsPerS.reset();
    p.inference.loadProfile.reset();
    p.inference.drafting.reset(); // MFU counts the tokens that are kept, of more that are computed
    test::device([&](Accelerator& a) {
        a.memoryBandwidthGbPerS *= slowMemory ? slow : fast;
        scalePeak(a, slowMemory ? fast : slow);
    })(p);
    return p;
}

std::string differs(const char* what, std::optional<double> share, double rounding)
{
    if (share && std::abs(*share - 1) <= rounding)
        return {};
    return fmt::format("{} is {:.12g}, not 1\n", what, share.value_or(0));
}

/// Matmuls and attention are all the FLOP there are, forward, backward and again; MBU counts each byte that takes time.
std::string wrongInTraining(const PreparedScenario& drawn)
{
    constexpr double gates = 1e-4; // of shared experts: h weights each, which have no kernel of their own
    const Evaluation computes = evaluate(alone(drawn, false)), moves = evaluate(alone(drawn, true));
    const double capacity = *computes.stepTimeS * computes.peakFlops;
    return differs("executed FLOP over capacity", computes.flops.hardware / capacity, gates) +
           differs("MBU", moves.mbu, 1e-4);
}

/// A decode step reads what MBU counts and computes what MFU counts.
std::string wrongInServing(const PreparedScenario& drawn)
{
    return differs("MFU", evaluate(alone(drawn, false)).mfu, 1e-4) +
           differs("MBU", evaluate(alone(drawn, true)).mbu, 1e-4);
}

} // namespace

class TestPhysicsConservation : public QObject
{
    Q_OBJECT
private slots:
    void training()
    {
        QVERIFY(test::physicsHolds("a training step", Task::Training, test::physicsCount(scenarios), wrongInTraining));
    }
    void serving()
    {
        QVERIFY(test::physicsHolds("a decode step", Task::Inference, test::physicsCount(scenarios), wrongInServing));
    }
};
HEADROOM_TEST(TestPhysicsConservation)

} // namespace headroom::test_physics_conservation
#include "test_physics_conservation.moc"
