// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/attention_keys.hpp"
#include "core/predict/utilization.hpp"
#include "tests/support/program.hpp"
#include "tests/support/reference_model.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>

namespace headroom::test_utilization
{

using test::profileOf;
namespace reference = test::reference;

class TestUtilization : public QObject
{
    Q_OBJECT

    static TrainingCount tokens(double sequence)
    {
        TrainingCount count;
        count.sequence = count.sampleTokens = sequence;
        return count;
    }
    static double giga(const char* model, Convention convention, double sequence)
    {
        return modelFlopPerToken(*profileOf(model), convention, tokens(sequence)) / 1e9;
    }
    static bool near(double value, double expected, double tolerance)
    {
        if (std::abs(value - expected) <= tolerance)
            return true;
        qWarning("%.8g, expected %.8g ± %g", value, expected, tolerance);
        return false;
    }

    /// FLOP a token of the attention matmuls of all layers, forward, of `s` tokens.
    static double attentionCoreFlopPerToken(const ModelProfile& model, double s, KeyCount keys)
    {
        double sum = 0;
        for (const LayerKind& kind : model.kinds)
            if (kind.mixer == MixerKind::Attention)
                sum += kind.count * layerCoreFlopPerToken(kind, model.architecture, s, keys);
        return sum;
    }

private slots:
    /// The traps of the FLOP table: exact, PaLM and standard of five models.
    void publishedTable_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<double>("sequence");
        QTest::addColumn<double>("exact");
        QTest::addColumn<double>("palm");
        QTest::addColumn<double>("standard");
        QTest::newRow("Llama 2 7B") << QByteArray("llama-2-7b") << 4096.0 << 42.864 << 46.873 << 46.085;
        QTest::newRow("Llama 3 8B") << QByteArray("llama-3-8b") << 8192.0 << 51.471 << 61.066 << 57.913;
        QTest::newRow("Llama 3 70B") << QByteArray("llama-3-70b") << 8192.0 << 449.226 << 487.747 << 481.435;
        QTest::newRow("GPT-3 175B") << QByteArray("gpt-3-175b") << 2048.0 << 1061.885 << 1076.617 << 0.0;
        QTest::newRow("Mixtral 8x7B") << QByteArray("mixtral-8x7b") << 4096.0 << 79.714 << 0.0 << 82.934;
    }
    void publishedTable()
    {
        QFETCH(QByteArray, model);
        QFETCH(double, sequence);
        QFETCH(double, exact);
        QFETCH(double, palm);
        QFETCH(double, standard);
        QVERIFY(near(giga(model.constData(), Convention::Exact, sequence), exact, 0.0006));
        if (palm > 0)
            QVERIFY(near(giga(model.constData(), Convention::Palm, sequence), palm, 0.0006));
        if (standard > 0)
            QVERIFY(near(giga(model.constData(), Convention::Standard, sequence), standard, 0.0006));
    }

    void agreesWithTheLiteralReading_data()
    {
        QTest::addColumn<QByteArray>("model");
        for (const char* id : {"llama-2-7b", "llama-3-8b", "llama-3.1-405b", "gpt-3-175b", "mixtral-8x7b"})
            QTest::newRow(id) << QByteArray(id);
    }
    void agreesWithTheLiteralReading()
    {
        QFETCH(QByteArray, model);
        const auto profile = profileOf(model.toStdString());
        const ModelArchitecture& a = profile->architecture;
        const long s = 1536;
        const double core = double(a.layers) * reference::causalAttentionFlop(a, s, 0) / double(s);
        const double weights = reference::multipliedWeights(a);
        const auto flop = [&](Convention c) { return modelFlopPerToken(*profile, c, tokens(double(s))); };
        QCOMPARE(flop(Convention::Exact), 6 * weights + 3 * core);
        QCOMPARE(flop(Convention::Matmul), 6 * weights);
        QCOMPARE(flop(Convention::Palm), reference::palmFlopPerToken(a, double(s)));
        QCOMPARE(flop(Convention::Palm43), flop(Convention::Palm));
        QCOMPARE(flop(Convention::SixN), 6 * reference::activeParameters(a));
        QCOMPARE(flop(Convention::Standard) - flop(Convention::Megatron), 6 * reference::routerWeights(a));
        QCOMPARE(flop(Convention::Causal) - flop(Convention::MegatronCausal), 6 * reference::routerWeights(a));
    }

