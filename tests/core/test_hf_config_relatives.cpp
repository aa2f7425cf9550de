// SPDX-License-Identifier: GPL-3.0-or-later
// Models of families with blocks like Llama's, Mixtral's or DeepSeek's: counts of their checkpoints, each added up from
// the tensors that its modelling code declares.
#include "core/catalog/hf_config.hpp"
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_config.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::test_hf_config_relatives
{
namespace
{

using nlohmann::json;

struct Relative {
    const char *name, *layers; ///< types of layers, repeated: A attends to everything, S slides, M is a Mamba
    const char* config;        ///< a list that begins with "@" has what follows for each layer
    double total, active;      ///< active 0 = all
};

constexpr Relative relatives[] = {
    {"granite-3.0-3b-a800m", "",
     R"({"attention_bias":false,"hidden_size":1536,"intermediate_size":512,
         "max_position_embeddings":4096,"model_type":"granitemoe","num_attention_heads":24,
         "num_experts_per_tok":8,"num_hidden_layers":32,"num_key_value_heads":8,"num_local_experts":40,
         "tie_word_embeddings":true,"vocab_size":49155})",
     3298793472, 882874368},
    {"granite-4.0-micro", "A",
     R"({"attention_bias":false,"hidden_size":2560,"intermediate_size":8192,"mamba_conv_bias":true,
         "mamba_d_conv":4,"mamba_d_head":"auto","mamba_d_state":128,"mamba_expand":2,"mamba_n_groups":1,
         "mamba_n_heads":128,"max_position_embeddings":131072,"model_type":"granitemoehybrid",
         "num_attention_heads":40,"num_experts_per_tok":0,"num_hidden_layers":40,"num_key_value_heads":8,
         "num_local_experts":0,"position_embedding_type":"rope","shared_intermediate_size":8192,
         "tie_word_embeddings":true,"vocab_size":100352})",
     3402836480, 0},
    {"granite-4.0-h-small", "MMMMMAMMMM",
     R"({"attention_bias":false,"hidden_size":4096,"intermediate_size":768,"mamba_conv_bias":true,
         "mamba_d_conv":4,"mamba_d_head":64,"mamba_d_state":128,"mamba_expand":2,"mamba_n_groups":1,
         "mamba_n_heads":128,"mamba_proj_bias":false,"max_position_embeddings":131072,
         "model_type":"granitemoehybrid","num_attention_heads":32,"num_experts_per_tok":10,
         "num_hidden_layers":40,"num_key_value_heads":8,"num_local_experts":72,
         "position_embedding_type":"nope","shared_intermediate_size":1536,"tie_word_embeddings":true,
         "vocab_size":100352})",
     32207337984, 8803121664},
    {"Bamba-9B-v2", "",
     R"({"attention_bias":false,"attn_layer_indices":[9,18,27],"hidden_size":4096,
         "intermediate_size":14336,"mamba_conv_bias":true,"mamba_d_conv":4,"mamba_d_head":64,
         "mamba_d_state":128,"mamba_expand":2,"mamba_n_groups":1,"mamba_n_heads":128,
         "mamba_proj_bias":false,"max_position_embeddings":262144,"model_type":"bamba",
         "num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,
         "tie_word_embeddings":false,"vocab_size":128256})",
     9780235392, 0},
    {"gpt-neo-1.3B", "",
     R"({"attention_types":[[["global","local"],12]],"hidden_size":2048,"intermediate_size":null,
         "max_position_embeddings":2048,"model_type":"gpt_neo","num_heads":16,"num_layers":24,
         "vocab_size":50257,"window_size":256})",
     1315575808, 0},
    {"ERNIE-4.5-21B-A3B", "",
     R"({"model_type":"ernie4_5_moe","hidden_size":2560,"intermediate_size":12288,
         "moe_intermediate_size":1536,"moe_k":6,"moe_num_experts":64,"moe_num_shared_experts":2,
         "moe_layer_start_index":1,"moe_layer_end_index":27,"moe_layer_interval":1,"num_hidden_layers":28,
         "num_attention_heads":20,"num_key_value_heads":4,"vocab_size":103424,"use_bias":false,
         "moe_use_aux_free":true,"tie_word_embeddings":true,"max_position_embeddings":131072})",
     21825437888, 3352150208},
    {"Hunyuan-A13B", "",
     R"({"model_type":"hunyuan_v1_moe","hidden_size":4096,"intermediate_size":3072,
         "moe_intermediate_size":["@",3072],"moe_topk":["@",8],"num_experts":64,
         "num_shared_expert":["@",1],"use_mixed_mlp_moe":true,"num_hidden_layers":32,
         "num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"vocab_size":128167,
         "use_qk_norm":true,"tie_word_embeddings":true,"max_position_embeddings":32768,"use_cla":false})",
     80393183232, 12747448320},
    {"Ling-mini-2.0", "",
     R"({"model_type":"bailing_moe_v2","hidden_size":2048,"intermediate_size":5120,
         "moe_intermediate_size":512,"num_experts":256,"num_experts_per_tok":8,"num_shared_experts":1,
         "first_k_dense_replace":1,"num_hidden_layers":20,"num_attention_heads":16,
         "num_key_value_heads":4,"head_dim":128,"vocab_size":157184,"use_qkv_bias":false,
         "use_qk_norm":true,"tie_word_embeddings":false,"max_position_embeddings":32768,
         "moe_router_enable_expert_bias":true,"n_group":8,"topk_group":4})",
     16255643392, 1432973056},
    {"Ling-mini-2.0, the older model_type", "",
     R"({"architectures":["BailingMoeV2ForCausalLM"],"model_type":"bailing_moe","hidden_size":2048,
         "intermediate_size":5120,"moe_intermediate_size":512,"num_experts":256,"num_experts_per_tok":8,
         "num_shared_experts":1,"first_k_dense_replace":1,"num_hidden_layers":20,"num_attention_heads":16,
         "num_key_value_heads":4,"head_dim":128,"vocab_size":157184,"use_qkv_bias":false,
         "tie_word_embeddings":false,"max_position_embeddings":32768,"n_group":8,"topk_group":4})",
     16255643392, 1432973056},
    {"Ling-lite", "", // 16.8 billion, 2.75 of them active, says its page
     R"({"architectures":["BailingMoeForCausalLM"],"model_type":"bailing_moe","hidden_size":2048,
         "intermediate_size":5632,"moe_intermediate_size":1408,"num_experts":64,"num_experts_per_tok":6,
         "num_shared_experts":2,"first_k_dense_replace":0,"num_hidden_layers":28,"num_attention_heads":16,
         "num_key_value_heads":4,"vocab_size":126464,"use_bias":false,"use_qkv_bias":false,
         "tie_word_embeddings":false,"max_position_embeddings":16384})",
     16801974272, 2753153024},
    {"Apertus-8B", "",
     R"({"hidden_size":4096,"intermediate_size":21504,"num_hidden_layers":32,"num_attention_heads":32,
         "num_key_value_heads":8,"vocab_size":131072,"max_position_embeddings":65536,
         "model_type":"apertus","tie_word_embeddings":false,"attention_bias":false,"mlp_bias":false,
         "qk_norm":true})",
     8053338176, 0},
    {"grok-1-FP8", "",
     R"({"hidden_size":6144,"intermediate_size":32768,"max_position_embeddings":8192,
         "model_type":"grok-1","num_attention_heads":48,"num_experts":8,"num_experts_per_tok":2,
         "num_hidden_layers":64,"num_key_value_heads":8,"vocab_size":131072})",
     315684820992, 83756587008},
    {"grok-2", "",
     R"({"vocab_size":131072,"hidden_size":8192,"intermediate_size":32768,"moe_intermediate_size":16384,
         "max_position_embeddings":131072,"num_experts_per_tok":2,"num_local_experts":8,
         "residual_moe":true,"num_attention_heads":64,"num_key_value_heads":8,"num_hidden_layers":64,
         "head_dim":128,"model_type":"git","architectures":["Grok1ForCausalLM"],"sliding_window_size":-1})",
     269515497472, 114896674816}, // by hand; its maker: 269.5 and 115 billion
    {"EXAONE-4.5-33B", "SSSA",
     R"({"hidden_size":5120,"intermediate_size":27392,"max_position_embeddings":262144,
         "model_type":"exaone4_5_text","num_attention_heads":40,"num_hidden_layers":64,
         "num_key_value_heads":8,"sliding_window":4096,"vocab_size":153600,"tie_word_embeddings":false})",
     32527504384, 0},
    {"Hunyuan-4B-Instruct", "",
     R"({"hidden_size":3072,"intermediate_size":8192,"num_hidden_layers":36,"num_attention_heads":32,
         "num_key_value_heads":8,"vocab_size":120818,"max_position_embeddings":262144,
         "model_type":"hunyuan_v1_dense","tie_word_embeddings":true,"head_dim":128,"attention_bias":false,
         "attention_head_dim":128,"use_cla":false,"mlp_bias":false,"use_qk_norm":true})",
     4221757440, 0},
    {"ERNIE-4.5-0.3B", "",
     R"({"hidden_size":1024,"intermediate_size":3072,"num_hidden_layers":18,"num_attention_heads":16,
         "num_key_value_heads":2,"vocab_size":103424,"max_position_embeddings":131072,
         "model_type":"ernie4_5","tie_word_embeddings":true,"head_dim":128,"use_bias":false})",
     360748032, 0},
    {"cwm-32b", "ASSS",
     R"({"hidden_size":6144,"intermediate_size":21504,"num_hidden_layers":64,"num_attention_heads":48,
         "num_key_value_heads":8,"vocab_size":128256,"max_position_embeddings":131072,"model_type":"cwm",
         "tie_word_embeddings":false,"head_dim":128,"sliding_window":8192})",
     32581097472, 0},
    {"helium-1-preview-2b", "",
     R"({"hidden_size":2560,"intermediate_size":7040,"num_hidden_layers":24,"num_attention_heads":20,
         "num_key_value_heads":20,"vocab_size":48000,"max_position_embeddings":4096,"model_type":"helium",
         "tie_word_embeddings":false,"head_dim":128,"attention_bias":false,"mlp_bias":false})",
     2172643840, 0},
    {"diffllama-375M", "",
     R"({"hidden_size":1024,"intermediate_size":3072,"num_hidden_layers":32,"num_attention_heads":32,
         "num_key_value_heads":8,"vocab_size":32000,"max_position_embeddings":2048,
         "model_type":"diffllama","tie_word_embeddings":false})",
     451482624, 0},
    {"vaultgemma-1b", "SA",
     R"({"attention_bias":false,"head_dim":256,"hidden_size":1152,"intermediate_size":6912,
         "max_position_embeddings":1024,"model_type":"vaultgemma","num_attention_heads":4,
         "num_hidden_layers":26,"num_key_value_heads":4,"sliding_window":512,"vocab_size":256000})",
     1038741120, 0},
    {"bitnet-b1.58-2B-4T", "",
     R"({"model_type":"bitnet","hidden_size":2560,"intermediate_size":6912,"num_attention_heads":20,
         "num_key_value_heads":5,"num_hidden_layers":30,"vocab_size":128256,"tie_word_embeddings":true,
         "max_position_embeddings":4096})",
     2412820480, 0},
    {"nanochat-d32", "",
     R"({"hidden_size":2048,"intermediate_size":8192,"num_hidden_layers":32,"num_attention_heads":16,
         "num_key_value_heads":16,"vocab_size":65536,"max_position_embeddings":2048,
         "model_type":"nanochat","tie_word_embeddings":false})",
     1879048192, 0},
    {"persimmon-8b", "",
     R"({"model_type":"persimmon","hidden_size":4096,"intermediate_size":16384,"num_attention_heads":64,
         "num_hidden_layers":36,"vocab_size":262144,"layer_norm_eps":1e-05,"qk_layernorm":true,
         "tie_word_embeddings":false,"max_position_embeddings":16384})",
     9397175296, 0},
};

