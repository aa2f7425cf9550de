// SPDX-License-Identifier: GPL-3.0-or-later
// Members of the known families whose files are not in tests/facts: the keys as the makers' config.json has
// them (recalled, and so recalled right where they give the total of the published checkpoint to the last parameter),
// and what becomes of them when optional keys are left out, wrapped or renamed.
#include "core/catalog/hf_config.hpp"
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>

namespace headroom::test_hf_config_members
{
namespace
{

using nlohmann::json;

struct Member {
    const char* name;
    const char* config;
    double total, active; ///< of the checkpoint on the hub; active 0 = all
};

constexpr Member members[] = {
    {"gemma-2-9b",
     R"({"model_type":"gemma2","hidden_size":3584,"num_hidden_layers":42,"num_attention_heads":16,
         "num_key_value_heads":8,"head_dim":256,"intermediate_size":14336,"vocab_size":256000,
         "max_position_embeddings":8192,"sliding_window":4096})",
     9241705984, 0},
    {"Qwen2.5-0.5B",
     R"({"model_type":"qwen2","hidden_size":896,"num_hidden_layers":24,"num_attention_heads":14,
         "num_key_value_heads":2,"intermediate_size":4864,"vocab_size":151936,"max_position_embeddings":32768,
         "sliding_window":32768,"max_window_layers":24,"use_sliding_window":false,"tie_word_embeddings":true})",
     494032768, 0},
    {"Llama-3.2-3B",
     R"({"model_type":"llama","hidden_size":3072,"num_hidden_layers":28,"num_attention_heads":24,
         "num_key_value_heads":8,"head_dim":128,"intermediate_size":8192,"vocab_size":128256,
         "max_position_embeddings":131072,"tie_word_embeddings":true,"mlp_bias":false,"attention_bias":false})",
     3212749824, 0},
    {"Phi-3-medium-4k",
     R"({"model_type":"phi3","hidden_size":5120,"num_hidden_layers":40,"num_attention_heads":40,
         "num_key_value_heads":10,"intermediate_size":17920,"vocab_size":32064,"max_position_embeddings":4096,
         "sliding_window":2047,"tie_word_embeddings":false})",
     13960238080, 0},
    {"Mistral-Small-24B-2501",
     R"({"model_type":"mistral","hidden_size":5120,"num_hidden_layers":40,"num_attention_heads":32,
         "num_key_value_heads":8,"head_dim":128,"intermediate_size":32768,"vocab_size":131072,
         "max_position_embeddings":32768,"sliding_window":null,"tie_word_embeddings":false})",
     23572403200, 0},
    {"OLMoE-1B-7B",
     R"({"model_type":"olmoe","hidden_size":2048,"num_hidden_layers":16,"num_attention_heads":16,
         "num_key_value_heads":16,"intermediate_size":1024,"num_experts":64,"num_experts_per_tok":8,
         "vocab_size":50304,"max_position_embeddings":4096,"tie_word_embeddings":false})",
     6919161856, 1282017280},
    {"DeepSeek-V2",
     R"({"model_type":"deepseek_v2","hidden_size":5120,"num_hidden_layers":60,"num_attention_heads":128,
         "num_key_value_heads":128,"q_lora_rank":1536,"kv_lora_rank":512,"qk_nope_head_dim":128,
         "qk_rope_head_dim":64,"v_head_dim":128,"intermediate_size":12288,"moe_intermediate_size":1536,
         "n_routed_experts":160,"n_shared_experts":2,"num_experts_per_tok":6,"first_k_dense_replace":1,
         "moe_layer_freq":1,"topk_method":"group_limited_greedy","vocab_size":102400,
         "max_position_embeddings":163840,"tie_word_embeddings":false})",
     235741434880, 21375800320},
    {"bloom-560m",
     R"({"model_type":"bloom","n_embed":1024,"n_layer":24,"num_attention_heads":16,"vocab_size":250880,
         "seq_length":2048,"offset_alibi":100})",
     559214592, 0},
    {"pythia-1b",
     R"({"model_type":"gpt_neox","hidden_size":2048,"num_hidden_layers":16,"num_attention_heads":8,
         "intermediate_size":8192,"vocab_size":50304,"max_position_embeddings":2048,"rotary_pct":0.25,
         "use_parallel_residual":true,"tie_word_embeddings":false})",
     1011781632, 0},
    {"stablelm-2-12b",
     R"({"model_type":"stablelm","hidden_size":5120,"num_hidden_layers":40,"num_attention_heads":32,
         "num_key_value_heads":8,"intermediate_size":13824,"vocab_size":100352,"max_position_embeddings":4096,
         "use_qkv_bias":false,"qk_layernorm":true,"use_parallel_residual":true,"tie_word_embeddings":false})",
     12143185920, 0},
    {"granite-3.0-2b",
     R"({"model_type":"granite","hidden_size":2048,"num_hidden_layers":40,"num_attention_heads":32,
         "num_key_value_heads":8,"intermediate_size":8192,"vocab_size":49155,"max_position_embeddings":4096,
         "tie_word_embeddings":true})",
     2533531648, 0},
    {"SmolLM3-3B",
     R"({"model_type":"smollm3","hidden_size":2048,"num_hidden_layers":36,"num_attention_heads":16,
         "num_key_value_heads":4,"intermediate_size":11008,"vocab_size":128256,"max_position_embeddings":65536})",
     3075098624, 0},
    {"Yi-34B",
     R"({"model_type":"llama","hidden_size":7168,"num_hidden_layers":60,"num_attention_heads":56,
         "num_key_value_heads":8,"intermediate_size":20480,"vocab_size":64000,"max_position_embeddings":4096,
         "tie_word_embeddings":false})",
     34388917248, 0},
    {"c4ai-command-r7b",
     R"({"model_type":"cohere2","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
         "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":256000,"max_position_embeddings":8192,
         "sliding_window":4096,"sliding_window_pattern":4})",
     8028033024, 0},
};

