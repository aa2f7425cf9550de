// SPDX-License-Identifier: GPL-3.0-or-later
// `native`: what a checkpoint weighs and what it is multiplied in, worked out by hand from its own files.
#include "core/catalog/hf_config.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_native_weights
{

using namespace inference;
using test::near;
using test::serving;

namespace
{

void takeNative(Scenario& s)
{
    s.inference.weights = DataType::Native;
}

/// `config`, a file of Hugging Face, served as it was published.
PreparedScenario imported(const nlohmann::json& config, const char* accelerator)
{
    return serving("llama-3-8b", accelerator, 1, [&](Scenario& s) {
        takeNative(s);
        s.model = {};
        s.model.object = nlohmann::json{{"hf_config", config}}.dump();
    });
}

/// Llama 3 8B with a quantization_config.
nlohmann::json llama(const char* quantization)
{
    nlohmann::json config = nlohmann::json::parse(
        R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16",
            "max_position_embeddings": 8192, "tie_word_embeddings": false})");
    config["quantization_config"] = nlohmann::json::parse(quantization);
    return config;
}
constexpr double llamaMatrices = 32 * (2 * 4096.0 * 4096 + 2 * 4096 * 1024 + 3 * 4096.0 * 14336);

double gigabytes(const PreparedScenario& p)
{
    return storedWeightBytes(*p.model, makeMachine(p, false)) / 1e9;
}

Precisions precisions(const PreparedScenario& p)
{
    return resolvePrecisions(p.inference, p.model->architecture, *p.accelerator, {});
}

} // namespace

class TestNativeWeights : public QObject
{
    Q_OBJECT
private slots:
    /// Routed experts at 4.25 bits, attention and shared experts in FP8, the rest in 16 bit.
    void deepseekV4()
    {
        const PreparedScenario flash = serving("deepseek-v4-flash", "b300-sxm", 1, takeNative);
        const double routed = 43.0 * 256 * 3 * 4096 * 2048, projections = 6.17e9;
        const double rest = flash.model->parameters.total - routed - projections;
        QVERIFY(near(gigabytes(flash), (routed * 4.25 / 8 + projections + rest * 2) / 1e9, 2e-3)); // 155.6
        QVERIFY(std::abs(gigabytes(flash) - 155.6) < 0.5);
        QVERIFY(gigabytes(serving("deepseek-v4-pro", "b300-sxm", 1, takeNative)) < 900);
        const Machine m = makeMachine(flash, true);
        QCOMPARE(m.routed.bytes, 0.53125);
        QCOMPARE(m.dense.bytes, 1.0);
        QCOMPARE(m.projection.bytes, 1.0);
        QCOMPARE(precisions(flash).compute, DataType::Fp8); // FP8 activations; FP4 is widened on the way
    }

    /// Their own repositories are in 16 bit; what NVIDIA and Poolside store in fewer has other names.
    void sixteenBitModelsStaySo()
    {
        QVERIFY(std::abs(gigabytes(serving("gemma-4-31b", "h200-sxm-141gb", 1, takeNative)) - 61.4) < 0.2);
        QVERIFY(std::abs(gigabytes(serving("laguna-xs.2", "h200-sxm-141gb", 1, takeNative)) - 66.9) < 0.2);
        QVERIFY(std::abs(gigabytes(serving("laguna-s-2.1", "h200-sxm-141gb", 1, takeNative)) - 235.1) < 0.5);
    }

    /// Groups of 32 are 4.5 bits; its list keeps attention, shared experts and the dense layer in 16 bit.
    void kimiK25()
    {
        const std::string text = test::readFile(test::sourcePath("tests/facts/hf_configs/Kimi-K2.5.json"));
        const PreparedScenario p = imported(nlohmann::json::parse(text), "b300-sxm");
        const double routed = 60.0 * 384 * 3 * 7168 * 2048;
        QVERIFY(near(gigabytes(p), (routed * 4.5 / 8 + (p.model->parameters.total - routed) * 2) / 1e9, 2e-3)); // 594.2
        QVERIFY(std::abs(gigabytes(p) - 594.2) < 0.5);
    }

    void gptOssKeepsAttention()
    {
        const Machine m = makeMachine(serving("gpt-oss-120b", "h100-sxm-80gb", 1, takeNative), false);
        QCOMPARE(m.projection.bytes, 2.0);
        QCOMPARE(m.routed.bytes, 0.53125);
    }