json configOf(const Relative& row)
{
    json config = json::parse(row.config);
    const auto layers = config.contains("num_hidden_layers") ? config["num_hidden_layers"].get<std::size_t>() : 0;
    for (auto& [key, value] : config.items())
        if (value.is_array() && value.size() == 2 && value[0] == "@")
            value = json(layers, json(value[1]));
    const std::string pattern = row.layers;
    const bool granite = config["model_type"] == "granitemoehybrid";
    for (std::size_t i = 0; !pattern.empty() && i < layers; ++i) {
        const char letter = pattern[i % pattern.size()];
        config["layer_types"].push_back(letter == 'M'   ? "mamba"
                                        : letter == 'S' ? "sliding_attention"
                                        : granite       ? "attention"
                                                        : "full_attention");
    }
    return config;
}

json configOf(const std::string& name)
{
    return configOf(*std::ranges::find_if(relatives, [&](const Relative& row) { return name == row.name; }));
}

std::string errors(const Expected<HfImport>& imported)
{
    std::string text;
    if (!imported)
        for (const Diagnostic& diagnostic : imported.error())
            text += toText(diagnostic) + "; ";
    return text;
}

/// What is said of the file `name` with `change` made to it, where it is refused.
std::string refusal(const std::string& name, const json& change)
{
    json config = configOf(name);
    config.merge_patch(change);
    return errors(importHfConfig(config.dump()));
}