    void megatronsEquationIsItsConvention()
    {
        const auto gpt = profileOf("gpt-3-175b"); // MHA, f = 4h
        const double ours = modelFlopPerToken(*gpt, Convention::Megatron, tokens(2048));
        QVERIFY(near(ours / reference::megatronFlopPerToken(gpt->architecture, 2048), 1, 1e-12));
        // Taken literally it does not know grouped queries or gating.
        const auto llama = profileOf("llama-3-70b");
        QVERIFY(near(modelFlopPerToken(*llama, Convention::Sc21, tokens(8192)) /
                         reference::megatronFlopPerToken(llama->architecture, 8192),
                     1, 1e-12));
    }

    void windowsCountWhatIsSeen()
    {
        LayerKind kind;
        kind.mixer = MixerKind::Attention;
        kind.attention.heads = kind.attention.kvHeads = 4;
        kind.attention.headDim = 64;
        kind.window = 100;
        ModelArchitecture a;
        a.heads = 4;
        a.headDim = 64;
        const double exact = layerCoreFlopPerToken(kind, a, 1000, KeyCount::ExactCausal);
        QCOMPARE(exact * 1000, reference::causalAttentionFlop(a, 1000, 100));
        QCOMPARE(meanKeys(kind, a, 1000, KeyCount::FullSquare), 100.0);
        QCOMPARE(meanKeys(kind, a, 1000, KeyCount::HalfCausal), 100.0 - 100.0 * 100 / 2000);
        // Megatron-Bridge: w − w(w − 1)/(2S).
        QCOMPARE(meanKeys(kind, a, 1000, KeyCount::ExactCausal), 100.0 - 100.0 * 99 / 2000);
        kind.window = 2000; // wider than the sequence: no window
        QCOMPARE(meanKeys(kind, a, 1000, KeyCount::ExactCausal), 500.5);
        kind.chunked = true; // Llama 4: each chunk is a sequence of its own
        kind.window = 250;
        QCOMPARE(meanKeys(kind, a, 1000, KeyCount::ExactCausal), 125.5);
        // The last one is as short as it is: 250·125.5 and 100·50.5 of 350.
        QCOMPARE(meanKeys(kind, a, 350, KeyCount::ExactCausal), (250 * 125.5 + 100 * 50.5) / 350);
        QCOMPARE(meanKeys(kind, a, 350, KeyCount::HalfCausal), (250 * 125.0 + 100 * 50.0) / 350);
        kind.cross = true;
        QCOMPARE(meanKeys(kind, a, 1000, KeyCount::ExactCausal), 0.0);
    }

    void latentAttentionHasItsOwnWidths()
    {
        const auto deepseek = profileOf("deepseek-v3");
        const double core = attentionCoreFlopPerToken(*deepseek, 4096, KeyCount::FullSquare);
        QCOMPARE(core, 61.0 * 2 * 128 * (192 + 128) * 4096); // 61 layers, 128 heads, keys 128 + 64, values 128
    }

    void adaptersSkipTheWeightGradient()
    {
        const auto llama = profileOf("llama-3-8b");
        TrainingCount full = tokens(8192), lora = full;
        lora.method = Method::Lora;
        lora.loraRank = 16;
        const auto flop = [&](Convention c, const TrainingCount& n) { return modelFlopPerToken(*llama, c, n); };
        const double m = llama->parameters.matmulActive;
        const double core = attentionCoreFlopPerToken(*llama, 8192, KeyCount::FullSquare);
        QCOMPARE(flop(Convention::SixN, lora), flop(Convention::SixN, full) * 2 / 3);
        QCOMPARE(flop(Convention::Matmul, lora), 4 * m);
        QCOMPARE(flop(Convention::Standard, lora), 4 * m + 3 * core);
        // Rank 16 on q, k, v, o, gate, up, down: 16 × (in + out) each.
        const double h = 4096, kv = 1024, f = 14336;
        const double adapters = 32 * 16 * ((h + h) + 2 * (h + kv) + (h + h) + 3 * (h + f));
        QCOMPARE(loraParameters(*llama, 16, LoraTargets{}), adapters);
        QCOMPARE(loraParameters(*llama, 16, LoraTargets{LoraTargets::qv}), 32 * 16 * ((h + h) + (h + kv)));
        const double exactCore = attentionCoreFlopPerToken(*llama, 8192, KeyCount::ExactCausal);
        QCOMPARE(flop(Convention::Exact, lora), 4 * m + 3 * exactCore + 6 * adapters);
    }

