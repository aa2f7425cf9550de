// SPDX-License-Identifier: GPL-3.0-or-later
// Of files whose family nobody knows: windows, layers that repeat, nested parts; files of other programs; contexts.
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_config.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_hf_config_unknown
{

using nlohmann::json;
using test::has;
using test::smallConfig;

namespace
{

std::string refusal(const json& config)
{
    return test::refusalOfConfig(config.dump());
}

/// F and S for each layer, and whether a warning names `sliding_window`.
std::string windows(const json& more, const char* type = "plamo3")
{
    json config = smallConfig(type, {{"num_hidden_layers", 4}});
    config.update(more);
    const auto imported = importHfConfig(config.dump());
    if (!imported)
        return refusal(config);
    std::string letters;
    const ModelProfile profile = compileModel(imported->architecture);
    for (const std::uint32_t kind : profile.order)
        letters += profile.kinds[kind].window > 0 ? 'S' : 'F';
    const bool said =
        std::ranges::any_of(imported->warnings, [](const Diagnostic& w) { return has(w.path, "window"); });
    return said ? letters + " said" : letters;
}

std::int64_t context(const char* type, const json& more)
{
    const auto imported = importHfConfig(smallConfig(type, more).dump());
    return imported ? imported->architecture.maxContext : 0;
}

} // namespace

class TestHfConfigUnknown : public QObject
{
    Q_OBJECT
private slots:
    void windowsByPattern()
    {
        const auto compared = [](const json& more, const char* wanted) {
            const std::string found = windows(more);
            if (found != wanted)
                qWarning("%s: %s", more.dump().c_str(), found.c_str());
            return found == wanted;
        };
        QVERIFY(compared({{"window_size", 16}, {"sliding_window_pattern", 2}}, "SFSF"));
        QVERIFY(compared({{"sliding_window", 16}, {"sliding_window_pattern", 4}}, "SSSF"));
        QVERIFY(compared({{"sliding_window", 16}, {"sliding_window_pattern", "LLLG"}}, "SSSF"));
        QVERIFY(compared({{"sliding_window", 16}, {"sliding_window_pattern", "GL"}}, "FSFS"));
        QVERIFY(compared({{"sliding_window", 16}}, "FFFF said")); // the safe side
        QVERIFY(compared({{"sliding_window", 16}, {"use_sliding_window", false}, {"max_window_layers", 2}}, "FFFF"));
        QVERIFY(compared({{"sliding_window", 16},
                          {"global_layers", {0}},
                          {"layer_types", {"full_attention", "sliding_attention", "full_attention", "full_attention"}}},
                         "FSFF"));
        QVERIFY(
            has(windows({{"sliding_window", 16}, {"sliding_window_pattern", "XY"}}), "the pattern 'XY' is unknown"));
        for (const auto& [key, value] :
             std::initializer_list<std::pair<const char*, json>>{{"full_attention_idx", {1}},
                                                                 {"global_attn_every_n_layers", 2},
                                                                 {"global_layers", {0, 2}},
                                                                 {"swa_layers", {1}},
                                                                 {"max_window_layers", 2}})
            QVERIFY2(has(windows({{"sliding_window", 16}, {key, value}}), std::string("/") + key + ":"), key);
    }

    /// Parts that change what serving costs, wherever they stand.
    void partsAreNamed_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* more, const char* path, const char* why) {
            QTest::newRow(more) << QString::fromLatin1(more) << QString::fromLatin1(path) << QString::fromLatin1(why);
        };
        row(R"({"ffn_config": {"moe_num_experts": 16, "moe_top_k": 2}})", "/ffn_config/moe_num_experts",
            "names a part that a Llama does not have");
        row(R"({"block": {"inner": {"ssm_state_size": 16}}})", "/block/inner/ssm_state_size", "names a part");
        row(R"({"total_ut_steps": 4})", "/total_ut_steps", "says that layers run several times over");
        row(R"({"loop_num": 2})", "/loop_num", "says that layers run several times over");
        row(R"({"use_cla": true, "cla_share_factor": 2})", "cla", "says that layers share keys and values");
        row(R"({"kv_sharing_factor": 2})", "/kv_sharing_factor", "says that layers share keys and values");
        row(R"({"gated_mlp": false})", "/gated_mlp", "says that the feed-forward has no gate");
        row(R"({"norm_type": "layer_norm"})", "/norm_type", "is \"layer_norm\", which a Llama does not have");
        row(R"({"mlp_type": "plain"})", "/mlp_type", "which a Llama does not have");
        row(R"({"position_embedding_type": "alibi"})", "/position_embedding_type", "which a Llama does not have");
        row(R"({"attention_type": "block_sparse"})", "/attention_type", "which a Llama does not have");
        row(R"({"hidden_act": "relu_squared"})", "/hidden_act", "names an activation without a gate");
        row(R"({"hidden_act": "ReLU^2"})", "/hidden_act", "names an activation without a gate");
        row(R"({"activation": "squared-relu"})", "/activation", "names an activation without a gate");
        row(R"({"ffn_config": {"ffn_act_fn": {"name": "gelu"}}})", "/ffn_config/ffn_act_fn",
            "names an activation without a gate");
    }

    void partsAreNamed()
    {
        QFETCH(QString, more);
        QFETCH(QString, path);
        QFETCH(QString, why);
        const std::string said = refusal(smallConfig("brandnew", json::parse(more.toStdString())));
        QVERIFY2(has(said, path.toStdString()) && has(said, why.toStdString()), said.c_str());
    }

    void whatSaysNothingIsPassedOver()
    {
        const json harmless{{"total_ut_steps", 1},
                            {"use_cla", false},
                            {"cla_share_factor", 2},
                            {"kv_sharing_factor", 1},
                            {"gated_mlp", true},
                            {"gated_attention", false},
                            {"ffn_config", {{"width", 16}}},
                            {"vision_config", {{"num_experts", 4}, {"hidden_act", "gelu"}}},
                            {"rope_parameters", {{"rope_type", "default"}}}};
        QCOMPARE(refusal(smallConfig("brandnew", harmless)), std::string());
    }

    /// Key-value heads under the names that other programs write; a name that says two things is refused.
    void keyValueHeadsHaveManyNames()
    {
        const auto heads = [](const json& more) {
            json config = smallConfig("brandnew", {{"num_attention_heads", 4}});
            config.erase("num_key_value_heads");
            config.update(more);
            const auto imported = importHfConfig(config.dump());
            return imported ? imported->architecture.kvHeads : 0;
        };
        for (const char* key :
             {"n_kv_heads", "n_kv_head", "kv_n_heads", "num_heads_kv", "kv_heads", "num_query_groups", "num_kv_heads"})
            QVERIFY2(heads({{key, 2}}) == 2, key);
        QCOMPARE(heads({{"num_key_value_heads_per_layer", json::array({2, 2})}, {"num_hidden_layers", 2}}), 2);
        QCOMPARE(heads(json::object()), 4); // as many as heads, with a warning
        for (const json& odd : {json{{"num_kv_groups", 2}}, json{{"num_key_value_groups", 2}},
                                json{{"attn_config", {{"kv_n_heads", 2}}}}, json{{"attention_type", "gqa"}}}) {
            json config = smallConfig("brandnew", odd);
            config.erase("num_key_value_heads");
            QVERIFY2(refusal(config).find(odd.begin().key()) != std::string::npos, odd.dump().c_str());
        }
        QCOMPARE(refusal(smallConfig("brandnew", {{"num_kv_groups", 2},
                                                  {"num_key_value_heads", 1},
                                                  {"norm_type", "RMSNorm"},
                                                  {"mlp_type", "SwiGLU"},
                                                  {"position_embedding_type", "rope"},
                                                  {"attention_type", "gqa"}})),
                 std::string());
    }

    void aFaultIsSaidOnce()
    {
        for (const json& wrong : {json{{"num_key_value_heads", 0}}, json{{"tie_word_embeddings", "false"}}}) {
            const auto imported = importHfConfig(smallConfig("llama", wrong).dump());
            QVERIFY(!imported && imported.error().size() == 1);
        }
    }

    /// Mistral's params.json of a Mamba has a model_type; its sizes have other names.
    void foreignFormatsBeforeTheType()
    {
        const json params{{"dim", 4096},   {"n_layers", 64},          {"vocab_size", 32768},
                          {"n_groups", 8}, {"tie_embeddings", false}, {"model_type", "mamba"}};
        QVERIFY2(has(refusal(params), "not-hugging-face /dim: "), refusal(params).c_str());
        QVERIFY(has(refusal({{"dim", 768}, {"n_layers", 6}, {"model_type", "distilbert"}}), "it is an encoder"));
    }

    /// vLLM's rule; the file of a model whose positions are scaled otherwise states what it reaches.
    void scaledContexts()
    {
        const auto rope = [](json object) { return json{{"rope_scaling", std::move(object)}}; };
        QCOMPARE(
            context("qwen3", rope({{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32}})),
            128);
        QCOMPARE(context("llama", rope({{"type", "linear"}, {"factor", 4.0}})), 256);
        QCOMPARE(context("llama", rope({{"type", "dynamic"}, {"factor", 2}})), 128);
        QCOMPARE(context("qwen3", rope({{"type", "yarn"}, {"factor", 2}, {"original_max_position_embeddings", 16}})),
                 64);
        QCOMPARE(context("llama", rope({{"rope_type", "llama3"}, {"factor", 8.0}})), 64);
        QCOMPARE(context("phi3", rope({{"type", "longrope"}, {"factor", 8.0}})), 64);
        QCOMPARE(context("gemma3_text", rope({{"rope_type", "linear"}, {"factor", 8.0}})), 64);
        QCOMPARE(context("llama", {{"rope_parameters", {{"rope_type", "yarn"}, {"factor", 3.0}}}}), 192);
        QCOMPARE(context("llama", rope(nullptr)), 64);
    }
};
HEADROOM_TEST(TestHfConfigUnknown)

} // namespace headroom::test_hf_config_unknown
#include "test_hf_config_unknown.moc"
