// SPDX-License-Identifier: GPL-3.0-or-later
// Models that learn or judge beside the policy, on GPUs of their own: as much of them moves as has no room beside the
// update, so that a byte too many costs no more than its way.
#include "core/explain/derive.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_rl_room
{

using test::near;

namespace
{

PreparedScenario job(const std::string& more, const std::string& model = "llama-3.1-8b")
{
    const auto read = readScenario(
        R"({"format": "headroom-scenario", "version": 1, "model": ")" + model +
            R"(", "hardware": )"
            R"({"accelerator": "h200-sxm-141gb", "count": 8}, "workload": {"task": "training", "sequence_length": 4096, )"
            R"("checkpointing": "full", "rl": {"prompts": 64, "samples": 16, "prompt_tokens": 200, )"
            R"("output_tokens": 1000, "placement": "separate", "rollout_pool": {"count": 8})" +
            more + R"(}}, "parallelism": {"sharding": "fsdp"}})",
        Catalog::builtIn());
    return prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

/// The step on the same device with `less` bytes of memory.
RlResult stepWith(PreparedScenario p, double less)
{
    Accelerator smaller = *p.accelerator;
    smaller.memoryUsableGib = (p.accelerator->usableMemoryBytes() - less) / 1073741824.0;
    p.accelerator = std::make_shared<const Accelerator>(smaller);
    return rlStep(p);
}

double aroundOf(const RlResult& r, RlPart part)
{
    return r.around[static_cast<std::size_t>(part)];
}

} // namespace

class TestRlRoom : public QObject
{
    Q_OBJECT
private slots:
    /// By hand: 8.03 billion parameters on 8 ranks; 12 bytes of each of policy and critic, 2 of reference and reward
    /// model. They lay nowhere, and the size of the host was said to have no effect.
    void whatWaitsLiesInTheHost()
    {
        PreparedScenario p = job(R"(, "critic": true, "reward_model": true)");
        p.training.rl.placement = RlPlacement::Colocated;
        p.training.rl.rolloutCount.reset();
        const double share = 8.030261248e9 / 8;
        const Evaluation e = evaluate(p);
        QVERIFY(near(e.hostStates->bytes, (12 + 12 + 2 + 2) * share, 1e-6));
        QVERIFY(near(e.hostStates->hostBytes, 8 * e.hostStates->bytes));
        QVERIFY(!e.warnings.has(WarningCode::HostMemoryTooSmall));
        p.hardware.hostMemoryGb = 200;
        QVERIFY(evaluate(p).warnings.has(WarningCode::HostMemoryTooSmall));
        QVERIFY(!evaluate(p).warnings.has(WarningCode::KeyWithoutEffect));
        p.training.rl.critic = p.training.rl.rewardModel = false;
        QVERIFY(near(evaluate(p).hostStates->bytes, (12 + 2) * share, 1e-6));
        p.training.offload = Offload::Optimizer; // the optimizer's states are there anyway, with gradients in 32 bit
        QVERIFY(near(evaluate(p).hostStates->bytes, (16 + 2 + 2) * share, 1e-6));
    }

    /// By hand: 8.03 billion parameters on 8 ranks; 2 bytes of each of reference and reward model, 12 of a critic's.
    void asMuchMovesAsHasNoRoom()
    {
        const PreparedScenario p = job(R"(, "critic": true, "reward_model": true)");
        const RlCalibration& c = Calibration::builtIn()->rl;
        const double byte = 1 / c.statesOutBytesPerS + 1 / c.statesInBytesPerS, share = 8.030261248e9 / 8;
        const RlResult whole = rlStep(p);
        QCOMPARE(whole.statesS, 0.0);
        const double spare = whole.learnCapacityBytes - whole.learnBytes;
        QVERIFY(spare > 0);
        const auto with = [&](double excess) { return stepWith(p, spare + excess); };
        QVERIFY(with(-1e6).statesS == 0);
        const RlResult some = with(share); // half of the reference
        QVERIFY(near(some.statesS, share * byte));
        QVERIFY(near(aroundOf(some, RlPart::Reference) - aroundOf(whole, RlPart::Reference), share * byte));
        QVERIFY(near(some.learnBytes, some.learnCapacityBytes));
        const RlResult readers = with(3 * share); // all of it, and half of the reward model
        QVERIFY(near(aroundOf(readers, RlPart::Reward) - aroundOf(whole, RlPart::Reward), share * byte));
        QVERIFY(near(readers.statesS, 3 * share * byte) && readers.stateBytes == 0);
        const RlResult learners = with(6 * share); // critic and policy make way for each other
        QVERIFY(near(learners.stateBytes, 2 * share));
        for (const RlPart part : {RlPart::Critic, RlPart::Update})
            QVERIFY(near(aroundOf(learners, part) - aroundOf(whole, part), 2 * share * byte));
        QVERIFY(near(learners.statesS, 8 * share * byte));
        QVERIFY(with(16 * share).fits);
        const RlResult none = with(20 * share); // the update alone has no room: what lies beside it is away
        QVERIFY(!none.fits && none.learnBytes > none.learnCapacityBytes);
        QVERIFY(near(none.statesS, (4 + 2 * 12) * share * byte));
    }

    /// Nowhere does a little less memory cost more than the way of as many bytes, twice, until the update fills it.
    void aByteTooManyCostsItsWay()
    {
        const double alone = rlStep(job(R"(, "reference": false)")).learnBytes;
        for (const char* more : {R"(, "critic": true, "reward_model": true)", R"(, "critic": true, "reference": false)",
                                 R"(, "reward_model": true)", ""}) {
            const PreparedScenario p = job(more);
            const RlCalibration& c = Calibration::builtIn()->rl;
            const double byte = 1 / c.statesOutBytesPerS + 1 / c.statesInBytesPerS, slice = 0.25e9;
            const RlResult whole = rlStep(p);
            const double spare = whole.learnCapacityBytes - whole.learnBytes;
            QVERIFY(whole.statesS == 0 && whole.learnBytes - alone > 2e9);
            double before = 0;
            for (double excess = 0; excess <= whole.learnBytes - alone; excess += slice) {
                const double now = stepWith(p, spare + excess).statesS; // generation has less memory, too
                QVERIFY2(now >= before * (1 - 1e-12) && now - before <= 2 * slice * byte * (1 + 1e-6), more);
                before = now;
            }
        }
    }

    /// The derivation says what the seconds around a part are.
    void theDerivationSaysWhatMoves()
    {
        const auto says = [](const PreparedScenario& p) {
            const Evaluation e = evaluate(p);
            const Derivation d = derive("rl.update_s", p, e);
            return std::ranges::any_of(d.assumptions, [](const std::string& text) {
                return text.find("has no room beside the update") != std::string::npos;
            });
        };
        QVERIFY(!says(job("")));
        QVERIFY(says(job("", "llama-3.3-70b")));
    }
};
HEADROOM_TEST(TestRlRoom)

} // namespace headroom::test_rl_room
#include "test_rl_room.moc"