    void everyExpertHasAdaptersButATokenMeetsFew()
    {
        const auto mixtral = profileOf("mixtral-8x7b");
        const LoraTargets targets{LoraTargets::Up};
        QCOMPARE(loraParameters(*mixtral, 8, targets), 32.0 * 8 * 8 * (4096 + 14336));
        QCOMPARE(activeLoraParameters(*mixtral, 8, targets), 32.0 * 2 * 8 * (4096 + 14336));
    }

    void hardwareCountsWhatRunsTwice()
    {
        const auto llama = profileOf("llama-3-8b");
        const auto hfu = [&](Convention c, Checkpointing mode, double every = 2) {
            TrainingCount n = tokens(8192);
            n.checkpointing = mode;
            n.checkpointEvery = every;
            return hardwareFlopPerToken(*llama, c, n);
        };
        const double step = modelFlopPerToken(*llama, Convention::Standard, tokens(8192));
        const double forward = step / 3 - 2 * llama->headWeights; // the head is never run again
        QCOMPARE(hfu(Convention::Standard, Checkpointing::None), step);
        QCOMPARE(hfu(Convention::Standard, Checkpointing::Full), step + forward);
        QCOMPARE(hfu(Convention::Standard, Checkpointing::SelectiveLayer, 4), step + forward / 4);
        QCOMPARE(hfu(Convention::Standard, Checkpointing::AttentionOnly),
                 step + attentionCoreFlopPerToken(*llama, 8192, KeyCount::FullSquare));
        const double palm = modelFlopPerToken(*llama, Convention::Palm43, tokens(8192));
        QCOMPARE(hfu(Convention::Palm43, Checkpointing::Full), palm * 4 / 3);
        // FlashAttention computes the scores once more in its backward.
        const double exact = modelFlopPerToken(*llama, Convention::Exact, tokens(8192));
        QCOMPARE(hfu(Convention::Exact, Checkpointing::None),
                 exact + attentionCoreFlopPerToken(*llama, 8192, KeyCount::ExactCausal) / 2);
    }

    /// OPT-350M's embedding is narrower than its layers: the projections into them and back are outside of them.
    void whatIsOutsideOfTheLayersRunsOnce()
    {
        const auto opt = profileOf("opt-350m");
        TrainingCount count = tokens(2048);
        count.checkpointing = Checkpointing::Full;
        const double step = modelFlopPerToken(*opt, Convention::Standard, tokens(2048));
        const double projections = 2.0 * 2 * 512 * 1024;
        QCOMPARE(hardwareFlopPerToken(*opt, Convention::Standard, count),
                 step + step / 3 - 2 * opt->headWeights - projections);
    }

    void multiTokenPredictionCountsWhenTrained()
    {
        const auto deepseek = profileOf("deepseek-v3");
        TrainingCount with = tokens(4096), without = with;
        with.multiTokenPrediction = true;
        const auto flop = [&](Convention c, const TrainingCount& n) { return modelFlopPerToken(*deepseek, c, n); };
        QCOMPARE(flop(Convention::Causal, with), flop(Convention::Causal, without));
        const double more = flop(Convention::MegatronCausal, with) - flop(Convention::MegatronCausal, without);
        const LayerKind& layer = *deepseek->mtp;
        const double h = 7168, vocab = 129280;
        const double weights =
            layer.mixerWeights + layer.sharedWeights + 8 * layer.expertWeights + 2 * h * h + h * vocab;
        QCOMPARE(more, 6 * weights + 3 * 2 * 128 * 320 * 2048.0);
    }

    void forwardIsAThirdOfTheStepAtThatContext()
    {
        const auto llama = profileOf("llama-3-70b");
        for (const Convention c : {Convention::Standard, Convention::Palm, Convention::SixN, Convention::Matmul,
                                   Convention::Megatron, Convention::Sc21})
            QCOMPARE(forwardFlopPerToken(*llama, c, 4096), modelFlopPerToken(*llama, c, tokens(4096)) / 3);
    }
};
HEADROOM_TEST(TestUtilization)

} // namespace headroom::test_utilization
#include "test_utilization.moc"
