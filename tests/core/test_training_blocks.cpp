// SPDX-License-Identifier: GPL-3.0-or-later
// How often the values of a layer's blocks travel: sums of parallel blocks, copies of tokens to other nodes.
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_layer.hpp"
#include "core/predict/training/training_step.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_training_blocks
{

using test::near;
using test::planOf;
using test::shardedCase;

class TestTrainingBlocks : public QObject
{
    Q_OBJECT
private slots:
    /// GPT-J's attention and feed-forward read one norm, and their results are added: one gather and one scatter
    /// forward, half of a layer in sequence; backward as many, and the input gathered once more. Pythia has a norm for
    /// each, whose gradients are two sums; its results are one.
    void parallelBlocksSumOnce()
    {
        const auto halves = [](std::string_view model, bool sequence) {
            PreparedScenario p = shardedCase(model, 8, Sharding::Zero1);
            p.training.overlapTensor = 0;
            p.parallelism.tensor = 8;
            p.parallelism.sequenceParallel = sequence;
            const TrainingPlan plan = planOf(p);
            const double one = gatherTime(2 * plan.tokens * plan.model->hidden, plan.group(8, 1), plan.links);
            const LayerCommunication shown = layerCommunication(plan, plan.model->kinds.back(), {});
            return std::pair(shown.tensorForward / one, shown.tensorBackward / one);
        };
        QCOMPARE(halves("llama-3-8b", true), std::pair(4.0, 6.0));
        QCOMPARE(halves("llama-3-8b", false), std::pair(4.0, 4.0));
        QCOMPARE(halves("gpt-j-6b", true), std::pair(2.0, 3.0));
        QCOMPARE(halves("gpt-j-6b", false), std::pair(2.0, 2.0));
        QCOMPARE(halves("pythia-6.9b", true), std::pair(3.0, 5.0));
        QCOMPARE(halves("pythia-6.9b", false), std::pair(2.0, 4.0));
    }

    /// One second of compute hides any exchange, as far as it may hide: what a run says, else the constant's share.
    void aRunSaysHowMuchOfTheExchangeHides()
    {
        const auto shownShare = [](std::optional<double> overlap) {
            PreparedScenario p = shardedCase("deepseek-v3", 64, Sharding::Zero1);
            p.parallelism.expert = 64;
            p.training.overlapExpert = overlap;
            const TrainingPlan plan = planOf(p);
            const LayerKind& kind = plan.model->kinds.back();
            LayerCompute none, second;
            second.forward = second.backward = 1;
            return layerCommunication(plan, kind, second).expertForward /
                   layerCommunication(plan, kind, none).expertForward;
        };
        QCOMPARE(shownShare(1), 0.0);
        QVERIFY(near(shownShare(0.25), 0.75, 1e-9));
        QVERIFY(near(shownShare({}), 1 - Calibration::builtIn()->training.constants.exchangeOverlap, 1e-9));
    }

    /// 64 ranks on eight nodes. DeepSeek-V3's router sends a token to four nodes at most: 3.5 others at the mean; V2's
    /// to three. Qwen3's is free: of eight experts over eight nodes, 7 (1 - (7/8)^8) = 4.6 lie on other ones.
    void onlySomeRoutersLimitTheNodes()
    {
        const auto copies = [](std::string_view model) {
            PreparedScenario p = shardedCase(model, 64, Sharding::Zero1);
            p.parallelism.expert = 64;
            p.efficiency.scaleUp = 100; // the network is the slower link
            const TrainingPlan plan = planOf(p);
            const LayerKind& kind = plan.model->kinds.back();
            const double moved = plan.tokens * plan.model->hidden * 2 / plan.links.scaleOut;
            const double start = collectiveStart(plan.group(64, 1), plan.links);
            const double one = layerCommunication(plan, kind, {}).expertForward / 2;
            return (one - start) / moved;
        };
        QVERIFY2(near(copies("deepseek-v3"), 3.5, 1e-6), std::to_string(copies("deepseek-v3")).c_str());
        QVERIFY2(near(copies("deepseek-v2"), 3.5 * 3 / 4, 1e-6), std::to_string(copies("deepseek-v2")).c_str());
        QVERIFY2(near(copies("qwen3-235b-a22b"), 7 * (1 - std::pow(7.0 / 8, 8)), 1e-6),
                 std::to_string(copies("qwen3-235b-a22b")).c_str());
    }

    /// Later kinds of layers take over the mixer of an earlier one. The planner has the operators of each kind as
    /// lists.
    void aMixerOfSeveralKindsCountsForEach()
    {
        for (const char* model : {"deepseek-v3", "gpt-oss-120b", "gemma-3-27b", "llama-4-maverick",
                                  "qwen3-next-80b-a3b", "jamba-1.5-large", "llama-3-70b"})
            for (const std::int64_t stages : {1, 4}) {
                PreparedScenario p = shardedCase(model, 64, Sharding::Zero1);
                p.parallelism.pipeline = stages;
                const TrainingPlan plan = planOf(p);
                QVERIFY2(leastStepSeconds(plan) == leastStepSeconds(plan, stepOperators(plan)), model);
            }
    }

    /// Nemotron 3 Super projects 4,096 values of a token to 1,024 before they go to its 22 experts.
    void expertsGetTheLatentProjection()
    {
        const auto valuesMoved = [](std::string_view model) {
            const PreparedScenario p = shardedCase(model, 8, Sharding::Zero1);
            const TrainingPlan plan = planOf(p);
            const auto kind = std::ranges::find_if(plan.model->kinds, &LayerKind::hasMoe);
            double bytes = 0;
            for (const TrainingOperator& item : layerOperators(plan, *kind))
                if (item.name == "expert dispatch")
                    bytes += item.forward.bytes;
            return bytes / 2 / plan.tokens / plan.constants.dispatchPasses;
        };
        QCOMPARE(valuesMoved("nemotron-3-super-120b-a12b"), 22.0 * 1024);
        QCOMPARE(valuesMoved("qwen3-30b-a3b"), 8.0 * 2048);
    }
};
HEADROOM_TEST(TestTrainingBlocks)

} // namespace headroom::test_training_blocks
#include "test_training_blocks.moc"
