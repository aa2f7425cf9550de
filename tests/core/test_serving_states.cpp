// SPDX-License-Identifier: GPL-3.0-or-later
// What layers keep and read in serving besides keys and values: recurrent states, windows of convolutions, per-layer
// embeddings; worked out by hand.
#include "core/explain/derive.hpp"
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <array>

namespace headroom::test_serving_states
{

using namespace inference;
using test::near;
using test::serving;

namespace
{

/// Of a sequence, what the layers that have a state keep on one of `tensor` devices, bytes.
double ofModel(const PreparedScenario& p, const CacheTypes& types, double tensor)
{
    double sum = 0;
    for (const LayerKind& k : p.model->kinds)
        sum += k.count * stateBytes(k, types, tensor);
    return sum;
}

PreparedScenario servedBy(const std::string& model, InferenceSoftware software,
                          const std::function<void(Scenario&)>& change = {})
{
    return serving(model, "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.inference.software = software;
        if (change)
            change(s);
    });
}

} // namespace

class TestServingStates : public QObject
{
    Q_OBJECT
private slots:
    /// What a sequence keeps whatever its length: a state and the last inputs of the convolution, by hand.
    void recurrentStates()
    {
        const CacheTypes wide{.value = 2, .index = 1}; // states in 32 bit, inputs in 16
        const auto bytes = [&](const char* model, double tensor = 1) {
            return ofModel(serving(model, "h100-sxm-80gb", 1), wide, tensor);
        };
        QCOMPARE(bytes("llama-3-8b"), 0.0);
        QCOMPARE(bytes("falcon-mamba-7b"), 64 * (8192.0 * 16 * 4 + 8192 * 3 * 2));                // Mamba-1
        QCOMPARE(bytes("mamba-2-2.7b"), 64 * (80 * 64 * 128.0 * 4 + (5120 + 2 * 128) * 3.0 * 2)); // Mamba-2
        QCOMPARE(bytes("qwen3-next-80b-a3b"), 36 * 1024 * (2048.0 + 48)); // gated DeltaNet: 2 MiB and 8192 · 3 · 2
        QCOMPARE(bytes("kimi-linear-48b-a3b"), 20 * (32 * 128 * 128.0 * 4 + 3 * 4096 * 3.0 * 2)); // Kimi delta
        QCOMPARE(bytes("minimax-m1"), 70 * 64 * 128 * 128.0 * 4); // lightning: no convolution
        // Ranks divide all but the one group of Mamba-2, whose values each of them needs.
        QCOMPARE(bytes("qwen3-next-80b-a3b", 4), bytes("qwen3-next-80b-a3b") / 4);
        QCOMPARE(bytes("mamba-2-2.7b", 8), 64 * (10 * 64 * 128.0 * 4 + (640 + 2 * 128) * 3.0 * 2));
        // They are all that a sequence of a pure state-space model keeps; each step reads them once and writes them
        // once.
        const PreparedScenario p = serving("falcon-mamba-7b", "h100-sxm-80gb", 1);
        QCOMPARE(sequenceCacheBytes(*p.model, 100000, wide, 1), bytes("falcon-mamba-7b"));
        QCOMPARE(travellingCacheBytes(*p.model, 100000, wide, 8), bytes("falcon-mamba-7b"));
        const Machine m = makeMachine(p, false);
        QCOMPARE(sequenceReadBytes(m, *p.model, {9, 9, 9, 9}), 2 * ofModel(p, m.kept(), 1));
    }

