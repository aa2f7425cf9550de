// SPDX-License-Identifier: GPL-3.0-or-later
// What advice may name: only what fits whole, what engines run and what files accept.
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

PreparedScenario serving(std::string_view model, std::int64_t count, std::int64_t tensor)
{
    PreparedScenario p = trainingCase(model, "h100-sxm-80gb", count);
    p.task = Task::Inference;
    p.parallelism.tensor = tensor;
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

    /// An update whose longest answers do not fit, and copies that do not: neither is "what would fit".
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

    /// Qwen2.5 7B has 28 heads: four ranks share them, eight do not, and vLLM and Megatron refuse these.
    void noHeadIsCut()
    {
        PreparedScenario p = serving("qwen2.5-7b", 8, 4);
        const ParameterRow& tensor = *parameterRow("tensor");
        QVERIFY(cutsHeads(p, {{&tensor, 8}}) && !cutsHeads(p, {{&tensor, 2}}));
        for (const LeverMove& move : memoryMoves(p, {}))
            for (const ParameterEdit& edit : move.edits)
                QVERIFY(edit.row != &tensor || edit.value != 8);
        const Evaluation e = evaluate(p);
        for (const Advice& advice : improvements(p, e, 100))
            QVERIFY2(!advice.after.warnings.has(WarningCode::HeadsNotDivisible), advice.text.c_str());
        QVERIFY(whatWouldHelp(p, e, "tpot_s").find("ensor parallel") == std::string::npos);
    }

    void noFixIsRefusedByFilesOrInventsSoftware()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        for (const double value : nearbyValues(*parameterRow("checkpointing"), p))
            QVERIFY(static_cast<Checkpointing>(std::llround(value)) != Checkpointing::Unknown);
        p.task = Task::Inference;
        p.inference.software = InferenceSoftware::Tgi;
        const Evaluation e = evaluate(p);
        QVERIFY(e.warnings.has(WarningCode::SoftwareWithoutFit));
        const ParameterRow* row = warningParameter(WarningCode::SoftwareWithoutFit, p);
        QVERIFY(row && !withoutWarning(p, WarningCode::SoftwareWithoutFit, *row));
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestAdviceReach)
#include "test_advice_reach.moc"