double total(const std::string& name, const json& change)
{
    json config = configOf(name);
    config.merge_patch(change);
    const auto imported = importHfConfig(config.dump());
    return imported ? countParameters(imported->architecture).total : 0;
}

std::int64_t layersOf(const ModelArchitecture& model, std::string_view mixer)
{
    std::int64_t count = 0;
    for (const LayerRun& run : model.schedule)
        for (const LayerSegment& segment : run.segments)
            count += segment.mixer == mixer ? run.repeat * segment.count : 0;
    return count;
}

} // namespace

class TestHfConfigRelatives : public QObject
{
    Q_OBJECT
private slots:
    void checkpointsComeOut_data()
    {
        QTest::addColumn<QString>("name");
        for (const Relative& row : relatives)
            QTest::newRow(row.name) << QString::fromLatin1(row.name);
    }

    void checkpointsComeOut()
    {
        QFETCH(QString, name);
        const auto row =
            std::ranges::find_if(relatives, [&](const Relative& r) { return name == QLatin1String(r.name); });
        const auto imported = importHfConfig(configOf(*row).dump());
        QVERIFY2(imported.has_value(), errors(imported).c_str());
        const ParameterCounts counts = countParameters(imported->architecture);
        QCOMPARE(counts.total, row->total);
        QCOMPARE(counts.active, row->active > 0 ? row->active : row->total);
        QVERIFY(imported->exact);
    }

