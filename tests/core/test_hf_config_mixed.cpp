// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints that mix formats: the weights of each part count with their own bits, and most weights say the format.
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/hf_config.hpp"
#include "core/catalog/hf_quantization.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>

namespace headroom::test_hf_config_mixed
{

using nlohmann::json;

namespace
{

/// A model of DeepSeek's shape: nearly all of its weights are routed experts.
json mixture()
{
    return json::parse(test::readFile(test::sourcePath("tests/facts/hf_configs/DeepSeek-R1.json")));
}

json group(const char* targets, const char* format, const char* weights)
{
    return {{"targets", json::parse(targets)},
            {"format", format},
            {"weights", json::parse(weights)},
            {"input_activations", {{"num_bits", 8}}}};
}

json eight(const char* targets)
{
    return group(targets, "float-quantized", R"({"num_bits": 8, "type": "float", "block_structure": [128, 128]})");
}

json four(const char* targets)
{
    return group(targets, "nvfp4-pack-quantized", R"({"num_bits": 4, "type": "float", "group_size": 16})");
}

constexpr const char* attentionNames = R"(["re:.*self_attn\\.(q_a|kv_a|q_b|kv_b|o)_proj.*"])";
constexpr const char* expertNames = R"(["re:.*mlp\\.experts\\.[0-9]+\\.(gate|up|down)_proj.*"])";

Quantization mixed(json config, const json& groups)
{
    config["quantization_config"] = {{"quant_method", "compressed-tensors"},
                                     {"format", "mixed-precision"},
                                     {"config_groups", groups},
                                     {"ignore", {"lm_head", "re:.*mlp\\.gate$"}}};
    const auto imported = importHfConfig(config.dump());
    return imported && imported->architecture.quantization ? *imported->architecture.quantization : Quantization{};
}

constexpr double eightBits = 8 + 32.0 / (128 * 128);

} // namespace

class TestHfConfigMixed : public QObject
{
    Q_OBJECT
private slots:
    /// The names of the groups say nothing, and neither does how many targets they have.
    void mostWeightsSpeak()
    {
        const Quantization a = mixed(mixture(), {{"group_0", eight(attentionNames)}, {"group_1", four(expertNames)}});
        const Quantization b = mixed(mixture(), {{"group_0", four(expertNames)}, {"group_1", eight(attentionNames)}});
        QVERIFY(a == b);
        QCOMPARE(a.format, std::string("nvfp4-pack-quantized"));
        QCOMPARE(storedBitsPerWeight(a), 4.5);
        QCOMPARE(a.attentionBits, eightBits);
        QCOMPARE(a.expertBits, 0.0);
        QVERIFY(a.attention && a.experts);
        QVERIFY(!a.dense); // which no group names
    }

    /// A class of modules stands for what no name covers.
    void namesComeBeforeClasses()
    {
        const Quantization q = mixed(mixture(), {{"a", eight(R"(["Linear"])")}, {"b", four(expertNames)}});
        QCOMPARE(storedBitsPerWeight(q), 4.5);
        QCOMPARE(q.attentionBits, eightBits);
        QCOMPARE(q.denseBits, eightBits);
        QVERIFY(q.attention && q.dense && q.experts);
    }

    /// Names of some layers leave the others to the class; 61 have attention, 3 a dense feed-forward, 58 shared
    /// experts.
    void namesOfSomeLayers()
    {
        const auto attention = [](const char* names) {
            return mixed(mixture(), {{"a", four(R"(["Linear"])")}, {"b", eight(names)}}).attentionBits;
        };
        const double one = (60 * 4.5 + eightBits) / 61, three = (58 * 4.5 + 3 * eightBits) / 61;
        QCOMPARE(attention(R"(["model.layers.0.self_attn.o_proj", "model.layers.0.self_attn.q_b_proj"])"), one);
        QCOMPARE(attention(R"(["re:.*layers\\.(0|1|2)\\..*"])"), three);
        QCOMPARE(attention(R"(["model.layers.0", "model.layers.1", "model.layers.60"])"), three);
        QCOMPARE(attention(R"(["re:model.layers.[0-9]+.self_attn.*"])"), eightBits);
    }

