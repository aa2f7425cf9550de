// SPDX-License-Identifier: GPL-3.0-or-later
// What a step is charged for, and what it is not: sums of gradients, fused kernels, formats that a GPU lacks, states.
#include "core/explain/derive.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_training_counts
{

using test::near;
using test::trainingCase;

class TestTrainingCounts : public QObject
{
    Q_OBJECT

    static double part(const Evaluation& e, TimePart part) { return e.time[static_cast<std::size_t>(part)]; }

private slots:
    /// Of m micro-batches the first has no gradients to be added to.
    void gradientsAreAddedFromTheSecondMicroBatchOn()
    {
        const auto matmul = [](std::int64_t microBatches) {
            PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
            p.training.software = TrainingSoftware::TorchFsdp;
            p.training.globalBatch = 8 * microBatches;
            return part(evaluate(p), TimePart::Matmul);
        };
        const double one = matmul(1), sum = matmul(2) - 2 * one;
        QVERIFY(sum > 0);
        QVERIFY(near(matmul(3) - 3 * one, 2 * sum, 1e-6));
        QVERIFY(near(matmul(8) - 8 * one, 7 * sum, 1e-6));
    }

    /// Logits that are never written need no memory traffic: a run at 41 % of the peak is no impossible one.
    void theSpeedOfLightFusesTheLoss()
    {
        PreparedScenario p = trainingCase("gemma-3-270m", "h100-sxm-80gb", 1);
        p.training.sequenceLength = 8192;
        p.training.microBatch = 4;
        p.training.chunkedLoss = true;
        p.measured.stepTimeS = 0.15;
        QVERIFY(evaluate(p).credible());
        const double expected = *evaluate(p).stepTimeS;
        p.efficiency.base = EfficiencyBase::Ideal;
        const Evaluation ideal = evaluate(p);
        QVERIFY(*ideal.stepTimeS < 0.1 && *ideal.stepTimeS < expected);
    }

    void sixteenBitsOfAnotherKindAreSaid()
    {
        const auto warns = [](const char* accelerator, DataType type) {
            PreparedScenario p = trainingCase("gpt-2-small", accelerator, 8);
            p.training.precision = type;
            return evaluate(p).warnings.has(WarningCode::PrecisionUnavailable);
        };
        QVERIFY(warns("v100-sxm2-32gb", DataType::Bf16) && !warns("v100-sxm2-32gb", DataType::Fp16));
        QVERIFY(warns("tpu-v4", DataType::Fp16) && !warns("tpu-v4", DataType::Bf16));
        QVERIFY(!warns("a100-sxm-80gb", DataType::Bf16) && !warns("a100-sxm-80gb", DataType::Fp16));
        QVERIFY(warns("ascend-910b", DataType::Fp32) && warns("tpu-v5p", DataType::Fp32)); // none is known
        QVERIFY(!warns("v100-sxm2-32gb", DataType::Fp32));
        PreparedScenario p = trainingCase("gpt-2-small", "v100-sxm2-32gb", 8);
        const std::string text = warningText(WarningCode::PrecisionUnavailable, 16, p);
        QVERIFY2(text.find("bf16 is known") != std::string::npos && text.find("that of fp16") != std::string::npos,
                 text.c_str());
    }

    void statedGradientsHaveTheirBytesWithoutAMasterCopy()
    {
        const auto gradients = [](std::optional<Gradients> stated) {
            PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
            p.training.masterWeights = MasterWeights::None;
            p.parallelism.sharding = Sharding::Zero1;
            p.training.gradients = stated;
            return evaluate(p).part(MemoryPart::Gradients);
        };
        QCOMPARE(gradients(Gradients::Fp32), 2 * gradients(Gradients::Bf16));
        QCOMPARE(gradients({}), gradients(Gradients::Bf16));
    }

    /// Adapters train in two of three passes: the paper's formula is of three.
    void theFormulaGivesWhatIsPrinted()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        p.accounting = Convention::Sc21;
        const auto formula = [&p] {
            const Derivation d = derive("mfu", p, evaluate(p));
            const auto step = std::ranges::find(d.steps, std::string("c"), &DerivationStep::symbol);
            return step == d.steps.end() ? std::string() : step->formula;
        };
        QVERIFY2(formula().starts_with("72·L"), formula().c_str());
        p.training.method = Method::Lora;
        QVERIFY2(formula().starts_with("4/6·(72·L"), formula().c_str());
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestTrainingCounts)

} // namespace headroom::test_training_counts
#include "test_training_counts.moc"