    void layersAreOfTheirKind()
    {
        const auto neo = importHfConfig(configOf("gpt-neo-1.3B").dump());
        QCOMPARE(neo->architecture.sliding.window, 256);
        QCOMPARE(layersOf(neo->architecture, "sliding"), 12);
        json listed = configOf("gpt-neo-1.3B"), others = listed;
        listed.erase("attention_types");
        listed["attention_layers"] = json(24, "global");
        QCOMPARE(layersOf(importHfConfig(listed.dump())->architecture, "full"), 24);
        for (const json& types :
             {json(5), json{{{"global", "local"}, 11}}, json{{{"global", "x"}, 12}}, json(nullptr)}) {
            others["attention_types"] = types;
            QVERIFY2(errors(importHfConfig(others.dump())).find("attention_types") != std::string::npos,
                     types.dump().c_str());
        }
        const ModelArchitecture granite = importHfConfig(configOf("granite-4.0-h-small").dump())->architecture;
        QCOMPARE(layersOf(granite, "mamba"), 36);
        QVERIFY(granite.position == PositionKind::None);
        const ModelArchitecture micro = importHfConfig(configOf("granite-4.0-micro").dump())->architecture;
        QVERIFY(micro.position == PositionKind::Rope && micro.mamba == MambaShape{} && micro.moe == MoeShape{});
        const ModelArchitecture code = importHfConfig(configOf("cwm-32b").dump())->architecture;
        QCOMPARE(layersOf(code, "sliding"), 48);
        QCOMPARE(importHfConfig(configOf("Ling-mini-2.0").dump())->architecture.moe.groupLimit, 4);
    }

    void whatIsNotCountedIsRefused()
    {
        const auto names = [](const std::string& text, const char* key) { return text.find(key) != std::string::npos; };
        QVERIFY(names(refusal("Hunyuan-A13B", {{"use_cla", true}}), "/use_cla"));
        QVERIFY(names(refusal("Hunyuan-4B-Instruct", {{"use_cla", true}}), "/use_cla"));
        json uneven(32, 8);
        uneven[3] = 4;
        QVERIFY(names(refusal("Hunyuan-A13B", {{"moe_topk", uneven}}), "/moe_topk"));
        QVERIFY(names(refusal("ERNIE-4.5-21B-A3B", {{"moe_k", 65}}), "/moe_k"));
        for (const char* key : {"moe_num_experts", "moe_k", "moe_num_shared_experts", "moe_layer_start_index"})
            QVERIFY2(names(refusal("ERNIE-4.5-21B-A3B", {{key, nullptr}}), key), key);
        for (const char* key : {"num_experts", "num_shared_experts", "first_k_dense_replace"})
            QVERIFY2(names(refusal("Ling-mini-2.0", {{key, nullptr}}), key), key);
        QVERIFY(names(refusal("granite-4.0-h-small", {{"layer_types", nullptr}}), "layer_types"));
        QVERIFY(names(refusal("granite-4.0-h-small", {{"mamba_d_head", 32}}), "/mamba_n_heads"));
        QVERIFY(names(refusal("granite-4.0-h-small", {{"num_local_experts", nullptr}}), "num_local_experts"));
        QVERIFY(names(refusal("grok-1-FP8", {{"num_experts", nullptr}}), "num_local_experts"));
    }

