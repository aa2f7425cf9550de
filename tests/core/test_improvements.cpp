// SPDX-License-Identifier: GPL-3.0-or-later
// What is proposed to lift a figure does lift it: no figure of a step that looks better for what is worse.
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/scenario/effective.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_improvements
{
namespace
{

using test::serving;

PreparedScenario training()
{
    return serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
        s.task = Task::Training;
        s.parallelism.tensor = 1;
        s.training.microBatch = 2;
        s.training.sequenceLength = 4096;
        s.training.checkpointing = Checkpointing::Full;
    });
}

/// Whether an improvement that begins so says so.
bool says(const PreparedScenario& p, std::string_view change, std::string_view what)
{
    const auto all = improvements(p, evaluate(p), 10);
    return std::ranges::any_of(all, [&](const Advice& one) {
        return one.change.starts_with(change) && one.text.find(what) != std::string::npos;
    });
}

} // namespace

class TestImprovements : public QObject
{
    Q_OBJECT
private slots:
    /// "With FlashAttention off alone, MBU would go from 15 % to 32 %": it moves scores that need not move.
    void bytesThatNeedNotMoveAreNoGain()
    {
        const PreparedScenario p = training();
        const Evaluation e = evaluate(p);
        const MetricRow& mbu = *metricRow("mbu");
        const auto steps = sensitivity(p, e, mbu);
        const auto off =
            std::ranges::find(steps, "flash_attention", [](const SensitivityStep& step) { return step.row->id; });
        QVERIFY(off != steps.end() && off->gain > 0.01);
        QVERIFY(gainsNothing(*off, mbu, p, e));
    }