    void bitsThatTheFileStates_data()
    {
        QTest::addColumn<QString>("quantization");
        QTest::addColumn<double>("bits");
        const auto row = [](const char* name, const char* quantization, double bits) {
            QTest::newRow(name) << QString::fromLatin1(quantization) << bits;
        };
        row("GPTQ 2", R"({"quant_method": "gptq", "bits": 2, "group_size": 128})", 2 + 18.0 / 128);
        row("GPTQ 3", R"({"quant_method": "gptq", "bits": 3, "group_size": 128})", 3 + 19.0 / 128);
        row("GPTQ 4 in groups of 32", R"({"quant_method": "gptq", "bits": 4, "group_size": 32})", 4 + 20.0 / 32);
        row("GPTQ 8", R"({"quant_method": "gptq", "bits": 8, "group_size": 128})", 8 + 24.0 / 128);
        row("NF4", R"({"load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})", 4.5);
        row("FP8", R"({"quant_method": "fp8"})", 8);
        row("HQQ",
            R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}})", 4.5);
        row("neither flag", R"({"quant_method": "bitsandbytes", "load_in_4bit": false, "load_in_8bit": false})", 16);
    }

    void bitsThatTheFileStates()
    {
        QFETCH(QString, quantization);
        QFETCH(double, bits);
        const PreparedScenario p = imported(llama(quantization.toUtf8().constData()), "b200-sxm");
        const double rest = p.model->parameters.total - llamaMatrices;
        QVERIFY(std::abs(gigabytes(p) * 1e9 / (llamaMatrices * bits / 8 + rest * 2) - 1) < 1e-6);
    }

    /// Llama 3 8B: the embedding and the head are an eighth of it.
    void embeddingAndHeadAreStoredAsTheFileSays()
    {
        const auto weighs = [](const char* quantization) {
            return std::round(gigabytes(imported(llama(quantization), "apple-m3-max")) * 1e3);
        };
        QCOMPARE(weighs(R"({"group_size": 64, "bits": 4})"), 4517.0); // MLX
        QCOMPARE(weighs(R"({"group_size": 64, "bits": 8})"), 8532.0);
        QCOMPARE(weighs(R"({"group_size": 32, "bits": 4, "mode": "mxfp4"})"), 4266.0);
        QCOMPARE(weighs(R"({"group_size": 16, "bits": 4, "mode": "nvfp4"})"), 4517.0);
        QCOMPARE(weighs(R"({"group_size": 32, "bits": 8, "mode": "mxfp8"})"), 8281.0);
        QCOMPARE(weighs(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": true})"), 4950.0);
        QCOMPARE(weighs(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": false})"), 5728.0);
        nlohmann::json tied = llama(R"({"group_size": 64, "bits": 4})");
        tied["tie_word_embeddings"] = true;
        const Machine m = makeMachine(imported(tied, "apple-m3-max"), false);
        QCOMPARE(m.embeddingBytes, 4.5 / 8);
        QCOMPARE(m.head.bytes, 4.5 / 8);
        QCOMPARE(makeMachine(imported(llama(R"({"group_size": 32, "bits": 8, "mode": "mxfp8"})"), "b200-sxm"), true)
                     .dense.precision,
                 DataType::Bf16); // its kernels widen what they read
    }

    /// GPTQ quantises every linear layer; a mixture's attention is no exception.
    void gptqMixture()
    {
        const PreparedScenario p = serving("mixtral-8x7b", "h100-sxm-80gb", 1, [](Scenario& s) {
            takeNative(s);
            s.model.object =
                R"({"id": "mixtral-8x7b", "quantization": {"method": "gptq", "bits": 4, "group": 128, "weight_only": true}})";
        });
        QCOMPARE(makeMachine(p, false).projection.bytes, (4 + 20.0 / 128) / 8);
    }

    /// Attention in FP8, feed-forward and output head in NVFP4, the embedding in 16 bit.
    void mixedFormats()
    {
        const PreparedScenario p =
            imported(llama(R"({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": {
                "model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"},
                "model.layers.0.self_attn.o_proj": {"quant_algo": "FP8"},
                "model.layers.0.mlp": {"quant_algo": "NVFP4"}, "lm_head": {"quant_algo": "NVFP4"}}})"),
                     "b200-sxm");
        const double attention = 32 * (2 * 4096.0 * 4096 + 2 * 4096 * 1024), table = 128256 * 4096.0;
        const double rest = p.model->parameters.total - llamaMatrices - 2 * table;
        const double wanted = attention + (llamaMatrices - attention + table) * 4.5 / 8 + (table + rest) * 2;
        QVERIFY(std::abs(gigabytes(p) * 1e9 / wanted - 1) < 1e-6);
        const Machine m = makeMachine(p, true);
        QCOMPARE(m.projection.precision, DataType::Fp8);
        QCOMPARE(m.dense.precision, DataType::Fp4);
    }

    void weightOnlyFormatsMultiplyInSixteenBit()
    {
        const auto compute = [](const char* quantization, const char* accelerator) {
            return precisions(imported(llama(quantization), accelerator)).compute;
        };
        const char* const w8 = R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups":
            {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "int"}, "input_activations": null}}})";
        QCOMPARE(compute(R"({"quant_method": "gptq", "bits": 8})", "h100-sxm-80gb"), DataType::Bf16);
        QCOMPARE(compute(R"({"load_in_4bit": true})", "b200-sxm"), DataType::Bf16); // "fp4" of bitsandbytes
        QCOMPARE(compute(R"({"load_in_8bit": true})", "h100-sxm-80gb"), DataType::Int8);
        QCOMPARE(compute(w8, "h100-sxm-80gb"), DataType::Bf16);
        QCOMPARE(compute(R"({"quant_algo": "W4A16_NVFP4"})", "b200-sxm"), DataType::Bf16);
        QCOMPARE(compute(R"({"quant_algo": "NVFP4"})", "b200-sxm"), DataType::Fp4);
        // A dequantised weight of eight bits is read in eight: slower prompts, not slower tokens.
        const Machine m = makeMachine(imported(llama(R"({"quant_method": "gptq", "bits": 8})"), "h100-sxm-80gb"), true);
        QCOMPARE(m.dense.peak, m.plain.peak);
    }

    void whatIsNotKnownIsSaid()
    {
        const Evaluation e = evaluate(imported(llama(R"({"quant_method": "vptq"})"), "h100-sxm-80gb"));
        QVERIFY(e.warnings.has(WarningCode::NativeUnknown) && e.warnings.has(WarningCode::ModelAssumed));
        const Evaluation known = evaluate(imported(llama(R"({"quant_method": "gptq", "bits": 4})"), "h100-sxm-80gb"));
        QVERIFY(!known.warnings.has(WarningCode::NativeUnknown) && !known.warnings.has(WarningCode::ModelAssumed));
        QVERIFY(
            !evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, takeNative)).warnings.has(WarningCode::NativeUnknown));
    }

    /// MistralConfig: 8 key-value heads where a file names none, "as many as heads" only where it says null.
    void absentKeyValueHeads()
    {
        nlohmann::json config = llama("null");
        config.erase("num_key_value_heads");
        const auto heads = [&](const char* type) {
            config["model_type"] = type;
            return importHfConfig(config.dump())->architecture.kvHeads;
        };
        QCOMPARE(heads("mistral"), 8);
        QCOMPARE(heads("smollm3"), 4);
        QCOMPARE(heads("starcoder2"), 2);
        QCOMPARE(heads("llama"), 32);
        QVERIFY(evaluate(imported(config, "h100-sxm-80gb")).warnings.has(WarningCode::ModelAssumed));
        config["num_key_value_heads"] = nullptr;
        QCOMPARE(heads("mistral"), 32);
    }

    void eightBitsSlowerThanSixteenAreStoredAlone()
    {
        const auto compute = [](const char* accelerator, DataType weights) {
            return precisions(
                       serving("llama-3-8b", accelerator, 1, [&](Scenario& s) { s.inference.weights = weights; }))
                .compute;
        };
        QCOMPARE(compute("b300-sxm", DataType::Int8), DataType::Bf16); // 153 TOP/s of 2,250
        QCOMPARE(compute("b300-sxm", DataType::Fp8), DataType::Fp8);
        QCOMPARE(compute("b200-sxm", DataType::Int8), DataType::Int8);
        QCOMPARE(compute("mi250", DataType::Int8), DataType::Int8); // as fast
        QCOMPARE(compute("t4", DataType::Fp32), DataType::Fp32);
    }

    void whatHasNoRateOfThirtyTwoBitsSaysWhoseItTakes()
    {
        const auto text = [](const char* accelerator, DataType weights, std::optional<DataType> compute = {}) {
            const PreparedScenario p = serving("llama-3-8b", accelerator, 1, [&](Scenario& s) {
                s.inference.weights = weights;
                s.inference.compute = compute;
            });
            const WarningSet warnings = evaluate(p).warnings;
            constexpr WarningCode code = WarningCode::PrecisionUnavailable;
            return warnings.has(code) ? warningText(code, warnings.number(code), p) : std::string();
        };
        QVERIFY(text("ascend-910b", DataType::Fp32).starts_with("No rate of 32-bit matmuls is known"));
        QVERIFY(text("ascend-910b", DataType::Bf16, DataType::Tf32).starts_with("No rate of 32-bit matmuls is known"));
        QVERIFY(text("v100-sxm2-32gb", DataType::Fp16, DataType::Tf32).ends_with("the next wider precision is used."));
        QVERIFY(text("h100-sxm-80gb", DataType::Fp32).empty() && text("ascend-910b", DataType::Bf16).empty());
        PreparedScenario p = serving("llama-3-8b", "v100-sxm2-32gb", 1);
        p.inference.compute = DataType::Tf32;
        QCOMPARE(precisions(p).compute, DataType::Fp32);
    }
};
HEADROOM_TEST(TestNativeWeights)

} // namespace headroom::test_native_weights
#include "test_native_weights.moc"