    void partsAreNamed_data()
    {
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("fourBits");
        const auto row = [](const char* names, const char* fourBits) {
            QTest::newRow(names) << QString::fromLatin1(names) << QString::fromLatin1(fourBits);
        };
        row("re:.*mlp.experts.*", "experts");
        row("re:.*mlp\\\\..*", "dense experts");
        row("re:.*\\\\.(gate|up|down)_proj$", "dense experts");
        row("re:.*mlp\\\\.(gate|up|down)_proj$", "dense");
        row("re:.*shared_experts.*", "dense");
        row(".self_attn.o_proj", "attention");
        row("re:.*linear_attn.out_proj", "attention");
        row("re:visual.*", "");
        row("re:.*mlp\\\\.gate", "");
    }

    void partsAreNamed()
    {
        QFETCH(QString, names);
        const std::string target = "[\"" + names.toStdString() + "\"]";
        const Quantization q = mixed(mixture(), {{"a", eight(R"(["Linear"])")}, {"b", four(target.c_str())}});
        QVERIFY(storedBitsPerWeight(q) > 0);
        const auto has = [&](double bits) { return std::min(bits > 0 ? bits : storedBitsPerWeight(q), 5.0) < 5; };
        QStringList parts;
        for (const auto& [part, bits] :
             {std::pair{"attention", q.attentionBits}, {"dense", q.denseBits}, {"experts", q.expertBits}})
            if (has(bits))
                parts << QString::fromLatin1(part);
        QTEST(parts.join(QLatin1Char(' ')), "fourBits");
    }

    /// 208 names of FP8 and 193 of NVFP4, but 17.1 of 26.9 billion weights are in the latter.
    void weightsCountAndNotNames()
    {
        const auto imported = importHfConfig(
            test::readFile(test::sourcePath("tests/facts/hf_configs/Qwen3.5-27B.json")),
            test::readFile(test::sourcePath("tests/facts/hf_quant_configs/nvidia--Qwen3.6-27B-NVFP4.json")));
        QVERIFY(imported && imported->architecture.quantization);
        const Quantization& q = *imported->architecture.quantization;
        QCOMPARE(q.algorithm, std::string("W4A16_NVFP4"));
        QCOMPARE(q.attentionBits, 8.0);
        QCOMPARE(q.headBits, 4.5);
        QVERIFY(q.weightOnly && q.denseBits == 0 && q.attention && q.dense);
        const auto again = readArchitecture(writeArchitecture(imported->architecture), "");
        QVERIFY(again && again->quantization == imported->architecture.quantization);
        for (const Diagnostic& warning : imported->warnings)
            QVERIFY2(warning.message.find("speaks for all") == std::string::npos, warning.message.c_str());
    }

    /// What a checkpoint leaves out names parts beside the language model with a layer's words.
    void projectorsKeepNothing()
    {
        const auto kept = [](const char* module) {
            json config = mixture();
            config["quantization_config"] = {{"quant_method", "fp8"}, {"modules_to_not_convert", {module}}};
            const auto imported = importHfConfig(config.dump());
            return imported && !imported->architecture.quantization->dense;
        };
        for (const char* beside : {"patch_merge_mlp", "mm_projector.mlp", "connector.mlp", "aligner.mlp",
                                   "patch_merger.mlp", "model.vision_embed_tokens.img_projection.ffn", "bridge.mlp"})
            QVERIFY2(!kept(beside), beside);
        for (const char* layers :
             {"mlp", "mlp.down_proj", "re:.*mlp.*", "*.ffn.*", "shared_experts", "mlp.shared_experts"})
            QVERIFY2(kept(layers), layers);
    }

    /// ModelOpt's groups without names of algorithms: a float of 4 bits is NVFP4.
    void modelOptGroups()
    {
        json config = mixture();
        config["quantization_config"] = {
            {"quant_method", "modelopt"},
            {"quant_algo", "MIXED_PRECISION"},
            {"config_groups",
             {{"a", {{"targets", {"re:.*self_attn.*"}}, {"weights", {{"num_bits", 8}, {"type", "float"}}}}},
              {"b",
               {{"targets", {"re:.*mlp.*"}}, {"weights", {{"num_bits", 4}, {"type", "float"}, {"group_size", 16}}}}}}}};
        const auto imported = importHfConfig(config.dump());
        QVERIFY(imported && imported->architecture.quantization);
        QCOMPARE(imported->architecture.quantization->algorithm, std::string("NVFP4"));
        QCOMPARE(storedBitsPerWeight(*imported->architecture.quantization), 4.5);
        QCOMPARE(imported->architecture.quantization->attentionBits, 8.0);
    }
};
HEADROOM_TEST(TestHfConfigMixed)

} // namespace headroom::test_hf_config_mixed
#include "test_hf_config_mixed.moc"