QByteArray errors(const Expected<HfImport>& imported)
{
    std::string text;
    if (!imported)
        for (const Diagnostic& diagnostic : imported.error())
            text += toText(diagnostic) + "; ";
    return QByteArray::fromStdString(text);
}

const Member& memberOf(const QString& name)
{
    return *std::ranges::find_if(members, [&name](const Member& member) { return name == QLatin1String(member.name); });
}

double total(const HfImport& imported)
{
    return countParameters(imported.architecture).total;
}

/// Keys without which the total is another, in the files above.
bool needed(const std::string& key, const json& config)
{
    static const std::vector<std::string> always{"hidden_size",       "num_hidden_layers",    "n_embed",
                                                 "n_layer",           "vocab_size",           "num_attention_heads",
                                                 "intermediate_size", "num_experts",          "num_experts_per_tok",
                                                 "n_routed_experts",  "moe_intermediate_size"};
    if (std::ranges::find(always, key) == always.end())
        return false;
    // Without experts DeepSeek's layers are dense; that is said by no key, and a file without them is dense.
    return key != "n_routed_experts" && !(config["model_type"] == "gpt_neox" && key == "num_attention_heads");
}

} // namespace

class TestHfConfigMembers : public QObject
{
    Q_OBJECT
private slots:
    void checkpointsComeOut_data()
    {
        QTest::addColumn<QString>("name");
        for (const Member& member : members)
            QTest::newRow(member.name) << QString::fromLatin1(member.name);
    }

    void checkpointsComeOut()
    {
        QFETCH(QString, name);
        const Member& member = memberOf(name);
        const auto imported = importHfConfig(member.config);
        QVERIFY2(imported.has_value(), errors(imported).constData());
        const ParameterCounts counts = countParameters(imported->architecture);
        QCOMPARE(counts.total, member.total);
        QCOMPARE(counts.active, member.active > 0 ? member.active : member.total);
        QVERIFY(imported->exact);
    }

