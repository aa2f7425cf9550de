// SPDX-License-Identifier: GPL-3.0-or-later
// What transformers makes of a config.json when it saves it again: keys of single layers, empty lists, keys that equal
// a default and are left out; and what a checkpoint lacks or holds beside the language model.
#include "core/catalog/hf_config.hpp"
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_config.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::test_hf_config_saved
{
namespace
{

using nlohmann::json;
using test::has;
using test::refusalOfConfig;
using test::smallConfig;

constexpr double embedding = 32 * 8, attention = 8 * 8 + 2 * 8 * 4 + 8 * 8, gated = 3 * 8 * 16;

double total(const json& config)
{
    const auto imported = importHfConfig(config.dump());
    return imported ? countParameters(imported->architecture).total : 0;
}

/// The warning of a key; empty where there is none.
std::string warning(const json& config, const std::string& path, const std::string& quant = {})
{
    const auto imported = importHfConfig(config.dump(), quant);
    if (!imported)
        return refusalOfConfig(config.dump());
    const auto found = std::ranges::find(imported->warnings, path, &Diagnostic::path);
    return found == imported->warnings.end() ? std::string() : found->message;
}

/// Gemma 4's 26B-A4B; `saved` as transformers 5.15 writes it again.
json gemma4(bool saved)
{
    json layers = json::array(), own = json::object();
    for (int i = 0; i < 30; ++i) {
        const bool full = (i + 1) % 6 == 0;
        layers.push_back(full ? "full_attention" : "sliding_attention");
        if (full)
            own[i < 10 ? "0" + std::to_string(i) : std::to_string(i)] = {{"head_dim", 512}, {"num_key_value_heads", 2}};
    }
    json text{{"model_type", "gemma4_text"},
              {"attention_k_eq_v", true},
              {"enable_moe_block", true},
              {"head_dim", 256},
              {"hidden_size", 2816},
              {"hidden_size_per_layer_input", 0},
              {"intermediate_size", 2112},
              {"layer_types", layers},
              {"max_position_embeddings", 262144},
              {"moe_intermediate_size", 704},
              {"num_attention_heads", 16},
              {"num_experts", 128},
              {"num_hidden_layers", 30},
              {"num_key_value_heads", 8},
              {"sliding_window", 1024},
              {"top_k_experts", 8},
              {"vocab_size", 262144}};
    if (saved)
        text["per_layer_config"] = own;
    else
        text.update({{"global_head_dim", 512}, {"num_global_key_value_heads", 2}});
    return {{"model_type", "gemma4"}, {"tie_word_embeddings", true}, {"text_config", text}};
}

/// Llama Guard 4 as the converter writes it.
json guard()
{
    return {{"model_type", "llama4_text"},
            {"head_dim", 128},
            {"hidden_size", 5120},
            {"interleave_moe_layer_step", 0},
            {"intermediate_size", 8192},
            {"intermediate_size_mlp", 8192},
            {"max_position_embeddings", 10485760},
            {"moe_layers", json::array()},
            {"no_rope_layers", json::array()},
            {"num_attention_heads", 40},
            {"num_experts_per_tok", 1},
            {"num_hidden_layers", 48},
            {"num_key_value_heads", 8},
            {"num_local_experts", 0},
            {"attention_chunk_size", 8192},
            {"vocab_size", 202048},
            {"tie_word_embeddings", false}};
}

} // namespace

class TestHfConfigSaved : public QObject
{
    Q_OBJECT
private slots:
    /// The two files describe one model: as it was published, and as transformers saves it.
    void gemma4KeepsItsWideLayers()
    {
        const auto published = importHfConfig(gemma4(false).dump()), saved = importHfConfig(gemma4(true).dump());
        QVERIFY2(saved.has_value(), refusalOfConfig(gemma4(true).dump()).c_str());
        QCOMPARE(countParameters(saved->architecture).total, 25233141790.0);
        QVERIFY(saved->exact);
        QVERIFY(saved->architecture.attentionVariants == published->architecture.attentionVariants);
        QVERIFY(saved->architecture.schedule == published->architecture.schedule);
        // The last layers of the small models read an earlier layer's cache; theirs are as wide.
        json shared = gemma4(true), flat = gemma4(false);
        for (json* config : {&shared, &flat})
            (*config)["text_config"]["num_kv_shared_layers"] = 12;
        QCOMPARE(total(shared), total(flat));
        QVERIFY(total(shared) < 25233141790.0);
    }

    void layersOfTheirOwnAreReadOrRefused()
    {
        const auto changed = [](const json& patch) {
            json config = gemma4(true);
            config["text_config"]["per_layer_config"].merge_patch(patch);
            return refusalOfConfig(config.dump());
        };
        const std::string key = "/text_config/per_layer_config";
        QCOMPARE(changed(json::object()), std::string());
        QVERIFY(has(changed({{"11", {{"head_dim", 256}}}}), "unsupported-model " + key + ": layer 11"));
        QVERIFY(has(changed({{"17", nullptr}}), "unsupported-model " + key));
        QVERIFY(has(changed({{"30", {{"head_dim", 512}}}}), "inconsistent " + key + "/30"));
        QVERIFY(has(changed({{"x", {{"head_dim", 512}}}}), "inconsistent " + key + "/x"));
        QVERIFY(
            has(changed({{"05", {{"intermediate_size", 64}}}}), "unsupported-model " + key + "/05/intermediate_size"));
        QVERIFY(has(changed({{"05", {{"head_dim", "wide"}}}}), "wrong-type " + key + "/05/head_dim"));
        // No other family is counted with them, not even one that is unknown.
        for (const char* type : {"llama", "brandnew"}) {
            json config = smallConfig(type, {{"per_layer_config", {{"1", {{"intermediate_size", 8}}}}}});
            QVERIFY2(has(refusalOfConfig(config.dump()), "unsupported-model /per_layer_config"), type);
            config["per_layer_config"] = json::object();
            QCOMPARE(refusalOfConfig(config.dump()), std::string());
        }
    }

    void llama4WithoutExperts()
    {
        constexpr double dense = 11129164800.0; // without the vision tower
        QCOMPARE(total(guard()), dense);
        json listed = guard(); // the list decides, whatever the other keys say
        listed.update({{"num_local_experts", 16}, {"interleave_moe_layer_step", 1}});
        QCOMPARE(total(listed), dense);
        QVERIFY(importHfConfig(listed.dump())->architecture.moe == MoeShape{});
        listed["moe_layers"] = {1, 3};
        QVERIFY(total(listed) > dense);
        listed["moe_layers"] = nullptr; // as if it were absent: every layer
        QCOMPARE(total(listed), 107769861120.0);
        json none = guard();
        none.erase("moe_layers");
        QCOMPARE(total(none), dense);
        json step = none; // every layer has experts, and there are none
        step["interleave_moe_layer_step"] = 1;
        QVERIFY(has(refusalOfConfig(step.dump()), "/num_local_experts"));
        none["moe_layers"] = {1}; // experts in a layer, and there are none
        QVERIFY(has(refusalOfConfig(none.dump()), "/num_local_experts"));
    }

    void llama4WithoutChunks()
    {
        QCOMPARE(importHfConfig(guard().dump())->architecture.sliding.window, 8192);
        json null = guard();
        null["attention_chunk_size"] = nullptr;
        null["layer_types"] = json(48, "chunked_attention");
        QVERIFY2(refusalOfConfig(null.dump()).empty(), refusalOfConfig(null.dump()).c_str());
        QCOMPARE(importHfConfig(null.dump())->architecture.sliding.window, 0);
        QCOMPARE(warning(null, "/attention_chunk_size"), std::string());
        null.erase("attention_chunk_size"); // absent: what the class has
        QCOMPARE(importHfConfig(null.dump())->architecture.sliding.window, 8192);
    }

    /// transformers 4 leaves tie_word_embeddings out where it is true, which its base class has.
    void absentTiesAreTheClasses()
    {
        const auto exaone = importHfConfig(smallConfig("exaone").dump());
        QVERIFY(exaone && exaone->architecture.tied);
        for (const char* type : {"ernie4_5", "vaultgemma"})
            QVERIFY2(importHfConfig(smallConfig(type, {{"head_dim", 4}}).dump())->architecture.tied, type);
        QVERIFY(!importHfConfig(smallConfig("llama").dump())->architecture.tied);
        const auto unknown = importHfConfig(smallConfig("brandnew").dump());
        QVERIFY(unknown && unknown->architecture.tied && !unknown->exact);
        QVERIFY2(has(warning(smallConfig("brandnew"), "/tie_word_embeddings"), "adds 256 parameters"),
                 warning(smallConfig("brandnew"), "/tie_word_embeddings").c_str());
        QVERIFY(!importHfConfig(smallConfig("brandnew", {{"tie_word_embeddings", false}}).dump())->architecture.tied);
    }

    /// The counts stay those with a head, as others quote them; what the checkpoint holds is said.
    void modelsWithoutAnLmHead()
    {
        const auto said = [](const json& more) { return warning(smallConfig("llama", more), "/architectures"); };
        QVERIFY2(has(said({{"architectures", {"LlamaModel"}}}), "no LM head, 256 parameters fewer"),
                 said({{"architectures", {"LlamaModel"}}}).c_str());
        QVERIFY(has(said({{"architectures", {"LlamaForSequenceClassification"}}, {"id2label", {{"0", "x"}}}}),
                    "score head instead of an LM head, 248 parameters fewer"));
        QVERIFY(
            has(said({{"architectures", {"LlamaForSequenceClassification"}}, {"num_labels", 3}}), "232 parameters"));
        for (const char* name : {"LlamaForCausalLM", "LlavaLlamaModel", "LlamaForCausalLMEagle3"})
            QCOMPARE(said({{"architectures", {name}}}), std::string());
        QCOMPARE(said({{"architectures", {"LlamaModel"}}, {"tie_word_embeddings", true}}), std::string());
        QCOMPARE(total(smallConfig("llama", {{"architectures", {"LlamaModel"}}})), total(smallConfig("llama")));
        const json moe{{"architectures", {"Qwen3MoeModel"}},
                       {"head_dim", 4},
                       {"num_experts", 4},
                       {"num_experts_per_tok", 2},
                       {"moe_intermediate_size", 8}};
        QVERIFY(has(warning(smallConfig("qwen3_moe", moe), "/architectures"), "no LM head"));
    }

    void cachesOfCheckpointsAreSaid()
    {
        const auto said = [](const json& quantization, const std::string& key) {
            return warning(smallConfig("llama", {{"quantization_config", quantization}}),
                           "/quantization_config/" + key);
        };
        const json fp8{{"num_bits", 8}, {"type", "float"}};
        QVERIFY(has(said({{"quant_method", "fp8"}, {"kv_cache_scheme", fp8}}, "kv_cache_scheme"), "KV cache in FP8"));
        QVERIFY(has(
            said({{"quant_method", "fp8"}, {"kv_cache_scheme", {{"num_bits", 4}, {"type", "int"}}}}, "kv_cache_scheme"),
            "KV cache in INT4"));
        QVERIFY(has(said({{"quant_method", "fp8"}, {"kv_cache_scheme", "static"}}, "kv_cache_scheme"), "FP8"));
        QVERIFY(has(said({{"quant_algo", "NVFP4"}, {"kv_cache_quant_algo", "FP8"}}, "kv_cache_quant_algo"), "FP8"));
        QCOMPARE(said({{"quant_method", "fp8"}, {"kv_cache_scheme", nullptr}}, "kv_cache_scheme"), std::string());
        QCOMPARE(said({{"quant_method", "fp8"}, {"kv_cache_scheme", json::object()}}, "kv_cache_scheme"),
                 std::string());
        QVERIFY(has(warning(smallConfig("llama"), "/quantization/kv_cache_quant_algo",
                            R"({"quantization":{"quant_algo":"FP8","kv_cache_quant_algo":"FP8"}})"),
                    "FP8"));
        // Only the cache is quantised: the weights are not.
        for (const char* method : {"modelopt", ""}) {
            const json cache{{"quant_method", method}, {"quant_algo", nullptr}, {"kv_cache_quant_algo", "FP8"}};
            const auto imported = importHfConfig(smallConfig("llama", {{"quantization_config", cache}}).dump());
            QVERIFY(imported && !imported->architecture.quantization);
            QCOMPARE(
                warning(smallConfig("llama", {{"quantization_config", cache}}), "/quantization_config/quant_method"),
                std::string());
        }
    }

    void partsOfABit()
    {
        const auto bits = [](const json& value) {
            const json config =
                smallConfig("llama", {{"quantization_config", {{"quant_method", "exl2"}, {"bits", value}}}});
            const auto imported = importHfConfig(config.dump());
            return imported ? imported->architecture.quantization->bits : -1;
        };
        QCOMPARE(bits(4.25), 4.25);
        QCOMPARE(bits(3), 3.0);
        QCOMPARE(bits(0), -1.0);
        QCOMPARE(bits("4"), -1.0);
    }

    /// A bare NaN where a size or a word has to stand is no absent key.
    void bareWordsAreNoValues()
    {
        const auto with = [](const std::string& key, const std::string& word) {
            std::string text = smallConfig("llama", {{key, "@"}}).dump();
            text.replace(text.find("\"@\""), 3, word);
            return refusalOfConfig(text);
        };
        for (const char* key : {"num_key_value_heads", "hidden_size", "head_dim"})
            QVERIFY2(has(with(key, "NaN"), std::string("wrong-type /") + key), with(key, "NaN").c_str());
        QVERIFY(has(with("num_key_value_heads", "-Infinity"), "wrong-type /num_key_value_heads"));
        QVERIFY(has(with("hidden_act", "NaN"), "wrong-type /hidden_act"));
        QVERIFY(has(with("tie_word_embeddings", "Infinity"), "wrong-type /tie_word_embeddings"));
        QCOMPARE(with("nobody_reads_this", "[NaN, Infinity]"), std::string());
    }

    /// Parts that make a sound or a picture, wherever in the file they are described.
    void everyTowerIsNamed()
    {
        const json part{{"model_type", "qwen3_omni_moe_text"},
                        {"head_dim", 4},
                        {"num_experts", 4},
                        {"num_experts_per_tok", 2},
                        {"moe_intermediate_size", 8}};
        const json omni{
            {"model_type", "qwen3_omni_moe"},
            {"thinker_config",
             {{"text_config", smallConfig("qwen3_omni_moe_text", part)}, {"audio_config", {{"d_model", 4}}}}},
            {"talker_config", {{"hidden_size", 4}}},
            {"code2wav_config", {{"hidden_size", 4}}}};
        const std::string text = warning(omni, "/talker_config");
        for (const char* key : {"talker_config", "code2wav_config", "audio_config"})
            QVERIFY2(has(text, key), text.c_str());
    }

    void othersAreNamedForWhatTheyAre()
    {
        const json part = smallConfig("siglip2_text_model");
        QVERIFY(has(refusalOfConfig(json{{"model_type", "siglip2"}, {"text_config", part}}.dump()),
                    "image and text encoder"));
        QVERIFY(
            has(refusalOfConfig(json{{"model_type", "clap"}, {"text_config", part}}.dump()), "audio and text encoder"));
        QVERIFY(has(refusalOfConfig(part.dump()), "an encoder, not a decoder"));
        QVERIFY(has(refusalOfConfig(smallConfig("brandnew", {{"hidden_size_per_layer_input", 4}}).dump()),
                    "unsupported-model /hidden_size_per_layer_input"));
        QVERIFY(has(refusalOfConfig("GGUF\x03"), "a GGUF file"));
        QVERIFY(has(refusalOfConfig(R"({"d_model":2560,"n_layer":64,"vocab_size":50277,"ssm_cfg":{"layer":"Mamba1"}})"),
                    "state-spaces' own mamba_ssm code"));
        const json first{
            {"model_type", "chatglm"}, {"hidden_size", 8},         {"inner_hidden_size", 32},     {"num_layers", 2},
            {"vocab_size", 32},        {"num_attention_heads", 2}, {"position_encoding_2d", true}};
        QVERIFY(has(refusalOfConfig(first.dump()), "the first ChatGLM-6B"));
        QVERIFY(has(refusalOfConfig(smallConfig("git").dump()), "image captioning"));
    }

    void mptWithOneKeyValueHead()
    {
        json config{{"model_type", "mpt"}, {"d_model", 8},      {"n_layers", 2},  {"n_heads", 2},
                    {"vocab_size", 32},    {"max_seq_len", 64}, {"no_bias", true}};
        config["attn_config"] = {{"alibi", true}};
        const double all = total(config);
        config["attn_config"]["attn_type"] = "multiquery_attention";
        QCOMPARE(total(config), all - 2 * 2 * 8 * 4); // keys and values of one head fewer, in two layers
    }

    /// A saved file leaves out of its language part whatever its class has, the width and the layers as well.
    void languagePartsOfSavedFiles()
    {
        json llava{
            {"model_type", "llava"},
            {"architectures", {"LlavaForConditionalGeneration"}},
            {"tie_word_embeddings", false},
            {"text_config", {{"model_type", "llama"}, {"max_position_embeddings", 4096}, {"vocab_size", 32064}}}};
        QCOMPARE(total(llava), 6738939904.0);
        for (const char* key : {"hidden_size", "num_hidden_layers", "intermediate_size"})
            QVERIFY2(has(warning(llava, std::string("/text_config/") + key), "class default"), key);
        llava["text_config"] = {{"model_type", "mistral"}, {"sliding_window", nullptr}, {"vocab_size", 32003}};
        QCOMPARE(total(llava), 7241756672.0); // Idefics 2
        llava["text_config"] = {{"model_type", "qwen2"}, {"intermediate_size", 11008}, {"vocab_size", 156032}};
        QCOMPARE(total(llava), 7754878976.0); // Qwen2-Audio
        llava.erase("architectures");         // nobody saved this
        QVERIFY(has(refusalOfConfig(llava.dump()), "missing-key /text_config/num_hidden_layers"));
    }
};
HEADROOM_TEST(TestHfConfigSaved)

} // namespace headroom::test_hf_config_saved
#include "test_hf_config_saved.moc"
