// SPDX-License-Identifier: GPL-3.0-or-later
// Every quantisation format: what is read, and the bits a weight takes in the file.
#include "core/catalog/hf_config.hpp"
#include "core/catalog/hf_quantization.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_hf_config_quantization
{
namespace
{

std::string quoted(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

std::string sizes()
{
    return "'model_type':'llama','hidden_size':8,'num_hidden_layers':4,'num_attention_heads':2,"
           "'intermediate_size':16,'vocab_size':32";
}

} // namespace

class TestHfConfigQuantization : public QObject
{
    Q_OBJECT
private slots:
    void formats_data()
    {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("method");
        QTest::addColumn<double>("bits");
        QTest::addColumn<double>("stored");
        const auto row = [](const char* name, const char* config, const char* method, double bits, double stored) {
            QTest::newRow(name) << QString::fromLatin1(config) << QString::fromLatin1(method) << bits << stored;
        };
        row("fp8 in blocks", "{'quant_method':'fp8','weight_block_size':[128,128]}", "fp8", 8, 8 + 32.0 / 16384);
        row("fp8 in blocks, small scales", "{'quant_method':'fp8','weight_block_size':[128,128],'scale_fmt':'ue8m0'}",
            "fp8", 8, 8 + 8.0 / 16384);
        row("fp8 per tensor", "{'quant_method':'fp8','weight_block_size':null}", "fp8", 8, 8);
        row("fbgemm_fp8", "{'quant_method':'fbgemm_fp8','activation_scale_ub':1200.0}", "fbgemm_fp8", 8, 8);
        row("awq", "{'quant_method':'awq','bits':4,'group_size':128}", "awq", 4, 4 + 20.0 / 128);
        row("awq, old spelling", "{'quant_method':'awq','w_bit':4,'q_group_size':64}", "awq", 4, 4 + 20.0 / 64);
        row("gptq, whole rows", "{'quant_method':'gptq','bits':8,'group_size':-1}", "gptq", 8, 8);
        row("auto-round", "{'quant_method':'auto-round','bits':2,'group_size':32}", "auto-round", 2, 2 + 18.0 / 32);
        row("mxfp4", "{'quant_method':'mxfp4'}", "mxfp4", 4.25, 4.25);
        row("compressed-tensors, integers",
            "{'quant_method':'compressed-tensors','format':'pack-quantized','config_groups':{'group_0':"
            "{'weights':{'num_bits':4,'type':'int','group_size':32}}}}",
            "compressed-tensors", 4, 4.5);
        row("compressed-tensors, nvfp4",
            "{'quant_method':'compressed-tensors','format':'nvfp4-pack-quantized','config_groups':{'group_0':"
            "{'weights':{'num_bits':4,'type':'float','group_size':16}}}}",
            "compressed-tensors", 4, 4.5);
        row("compressed-tensors, mxfp4",
            "{'quant_method':'compressed-tensors','format':'mxfp4-pack-quantized','config_groups':{'group_0':"
            "{'weights':{'num_bits':4,'type':'float','group_size':32}}}}",
            "compressed-tensors", 4, 4.25);
        row("compressed-tensors, fp8 in blocks",
            "{'quant_method':'compressed-tensors','format':'float-quantized','config_groups':{'group_0':"
            "{'weights':{'num_bits':8,'type':'float','group_size':null,'block_structure':[128,128]}}}}",
            "compressed-tensors", 8, 8 + 32.0 / 16384);
        row("modelopt nvfp4", "{'quant_method':'modelopt','quant_algo':'NVFP4'}", "modelopt", 4, 4.5);
        row("modelopt mxfp8", "{'quant_method':'modelopt','quant_algo':'MXFP8'}", "modelopt", 8, 8.25);
        row("algorithm alone", "{'quant_algo':'FP8'}", "modelopt", 8, 8);
        row("mixed: most weights decide",
            "{'quant_method':'modelopt','quant_algo':'MIXED_PRECISION','quantized_layers':{'l.0.self_attn.q_proj':"
            "{'quant_algo':'FP8'},'l.0.self_attn.k_proj':{'quant_algo':'FP8'},'l.0.mlp':{'quant_algo':'NVFP4'}}}",
            "modelopt", 4, 4.5);
        row("bitsandbytes, 4 bits", "{'load_in_4bit':true,'bnb_4bit_quant_type':'nf4'}", "bitsandbytes", 4, 4.5);
        row("bitsandbytes, double",
            "{'quant_method':'bitsandbytes','_load_in_4bit':true,'bnb_4bit_use_double_quant':true}", "bitsandbytes", 4,
            4.126953125);
        row("bitsandbytes, 8 bits", "{'load_in_8bit':true}", "bitsandbytes", 8, 8);
        row("unknown", "{'quant_method':'hqq'}", "hqq", 0, 0);
        row("quanto", "{'quant_method':'quanto','weights':'int4'}", "quanto", 4, 4.25);
        row("quanto, 8 bits", "{'quant_method':'quanto','weights':'int8'}", "quanto", 8, 8);
        row("hqq", "{'quant_method':'hqq','quant_config':{'weight_quant_params':{'nbits':4,'group_size':64}}}", "hqq",
            4, 4.5);
        row("aqlm", "{'quant_method':'aqlm','nbits_per_codebook':16,'num_codebooks':1,'in_group_size':8}", "aqlm", 2,
            2);
        row("eetq", "{'quant_method':'eetq','weights':'int8'}", "eetq", 8, 8);
        row("bitnet", "{'quant_method':'bitnet'}", "bitnet", 2, 2);
        row("quark, mxfp4",
            "{'quant_method':'quark','global_quant_config':{'input_tensors':null,'weight':{'dtype':'fp4',"
            "'group_size':32,'scale_format':'e8m0'}}}",
            "quark", 4, 4.25);
        row("awq, the class's defaults", "{'quant_method':'awq'}", "awq", 4, 4 + 20.0 / 128);
        row("gptq without bits", "{'quant_method':'gptq','group_size':128}", "gptq", 0, 0);
        row("bitsandbytes without a flag", "{'quant_method':'bitsandbytes'}", "bitsandbytes", 0, 0);
        row("unknown with bits", "{'quant_method':'vptq','bits':4}", "vptq", 4, 4);
    }

    void formats()
    {
        QFETCH(QString, config);
        QFETCH(QString, method);
        QFETCH(double, bits);
        QFETCH(double, stored);
        const std::string text = config.toStdString();
        const auto atTop = importHfConfig(quoted("{" + sizes() + ",'quantization_config':" + text + "}"));
        QVERIFY(atTop && atTop->architecture.quantization);
        QCOMPARE(atTop->architecture.quantization->method, method.toStdString());
        QCOMPARE(atTop->architecture.quantization->bits, bits);
        QCOMPARE(storedBitsPerWeight(*atTop->architecture.quantization), stored);
        const auto within = importHfConfig(
            quoted("{'model_type':'x','text_config':{" + sizes() + ",'quantization_config':" + text + "}}"));
        QVERIFY(within);
        QCOMPARE(within->architecture.quantization, atTop->architecture.quantization);
    }

    void noneIsNone()
    {
        QVERIFY(!importHfConfig(quoted("{" + sizes() + "}"))->architecture.quantization);
        QVERIFY(!importHfConfig(quoted("{" + sizes() + ",'quantization_config':null}"))->architecture.quantization);
    }

    void mlxObject()
    {
        const auto imported = importHfConfig(quoted("{" + sizes() + ",'quantization':{'group_size':64,'bits':4}}"));
        QVERIFY(imported && imported->architecture.quantization);
        QCOMPARE(imported->architecture.quantization->method, std::string("mlx"));
        QCOMPARE(storedBitsPerWeight(*imported->architecture.quantization), 4 + 32.0 / 64); // a 16-bit scale and bias
    }

    /// mlx.nn.quantize takes Linear and Embedding alike, but for modules with an entry of their own.
    void mlxQuantisesEmbeddingAndHead()
    {
        const auto read = [](const std::string& how, const char* tied = "false") {
            const auto imported = importHfConfig(
                quoted("{" + sizes() + ",'tie_word_embeddings':" + tied + ",'quantization':{" + how + "}}"));
            return imported ? imported->architecture.quantization.value_or(Quantization{}) : Quantization{};
        };
        const auto bits = [&](const std::string& how) {
            const Quantization q = read(how);
            return std::array{storedBitsPerWeight(q), q.embedBits, q.headBits};
        };
        using Bits = std::array<double, 3>; // of a weight of a layer, of the embedding, of the head
        const std::string four = "'group_size':64,'bits':4", mx = "'group_size':32,'bits':4,'mode':'mxfp4'";
        QCOMPARE(bits(four), (Bits{4.5, 4.5, 4.5}));
        QCOMPARE(bits(four + ",'mode':'affine'"), (Bits{4.5, 4.5, 4.5}));
        QCOMPARE(bits(mx), (Bits{4.25, 4.25, 4.25}));
        QCOMPARE(bits("'group_size':16,'bits':4,'mode':'nvfp4'"), (Bits{4.5, 4.5, 4.5}));
        QCOMPARE(bits("'group_size':32,'bits':8,'mode':'mxfp8'"), (Bits{8.25, 8.25, 8.25}));
        QCOMPARE(bits(four + ",'lm_head':false"), (Bits{4.5, 4.5, 0}));
        QCOMPARE(bits(four + ",'lm_head':{'group_size':32,'bits':8}"), (Bits{4.5, 4.5, 9}));
        QCOMPARE(bits(four + ",'model.embed_tokens':{'group_size':64,'bits':6}"), (Bits{4.5, 6.5, 4.5}));
        QCOMPARE(bits(mx + ",'lm_head':{'group_size':64,'bits':8,'mode':'affine'}"), (Bits{4.25, 4.25, 8.5}));
        QCOMPARE(read(four, "true").headBits, 0.0); // the embedding is the head
        QCOMPARE(read(four, "true").embedBits, 4.5);
    }

    /// GPTQModel and AutoRound store the head so where they say it.
    void aQuantisedHeadIsCounted()
    {
        const auto head = [](const std::string& method, const std::string& more, const char* tied = "false") {
            const auto imported = importHfConfig(quoted("{" + sizes() + ",'tie_word_embeddings':" + tied +
                                                        ",'quantization_config':{'quant_method':'" + method +
                                                        "','bits':4,'group_size':128" + more + "}}"));
            return imported ? imported->architecture.quantization->headBits : -1;
        };
        const double four = 4 + 20.0 / 128;
        QCOMPARE(head("gptq", ""), 0.0);
        QCOMPARE(head("gptq", ",'lm_head':false"), 0.0);
        QCOMPARE(head("gptq", ",'lm_head':true"), four);
        QCOMPARE(head("gptq", ",'lm_head':true", "true"), 0.0);
        QCOMPARE(head("gptq", ",'lm_head':true,'dynamic':{'lm_head':{'bits':8,'group_size':32}}"), 8 + 24.0 / 32);
        QCOMPARE(head("gptq", ",'dynamic':{'-:lm_head':{}}"), 0.0);
        QCOMPARE(head("auto-round", ",'extra_config':{'lm_head':{'bits':4}}"), four);
        QCOMPARE(head("auto-round", ",'extra_config':{'lm_head':{'bits':16}}"), 0.0);
    }

    void separateFileWins()
    {
        const std::string config = quoted("{" + sizes() + ",'quantization_config':{'quant_method':'fp8'}}");
        const auto imported = importHfConfig(
            config, quoted("{'producer':{'name':'modelopt'},'quantization':{'quant_algo':'NVFP4',"
                           "'kv_cache_quant_algo':'FP8','group_size':16,'exclude_modules':['lm_head']}}"));
        QVERIFY(imported && imported->architecture.quantization);
        QCOMPARE(imported->architecture.quantization->algorithm, std::string("NVFP4"));
        QCOMPARE(imported->architecture.quantization->group, 16);
        QVERIFY(!importHfConfig(config, "{\"producer\":{}}"));
        QVERIFY(!importHfConfig(config, "not json"));
    }

    void unknownBitsAreSaid()
    {
        for (const char* method : {"aqlm", "gptq", "bitsandbytes"}) {
            const auto imported =
                importHfConfig(quoted("{" + sizes() + ",'quantization_config':{'quant_method':'" + method + "'}}"));
            QVERIFY(imported.has_value());
            QCOMPARE(std::ranges::count_if(imported->warnings,
                                           [&method](const Diagnostic& warning) {
                                               return warning.message.find(method) != std::string::npos;
                                           }),
                     1);
        }
    }

    /// AwqConfig and AutoRoundConfig have a default, and it is said.
    void bitsOfAClassAreSaid()
    {
        const auto warned = [](const std::string& text) {
            const auto imported = importHfConfig(quoted("{" + sizes() + ",'quantization_config':" + text + "}"));
            return imported && std::ranges::any_of(imported->warnings, [](const Diagnostic& warning) {
                       return warning.message == "the bits are absent: the class default of 4 is used";
                   });
        };
        QVERIFY(warned("{'quant_method':'awq'}"));
        QVERIFY(warned("{'quant_method':'auto-round','group_size':32}"));
        QVERIFY(!warned("{'quant_method':'awq','w_bit':4}"));
    }

    void whatIsNotQuantisedHasNoBlock()
    {
        for (const char* none : {"{'quant_method':'bitsandbytes','load_in_4bit':false,'load_in_8bit':false}",
                                 "{'quant_method':'compressed-tensors','format':'dense','config_groups':{}}"})
            QVERIFY2(!importHfConfig(quoted("{" + sizes() + ",'quantization_config':" + none + "}"))
                          ->architecture.quantization,
                     none);
    }

    void weightOnlyFormats()
    {
        const auto only = [](const std::string& text) {
            return importHfConfig(quoted("{" + sizes() + ",'quantization_config':" + text + "}"))
                ->architecture.quantization->weightOnly;
        };
        const std::string group = "{'quant_method':'compressed-tensors','format':'int-quantized','config_groups':{"
                                  "'group_0':{'weights':{'num_bits':8,'type':'int'},'input_activations':";
        QVERIFY(only("{'quant_method':'gptq','bits':8}"));
        QVERIFY(only("{'quant_method':'bitsandbytes','load_in_4bit':true}"));
        QVERIFY(!only("{'quant_method':'bitsandbytes','load_in_8bit':true}")); // LLM.int8() multiplies in INT8
        QVERIFY(only(group + "null}}}"));
        QVERIFY(!only(group + "{'num_bits':8}}}}"));
        QVERIFY(only("{'quant_method':'modelopt','quant_algo':'W4A16_NVFP4'}"));
        QVERIFY(!only("{'quant_method':'modelopt','quant_algo':'NVFP4'}"));
        QVERIFY(!only("{'quant_method':'fp8'}"));
    }

    /// The lists of published checkpoints, of a model of four layers.
    void exceptions_data()
    {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("kept");
        const auto row = [](const char* name, const char* list, const char* kept) {
            QTest::newRow(name) << QString::fromLatin1(list) << QString::fromLatin1(kept);
        };
        row("head and routers alone", "'lm_head','model.layers.0.mlp.gate','model.layers.1.input_layernorm'", "");
        row("gpt-oss", "'model.layers.*.self_attn','model.layers.*.mlp.router','lm_head'", "attention");
        row("Kimi K2.5", "'re:.*self_attn.*','re:.*shared_experts.*','re:.*mlp\\\\.(gate|up|gate_up|down)_proj.*'",
            "attention dense");
        row("Laguna", "'model.layers.0.mlp.down_proj','re:.*\\\\.self_attn\\\\.o_proj$','re:.*\\\\.mlp\\\\.gate$'",
            "attention");
        row("DeepSeek V4 in NVFP4", "'*.attn.*','*.ffn.shared_experts.*','head','mtp.*'", "attention dense");
        row("most layers", "'model.layers.1*','model.layers.2.self_attn*','model.layers.3.self_attn*'", "attention");
        row("half of them", "'model.layers.2.self_attn*','model.layers.3.self_attn*','model.layers.4*'", "");
        row("small matrices", "'model.layers.*.self_attn.kv_a_proj_with_mqa','model.layers.*.mlp.shared_expert_gate'",
            "");
        row("vision", "'model.vision_tower.layers.*.self_attn','visual.mlp'", "");
        row("experts", "'model.layers.*.mlp.experts'", "experts");
    }

    void exceptions()
    {
        QFETCH(QString, list);
        QFETCH(QString, kept);
        for (const char* key : {"ignore", "exclude_modules", "modules_to_not_convert"}) {
            const auto imported =
                importHfConfig(quoted("{" + sizes() + ",'quantization_config':{'quant_method':'fp8','" + key + "':[" +
                                      list.toStdString() + "]}}"));
            QVERIFY(imported.has_value());
            const Quantization& q = *imported->architecture.quantization;
            QStringList parts;
            if (!q.attention)
                parts << QStringLiteral("attention");
            if (!q.dense)
                parts << QStringLiteral("dense");
            if (!q.experts)
                parts << QStringLiteral("experts");
            QCOMPARE(parts.join(QLatin1Char(' ')), kept);
        }
    }

    /// GPTQModel's dynamic: "-:" before a pattern leaves out what it matches.
    void whatGptqModelLeavesOutIsKept()
    {
        const auto imported =
            importHfConfig(quoted("{" + sizes() +
                                  ",'quantization_config':{'quant_method':'gptq','bits':4,'group_size':128,'dynamic':{"
                                  "'-:.*attn.*':{},'-:.*shared_expert.*':{},'-:.*mtp.*':{},'+:.*mlp.*':{}}}}"));
        QVERIFY(imported.has_value());
        QVERIFY(!imported->architecture.quantization->attention);
        QVERIFY(!imported->architecture.quantization->dense);
        QVERIFY(imported->architecture.quantization->experts);
    }

    void badValuesAreRefused()
    {
        for (const char* bad : {"{'quant_method':'awq','bits':0}", "{'quant_method':'awq','bits':64}",
                                "{'quant_method':'gptq','group_size':-2}", "{'quant_method':4}",
                                "{'quant_method':'fp8','weight_block_size':[0,128]}",
                                "{'quant_method':'compressed-tensors','config_groups':[]}"}) {
            const auto imported = importHfConfig(quoted("{" + sizes() + ",'quantization_config':" + bad + "}"));
            QVERIFY2(!imported, bad);
            QVERIFY2(imported.error()[0].path.find("/quantization_config/") == 0, imported.error()[0].path.c_str());
        }
    }

    void deepseekV4StoresItsExpertsInFourBits()
    {
        const auto imported =
            importHfConfig(test::readFile(test::sourcePath("tests/facts/hf_configs/DeepSeek-V4-284B-maxtext.json")));
        QVERIFY(imported && imported->architecture.quantization);
        QCOMPARE(storedBitsPerWeight(*imported->architecture.quantization), 4.25);
    }

    /// As of groups in compressed-tensors: what is stored in other bits than most is said, whoever wrote the file.
    void modulesOfOtherWidthsAreSaid()
    {
        const auto said = [](const std::string& more) {
            const auto read = importHfConfig(quoted("{" + sizes() + ",'tie_word_embeddings':true," + more + "}"));
            return read && std::ranges::any_of(read->warnings, [](const Diagnostic& warning) {
                       return warning.message.find("2 groups of weights are stored differently") == 0;
                   });
        };
        const std::string mlx = "'quantization':{'group_size':64,'bits':4", four = "'group_size':64,'bits':4}",
                          eight = "'group_size':64,'bits':8}";
        QVERIFY(said(mlx + ",'model.layers.0.mlp.down_proj':{" + eight + "}"));
        QVERIFY(!said(mlx + ",'model.layers.0.mlp.down_proj':{" + four + "}"));
        QVERIFY(!said(mlx + ",'model.embed_tokens':{" + eight + ",'model.layers.0.mlp.gate':false}"));
        const std::string gptq = "'quantization_config':{'quant_method':'gptq','bits':4,'group_size':128";
        QVERIFY(said(gptq + ",'dynamic':{'+:.*down.*':{'bits':8},'-:.*gate.*':{}}}"));
        QVERIFY(!said(gptq + "}"));
        const std::string round = "'quantization_config':{'quant_method':'auto-round','bits':4,'group_size':128";
        QVERIFY(said(round + ",'extra_config':{'model.layers.1.self_attn.o_proj':{'bits':16}}}"));
        QVERIFY(!said(round + ",'extra_config':{'lm_head':{'bits':16}}}"));
        const std::string quark = "'quantization_config':{'quant_method':'quark','global_quant_config':{'weight':{"
                                  "'dtype':'fp4'}},'layer_quant_config':{";
        QVERIFY(said(quark + "'*self_attn*':{'weight':{'dtype':'fp8_e4m3'}}}}"));
        QVERIFY(said(quark + "'*self_attn*':{'weight':null}}}"));
        QVERIFY(!said(quark + "'*lm_head':{'weight':null},'*mlp*':{'weight':{'dtype':'fp4'}}}}"));
    }
};
HEADROOM_TEST(TestHfConfigQuantization)

} // namespace headroom::test_hf_config_quantization
#include "test_hf_config_quantization.moc"