    void wrappedAsALanguagePart_data() { checkpointsComeOut_data(); }
    void wrappedAsALanguagePart()
    {
        QFETCH(QString, name);
        const Member& member = memberOf(name);
        for (const char* wrapper : {"text_config", "llm_config", "language_config"}) {
            json config{{"model_type", "a_vision_model"}, {"vision_config", {{"hidden_size", 1152}}}};
            config[wrapper] = json::parse(member.config);
            const auto imported = importHfConfig(config.dump());
            QVERIFY2(imported.has_value(), errors(imported).constData());
            QCOMPARE(total(*imported), member.total);
        }
    }

    /// Every key in turn is left out, set to null and given as text: right, or refused with the key's name.
    void everyKeyInTurn_data() { checkpointsComeOut_data(); }
    void everyKeyInTurn()
    {
        QFETCH(QString, name);
        const json config = json::parse(memberOf(name).config);
        for (const auto& [key, value] : config.items()) {
            if (key == "model_type")
                continue;
            json without = config, null = config, text = config;
            without.erase(key);
            null[key] = nullptr;
            text[key] = json{{"not", "this"}};
            for (const json& changed : {without, null}) {
                const auto imported = importHfConfig(changed.dump());
                if (imported)
                    QVERIFY2(!needed(key, config), (key + " is gone, and the file is counted").c_str());
                else
                    QVERIFY2(errors(imported).contains(key.c_str()), errors(imported).constData());
            }
            const auto wrong = importHfConfig(text.dump()); // keys that nobody reads may hold anything
            if (!wrong)
                QVERIFY2(errors(wrong).contains(("/" + key).c_str()), errors(wrong).constData());
        }
    }

    void bareInfinityAnywhere_data() { checkpointsComeOut_data(); }
    void bareInfinityAnywhere()
    {
        QFETCH(QString, name);
        const Member& member = memberOf(name);
        std::string text = member.config;
        text.insert(text.find('{') + 1, "\"time_step_limit\": [0.0, Infinity], \"x\": NaN, \"y\": -Infinity, ");
        const auto imported = importHfConfig("\xEF\xBB\xBF" + text + "\r\n");
        QVERIFY2(imported.has_value(), errors(imported).constData());
        QCOMPARE(total(*imported), member.total);
    }

    /// A language part without model_type is what its wrapper is made of.
    void wrappersStandForTheirLanguagePart()
    {
        const struct {
            const char *wrapper, *member;
        } pairs[] = {
            {"kimi_vl", "DeepSeek-V2"}, {"qwen2_5_omni", "Qwen2.5-0.5B"}, {"pixtral", "Mistral-Small-24B-2501"}};
        for (const auto& [wrapper, name] : pairs) {
            const Member& member = memberOf(QString::fromLatin1(name));
            json part = json::parse(member.config);
            const bool corrected = std::string(wrapper) == "kimi_vl"; // routed as DeepSeek-V3: one bias an expert
            const double biases = corrected ? (part["num_hidden_layers"].get<double>() - 1) * 160 : 0;
            part.erase("model_type");
            const json config{{"model_type", wrapper}, {"text_config", part}};
            const auto imported = importHfConfig(config.dump());
            QVERIFY2(imported.has_value(), errors(imported).constData());
            QVERIFY(imported->exact);
            QCOMPARE(total(*imported), member.total + biases);
        }
    }

