// SPDX-License-Identifier: GPL-3.0-or-later
// What a config.json must not do: crash, hang, overflow, or be counted where it says nonsense.
#include "core/catalog/hf_config.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <array>

namespace headroom::test_hf_config_bad_input
{
namespace
{

std::string quoted(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

/// A sound Llama, in which one key has another value; an empty value leaves the key out.
std::string with(const std::string& key, const std::string& value)
{
    std::string text = "{'transformers_version':'4.44.0'";
    const std::array<std::pair<const char*, const char*>, 7> usual{{{"model_type", "'llama'"},
                                                                    {"hidden_size", "8"},
                                                                    {"num_hidden_layers", "2"},
                                                                    {"num_attention_heads", "2"},
                                                                    {"intermediate_size", "16"},
                                                                    {"vocab_size", "32"},
                                                                    {"max_position_embeddings", "64"}}};
    bool replaced = false;
    for (const auto& [name, standard] : usual) {
        const bool here = name == key;
        replaced = replaced || here;
        if (!here || !value.empty())
            text += ",'" + std::string(name) + "':" + (here ? value : standard);
    }
    if (!replaced)
        text += ",'" + key + "':" + value;
    return quoted(text + "}");
}

/// The only error's code, place and message; several are joined.
std::string refusal(const std::string& config, const std::string& quant = {})
{
    const auto imported = importHfConfig(config, quant);
    std::string text;
    if (!imported)
        for (const Diagnostic& diagnostic : imported.error())
            text += diagnostic.code + "|" + diagnostic.path + "|" + diagnostic.message + "|" + diagnostic.hint + "\n";
    return text;
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestHfConfigBadInput : public QObject
{
    Q_OBJECT
private slots:
    void theUntouchedConfigIsSound() { QCOMPARE(refusal(with("hidden_size", "8")), std::string{}); }

    void valuesOutOfRange_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* key, const char* value, const char* code) {
            QTest::addRow("%s = %s", key, value)
                << QString::fromLatin1(key) << QString::fromLatin1(value) << QString::fromLatin1(code);
        };
        for (const char* key : {"hidden_size", "num_hidden_layers", "vocab_size"})
            row(key, "0", "out-of-range");
        for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
                                "vocab_size", "num_key_value_heads", "head_dim", "max_position_embeddings"}) {
            row(key, "-1", "out-of-range");
            row(key, "2.5", "out-of-range");
            row(key, "1099511627776", "out-of-range"); // 2^40
            row(key, "18446744073709551616", "out-of-range");
            row(key, "1e300", "out-of-range");
            row(key, "'32'", "wrong-type");
            row(key, "true", "wrong-type");
            row(key, "[32]", "wrong-type");
        }
        row("num_hidden_layers", "100001", "out-of-range");
        row("num_hidden_layers", "1e12", "out-of-range");
        row("attention_bias", "'yes'", "wrong-type");
        row("tie_word_embeddings", "2", "wrong-type");
        row("model_type", "7", "wrong-type");
        row("layer_types", "'full_attention'", "wrong-type");
        row("layer_types", "[1,2]", "wrong-type");
        row("torch_dtype", "[]", "wrong-type");
        row("quantization_config", "'fp8'", "wrong-type");
        row("num_key_value_heads", "0", "out-of-range");          // absent and null mean "as many as heads"
        row("num_attention_heads", "3", "inconsistent");          // 8 / 3
        row("num_key_value_heads", "3", "inconsistent");          // 2 / 3
        row("layer_types", "['full_attention']", "inconsistent"); // one entry for two layers
        row("layer_types", "['full_attention','conv']", "unsupported-model");
        row("layer_types", "['full_attention','sliding_attention']", "missing-key"); // how wide is the window?
        row("layer_types", "['full_attention','linear_attention']", "missing-key");
    }