    /// The same in engines that keep states in the model's type, and in those that keep 32 bit.
    void inTheTypeOfTheEngine_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("software");
        QTest::addColumn<double>("expected"); // bytes of a sequence, all layers
        const auto row = [](const char* model, const char* engine, InferenceSoftware software, double expected) {
            QTest::addRow("%s in %s", model, engine) << model << int(software) << expected;
        };
        // layers · (values of state · bytes + channels · 3 inputs · bytes)
        const auto all = [&](const char* model, double layers, double state, double channels, double inVllm,
                             double inTrtLlm, double inSglang = 4) {
            const auto kept = [&](double ofState, double ofInput) {
                return layers * (state * ofState + channels * 3 * ofInput);
            };
            row(model, "vLLM", InferenceSoftware::Vllm, kept(inVllm, 2));
            row(model, "vLLM before 0.14", InferenceSoftware::VllmSync, kept(inVllm, 2));
            row(model, "TensorRT-LLM", InferenceSoftware::TrtLlm, kept(inTrtLlm, 2));
            row(model, "SGLang", InferenceSoftware::Sglang, kept(inSglang, 2));
            row(model, "llama.cpp", InferenceSoftware::LlamaCpp, kept(4, 4));
            row(model, "tuned", InferenceSoftware::Tuned, kept(4, 2));
        };
        all("falcon-mamba-7b", 64, 8192 * 16, 8192, 2, 2);
        all("mamba-2-2.7b", 64, 80 * 64 * 128, 5120 + 2 * 128, 2, 2);
        all("jamba-v0.1", 28, 8192 * 16, 8192, 2, 2);
        all("qwen3-next-80b-a3b", 36, 32 * 128 * 128, 2 * 16 * 128 + 32 * 128, 2, 2);
        all("minimax-m1", 70, 64 * 128 * 128, 0, 2, 2);
        all("kimi-linear-48b-a3b", 20, 32 * 128 * 128, 3 * 32 * 128, 4, 4);    // always 32 bit
        all("nemotron-h-8b", 24, 8192 * 128, 8192 + 2 * 8 * 128, 4, 4);        // its class asks for 32 bit
        all("qwen3.5-27b", 48, 48 * 128 * 128, 2 * 16 * 128 + 48 * 128, 4, 2); // mamba_ssm_dtype: TensorRT-LLM does not
    }

    void inTheTypeOfTheEngine()
    {
        QFETCH(QString, model);
        QFETCH(int, software);
        QFETCH(double, expected);
        const PreparedScenario p = servedBy(model.toStdString(), InferenceSoftware(software));
        const Machine m = makeMachine(p, false);
        QCOMPARE(ofModel(p, m.kept(), 1), expected);
        QCOMPARE(ofModel(p, makeMachine(p, true).kept(), 1), expected);
        // A token more costs nothing of it: what no token leaves is the state.
        const auto without = [&](double tokens) {
            return sequenceCacheBytes(*p.model, tokens, m.kept(), 1) - expected;
        };
        QVERIFY(near(without(2000), 2 * without(1000)));
        const auto travelling = [&](double tokens) {
            return travellingCacheBytes(*p.model, tokens, m.kept(), 1) - expected;
        };
        QVERIFY(near(travelling(2000), 2 * travelling(1000)));
    }

    /// Half the state: more sequences fit, and a step moves less. 64 layers of 8,192 · 16 values and 8,192 · 3 inputs:
    /// 36,700,160 bytes a sequence become 19,922,944, the step reads and writes both.
    void halfTheState()
    {
        const PreparedScenario p = servedBy("falcon-mamba-7b", InferenceSoftware::Vllm);
        const Machine half = makeMachine(p, false);
        Machine whole = half;
        whole.engine.states = StateRule::Float32;
        QCOMPARE(planMemory(p, half).first.cachePerSequence, 19922944.0);
        QCOMPARE(planMemory(p, whole).first.cachePerSequence, 36700160.0);
        const double more = planMemory(p, half).maxBatch / planMemory(p, whole).maxBatch;
        QVERIFY2(near(more, 36700160.0 / 19922944, 1e-3), std::to_string(more).c_str()); // of some 2,000 sequences
        const double saved = 100 * 64 * 2 * 8192 * 16 * 2.0;                             // of 100 sequences
        QVERIFY(near(
            100 * (sequenceReadBytes(whole, *p.model, {9, 9, 9, 9}) - sequenceReadBytes(half, *p.model, {9, 9, 9, 9})),
            saved));
        const auto step = [&](const Machine& m) { return passCost(m, p, decodeShape(m, 100)).total(); };
        QVERIFY(near(step(whole) - step(half), saved * half.mixerState.perByte));
        // Where matmuls compute in 32 bit, so is the type of the model.
        const PreparedScenario wide = servedBy("falcon-mamba-7b", InferenceSoftware::Vllm,
                                               [](Scenario& s) { s.inference.compute = DataType::Fp32; });
        QCOMPARE(planMemory(wide, makeMachine(wide, false)).first.cachePerSequence, 64 * 8192 * (16 + 3) * 4.0);
    }

    /// The derivation of the cache says how much of it is state, and in how many bits.
    void derivation()
    {
        const auto says = [](InferenceSoftware software, const std::string& model = "falcon-mamba-7b") {
            const PreparedScenario p = servedBy(model, software);
            std::string all;
            for (const std::string& line : derive("memory.kv_cache", p, evaluate(p)).assumptions)
                all += line + "\n";
            return all;
        };
        const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
        QVERIFY2(has(says(InferenceSoftware::Vllm), "19.9"), says(InferenceSoftware::Vllm).c_str());
        QVERIFY(has(says(InferenceSoftware::Vllm), "in 16 bit"));
        QVERIFY(has(says(InferenceSoftware::Sglang), "36.7") && has(says(InferenceSoftware::Sglang), "in 32 bit"));
        QVERIFY(has(says(InferenceSoftware::Vllm, "qwen3.5-27b"), "in 32 bit"));
        QVERIFY(!has(says(InferenceSoftware::Vllm, "llama-3-8b"), "state"));
    }

    /// What config.json asks for counts where the engine reads it.
    void stated()
    {
        LayerKind k;
        k.mixer = MixerKind::StateSpace;
        const auto state = [&](StateRule rule) { return stateValueBytes(k, {2, 1, rule, 2}).state; };
        k.mamba.stateType = StateType::Float16;
        QCOMPARE(state(StateRule::Float32), 2.0);
        QCOMPARE(state(StateRule::AllFloat32), 4.0);
        k.mamba.stateType = StateType::Float32;
        QCOMPARE(state(StateRule::Model), 4.0);
        QCOMPARE(state(StateRule::LinearModel), 4.0);
        k.mixer = MixerKind::Linear;
        k.linear.stateType = StateType::Float32;
        QCOMPARE(state(StateRule::Model), 4.0);
        QCOMPARE(state(StateRule::LinearModel), 2.0);
        k.linear.stateType = StateType::Bfloat16;
        QCOMPARE(state(StateRule::Float32), 2.0);
        k.linear.kind = LinearKind::Kda;
        QCOMPARE(state(StateRule::Float32), 4.0);
    }

    /// Gemma 4 E2B: each token meets the ways into and out of its per-layer vectors, and looks the table up only.
    void perLayerEmbeddings()
    {
        const PreparedScenario p = serving("gemma-4-e2b", "h100-sxm-80gb", 1);
        const std::array<double, 4> contexts{0, 0, 0, 0};
        const FlopCounts flop = decodeFlops(*p.model, contexts, 1);
        QCOMPARE(flop.forward - flop.attention, 2 * 2279473152.0);
        const Machine m = makeMachine(p, false);
        QCOMPARE(decodeBytes(m, *p.model, contexts, 1) - sequenceReadBytes(m, *p.model, contexts), 2 * 2279473152.0);
        QCOMPARE(storedWeightBytes(*p.model, m), 2 * 4628569379.0); // all of it stays on the device
        // Its last 20 layers read the cache of earlier ones: 12 sliding and 3 full ones keep theirs.
        QCOMPARE(sequenceCacheBytes(*p.model, 4096, {2, 1}, 1), 2.0 * 2 * (12 * 512 * 256 + 3 * 4096 * 512));
    }
};
HEADROOM_TEST(TestServingStates)

} // namespace headroom::test_serving_states
#include "test_serving_states.moc"