    void galacticaHasNeitherBiasesNorNormWeights()
    {
        const std::string sizes = R"("model_type":"opt","hidden_size":8,"num_hidden_layers":2,"ffn_dim":32,
            "num_attention_heads":2,"vocab_size":32,"max_position_embeddings":16,"tie_word_embeddings":true)";
        const double layer = 4 * 64 + 2 * 8 * 32, embedding = 32 * 8 + (16 + 2) * 8;
        const auto bare =
            importHfConfig("{" + sizes + R"(,"enable_bias":false,"layer_norm_elementwise_affine":false})");
        QVERIFY2(bare.has_value(), errors(bare).constData());
        QCOMPARE(total(*bare), embedding + 2 * layer);
        QCOMPARE(total(*importHfConfig("{" + sizes + "}")),
                 embedding + 2 * (layer + 4 * 8 + 32 + 8 + 2 * 16) + 16); // OPT itself
    }

    void classesHaveTheirOwnHeadWidth()
    {
        const std::string sizes = R"("hidden_size":96,"num_hidden_layers":4,"num_attention_heads":2,
            "num_key_value_heads":1,"intermediate_size":16,"vocab_size":32,"max_position_embeddings":64)";
        const auto width = [&](const std::string& type, const std::string& more = {}) {
            const auto imported = importHfConfig("{\"model_type\":\"" + type + "\"," + sizes + more + "}");
            return imported ? imported->architecture.headDim : 0;
        };
        const std::string experts = R"(,"num_local_experts":2,"num_experts_per_tok":1)";
        QCOMPARE(width("gpt_oss", experts), 64);
        QCOMPARE(width("llama4_text", experts), 128);
        QCOMPARE(width("minimax_m2", experts), 128);
        QCOMPARE(width("ministral3"), 128);
        QCOMPARE(width("seed_oss"), 128);
        QCOMPARE(width("glm4"), 128);
        QCOMPARE(width("gemma2"), 256);
        QCOMPARE(width("qwen3_vl_text"), 128);
        QCOMPARE(width("llama"), 48);
    }

    void windowsUnderEveryName()
    {
        const std::string sizes = R"("model_type":"mistral","hidden_size":8,"num_hidden_layers":2,
            "num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":16,"vocab_size":32,
            "max_position_embeddings":64)";
        for (const char* key : {"sliding_window", "sliding_window_size", "window_size"}) {
            const auto imported = importHfConfig("{" + sizes + ",\"" + key + "\":16}");
            QVERIFY2(imported.has_value(), errors(imported).constData());
            QCOMPARE(imported->architecture.sliding.window, 16);
        }
        // Qwen's class lets layers slide from the 29th on; a model of 28 has none of them.
        const std::string qwen = R"("model_type":"qwen2","hidden_size":8,"num_attention_heads":2,
            "num_key_value_heads":1,"intermediate_size":16,"vocab_size":32,"max_position_embeddings":64,
            "use_sliding_window":true,"sliding_window":16,"num_hidden_layers":)";
        QCOMPARE(importHfConfig("{" + qwen + "28}")->architecture.sliding.window, 0);
        QCOMPARE(importHfConfig("{" + qwen + "30}")->architecture.sliding.window, 16);
    }

    void encodersAreRefusedWhereverTheySayIt()
    {
        const std::string part = R"({"model_type":"clip_text_model","hidden_size":8,"num_hidden_layers":2,
            "num_attention_heads":2,"intermediate_size":16,"vocab_size":32})";
        const auto clip = importHfConfig(R"({"model_type":"clip","text_config":)" + part + "}");
        QVERIFY(!clip && errors(clip).contains("clip cannot be counted"));
        QVERIFY(!importHfConfig(R"({"model_type":"x","is_encoder_decoder":true,"text_config":)" + part + "}"));
    }

    void unknownFamiliesSayWhatIsNotCounted()
    {
        const auto imported = importHfConfig(R"({"model_type":"brand_new","hidden_size":8,"num_hidden_layers":2,
            "num_attention_heads":2,"intermediate_size":16,"vocab_size":32,"qkv_bias":true,"use_qk_norm":false})");
        QVERIFY2(imported.has_value(), errors(imported).constData());
        QVERIFY(!imported->exact);
        const auto warned = [&](const std::string& key) {
            return std::ranges::any_of(imported->warnings,
                                       [&](const Diagnostic& warning) { return warning.path == "/" + key; });
        };
        QVERIFY(warned("qkv_bias"));
        QVERIFY(!warned("use_qk_norm")); // false: nothing is left out
    }
};
HEADROOM_TEST(TestHfConfigMembers)

} // namespace headroom::test_hf_config_members
#include "test_hf_config_members.moc"