    void valuesOutOfRange()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, code);
        const std::string text = refusal(with(key.toStdString(), value.toStdString()));
        QVERIFY2(has(text, code.toStdString() + "|"), text.c_str());
        const std::string place = code == QStringLiteral("missing-key") ? "/" : "/" + key.toStdString();
        QVERIFY2(has(text, place), text.c_str());
    }

    void messagesNameTheValueAndWhatIsRight()
    {
        const std::string text = refusal(with("num_hidden_layers", "1000000000000"));
        QVERIFY2(has(text, "1000000000000 is out of range"), text.c_str());
        QVERIFY2(has(text, "from 1 to 100000"), text.c_str());
        QVERIFY(has(refusal(with("hidden_size", "'32'")), "must be a number (found \"32\")"));
    }

    void missingKeysAreNamedWithTheirOtherNames()
    {
        for (const char* key :
             {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"}) {
            const std::string text = refusal(with(key, ""));
            QVERIFY2(has(text, std::string("missing-key|/") + key), text.c_str());
        }
        QVERIFY(has(refusal(with("num_hidden_layers", "")), "n_layer"));
        QVERIFY(has(refusal(quoted("{'model_type':'mixtral','hidden_size':8,'num_hidden_layers':1,"
                                   "'num_attention_heads':2,'intermediate_size':8,'vocab_size':9}")),
                    "num_local_experts"));
        QVERIFY(has(refusal(with("max_position_embeddings", "null")), "") &&
                refusal(with("max_position_embeddings", "null")).empty()); // rotary positions need no table
    }

    void productsThatOverflowAreRefused()
    {
        const std::string most = "1099511627774"; // the largest even size that is allowed on its own
        for (const char* key : {"hidden_size", "intermediate_size", "head_dim"}) {
            std::string text = with(key, most);
            const std::string::size_type at = text.find("\"num_hidden_layers\":2");
            text.replace(at, 21, "\"num_hidden_layers\":100000");
            QVERIFY2(has(refusal(text), "out-of-range|"), key);
        }
        const std::string deepseek = "{'model_type':'deepseek_v4','hidden_size':M,'num_hidden_layers':1,"
                                     "'num_attention_heads':M,'head_dim':M,'vocab_size':M,'q_lora_rank':M,"
                                     "'o_lora_rank':M,'o_groups':M,'index_n_heads':M,'index_head_dim':M,"
                                     "'index_topk':M,'qk_rope_head_dim':M,'n_routed_experts':M,"
                                     "'num_experts_per_tok':M,'n_shared_experts':M,'moe_intermediate_size':M,"
                                     "'hc_mult':M,'num_hash_layers':100000,'compress_ratios':[4],'sliding_window':8}";
        std::string text;
        for (const char c : deepseek)
            text += c == 'M' ? most : std::string(1, c);
        QVERIFY2(has(refusal(quoted(text)), "out-of-range|"), refusal(quoted(text)).c_str());
    }

    void wordsThatAreNoJsonAreReadAsNull()
    {
        const std::string sound = with("hidden_size", "8");
        const std::string end = sound.substr(1);
        QVERIFY(refusal("{\"time_step_limit\":[0.0,Infinity]," + end).empty());
        QVERIFY(refusal("{\"a\":-Infinity,\"b\":NaN,\"c\":[NaN]," + end).empty());
        QVERIFY(has(refusal(with("hidden_size", "NaN")), "wrong-type|/hidden_size")); // a value, and none that counts
        // Inside a text they are text.
        const auto named = importHfConfig("{\"_name_or_path\":\"x/NaN \\\"Infinity\"," + end);
        QVERIFY(named.has_value());
        QCOMPARE(named->architecture.name, std::string("NaN \"Infinity"));
        QVERIFY(!refusal("{\"a\":Infinit," + end).empty());
    }

    void byteOrderMarkAndWindowsLineEnds()
    {
        std::string text = with("hidden_size", "8");
        std::string windows = "\xEF\xBB\xBF";
        for (const char c : text)
            windows += c == ',' ? std::string(",\r\n") : std::string(1, c);
        QCOMPARE(refusal(windows), std::string{});
    }

    void textsThatAreNoConfig()
    {
        for (const char* text :
             {"", " ", "{", "[]", "null", "7", "\"config\"", "{}", "{\"a\":1,}", "not json", "\xff\xfe"})
            QVERIFY2(!refusal(text).empty(), text);
        QVERIFY(has(refusal("[]"), "not-hugging-face|"));
        QVERIFY(has(refusal("{\"dim\":4096,\"n_layers\":32,\"n_heads\":32}"), "not a Hugging Face config"));
        QVERIFY(has(refusal("{\"dim\":4096,\"inter_dim\":32}"), "DeepSeek"));
        QVERIFY(has(refusal(quoted("{'architectures':['NewForCausalLM']}")), "NewForCausalLM"));
        QVERIFY(has(refusal(quoted("{'model_type':'t5','d_model':8}")), "encoder-decoder"));
        QVERIFY(has(refusal(quoted("{'model_type':'new','is_encoder_decoder':true}")), "encoder-decoder"));
        QVERIFY(has(refusal(quoted("{'model_type':'rwkv6'}")), "recurrent"));
    }

    void depthSizeAndRepeatedKeys()
    {
        const std::string end = with("hidden_size", "8").substr(1);
        const auto nested = [&](std::size_t depth) {
            return "{\"x\":" + std::string(depth, '[') + std::string(depth, ']') + "," + end;
        };
        QVERIFY(refusal(nested(31)).empty());
        QVERIFY(has(refusal(nested(32)), "too-deep|"));
        QVERIFY(has(refusal(nested(200000)), "too-deep|"));
        QVERIFY(has(refusal("{\"hidden_size\":9," + end), "duplicate-key|"));
        const std::size_t limit = 16u << 20;
        std::string large = "{\"x\":\"" + std::string(limit - end.size() - 8, 'y') + "\"," + end;
        QCOMPARE(large.size(), limit);
        QVERIFY(refusal(large).empty());
        QVERIFY(has(refusal(large + " "), "too-large|"));
        QVERIFY(has(refusal(with("hidden_size", "8"), large + " "), "too-large|"));
    }

    /// Cut anywhere, or with a byte changed, a config is answered: read or refused.
    void brokenTexts()
    {
        const std::string text = quoted("{'model_type':'deepseek_v3','hidden_size':8,'num_hidden_layers':2,"
                                        "'num_attention_heads':2,'intermediate_size':16,'vocab_size':32,"
                                        "'kv_lora_rank':4,'qk_nope_head_dim':3,'qk_rope_head_dim':2,'v_head_dim':5,"
                                        "'n_routed_experts':4,'num_experts_per_tok':2,'moe_intermediate_size':10,"
                                        "'n_shared_experts':1,'first_k_dense_replace':1,"
                                        "'quantization_config':{'quant_method':'fp8','weight_block_size':[128,128]}}");
        QVERIFY(refusal(text).empty());
        for (std::size_t i = 0; i < text.size(); ++i) {
            QVERIFY(!refusal(text.substr(0, i)).empty());
            for (const char c : {'0', '-', '9', '"', '[', '{', 'N', '\0', '\xff'}) {
                std::string changed = text;
                changed[i] = c;
                const auto imported = importHfConfig(changed);
                QVERIFY(imported || !imported.error().empty());
            }
        }
    }
};
HEADROOM_TEST(TestHfConfigBadInput)

} // namespace headroom::test_hf_config_bad_input
#include "test_hf_config_bad_input.moc"
