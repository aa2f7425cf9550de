// SPDX-License-Identifier: GPL-3.0-or-later
// What slows a step beyond its FLOP: vocabularies off the tensor cores' grid, boards short of power, many experts.
#include "core/predict/training/training_layer.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headroom::test_training_mechanisms
{

using test::near;
using test::planOf;
using test::trainingCase;

namespace
{

PreparedScenario withVocabulary(double words, TrainingSoftware software)
{
    PreparedScenario p = trainingCase("gpt-2-large", "a100-sxm-80gb");
    auto model = std::make_shared<ModelProfile>(*p.model);
    model->headWeights *= words / model->vocab;
    model->vocab = words;
    p.model = std::move(model);
    p.training.sequenceLength = 1024;
    p.training.microBatch = 8;
    p.training.software = software;
    return p;
}

double headSeconds(const PreparedScenario& p)
{
    const TrainingPlan plan = planOf(p);
    double seconds = 0;
    for (const TrainingOperator& item : headOperators(plan))
        if (item.name == std::string_view("LM head"))
            seconds += item.forward.seconds + item.backward.seconds;
    return seconds;
}

PreparedScenario withWatts(std::string_view accelerator, double factor)
{
    PreparedScenario p = trainingCase("llama-3-8b", accelerator);
    auto device = std::make_shared<Accelerator>(*p.accelerator);
    device->tdpWatts *= factor;
    p.accelerator = std::move(device);
    return p;
}

PreparedScenario withConstant(PreparedScenario p, double TrainingConstants::*constant, double value)
{
    auto calibration = std::make_shared<Calibration>(*p.calibration);
    calibration->training.constants.*constant = value;
    p.calibration = std::move(calibration);
    return p;
}

double stepTime(const PreparedScenario& p)
{
    return *evaluate(p).stepTimeS;
}

} // namespace

class TestTrainingMechanisms : public QObject
{
    Q_OBJECT
private slots:
    /// The host updates one accelerator's states faster than eight's: its memory is shared.
    void acceleratorsShareTheirHostsMemory()
    {
        const auto update = [](std::int64_t gpus, std::optional<std::int64_t> perNode) {
            PreparedScenario p = test::shardedCase("llama-3-8b", gpus, Sharding::None);
            p.hardware.perNode = perNode;
            p.training.offload = Offload::Optimizer;
            return evaluate(p).part(TimePart::OptimizerStep);
        };
        const TrainingConstants& c = planOf(test::shardedCase("llama-3-8b", 1, Sharding::None)).constants;
        const double bytes = 34 * test::shardedCase("llama-3-8b", 1, Sharding::None).model->parameters.total;
        QVERIFY(near(update(8, 8) - update(4, 4), bytes * (8 - 4) / c.hostMemoryRate));
        QVERIFY(near(update(4, 4) - update(1, 8), bytes * (4 / c.hostMemoryRate - 1 / c.hostProcessRate)));
        QVERIFY(near(update(8, 1), update(1, 8)));
    }

    /// GPT-2's 50,257 words: rows of logits that start on odd addresses.
    void oddVocabulariesMissTheTensorCores()
    {
        constexpr auto eager = TrainingSoftware::Composer, pads = TrainingSoftware::Megatron;
        const double even = headSeconds(withVocabulary(50264, eager)), odd = headSeconds(withVocabulary(50257, eager));
        QVERIFY2(odd > 1.3 * even, std::to_string(odd / even).c_str());
        // Megatron rounds the vocabulary up: seven words more, no slower kernel.
        const double padded = headSeconds(withVocabulary(50257, pads));
        QVERIFY(std::abs(padded / headSeconds(withVocabulary(50264, pads)) - 1) < 1e-9);
        PreparedScenario ideal = withVocabulary(50257, eager);
        ideal.efficiency.base = EfficiencyBase::Ideal;
        PreparedScenario idealEven = withVocabulary(50264, eager);
        idealEven.efficiency.base = EfficiencyBase::Ideal;
        QVERIFY(headSeconds(ideal) < headSeconds(idealEven));
    }

    void boardsShortOfPowerRunSlower()
    {
        for (const char* accelerator : {"h100-sxm-80gb", "b200-sxm", "mi300x"}) {
            const double whole = planOf(withWatts(accelerator, 1)).law16.compute;
            const double half = planOf(withWatts(accelerator, 0.5)).law16.compute;
            const double twice = planOf(withWatts(accelerator, 2)).law16.compute;
            QVERIFY2(half < 0.85 * whole && half >= 0.5 * whole * 0.999, accelerator);
            QVERIFY2(twice > whole && twice <= 2 * whole && twice < 0.93, accelerator);
        }
        // The device that the row was fitted on keeps its figure, and so does one whose power nobody published.
        const auto fitted = [](const PreparedScenario& p) {
            const TrainingPlan plan = planOf(p);
            return p.calibration->training.law(plan.family, MatmulClass::Bits16).compute * plan.profile.matmul;
        };
        for (const double factor : {1.0, 0.0}) {
            const PreparedScenario p = withWatts("h100-sxm-80gb", factor);
            QVERIFY(std::abs(planOf(p).law16.compute / fitted(p) - 1) < 1e-3);
        }
        PreparedScenario ideal = withWatts("h100-sxm-80gb", 0.5);
        ideal.efficiency.base = EfficiencyBase::Ideal;
        QCOMPARE(planOf(ideal).law16.compute, 1.0);
    }

    /// GB300 has GB200's peak and more power for it (1400 against 1200 W).
    void moreWattsForTheSamePeakAreFaster()
    {
        PreparedScenario gb200 = trainingCase("llama-3-8b", "gb200", 8), gb300 = trainingCase("llama-3-8b", "gb300", 8);
        QVERIFY(stepTime(gb300) < 0.97 * stepTime(gb200));
    }

    /// Samples of 16 tokens have few scores: a fused kernel takes no longer than writing them, yet its backward pass
    /// moves its own traffic twice. On a slow memory nothing moves faster than that.
    void fusedAttentionMovesItsTraffic()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "l40s", 1);
        Accelerator slow = *p.accelerator;
        slow.memoryBandwidthGbPerS = 86.4;
        p.accelerator = std::make_shared<const Accelerator>(slow);
        p.training.packedSampleTokens = 16;
        p.efficiency.memoryBandwidth = 10;
        double bytes = 0, seconds = 0;
        for (const TrainingOperator& item : layerOperators(planOf(p), p.model->kinds.front()))
            if (item.part == TimePart::Attention) {
                bytes += item.backward.bytes;
                seconds += item.backward.seconds;
            }
        QVERIFY2(bytes <= seconds * 86.4e9, std::to_string(bytes / seconds / 86.4e9).c_str());
    }

    /// The wait for a slower stage hid the gather and the scatter alike: more work there hid more than it took.
    void moreWorkHidesNoMoreThanItTakes()
    {
        PreparedScenario p = trainingCase("jamba-v0.1", "h100-sxm-80gb", 4);
        p.parallelism.pipeline = 2;
        p.parallelism.virtualPipeline = 4;
        p.training.sequenceLength = 512;
        p.training.flashAttention = FlashAttention::Off;
        p.training.chunkedLoss = true;
        const double before = *evaluate(p).stepTimeS;
        p.training.checkpointing = Checkpointing::AttentionOnly;
        QVERIFY(*evaluate(p).stepTimeS >= before);
    }

    void expertsWithFewRowsFillNoTiles()
    {
        const PreparedScenario moe = trainingCase("mixtral-8x7b", "h100-sxm-80gb", 8);
        const PreparedScenario dense = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        constexpr auto halfRows = &TrainingConstants::expertHalfRows;
        QVERIFY(stepTime(withConstant(moe, halfRows, 0)) < stepTime(withConstant(moe, halfRows, 500)));
        QCOMPARE(stepTime(withConstant(dense, halfRows, 0)), stepTime(withConstant(dense, halfRows, 500)));
        // The more rows, the less it matters.
        const auto penalty = [&](std::int64_t sequence) {
            PreparedScenario p = moe;
            p.training.sequenceLength = sequence;
            const auto part = [](const PreparedScenario& q) { return evaluate(q).part(TimePart::Experts); };
            return part(withConstant(p, halfRows, 500)) / part(withConstant(p, halfRows, 0));
        };
        QVERIFY(penalty(1024) > penalty(8192));
    }

    /// Eight ranks of a stage hold the same result: each sends an eighth to the next node, where they gather it.
    void stagesSendInParts()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "a100-sxm-80gb", 16);
        p.hardware.scaleOutGbitPerS = 200;
        p.parallelism.tensor = 8;
        p.parallelism.pipeline = 2;
        p.parallelism.sequenceParallel = false;
        p.training.software = TrainingSoftware::Megatron;
        p.training.sequenceLength = 4096;
        p.training.overlapDataParallel = 0;
        const auto sends = [](const PreparedScenario& q) { return evaluate(q).part(TimePart::PipelineSend); };
        const double parts = sends(p);
        p.training.software = TrainingSoftware::TorchFsdp;
        const double whole = sends(p);
        QVERIFY2(parts < 0.4 * whole && parts > whole / 8, std::to_string(parts / whole).c_str());
        // One rank a stage has nothing to divide.
        p.parallelism.tensor = 1;
        p.hardware.count = 2;
        const double one = sends(p);
        p.training.software = TrainingSoftware::Megatron;
        QCOMPARE(sends(p), one);
    }

    /// DeepSpeed's pipeline engine all-reduces gradients of 32 bit: 8 + 2 bytes a parameter instead of 2 + 2.
    void gradientsOfBf16TravelWholeInPipelinesOf2021()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "a100-sxm-80gb", 8);
        p.parallelism.pipeline = 2;
        p.parallelism.sharding = Sharding::Zero1;
        p.training.software = TrainingSoftware::Megatron2021;
        p.training.overlapDataParallel = 0;
        const auto exposed = [&](DataType precision) {
            p.training.precision = precision;
            return evaluate(p).part(TimePart::DataParallel);
        };
        const double ratio = exposed(DataType::Bf16) / exposed(DataType::Fp16);
        QVERIFY2(std::abs(ratio - 2.5) < 0.02, std::to_string(ratio).c_str());
        QVERIFY(exposed(DataType::Tf32) >= exposed(DataType::Bf16)); // weights of 4 bytes come back
        p.training.software = TrainingSoftware::Megatron;
        QCOMPARE(exposed(DataType::Bf16), exposed(DataType::Fp16));
    }
};
HEADROOM_TEST(TestTrainingMechanisms)

} // namespace headroom::test_training_mechanisms
#include "test_training_mechanisms.moc"
