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
