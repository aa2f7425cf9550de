// SPDX-License-Identifier: GPL-3.0-or-later
// What a config.json leaves out: a default of its class that is said, or a refusal that names the key; never a count
// that looks right. And families that nobody knows.
#include "core/catalog/hf_config.hpp"
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_config.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::test_hf_config_strict
{
namespace
{

using nlohmann::json;
using test::has;
using test::smallConfig;

std::string refusal(const json& config)
{
    return test::refusalOfConfig(config.dump());
}

bool warns(const HfImport& imported, const std::string& key)
{
    return std::ranges::any_of(imported.warnings, [&](const Diagnostic& w) { return w.path == "/" + key; });
}

double total(const json& config)
{
    const auto imported = importHfConfig(config.dump());
    return imported ? countParameters(imported->architecture).total : 0;
}

json deepseekKeys()
{
    return {{"kv_lora_rank", 4},         {"q_lora_rank", 6},      {"qk_nope_head_dim", 3},
            {"qk_rope_head_dim", 2},     {"v_head_dim", 5},       {"n_routed_experts", 4},
            {"num_experts_per_tok", 2},  {"n_shared_experts", 1}, {"moe_intermediate_size", 10},
            {"first_k_dense_replace", 1}};
}

json nextKeys()
{
    return {{"head_dim", 4},
            {"linear_num_key_heads", 1},
            {"linear_num_value_heads", 2},
            {"linear_key_head_dim", 4},
            {"linear_value_head_dim", 4},
            {"linear_conv_kernel_dim", 4},
            {"num_experts", 4},
            {"num_experts_per_tok", 2},
            {"moe_intermediate_size", 10},
            {"shared_expert_intermediate_size", 6}};
}

} // namespace

class TestHfConfigStrict : public QObject
{
    Q_OBJECT
private slots:
    /// Keys that switch a part on or size it: without them the file is refused, with a word for the key.
    void lostKeysAreNamed_data()
    {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QString>("key");
        const auto rows = [](const std::string& type, const json& more, std::initializer_list<const char*> keys) {
            QCOMPARE(refusal(smallConfig(type, more)), std::string());
            for (const char* key : keys) {
                json without = smallConfig(type, more);
                without.erase(key);
                QTest::newRow((type + " without " + key).c_str())
                    << QByteArray::fromStdString(without.dump()) << QString::fromLatin1(key);
            }
        };
        // Of DeepseekV3Config and the class in DeepSeek's own repository these have different defaults.
        rows("deepseek_v3", deepseekKeys(),
             {"n_routed_experts", "n_shared_experts", "first_k_dense_replace", "kv_lora_rank", "v_head_dim",
              "qk_nope_head_dim", "moe_intermediate_size"});
        json sparse = deepseekKeys();
        sparse.update({{"index_topk", 8}, {"index_head_dim", 4}, {"index_n_heads", 2}});
        rows("glm_moe_dsa", sparse, {"index_topk", "index_head_dim", "index_n_heads"});
        rows("qwen3_next", nextKeys(), {"num_experts", "shared_expert_intermediate_size"});
        rows("qwen3_5_moe_text", nextKeys(), {"num_experts", "shared_expert_intermediate_size"});
        rows("qwen3_moe",
             {{"head_dim", 4}, {"num_experts", 4}, {"num_experts_per_tok", 2}, {"moe_intermediate_size", 10}},
             {"num_experts", "num_experts_per_tok", "moe_intermediate_size"});
        rows("minicpm", {{"num_experts", 4}, {"num_experts_per_tok", 2}}, {"num_experts", "num_experts_per_tok"});
        rows("mllama_text_model", {{"cross_attention_layers", {1}}}, {"cross_attention_layers"});
        rows("nemotron_h",
             {{"hybrid_override_pattern", "ME"},
              {"head_dim", 4},
              {"mamba_num_heads", 2},
              {"mamba_head_dim", 8},
              {"ssm_state_size", 4},
              {"n_groups", 1},
              {"conv_kernel", 4},
              {"n_routed_experts", 4},
              {"num_experts_per_tok", 2},
              {"n_shared_experts", 1},
              {"moe_intermediate_size", 10},
              {"moe_shared_expert_intermediate_size", 6}},
             {"n_shared_experts", "moe_shared_expert_intermediate_size", "moe_intermediate_size"});
    }

    void lostKeysAreNamed()
    {
        QFETCH(QByteArray, config);
        QFETCH(QString, key);
        const std::string text = refusal(json::parse(config.toStdString()));
        QVERIFY2(has(text, key.toStdString()), text.c_str());
    }

    /// transformers fills these in, so they are counted as it does, and said.
    void classDefaultsAreTakenAndSaid()
    {
        const auto glm = importHfConfig(smallConfig("glm4", {{"head_dim", 4}}).dump());
        QVERIFY(glm && glm->architecture.attention.qkvBias && !glm->architecture.attention.outBias);
        QVERIFY(warns(*glm, "attention_bias"));
        QVERIFY(
            !importHfConfig(smallConfig("glm", {{"attention_bias", false}}).dump())->architecture.attention.qkvBias);

        json mistral = smallConfig("mistral"); // MistralConfig slides over 4,096 tokens unless the file says null
        mistral["max_position_embeddings"] = 32768;
        const auto silent = importHfConfig(mistral.dump());
        QVERIFY(silent && warns(*silent, "sliding_window"));
        QCOMPARE(silent->architecture.sliding.window, 4096);
        mistral["sliding_window"] = nullptr;
        QCOMPARE(importHfConfig(mistral.dump())->architecture.sliding.window, 0);

        const auto minimax = importHfConfig(
            smallConfig("minimax_m2", {{"head_dim", 4}, {"num_local_experts", 4}, {"num_experts_per_tok", 2}}).dump());
        QVERIFY(minimax && minimax->architecture.attention.qkNorm == QkNorm::Full); // its class always norms

        const auto llama4 = importHfConfig(
            smallConfig("llama4_text",
                        {{"num_local_experts", 4}, {"num_experts_per_tok", 1}, {"interleave_moe_layer_step", 2}})
                .dump());
        QVERIFY(llama4 && warns(*llama4, "intermediate_size_mlp"));
        QCOMPARE(llama4->architecture.ffn, 16384);
        QVERIFY(warns(*importHfConfig(smallConfig("deepseek_v2",
                                                  [] {
                                                      json x = deepseekKeys();
                                                      x.erase("q_lora_rank");
                                                      return x;
                                                  }())
                                          .dump()),
                      "q_lora_rank"));
        json cohere = smallConfig("cohere");
        cohere.erase("num_key_value_heads");
        QVERIFY(warns(*importHfConfig(cohere.dump()), "num_key_value_heads"));
    }

    /// Gemma4TextConfig: wide heads and all keys in each sixth layer and the last, a table of embeddings for each
    /// layer. By hand: see the widths of smallConfig().
    void gemma4AsItsClassHasIt()
    {
        json config = smallConfig("gemma4_text", {{"head_dim", 4},
                                                  {"global_head_dim", 8},
                                                  {"sliding_window", 16},
                                                  {"hidden_size_per_layer_input", 2},
                                                  {"vocab_size_per_layer_input", 32},
                                                  {"layer_types", {"sliding_attention", "full_attention"}}});
        const double sliding = 8 * 8 + 2 * 8 * 4 + 8 * 8 + 2 * 4, full = 2 * (8 * 16) + 2 * (8 * 8) + 2 * 8;
        const double layer = 3 * 8 * 16 + 4 * 8 + 1, perLayer = 2 * 8 * 2 + 8;
        const double table = 32 * 2 * 2, ways = 8 * 2 * 2;
        const double expected = 32 * 8 + sliding + full + 2 * (layer + perLayer) + table + ways + 2 + 8;
        QCOMPARE(total(config), expected);
        const auto imported = importHfConfig(config.dump());
        const ParameterCounts counts = countParameters(imported->architecture);
        QCOMPARE(counts.tables, table);
        QCOMPARE(counts.activeNoInputEmbedding, expected - table); // the tied embedding stays: it is the head
        QCOMPARE(counts.nonEmbedding, expected - table - 32 * 8);
        QCOMPARE(counts.matmul, 32 * 8 + (sliding - 2 * 4) + (full - 2 * 8) + 2 * 3 * 8 * 16 + 2 * 2 * 8 * 2 + ways);
        for (const auto& [key, standard] : {std::pair<const char*, json>{"global_head_dim", 512},
                                            {"hidden_size_per_layer_input", 256},
                                            {"vocab_size_per_layer_input", 262144},
                                            {"sliding_window", 512}}) {
            json said = config, silent = config;
            said[key] = standard;
            silent.erase(key);
            if (std::string(key) == "sliding_window")
                said["max_position_embeddings"] = silent["max_position_embeddings"] = 4096;
            QCOMPARE(total(silent), total(said));
            QVERIFY2(warns(*importHfConfig(silent.dump()), key), key);
        }
        config.erase("layer_types"); // two layers: one that slides, and the last
        QCOMPARE(total(config), expected);
        config["hidden_size_per_layer_input"] = nullptr;
        QCOMPARE(total(config), expected - 2 * perLayer - table - ways - 2);
    }

    /// Transformers 5 writes other words, and an indexer's schedule as three numbers.
    void newerSpellings()
    {
        const json sizes{{"head_dim", 4},       {"mamba_num_heads", 2}, {"mamba_head_dim", 8},
                         {"ssm_state_size", 4}, {"mamba_n_groups", 1},  {"mamba_d_conv", 4}};
        json words = smallConfig("nemotron_h", sizes), letters = words;
        words["layers_block_type"] = {"linear_attention", "full_attention", "mlp"};
        letters["hybrid_override_pattern"] = "M*-";
        QVERIFY(total(words) > 0);
        QCOMPARE(total(words), total(letters));

        json sparse = smallConfig("glm_moe_dsa", deepseekKeys());
        sparse.update({{"num_hidden_layers", 6}, {"index_topk", 8}, {"index_head_dim", 4}, {"index_n_heads", 2}});
        json listed = sparse, pattern = sparse, frequency = sparse;
        listed["indexer_types"] = {"full", "full", "shared", "full", "shared", "full"};
        pattern["index_topk_pattern"] = "FFSFSF";
        frequency.update({{"index_topk_freq", 2}, {"index_skip_topk_offset", 2}}); // 0, 1, then each second: 3, 5
        QCOMPARE(total(pattern), total(listed));
        QCOMPARE(total(frequency), total(listed));
        QVERIFY(total(sparse) > total(listed));
    }

    /// Of a family that nobody knows, a plain Llama is counted with a warning; what a Llama does not have is refused.
    void unknownFamilies()
    {
        const auto plain = importHfConfig(smallConfig("brandnew", {{"hidden_act", "silu"},
                                                                   {"rms_norm_eps", 1e-6},
                                                                   {"rope_theta", 10000.0},
                                                                   {"head_dim", 4},
                                                                   {"attention_bias", false},
                                                                   {"num_experts", 0},
                                                                   {"n_shared_experts", nullptr},
                                                                   {"add_cross_attention", false},
                                                                   {"use_moe", false},
                                                                   {"eos_token_id", {1, 2}}})
                                              .dump());
        QVERIFY(plain && !plain->exact && warns(*plain, "model_type"));
        const auto slides = importHfConfig(
            smallConfig("brandnew", {{"sliding_window", 16}, {"layer_types", {"sliding_attention", "full_attention"}}})
                .dump());
        QVERIFY(slides.has_value());
        QCOMPARE(slides->architecture.sliding.window, 16);

        const std::pair<const char*, json> foreign[] = {
            {"num_experts", 4},
            {"n_shared_experts", 1},
            {"moe_layer_freq", 1},
            {"mamba_d_state", 16},
            {"ssm_state_size", 128},
            {"conv_kernel", 4},
            {"linear_num_key_heads", 2},
            {"linear_attn_config", {{"num_heads", 2}}},
            {"q_lora_rank", 6},
            {"kv_lora_rank", 4},
            {"lru_width", 8},
            {"num_kv_shared_layers", 1},
            {"layer_norm_eps", 1e-5},
            {"layer_norm_epsilon", 1e-5},
            {"hidden_act", "gelu"},
            {"hidden_act", "relu2"},
            {"layer_types", {"full_attention", "conv"}},
            {"hybrid_pattern", "M*"},
            {"cross_attention_layers", {1}},
            {"compress_ratios", {4, 4}},
        };
        for (const auto& [key, value] : foreign) {
            json config = smallConfig("brandnew");
            config[key] = value;
            const std::string text = refusal(config);
            QVERIFY2(has(text, "unsupported-model /model_type"), (key + (": " + text)).c_str());
            QVERIFY2(has(text, std::string("unsupported-model /") + key), text.c_str());
            QVERIFY2(has(text, "catalog_format.md"), text.c_str());
        }
        json layers = smallConfig("brandnew", {{"num_hidden_layers", 6}, {"ffn_widths", {1, 2, 3, 4, 5, 6}}});
        QVERIFY2(has(refusal(layers), "/ffn_widths"), refusal(layers).c_str());
        layers["ffn_widths"] = {2, 2, 2, 2, 2, 2};
        QCOMPARE(refusal(layers), std::string());
    }

    /// The type of recurrent states: as the file says, or as its class does.
    void stateTypes()
    {
        const auto of = [](const char* type, json keys) {
            return importHfConfig(smallConfig(type, std::move(keys)).dump()).value();
        };
        const auto next = [&](const char* type, const char* word) {
            json keys = nextKeys();
            if (word != nullptr)
                keys["mamba_ssm_dtype"] = word;
            return of(type, keys).architecture.linear.stateType;
        };
        QVERIFY(next("qwen3_next", nullptr) == StateType::Unstated);
        QVERIFY(next("qwen3_5_moe_text", "float32") == StateType::Float32);
        QVERIFY(next("qwen3_5_moe_text", "bfloat16") == StateType::Bfloat16);
        QVERIFY(next("qwen3_5_moe_text", "auto") == StateType::Unstated);
        const json nemotron = {{"hybrid_override_pattern", "M-"},
                               {"head_dim", 4},
                               {"mamba_num_heads", 2},
                               {"mamba_head_dim", 8},
                               {"ssm_state_size", 4},
                               {"n_groups", 1},
                               {"conv_kernel", 4}};
        QVERIFY(of("nemotron_h", nemotron).architecture.mamba.stateType == StateType::Float32); // NemotronHConfig
        json half = nemotron;
        half["mamba_ssm_cache_dtype"] = "float16";
        QVERIFY(of("nemotron_h", half).architecture.mamba.stateType == StateType::Float16);
        half["mamba_ssm_cache_dtype"] = "fp8";
        const auto unknown = of("nemotron_h", half);
        QVERIFY(unknown.architecture.mamba.stateType == StateType::Float32);
        QVERIFY(warns(unknown, "mamba_ssm_cache_dtype"));
    }

    void internLm3HasTwoKeysForBiases()
    {
        const double plain = total(smallConfig("internlm3"));
        QCOMPARE(total(smallConfig("internlm3", {{"qkv_bias", true}})), plain + 2 * (8 + 4 + 4));
        QCOMPARE(total(smallConfig("internlm3", {{"bias", true}})), plain + 2 * (8 + 16 + 16 + 8));
    }

    /// Vision and audio towers are nobody's text: the file says that they are there, the import that they are left out.
    void towersAreSaid()
    {
        const auto plain = importHfConfig(smallConfig("qwen2").dump());
        const auto vision = importHfConfig(smallConfig("qwen2", {{"vision_config", {{"depth", 2}}}}).dump());
        QVERIFY(!warns(*plain, "vision_config") && warns(*vision, "vision_config"));
        QCOMPARE(countParameters(vision->architecture).total, countParameters(plain->architecture).total);
        QVERIFY(
            !warns(*importHfConfig(smallConfig("qwen2", {{"vision_config", json::object()}}).dump()), "vision_config"));
        const json wrapped{
            {"model_type", "vl"}, {"audio_config", {{"layers", 2}}}, {"text_config", smallConfig("qwen2")}};
        QVERIFY(warns(*importHfConfig(wrapped.dump()), "audio_config"));
    }

    /// 0 is no way to say "absent" but for head_dim, and a word that nobody knows is not another one.
    void nonsenseIsNoDefault()
    {
        const json part{{"model_type", "gemma4_text"}, {"num_attention_heads", 0}};
        QVERIFY(has(refusal(json{{"model_type", "gemma4"}, {"text_config", part}}),
                    "out-of-range /text_config/num_attention_heads"));
        QVERIFY(has(refusal(smallConfig("starcoder2", {{"mlp_type", "other"}})), "out-of-range /mlp_type"));
        QVERIFY(has(refusal(smallConfig("starcoder2", {{"norm_type", "other"}})), "out-of-range /norm_type"));
        QVERIFY(has(
            refusal(smallConfig(
                "minimax_m2",
                {{"head_dim", 4}, {"num_local_experts", 4}, {"num_experts_per_tok", 2}, {"qk_norm_type", "other"}})),
            "out-of-range /qk_norm_type"));
        QCOMPARE(refusal(smallConfig("llama", {{"head_dim", 0}})), std::string());
    }

    /// A family that is known does not have these: the file is of another model, or lost a key.
    void partsThatAFamilyDoesNotHave()
    {
        QVERIFY(has(refusal(smallConfig("llama", {{"num_local_experts", 8}})), "/num_local_experts"));
        QVERIFY(has(refusal(smallConfig("qwen2", {{"moe_intermediate_size", 8}})), "/moe_intermediate_size"));
        QVERIFY(has(refusal(smallConfig("mistral", {{"kv_lora_rank", 8}})), "/kv_lora_rank"));
        QVERIFY(has(refusal(smallConfig("phi3", {{"sliding_window", nullptr},
                                                 {"layer_types", {"sliding_attention", "full_attention"}}})),
                    "/layer_types/0"));
        QCOMPARE(refusal(smallConfig("llama",
                                     {{"num_experts", 0}, {"num_local_experts", nullptr}, {"num_experts_per_tok", 1}})),
                 std::string());
        QVERIFY(has(
            refusal(smallConfig(
                "jamba",
                {{"num_experts", 2}, {"num_experts_per_tok", 3}, {"attn_layer_period", 2}, {"attn_layer_offset", 1}})),
            "/num_experts_per_tok"));
    }
};
HEADROOM_TEST(TestHfConfigStrict)

} // namespace headroom::test_hf_config_strict
#include "test_hf_config_strict.moc"