    void partsThatAKeySwitches()
    {
        const double ernie = total("ERNIE-4.5-21B-A3B", json::object());
        constexpr double layer = 3.0 * 2560 * 1536; // an expert; the head of each is 128 wide
        QCOMPARE(total("ERNIE-4.5-21B-A3B", {{"moe_num_shared_experts", 1}}), ernie - 27 * layer);
        QCOMPARE(total("ERNIE-4.5-0.3B", {{"use_bias", true}}),
                 total("ERNIE-4.5-0.3B", json::object()) + 18 * (2048 + 2 * 256 + 1024 + 2 * 3072 + 1024));
        QCOMPARE(total("Hunyuan-4B-Instruct", {{"use_qk_norm", false}}),
                 total("Hunyuan-4B-Instruct", json::object()) - 36 * 2 * 128);
        QCOMPARE(total("granite-4.0-h-small", {{"mamba_d_head", "auto"}}),
                 total("granite-4.0-h-small", json::object()));
    }

    /// Step's layers that predict go on from the last one: their kinds stand at the end of layer_types.
    void stepPredicts()
    {
        json config =
            test::smallConfig("step3p5", {{"num_attention_groups", 1},
                                          {"head_dim", 4},
                                          {"sliding_window", 16},
                                          {"moe_num_experts", 4},
                                          {"moe_top_k", 2},
                                          {"moe_intermediate_size", 10},
                                          {"share_expert_dim", 10},
                                          {"moe_layers_enum", "1"},
                                          {"layer_types", {"full_attention", "full_attention", "sliding_attention"}},
                                          {"num_nextn_predict_layers", 3}});
        const auto imported = importHfConfig(config.dump());
        QVERIFY2(imported.has_value(), test::refusalOfConfig(config.dump()).c_str());
        QVERIFY(imported->architecture.mtp.has_value());
        QCOMPARE(imported->architecture.mtp->layers, 3);
        QCOMPARE(imported->architecture.mtp->mixer, std::string("sliding"));
        QVERIFY(imported->architecture.mtp->mlp == MlpKind::Dense);
        QVERIFY(countParameters(imported->architecture).mtp > 0);
    }

    /// The published weights of GLM-4.7-Flash are 31,221,488,576, copies of embedding and head with the layer.
    void glmLiteStoresCopies()
    {
        const json config{{"model_type", "glm4_moe_lite"}, {"hidden_size", 2048},
                          {"intermediate_size", 10240},    {"num_hidden_layers", 47},
                          {"num_attention_heads", 20},     {"q_lora_rank", 768},
                          {"kv_lora_rank", 512},           {"qk_nope_head_dim", 192},
                          {"qk_rope_head_dim", 64},        {"v_head_dim", 256},
                          {"n_routed_experts", 64},        {"num_experts_per_tok", 4},
                          {"n_shared_experts", 1},         {"moe_intermediate_size", 1536},
                          {"first_k_dense_replace", 1},    {"num_nextn_predict_layers", 1},
                          {"vocab_size", 154880},          {"tie_word_embeddings", false}};
        const auto imported = importHfConfig(config.dump());
        QVERIFY2(imported.has_value(), test::refusalOfConfig(config.dump()).c_str());
        const ParameterCounts counts = countParameters(imported->architecture);
        QCOMPARE(counts.total + counts.mtp + counts.mtpCopies, 31221488576.0);
    }
};
HEADROOM_TEST(TestHfConfigRelatives)

} // namespace headroom::test_hf_config_relatives
#include "test_hf_config_relatives.moc"
