// SPDX-License-Identifier: GPL-3.0-or-later
// What is proposed to lift a figure does lift it: no figure of a step that looks better for what is worse.
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
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
