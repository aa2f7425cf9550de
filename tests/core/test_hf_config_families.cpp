// SPDX-License-Identifier: GPL-3.0-or-later
// One small config of each group of families, counted by hand from the shapes of its weights.
#include "core/catalog/hf_config.hpp"
#include "core/model/model_profile.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::test_hf_config_families
{
namespace
{

/// JSON is easier to read here with single quotes.
std::string quoted(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

/// Width 8, two layers, two heads (one key-value head) of width 4, feed-forward 16, vocabulary 32.
std::string small(const std::string& modelType, const std::string& more = {})
{
    return quoted("{'model_type':'" + modelType +
                  "','hidden_size':8,'num_hidden_layers':2,'num_attention_heads':2,'num_key_value_heads':1,"
                  "'intermediate_size':16,'vocab_size':32,'max_position_embeddings':64" +
                  (more.empty() ? "" : "," + more) + "}");
}

constexpr double embedding = 32 * 8, attention = 8 * 8 + 2 * 8 * 4 + 8 * 8, gated = 3 * 8 * 16, norm = 8;
constexpr double llama = 2 * embedding + 2 * (attention + gated + 2 * norm) + norm;

QByteArray errors(const Expected<HfImport>& imported)
{
    std::string text;
    if (!imported)
        for (const Diagnostic& diagnostic : imported.error())
            text += toText(diagnostic) + "; ";
    return QByteArray::fromStdString(text);
}

std::vector<std::string> mixers(const ModelArchitecture& model)
{
    std::vector<std::string> names;
    for (const LayerRun& run : model.schedule)
        for (std::int64_t repeat = 0; repeat < run.repeat; ++repeat)
            for (const LayerSegment& segment : run.segments)
                names.insert(names.end(), static_cast<std::size_t>(segment.count), segment.mixer);
    return names;
}

const char* const deepseek = "'kv_lora_rank':4,'q_lora_rank':6,'qk_nope_head_dim':3,'qk_rope_head_dim':2,"
                             "'v_head_dim':5,'n_routed_experts':4,'num_experts_per_tok':2,'n_shared_experts':1,"
                             "'moe_intermediate_size':10,'first_k_dense_replace':1,'head_dim':99";
const char* const next =
    "'head_dim':4,'linear_num_key_heads':1,'linear_num_value_heads':2,'linear_key_head_dim':4,"
    "'linear_value_head_dim':4,'linear_conv_kernel_dim':4,'full_attention_interval':2,'num_experts':0";

} // namespace

class TestHfConfigFamilies : public QObject
{
    Q_OBJECT
private slots:
    void totals_data()
    {
        QTest::addColumn<QString>("config");
        QTest::addColumn<double>("total");
        QTest::addColumn<double>("active");
        const auto row = [](const char* name, const std::string& config, double total, double active = 0) {
            QTest::newRow(name) << QString::fromStdString(quoted(config)) << total << (active > 0 ? active : total);
        };
        row("llama", small("llama"), llama);
        row("llama, tied", small("llama", "'tie_word_embeddings':true"), llama - embedding);
        row("llama, attention biases", small("llama", "'attention_bias':true"), llama + 2 * (8 + 4 + 4 + 8));
        row("qwen2: biases that no key names", small("qwen2"), llama + 2 * (8 + 4 + 4));
        row("qwen3: heads wider than the width", small("qwen3", "'head_dim':16"),
            llama + 2 * ((8 * 32 + 2 * 8 * 16 + 32 * 8) - attention + 2 * 16));
        row("qwen: doubled width, as many key-value heads as heads", small("qwen"),
            2 * embedding + 2 * (4 * 64 + 3 * 8 * 8 + 3 * 8 + 2 * norm) + norm);
        const double gptLayer = 4 * 64 + 4 * 8 + 2 * 8 * 32 + 32 + 8 + 4 * norm; // 12 h² + 13 h
        row("gpt2: n_inner null is fourfold",
            "{'model_type':'gpt2','n_embd':8,'n_layer':2,'n_head':2,'n_inner':null,'vocab_size':32,'n_positions':64}",
            embedding + 64 * 8 + 2 * gptLayer + 2 * norm);
        row("gemma3: tied, four norms, q/k norms", small("gemma3_text", "'head_dim':4,'sliding_window':16"),
            embedding + 2 * (attention + gated + 4 * norm + 2 * 4) + norm);
        row("qwen3_moe: chosen experts only are active",
            small("qwen3_moe", "'head_dim':4,'num_experts':4,'num_experts_per_tok':2,'moe_intermediate_size':10"),
            2 * embedding + 2 * (attention + 8 + 2 * norm + 8 * 4 + 4 * 240) + norm,
            2 * embedding + 2 * (attention + 8 + 2 * norm + 8 * 4 + 2 * 240) + norm);
        const double mla = 8 * 6 + 6 + 6 * 2 * 5 + 8 * (4 + 2) + 4 + 4 * 2 * (3 + 5) + 2 * 5 * 8;
        row("deepseek_v3: latent attention, shared expert, correction bias, one dense layer",
            small("deepseek_v3", deepseek),
            2 * embedding + 2 * (mla + 2 * norm) + gated + (8 * 4 + 4 + 4 * 240 + 240) + norm,
            2 * embedding + 2 * (mla + 2 * norm) + gated + (8 * 4 + 4 + 2 * 240 + 240) + norm);
        row("gpt_oss: biases everywhere, sinks",
            small("gpt_oss", "'head_dim':4,'num_local_experts':4,'num_experts_per_tok':2"),
            2 * embedding + 2 * (attention + 16 + 8 + 2 + 2 * norm + 8 * 4 + 4 + 4 * (gated + 40)) + norm,
            2 * embedding + 2 * (attention + 16 + 8 + 2 + 2 * norm + 8 * 4 + 4 + 2 * (gated + 40)) + norm);
        row("gpt_oss without biases of attention",
            small("gpt_oss", "'attention_bias':false,'head_dim':4,'num_local_experts':4,'num_experts_per_tok':2"),
            2 * embedding + 2 * (attention + 2 + 2 * norm + 8 * 4 + 4 + 4 * (gated + 40)) + norm,
            2 * embedding + 2 * (attention + 2 + 2 * norm + 8 * 4 + 4 + 2 * (gated + 40)) + norm);
        const double delta = 8 * (2 * 4 + 2 * 8) + 8 * 4 + 8 * 8 + (2 * 4 + 8) * 4 + 2 * 2 + 4;
        row("qwen3_next: gated delta net, then attention with its gate in q", small("qwen3_next", next),
            2 * embedding + delta + (attention + 8 * 8 + 8) + 2 * (gated + 2 * norm) + norm);
        const double mamba2 = 8 * (16 + 16 + 4 + 4 + 2) + 16 * 8 + (16 + 8) * 5 + 3 * 2 + 16;
        row("nemotron_h: one mixer or feed-forward a block, no number of layers",
            "{'model_type':'nemotron_h','hidden_size':8,'num_attention_heads':2,'num_key_value_heads':1,'head_dim':4,"
            "'intermediate_size':16,'vocab_size':32,'hybrid_override_pattern':'M-*','mamba_num_heads':2,"
            "'mamba_head_dim':8,'ssm_state_size':4,'n_groups':1,'conv_kernel':4}",
            2 * embedding + mamba2 + 2 * 8 * 16 + attention + 3 * norm + norm);
        const double mamba1 = 2 * 8 * 16 + 16 * 5 + 16 * (3 + 8) + 3 * 16 + 16 + 16 * 4 + 16 + 16 * 8;
        row("mamba: tied, one norm, no attention",
            "{'model_type':'mamba','hidden_size':8,'num_hidden_layers':2,'vocab_size':32,'state_size':4,"
            "'time_step_rank':3}",
            embedding + 2 * (mamba1 + norm) + norm);
        row("jamba: one attention layer, experts in one layer, inner norms",
            small("jamba", "'attn_layer_period':2,'attn_layer_offset':1,'expert_layer_period':2,"
                           "'expert_layer_offset':1,'num_experts':4,'num_experts_per_tok':2,'mamba_d_state':4,"
                           "'mamba_dt_rank':3"),
            2 * embedding + mamba1 + (3 + 8) + attention + gated + (8 * 4 + 4 * gated) + 4 * norm + norm,
            2 * embedding + mamba1 + (3 + 8) + attention + gated + (8 * 4 + 2 * gated) + 4 * norm + norm);
        row("mamba2",
            "{'model_type':'mamba2','hidden_size':8,'num_hidden_layers':1,'vocab_size':32,'state_size':4,"
            "'head_dim':8,'n_groups':1}",
            2 * embedding + mamba2 + norm + norm); // Mamba2Config: not tied
        row("nemotron-nas: width from a multiplier, missing branches have no norm",
            "{'model_type':'nemotron-nas','hidden_size':8,'num_hidden_layers':2,'num_attention_heads':2,"
            "'num_key_value_heads':null,'intermediate_size':null,'vocab_size':32,'block_configs':["
            "{'attention':{'n_heads_in_group':2},'ffn':{'ffn_mult':3.0}},{'attention':{'no_op':true},"
            "'ffn':{'no_op':true}}]}",
            2 * embedding + attention + 3 * 8 * 256 + 2 * norm + norm);
    }

    void totals()
    {
        QFETCH(QString, config);
        QFETCH(double, total);
        QFETCH(double, active);
        const auto imported = importHfConfig(config.toStdString());
        QVERIFY2(imported.has_value(), errors(imported).constData());
        const ParameterCounts counts = countParameters(imported->architecture);
        QCOMPARE(counts.total, total);
        QCOMPARE(counts.active, active);
        QVERIFY(imported->exact);
    }

    void languagePartIsFoundWhereverItLies()
    {
        const std::string inner = small("llama");
        for (const char* wrapper : {"text_config", "llm_config", "language_config"}) {
            const std::string config = fmt::format(
                "{{'model_type':'some_vl','tie_word_embeddings':true,'vision_config':{{}},'{}':{}}}", wrapper, inner);
            const auto imported = importHfConfig(quoted(config));
            QVERIFY2(imported.has_value(), errors(imported).constData());
            QVERIFY(imported->architecture.tied); // said at the top only
            QCOMPARE(countParameters(imported->architecture).total, llama - embedding);
        }
        QVERIFY(
            importHfConfig(quoted("{'model_type':'omni','thinker_config':{'text_config':" + inner + "}}")).has_value());
        QVERIFY(
            importHfConfig(quoted("{'text_config':{}," + inner.substr(1))).has_value()); // an empty one says nothing
        const auto bare = importHfConfig(
            quoted("{'model_type':'llava','hidden_size':8,'text_config':{'_name_or_path':'x','model_type':'llama'}}"));
        QVERIFY(!bare);
        QVERIFY2(errors(bare).contains("/text_config/num_hidden_layers"), errors(bare).constData());
    }

    void slidingLayers()
    {
        using Names = std::vector<std::string>;
        const auto of = [](const std::string& config) {
            const auto imported = importHfConfig(config);
            return imported ? mixers(imported->architecture) : Names{errors(imported).toStdString()};
        };
        const std::string window = "'sliding_window':16";
        QCOMPARE(of(small("mistral", window)), (Names{"sliding", "sliding"}));
        QCOMPARE(of(small("mistral", "'sliding_window':null")), (Names{"full", "full"}));
        QCOMPARE(of(small("phi3", "'sliding_window':64")), (Names{"full", "full"})); // not below the context
        QCOMPARE(of(small("qwen2", window + ",'use_sliding_window':false")), (Names{"full", "full"}));
        QCOMPARE(of(small("qwen2", window + ",'use_sliding_window':true,'max_window_layers':1")),
                 (Names{"full", "sliding"}));
        QCOMPARE(of(small("gemma2", "'head_dim':4," + window)), (Names{"sliding", "full"}));
        QCOMPARE(of(small("exaone4", window + ",'sliding_window_pattern':'LG'")), (Names{"sliding", "full"}));
        QCOMPARE(of(small("llama4_text", "'num_local_experts':2,'num_experts_per_tok':1,'no_rope_layers':[1,0],"
                                         "'attention_chunk_size':16")),
                 (Names{"chunked", "full"}));
    }

    void classDefaultsAreSaid()
    {
        const auto imported =
            importHfConfig(quoted("{'model_type':'gemma3','text_config':{'model_type':'gemma3_text',"
                                  "'hidden_size':2560,'intermediate_size':10240,'num_hidden_layers':34,"
                                  "'sliding_window':1024}}"));
        QVERIFY2(imported.has_value(), errors(imported).constData());
        const ModelArchitecture& model = imported->architecture;
        QCOMPARE(model.vocab, 262208);
        QCOMPARE(model.heads, 8);
        QCOMPARE(model.kvHeads, 4);
        QCOMPARE(model.sliding.window, 1024);
        QCOMPARE(model.maxContext, 131072);
        QVERIFY(model.tied);
        QCOMPARE(imported->warnings.size(), 6U);
        QCOMPARE(model.warnings.size(), 6U);
    }

    /// The language part of Pixtral as it is: what equals the class of Mistral is left out.
    void languagePartsLeaveOutWhatTheirClassSays()
    {
        const std::string part = "'hidden_size':5120,'head_dim':128,'num_hidden_layers':40,'vocab_size':131072,"
                                 "'max_position_embeddings':1024000,'sliding_window':null,'model_type':'mistral'";
        const auto imported = importHfConfig(quoted("{'model_type':'llava','text_config':{" + part + "}}"));
        QVERIFY2(imported.has_value(), errors(imported).constData());
        QCOMPARE(imported->architecture.heads, 32);
        QCOMPARE(imported->architecture.kvHeads, 8);
        QCOMPARE(imported->architecture.ffn, 14336);
        QCOMPARE(countParameters(imported->architecture).total, 12247782400.0); // Mistral Nemo's, whose text part it is
        QCOMPARE(imported->warnings.size(), 4U); // the three, and that the head is its own
        // A file of its own names everything: there a missing size is a fault, and is named.
        const auto flat = importHfConfig(quoted("{" + part + "}"));
        QVERIFY(!flat);
        QVERIFY2(errors(flat).contains("num_attention_heads"), errors(flat).constData());
        QVERIFY2(errors(flat).contains("intermediate_size"), errors(flat).constData());
        // Without a width or a number of layers nothing is described.
        QVERIFY(!importHfConfig(quoted("{'text_config':{'model_type':'mistral','vocab_size':32064}}")));
    }

    void qwen3MixturesSlideInEveryLayer()
    {
        const auto window = [](const std::string& flag) {
            const auto imported =
                importHfConfig(small("qwen3_moe", "'num_experts':4,'num_experts_per_tok':2,'moe_intermediate_size':16,"
                                                  "'sliding_window':16,'use_sliding_window':" +
                                                      flag));
            return mixers(imported->architecture);
        };
        QCOMPARE(window("true"), (std::vector<std::string>{"sliding", "sliding"}));
        QCOMPARE(window("false"), (std::vector<std::string>{"full", "full"}));
    }

    void whatIsAssumedIsSaid()
    {
        const auto says = [](const std::string& config, const char* key) {
            const auto imported = importHfConfig(config);
            return imported && std::ranges::any_of(imported->warnings, [key](const Diagnostic& warning) {
                       return warning.path == std::string("/") + key;
                   });
        };
        const std::string bare = quoted("{'model_type':'llama','hidden_size':8,'num_hidden_layers':2,"
                                        "'num_attention_heads':2,'intermediate_size':16,'vocab_size':32}");
        QVERIFY(says(bare, "num_key_value_heads") && says(bare, "tie_word_embeddings"));
        QVERIFY(!says(small("llama"), "num_key_value_heads"));
        QVERIFY(!says(small("llama", "'tie_word_embeddings':false"), "tie_word_embeddings"));
    }

    void unknownFamiliesCountAsLlama()
    {
        const auto imported = importHfConfig(small("brandnew"));
        QVERIFY2(imported.has_value(), errors(imported).constData());
        QVERIFY(!imported->exact && !imported->architecture.exact);
        QCOMPARE(countParameters(imported->architecture).total, llama - embedding); // tied, as the base class has it
        QVERIFY(std::ranges::any_of(imported->warnings, [](const Diagnostic& warning) {
            return warning.message.find("brandnew") != std::string::npos;
        }));
    }

    void activeDefinitionNamesTheDifference()
    {
        const auto moe = importHfConfig(small("gpt_oss", "'head_dim':4,'num_local_experts':4,'num_experts_per_tok':2"));
        QVERIFY(moe && moe->activeDefinition.find("2 of 4 experts") != std::string::npos);
        QVERIFY(moe->activeDefinition.find("leaves out the input embedding: ") != std::string::npos);
        // Both figures stand there where the maker's differs: GLM-4.5's "32B" is without both matrices.
        const auto glm = importHfConfig(
            small("glm4_moe", "'head_dim':4,'n_routed_experts':4,'num_experts_per_tok':2,'moe_intermediate_size':10,"
                              "'n_shared_experts':0,'first_k_dense_replace':0"));
        QVERIFY2(glm.has_value(), errors(glm).constData());
        const ParameterCounts counts = countParameters(glm->architecture);
        const std::string figure = formatText(counts.active - 2 * embedding, ValueFormat::Parameters);
        QVERIFY2(glm->activeDefinition.ends_with("input embedding and output head: " + figure),
                 glm->activeDefinition.c_str());
        QVERIFY(importHfConfig(small("llama"))->activeDefinition.find("dense") == 0);
    }
};
HEADROOM_TEST(TestHfConfigFamilies)

} // namespace headroom::test_hf_config_families
#include "test_hf_config_families.moc"
