// SPDX-License-Identifier: GPL-3.0-or-later
// Training the layers that predict further tokens: where they lie, what they take, and who trains them.
#include "core/explain/derive.hpp"
#include "core/model/pipeline_layout.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_step.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_training_prediction
{

using headroom::test::near;
using headroom::test::profileOf;
using headroom::test::trainingCase;

class TestTrainingPrediction : public QObject
{
    Q_OBJECT

    static PreparedScenario deepseek(bool trains, std::int64_t gpus = 256, std::int64_t pipeline = 1)
    {
        PreparedScenario p = trainingCase("deepseek-v3", "h100-sxm-80gb", gpus);
        p.parallelism.expert = 32;
        p.parallelism.pipeline = pipeline;
        p.parallelism.sharding = Sharding::Zero1;
        p.training.globalBatch = 4096;
        p.training.checkpointing = Checkpointing::Full;
        p.training.multiTokenPrediction = trains;
        return p;
    }

    static std::vector<double> layersOf(std::int64_t stages, std::int64_t chunks)
    {
        const auto whole = profileOf("deepseek-v3");
        const ModelProfile& model = *whole->predicting;
        const PipelineLayout layout(model, double(stages), double(chunks));
        std::vector<double> layers;
        for (std::size_t s = 0; s < layout.stages(); ++s)
            layers.push_back(layout.layers(s));
        // The layer that predicts is on the last stage, and nowhere else.
        for (std::size_t s = 0; s < layout.stages(); ++s)
            if (layout.layers(s, model.kinds.size() - 1) != (s == layout.last() ? 1 : 0))
                return {};
        return layers;
    }

private slots:
    /// The published layouts, in decoder layers and one that predicts: "16 x 4, the last with one, mtp and loss", and
    /// in 32 pieces "embedding and one, 30 x 2, mtp and loss".
    void theLastPieceMakesUpForItsHeads()
    {
        using Layers = std::vector<double>;
        Layers sixteen(16, 4);
        sixteen.back() = 2;
        QCOMPARE(layersOf(16, 1), sixteen);
        QCOMPARE(layersOf(4, 4), (Layers{16, 16, 16, 14}));
        QCOMPARE(layersOf(2, 8), (Layers{32, 30}));
        QCOMPARE(layersOf(8, 4), (Layers{7, 8, 8, 8, 8, 8, 8, 7}));
        QCOMPARE(layersOf(1, 1), Layers{62});
    }

    /// Its weights, by hand: attention 187,107,328 matmul weights as every layer's, nine experts of 3·7168·2048, the
    /// router, 2·7168² to join, and the head once more.
    void whatIsComputedIsCounted()
    {
        const Evaluation with = evaluate(deepseek(true)), without = evaluate(deepseek(false));
        const auto whole = profileOf("deepseek-v3");
        const ModelProfile& model = *whole;
        const double h = 7168, expert = 3 * h * 2048;
        const double weights = model.mtp->mixerWeights + 9 * expert + 256 * h + 2 * h * h + 129280 * h;
        const double tokens = with.tokensPerStep;
        const double core = 2 * 128 * (192 + 128) * (4096 + 1) / 2.0;
        QVERIFY(near(with.flops.model - without.flops.model, tokens * (6 * weights + 3 * core), 1e-9));
        QVERIFY(near((with.flops.lmHead / without.flops.lmHead), 2, 1e-12));
        QVERIFY(near((with.flops.model + with.flops.recompute) / with.flops.hardware, 1, 1e-12));
        // The step executes what the exact convention counts, backward's further scores in.
        WarningSet ignored;
        const PreparedScenario p = deepseek(true);
        const TrainingStep step = trainingStep(planTraining(p, ignored));
        QVERIFY(near(step.flop * 256 / with.flops.hardware, 1, 0.02));
        QVERIFY(*with.stepTimeS > *without.stepTimeS * 1.02);
        QVERIFY(*with.stepTimeS < *without.stepTimeS * 1.10);
    }

    void statesAndCheckpointHoldIt()
    {
        PreparedScenario with = deepseek(true), without = deepseek(false);
        for (PreparedScenario* p : {&with, &without})
            p->training.reliability.gpuMtbfHours = 50000;
        const Evaluation a = evaluate(with), b = evaluate(without);
        const double stored = with.model->parameters.mtp;
        QVERIFY(stored > 11e9);
        QCOMPARE(a.totalParameters, b.totalParameters); // of the model, as its makers count
        QCOMPARE(a.trainableParameters, b.trainableParameters + stored);
        QCOMPARE(derive("parameters.trainable", with, a).steps.back().value, a.trainableParameters);
        QVERIFY(near((a.goodput->checkpointBytes - b.goodput->checkpointBytes) / stored, 14, 1e-9));
        const auto weights = static_cast<std::size_t>(MemoryPart::Weights);
        QVERIFY(a.memory[weights] > b.memory[weights]);
    }

    /// A pipeline's last stage has a copy of the embedding beside the head.
    void theLastStageHoldsTheEmbedding()
    {
        WarningSet ignored;
        const PreparedScenario p = deepseek(true, 256, 8), q = deepseek(false, 256, 8);
        const TrainingPlan with = planTraining(p, ignored), without = planTraining(q, ignored);
        QCOMPARE(with.heads(), 2.0);
        QCOMPARE(without.heads(), 1.0);
        const std::size_t last = with.layout.last();
        QCOMPARE(vocabularyMatrices(with, last), 2.0);
        QCOMPARE(vocabularyMatrices(without, last), 1.0);
        QVERIFY(tiedEmbeddingSeconds(with, last) > 0);
        QCOMPARE(tiedEmbeddingSeconds(without, last), 0.0); // its embedding is not its head
    }

    void whoTrainsIt()
    {
        PreparedScenario p = deepseek(true);
        p.training.multiTokenPrediction.reset();
        p.training.software = TrainingSoftware::TorchFsdp;
        QVERIFY(!trainsPrediction(p));
        p.training.software = TrainingSoftware::Megatron;
        QVERIFY(trainsPrediction(p));
        QVERIFY(evaluate(p).warnings.has(WarningCode::TrainsPrediction));
        p.training.multiTokenPrediction = true; // stated, and so not said
        QVERIFY(!evaluate(p).warnings.has(WarningCode::TrainsPrediction));
        p.training.method = Method::Lora;
        QVERIFY(!trainsPrediction(p));
        p = trainingCase("llama-3-8b", "h100-sxm-80gb");
        p.training.software = TrainingSoftware::Megatron;
        QVERIFY(!trainsPrediction(p) && !p.model->predicting);
    }
};

HEADROOM_TEST(TestTrainingPrediction)

} // namespace headroom::test_training_prediction
#include "test_training_prediction.moc"
