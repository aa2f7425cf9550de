// SPDX-License-Identifier: GPL-3.0-or-later
// What advice may name: only what fits whole.
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/plan/several_changes.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom
{

using test::trainingCase;

namespace
{

/// Llama 3 8B on eight H100: 4,096 tokens fit with everything kept, 65,536 do not.
PreparedScenario inPhases(Checkpointing checkpointing)
{
    PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
    p.training.sequenceLength = 4096;
    p.training.chunkedLoss = true;
    p.training.checkpointing = checkpointing;
    TrainingPhase first, last;
    first.tokens = 1e12;
    last.tokens = 1e10;
    last.sequenceLength = 65536;
    p.phases = std::make_shared<const TrainingPhases>(TrainingPhases{first, last});
    return p;
}

} // namespace

class TestAdviceReach : public QObject
{
    Q_OBJECT

private slots:
    void whatWouldFitFitsInEveryPhase()
    {
        const PreparedScenario p = inPhases(Checkpointing::None);
        const Evaluation e = evaluate(p);
        QVERIFY(e.fits && !allFits(e) && !isRunning(e));
        const auto found = whatNext(p, e);
        QVERIFY(!found.empty());
        for (const Advice& advice : found)
            QVERIFY2(allFits(advice.after), advice.text.c_str());
        QVERIFY(!severalChanges(p, e));
    }

    /// Nothing is recomputed for the sake of the short sequences where the long ones need it.
    void whatGainsFitsInEveryPhase()
    {
        const PreparedScenario p = inPhases(Checkpointing::Full);
        const Evaluation e = evaluate(p);
        QVERIFY(allFits(e));
        for (const SensitivityStep& step : sensitivity(p, e, leadingMetric(p))) {
            PreparedScenario after = p;
            apply(after, *step.row, step.to);
            QCOMPARE(allFits(step.evaluation), allFits(evaluate(after)));
        }
        for (const Advice& advice : improvements(p, e, 100))
            QVERIFY2(allFits(advice.after), advice.text.c_str());
        if (const auto several = severalChanges(p, e))
            QVERIFY2(allFits(several->after), several->text.c_str());
    }

    /// An update whose longest answers do not fit.
    void whatWouldFitFitsInAStepOfReinforcementLearning()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        p.training.sequenceLength = 2048;
        p.training.rl.prompts = 64;
        p.training.rl.outputTokens = 4096;
        p.training.rl.outputTokensP99 = 65536;
        const Evaluation e = evaluate(p);
        QVERIFY(e.fits && !allFits(e));
        for (const Advice& advice : whatNext(p, e))
            QVERIFY2(allFits(advice.after), advice.text.c_str());
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestAdviceReach)
#include "test_advice_reach.moc"
