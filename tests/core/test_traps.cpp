// SPDX-License-Identifier: GPL-3.0-or-later
// What other tools get wrong, each with the test that keeps it right here; and those without another home.
#include "core/predict/evaluate.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <array>
#include <cmath>

namespace headroom::test_traps
{
namespace
{

struct Trap {
    const char* trap;
    const char* file; ///< below tests/
    const char* test; ///< function of a test program or name of a worked example
};

constexpr std::array traps{
    Trap{"FLOP per token, exact causal", "worked_examples/02_flop_conventions.txt",
         "Llama 3 8B at 8192: 51.471 GFLOP a token under exact"},
    Trap{"the same for a mixture of experts", "worked_examples/02_flop_conventions.txt",
         "Mixtral 8×7B at 4096: 79.714 GFLOP a token under exact"},
    Trap{"PaLM's convention", "worked_examples/02_flop_conventions.txt",
         "GPT-3 175B at 2048: 1076.617 GFLOP a token under palm"},
    Trap{"standard convention", "worked_examples/02_flop_conventions.txt",
         "Llama 3 70B at 8192: 481.435 GFLOP a token under standard"},
    Trap{"all conventions of the table", "core/test_utilization.cpp", "publishedTable"},
    Trap{"KV cache of multi-head attention", "worked_examples/03_memory.txt",
         "KV cache of a 7B multi-head model, 2049 tokens, 16 bit: 1 GiB"},
    Trap{"KV cache of grouped heads", "worked_examples/03_memory.txt",
         "KV cache of Llama 3 8B at 8192 tokens: 1.07 GB"},
    Trap{"KV cache with more ranks than heads", "worked_examples/03_memory.txt",
         "With more tensor ranks than KV heads, a GPU still holds one head"},
    Trap{"latent cache under tensor parallelism", "worked_examples/03_memory.txt",
         "The latent cache of MLA is the same on every tensor rank"},
    Trap{"distinct experts", "core/test_inference_cases.cpp", "distinctExpertsOfMixtral"},
    Trap{"Mixtral decode reads nearly every expert", "worked_examples/05_time.txt",
         "Mixtral decode, batch 16 on two H100: nearly every expert must be read"},
    Trap{"selective recomputation lies between", "core/test_training.cpp", "selectiveLiesBetweenNoneAndFull"},
    Trap{"no gather without sharding", "core/test_training.cpp", "withoutShardingNothingIsGathered"},
    Trap{"FlashAttention moves bytes in proportion to the length", "core/test_traps.cpp",
         "flashAttentionMovesBytesInProportion"},
    Trap{"decode reads the cache once", "worked_examples/05_time.txt", "A decode step reads the cache once"},
    Trap{"grouped heads are read once", "worked_examples/05_time.txt",
         "Grouped heads are read once, not once per query head"},
    Trap{"unknown GPU", "core/test_traps.cpp", "anUnknownDeviceIsRefused"},
    Trap{"rates decimal, capacity binary", "worked_examples/05_time.txt",
         "Rates are decimal, capacity is what software sees"},
    Trap{"nothing over the speed of light", "core/test_training_properties.cpp", "nothingBeatsTheSpeedOfLight"},
    Trap{"the same for inference", "core/test_inference_properties.cpp", "theBoundIsABound"},
    Trap{"a measurement over 100 % warns", "core/test_training_result.cpp", "impossibleMeasurementsAreNamed"},
    Trap{"HFU is not below MFU", "core/test_training.cpp", "hfuRisesOverMfuByOneForward"},
    Trap{"SwiGLU keeps 6f per token", "core/test_training_memory.cpp", "aLlamaLayerKeepsThirtyFourBytes"},
};

/// Bytes that the attention core moves in one training step.
double attentionBytes(int sequence, bool flash)
{
    Scenario s;
    s.model.id = "llama-3-8b";
    s.accelerator.id = "h100-sxm-80gb";
    s.training.sequenceLength = sequence;
    s.training.flashAttention = flash ? FlashAttention::On : FlashAttention::Off;
    const auto prepared = prepare(s, Catalog::builtIn(), Calibration::builtIn());
    double bytes = 0;
    for (const OperatorCost& cost : trainingOperatorCosts(*prepared))
        if (cost.name == "attention core" && !cost.repeats)
            bytes += cost.bytes;
    return bytes;
}

} // namespace

class TestTraps final : public QObject
{
    Q_OBJECT

private slots:
    void everyTrapHasItsTest()
    {
        for (const Trap& each : traps) {
            const std::string text = test::readFile(test::sourcePath(std::string("tests/") + each.file));
            const bool example = std::string_view(each.file).ends_with(".txt");
            const std::string wanted =
                example ? "name: " + std::string(each.test) + "\n" : "void " + std::string(each.test) + "()";
            QVERIFY2(text.find(wanted) != std::string::npos, each.trap);
        }
    }

    void flashAttentionMovesBytesInProportion()
    {
        const double flash = attentionBytes(16384, true) / attentionBytes(8192, true);
        QVERIFY2(flash > 1.9 && flash < 2.1, qPrintable(QString::number(flash)));
        const double written = attentionBytes(16384, false) / attentionBytes(8192, false);
        QVERIFY2(written > 3.5 && written < 4.1, qPrintable(QString::number(written)));
    }

    /// With every expert active and the router left out, a mixture is a dense model of that width.
    void aMixtureOfActiveExpertsIsDense()
    {
        ModelArchitecture mixture = *Catalog::builtIn().model("mixtral-8x7b");
        mixture.moe.topK = mixture.moe.experts;
        ModelArchitecture dense = mixture;
        dense.ffn = mixture.moe.experts * mixture.moe.ffn;
        for (LayerRun& run : dense.schedule)
            for (LayerSegment& segment : run.segments)
                segment.mlp = MlpKind::Dense;
        dense.moe = {};
        TrainingCount count;
        count.sequence = count.sampleTokens = 4096;
        const ModelProfile a = compileModel(mixture), b = compileModel(dense);
        // Megatron's convention leaves the router out.
        QCOMPARE(modelFlopPerToken(a, Convention::Megatron, count), modelFlopPerToken(b, Convention::Megatron, count));
        QVERIFY(modelFlopPerToken(a, Convention::Standard, count) > modelFlopPerToken(b, Convention::Standard, count));
        const auto idealStep = [](const ModelProfile& profile) {
            PreparedScenario p = test::trainingCase("mixtral-8x7b", "h100-sxm-80gb");
            p.model = std::make_shared<const ModelProfile>(profile);
            p.efficiency.base = EfficiencyBase::Ideal;
            return *evaluate(p).stepTimeS;
        };
        const double ratio = idealStep(a) / idealStep(b);
        QVERIFY2(std::abs(ratio - 1) < 0.01, qPrintable(QString::number(ratio)));
    }

    void anUnknownDeviceIsRefused()
    {
        const auto reading = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
            "hardware": {"accelerator": "h1000"}, "workload": {"task": "training"}})",
                                          Catalog::builtIn());
        QVERIFY(!reading);
        QCOMPARE(reading.error().front().path, std::string("/hardware/accelerator"));
        QVERIFY(reading.error().front().message.find("h1000") != std::string::npos);
        QVERIFY(!reading.error().front().hint.empty());
        Scenario made;
        made.accelerator.id = "h1000";
        QVERIFY(!prepare(made, Catalog::builtIn(), Calibration::builtIn()));
    }
};
HEADROOM_TEST(TestTraps)

} // namespace headroom::test_traps
#include "test_traps.moc"