    /// "With FlashAttention off alone, power would go from 1.9 kW to 1.8 kW": requests take longer by more than that.
    void waitingSavesNoPower()
    {
        const PreparedScenario served = serving("llama-3.1-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.inference.batch = 64;
            s.inference.promptTokens = 16000;
            s.inference.outputTokens = 100;
            s.inference.requestsPerS = 2;
        });
        const MetricRow& power = *metricRow("energy.watts");
        for (const PreparedScenario& p : {training(), served}) {
            const Evaluation e = evaluate(p);
            int waits = 0, saves = 0;
            for (const SensitivityStep& step : sensitivity(p, e, power)) {
                if (step.gain <= smallestGain * step.before || step.evaluation.task != p.task)
                    continue;
                const bool slows = p.task == Task::Training ? *step.evaluation.joulesPerToken > *e.joulesPerToken
                                                            : *step.evaluation.requestLatencyS * step.after >
                                                                  *e.requestLatencyS * step.before;
                waits += slows ? 1 : 0;
                saves += gainsNothing(step, power, p, e) ? 0 : 1;
                QVERIFY2(!slows || gainsNothing(step, power, p, e), step.row->id.data());
            }
            QVERIFY(waits > 0 && saves > 0);
        }
    }

    /// "Batch 1 → 2" of as many as fit, which were 27.
    void whatFitsIsNoBatchOfOne()
    {
        const PreparedScenario p = serving("llama-3.1-8b", "h100-sxm-80gb", 4, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.inference.batchMax = true;
            s.inference.promptTokens = 16384;
            s.inference.requestsPerS = 3;
        });
        for (const Advice& advice : improvements(p, evaluate(p), 10))
            QVERIFY2(advice.edits.front().row->id != "batch", advice.text.c_str());
    }

    /// Half the GPUs have a higher MFU and train half as fast; twice as many answer a little sooner for twice the cost.
    void whatItCostsIsSaid()
    {
        PreparedScenario p = training();
        p.hardware.count = 1024;
        p.parallelism.sharding = Sharding::Fsdp;
        p.training.checkpointing = Checkpointing::None;
        p.training.microBatch = 1;
        p.training.globalBatch = 1024;
        p.training.sequenceLength = 2048;
        QVERIFY(says(p, "GPUs 1", "tokens/s → "));
        p = serving("llama-3.1-8b", "h100-sxm-80gb", 16, [](Scenario& s) {
            s.parallelism.tensor = 4;
            s.hardware.pricePerGpuHour = 2;
            s.inference.batch = 64;
            s.inference.requestsPerS = 20;
        });
        QVERIFY(says(p, "GPUs 16", "cost per million tokens $"));
    }

    /// "With micro-batch 2 alone": 8 sequences are not a multiple of 16.
    void theGlobalBatchThatFollowsIsNamed()
    {
        PreparedScenario p = training();
        p.training.microBatch = 1;
        p.training.globalBatch = 8;
        p.training.sequenceLength = 1024;
        const std::string text = whatWouldHelp(p, evaluate(p), "mfu");
        QVERIFY2(text.starts_with("With micro-batch 2 and global batch 16, MFU"), text.c_str());
    }

    /// Of a mixture the layout that matters most, and of a long sequence the logits, stand behind "more".
    void whatHelpsMostIsNamedWhereverItStands()
    {
        PreparedScenario p = serving("qwen3-235b-a22b", "h100-sxm-80gb", 128, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism.tensor = 4;
            s.parallelism.sharding = Sharding::Fsdp;
            s.training.globalBatch = 1024;
            s.training.checkpointing = Checkpointing::Full;
        });
        QVERIFY(says(p, "Expert parallel 1", "MFU +"));
        p = training();
        p.hardware.count = 16;
        p.training.microBatch = 1;
        p.training.sequenceLength = 131072;
        bool chunks = false;
        for (const Advice& advice : remedies(p, evaluate(p), 5))
            chunks = chunks || advice.edits.front().row->id == "chunked_loss";
        QVERIFY(chunks);
    }

    /// The first phase gains, and all of them take longer; a part of the memory shrinks, and all of it grows; more FLOP
    /// are executed, and fewer are of use.
    void aPartIsNotTheWhole()
    {
        const PreparedScenario p = serving("gemma-7b", "tpu-v7", 8, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism.tensor = 1;
            s.parallelism.sharding = Sharding::Zero1;
            s.training.microBatch = 1;
            s.training.globalBatch = 16;
            s.training.sequenceLength = 512;
            s.phases.resize(2);
            s.phases[0].tokens = 1e11;
            s.phases[1].tokens = 5e11;
            s.phases[1].sequenceLength = 1024;
        });
        const Evaluation e = evaluate(p);
        int checked = 0;
        for (const char* id : {"mfu", "memory.logits", "memory.optimizer", "hardware_tflops_per_gpu"})
            for (const SensitivityStep& step : sensitivity(p, e, *metricRow(id))) {
                const Evaluation& after = step.evaluation;
                const bool worse = after.phases->seconds > 1.01 * e.phases->seconds ||
                                   (metricRow(id)->format == ValueFormat::Bytes && after.usedBytes > e.usedBytes);
                checked += worse && step.gain > 0 ? 1 : 0;
                QVERIFY2(!worse || gainsNothing(step, *metricRow(id), p, e), step.row->id.data());
            }
        QVERIFY(checked > 0);
    }

    /// "For example RL prompts a step 513" makes reinforcement learning of it; "global batch 16" is none of the second
    /// phase, of 32 GPUs.
    void whatMakesItLegalIsTheSameJob()
    {
        Scenario s;
        s.hardware.count = 8;
        s.training.globalBatch = 64;
        s.training.optimizerInBackward = true;
        QVERIFY(!checkSetup(s).empty());
        for (const Advice& fix : legalFixes(s, Catalog::builtIn(), {}, 10)) {
            applyEdits(s, fix.edits);
            QVERIFY2(!isRl(s), fix.change.c_str());
        }
        s = {};
        s.hardware.count = 8;
        s.training.globalBatch = 12;
        s.phases.resize(2);
        s.phases[1].count = 32;
        const auto fixes = legalFixes(s, Catalog::builtIn());
        QVERIFY(!fixes.empty());
        QCOMPARE(fixes.front().change, std::string("Global batch 32"));
    }

    /// Of half the tokens a step takes half the time.
    void aStepOfFewerTokensIsNoFasterStep()
    {
        const PreparedScenario p = training();
        const Evaluation e = evaluate(p);
        const MetricRow& time = *metricRow("step_time_s");
        int shorter = 0;
        for (const SensitivityStep& step : sensitivity(p, e, time)) {
            const bool slower = *step.evaluation.tokensPerS < *e.tokensPerS;
            if (step.gain <= 0 || !slower)
                continue;
            ++shorter;
            QVERIFY2(gainsNothing(step, time, p, e), step.row->id.data());
        }
        QVERIFY(shorter > 0);
    }
};
HEADROOM_TEST(TestImprovements)

} // namespace headroom::test_improvements
#include "test_improvements.moc"
