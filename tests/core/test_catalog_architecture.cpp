// SPDX-License-Identifier: GPL-3.0-or-later
// Architecture objects: defaults, overrides, round trips, and what each bad one is told.
#include "core/catalog/architecture_json.hpp"
#include "core/model/model_profile.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>

namespace headroom::test_catalog_architecture
{

using nlohmann::json;

namespace
{

const char* const minimal = R"({"layers": 32, "hidden": 4096, "heads": 32, "ffn": 14336, "vocab": 128256})";

ModelArchitecture file(const std::string& id)
{
    const auto text = embeddedFile("catalog/models/" + id + ".json");
    return readArchitecture(json::parse(text.value()), "", PublicationFields::Kept).value();
}

std::string mixers(const std::vector<LayerRun>& schedule)
{
    std::string all;
    for (const LayerRun& run : schedule)
        for (std::int64_t i = 0; i < run.repeat; ++i)
            for (const LayerSegment& s : run.segments)
                all.append(static_cast<std::size_t>(s.count),
                           s.mlp == MlpKind::Moe ? static_cast<char>(s.mixer[0] - 'a' + 'A') : s.mixer[0]);
    return all;
}

} // namespace

class TestCatalogArchitecture final : public QObject
{
    Q_OBJECT
private slots:
    void defaults()
    {
        const ModelArchitecture m = readArchitecture(json::parse(minimal), "/model/architecture").value();
        QCOMPARE(m.name, std::string("custom"));
        QCOMPARE(m.kvHeads, std::int64_t(32));
        QCOMPARE(m.headDim, std::int64_t(128));
        QVERIFY(m.gated && !m.tied && m.custom && m.norm == NormKind::RmsNorm && m.normsPerLayer == 2);
        QVERIFY(m.position == PositionKind::Rope && m.maxContext == 0 && m.dataType == "bfloat16");
        QCOMPARE(mixers(m.schedule), std::string(32, 'f'));
        // 32 · (4·4096² + 3·4096·14336 + 2·4096) + 2·4096·128256 + 4096, multi-head
        QCOMPARE(countParameters(m).total,
                 32 * (4 * 4096.0 * 4096 + 3 * 4096.0 * 14336 + 2 * 4096) + 2 * 4096.0 * 128256 + 4096);
    }

    void multiQueryHasOneKeyValueHeadUnlessItSaysHowMany()
    {
        json o = json::parse(minimal);
        o["attention"] = "mqa";
        QCOMPARE(readArchitecture(o, "").value().kvHeads, std::int64_t(1));
        o["kv_heads"] = 2;
        QCOMPARE(readArchitecture(o, "").value().kvHeads, std::int64_t(2));
    }

    void biasesHaveOneHome()
    {
        json o = json::parse(minimal);
        const double none = countParameters(readArchitecture(o, "").value()).total;
        const double qkv = 32 * 3 * 4096.0, out = 32 * 4096.0, mlp = 32 * (2 * 14336.0 + 4096);
        o["attention"] = {{"kind", "mha"}, {"qkv_bias", true}, {"out_bias", true}};
        o["mlp_bias"] = true;
        QCOMPARE(countParameters(readArchitecture(o, "").value()).total, none + qkv + out + mlp);
        o["biases"] = {{"qkv", true}, {"attention_out", false}, {"mlp", true}, {"lm_head", true}};
        QCOMPARE(countParameters(readArchitecture(o, "").value()).total, none + qkv + mlp + 128256);
    }

    void learnedPositionsOfUnknownNumberAreLeftOut()
    {
        json o = json::parse(minimal);
        const double without = countParameters(readArchitecture(o, "").value()).total;
        o["position"] = "learned";
        o["position_offset"] = 2;
        o["max_context"] = nullptr;
        const ModelArchitecture unknown = readArchitecture(o, "").value();
        QCOMPARE(countParameters(unknown).total, without);
        QCOMPARE(unknown.warnings.size(), std::size_t(1));
        const ModelArchitecture known = readArchitectureOverride(unknown, json{{"max_context", 2048}}, "").value();
        QCOMPARE(countParameters(known).total, without + 2050.0 * 4096);
        QVERIFY(known.warnings.empty());
    }

    void publicationFieldsArePassedOver()
    {
        json o = json::parse(minimal);
        o["published"] = "anything";
        o["computed"] = 3;
        o["hf_id"] = json::array();
        QVERIFY(readArchitecture(o, "").has_value());
        QVERIFY(!readArchitecture(o, "", PublicationFields::Kept).has_value());
    }

    void everyFileSurvivesARoundTrip()
    {
        for (const EmbeddedFile& f : embeddedFolder("catalog/models/")) {
            const auto first = readArchitecture(json::parse(f.text), "", PublicationFields::Kept);
            QVERIFY2(first.has_value(), std::string(f.path).c_str());
            const auto again = readArchitecture(json::parse(writeArchitecture(*first, PublicationFields::Kept).dump()),
                                                "", PublicationFields::Kept);
            QVERIFY2(again.has_value() && *again == *first, std::string(f.path).c_str());
        }
    }

    void bad_data()
    {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("path");
        const auto row = [](const char* name, const char* patch, const char* code, const char* path) {
            QTest::newRow(name) << QString::fromLatin1(patch) << QString::fromLatin1(code) << QString::fromLatin1(path);
        };
        row("zero layers", R"({"layers": 0})", "out-of-range", "/m/layers");
        row("negative", R"({"hidden": -4096})", "out-of-range", "/m/hidden");
        row("huge", R"({"layers": 1000000000000})", "out-of-range", "/m/layers");
        row("2^40", R"({"vocab": 1099511627776})", "out-of-range", "/m/vocab");
        row("fraction", R"({"heads": 31.5})", "not-whole", "/m/heads");
        row("text", R"({"layers": "32"})", "wrong-type", "/m/layers");
        row("missing", R"({"vocab": null})", "missing-key", "/m");
        row("no feed-forward", R"({"ffn": null})", "missing-key", "/m");
        row("head_dim", R"({"heads": 30})", "missing-key", "/m");
        row("kv_heads", R"({"kv_heads": 64})", "out-of-range", "/m/kv_heads");
        row("unknown key", R"({"layer": 32})", "unknown-key", "/m/layer");
        row("unknown norm", R"({"norm": "rms"})", "unknown-name", "/m/norm");
        row("schedule sum", R"({"schedule": [[31, "full", "dense"]]})", "schedule-sum", "/m/schedule");
        row("schedule entry", R"({"schedule": [[32, "full"]]})", "wrong-type", "/m/schedule/0");
        row("feed-forward name", R"({"schedule": [[32, "full", "mlp"]]})", "wrong-type", "/m/schedule/0");
        row("mixer", R"({"schedule": [[32, "ful", "dense"]]})", "unknown-name", "/m/schedule/0");
        row("variant", R"({"schedule": [[32, "full_c4", "dense"]]})", "unknown-name", "/m/schedule/0");
        row("no experts", R"({"schedule": [[32, "full", "moe"]]})", "missing-key", "/m");
        row("no window", R"({"schedule": [[32, "sliding", "dense"]]})", "missing-key", "/m/sliding");
        row("no chunk", R"({"schedule": [[32, "chunked", "dense"]]})", "missing-key", "/m/sliding");
        row("no window of the prediction layer", R"({"mtp": {"layers": 1, "mixer": "sliding", "mlp": "dense"}})",
            "missing-key", "/m/sliding");
        row("no linear", R"({"schedule": [[32, "linear", "dense"]]})", "missing-key", "/m/linear");
        row("no mamba", R"({"schedule": [[32, "mamba", "dense"]]})", "missing-key", "/m/mamba");
        row("top_k", R"({"moe": {"experts": 8, "top_k": 9, "ffn": 10}})", "out-of-range", "/m/moe/top_k");
        row("half a moe", R"({"moe": {"experts": 8}})", "missing-key", "/m/moe");
        row("mla", R"({"attention": {"kind": "mla"}})", "missing-key", "/m/attention/mla");
        row("within moe", R"({"moe": {"experts": 8, "top_k": 2, "ffn": 10, "shared": 1}})", "unknown-key",
            "/m/moe/shared");
        row("experts of no layer",
            R"({"moe": {"experts": 8, "top_k": 2, "ffn": 9}, "schedule": [[32, "full", "dense"]]})", "contradiction",
            "/m/moe");
        row("window of no layer", R"({"sliding": {"window": 9}, "schedule": [[32, "full", "dense"]]})", "contradiction",
            "/m/sliding");
        row("no window", R"({"sliding": {"kind": "chunked"}})", "missing-key", "/m/sliding");
        row("mamba of no layer", R"({"mamba": {"inner": 8, "heads": 2, "head_dim": 4, "state": 8, "groups": 1}})",
            "contradiction", "/m/mamba");
        row("linear of no layer", R"({"linear": {"key_heads": 1, "value_heads": 1, "key_dim": 8, "value_dim": 8}})",
            "contradiction", "/m/linear");
        row("latents of another attention",
            R"({"attention": {"kind": "gqa", "mla": {"kv_lora_rank": 8, "qk_nope": 8, "qk_rope": 8, "v_head_dim": 8}}})",
            "contradiction", "/m/attention/mla");
        row("variant of no layer", R"({"attention_variants": {"sliding": {"kv_heads": 1}}})", "contradiction",
            "/m/attention_variants/sliding");
        row("nothing left", R"({"extra": -1000000000000})", "out-of-range", "/m/extra");
        row("custom blocks", R"({"custom_blocks": [["full", 100]]})", "schedule-sum", "/m/custom_blocks");
    }

    void bad()
    {
        QFETCH(QString, patch);
        QFETCH(QString, code);
        QFETCH(QString, path);
        json o = json::parse(minimal);
        o.merge_patch(json::parse(patch.toStdString()));
        const auto read = readArchitecture(o, "/m");
        QVERIFY(!read.has_value());
        QCOMPARE(QString::fromStdString(read.error().front().code), code);
        QCOMPARE(QString::fromStdString(read.error().front().path), path);
        QVERIFY(!read.error().front().message.empty());
    }

    void overrideKeepsTheRest()
    {
        const ModelArchitecture base = file("deepseek-v3");
        const auto m = readArchitectureOverride(
            base, json::parse(R"({"id": "deepseek-v3", "moe": {"top_k": 4}, "vocab": 1000})"), "/model");
        QVERIFY(m.has_value());
        QCOMPARE(m->moe.topK, std::int64_t(4));
        QCOMPARE(m->moe.experts, std::int64_t(256));
        QCOMPARE(m->vocab, std::int64_t(1000));
        QCOMPARE(m->layers, std::int64_t(61));
        QVERIFY(m->custom && m->schedule == base.schedule);
        QVERIFY(!readArchitectureOverride(base, json::parse(R"({"id": "x", "layer": 4})"), "/model").has_value());
    }

    /// Parts that the model did not have go to its layers, as to those of a new object.
    void overriddenPartsReachTheLayers()
    {
        const ModelArchitecture base = file("llama-3.1-8b");
        const auto changed = [&base](const char* object) {
            return readArchitectureOverride(base, json::parse(object), "/model");
        };
        const auto moe = changed(R"({"moe": {"experts": 8, "top_k": 2, "ffn": 14336}})");
        QVERIFY2(moe.has_value(), moe ? "" : moe.error().front().message.c_str());
        QCOMPARE(mixers(moe->schedule), std::string(32, 'F'));
        // As Mixtral 8x7B with another vocabulary: seven more experts and a router in each layer.
        const double expert = 3 * 4096.0 * 14336, router = 8 * 4096.0;
        const ParameterCounts before = countParameters(base), after = countParameters(*moe);
        QCOMPARE(after.total, before.total + 32 * (7 * expert + router));
        QCOMPARE(after.active, before.active + 32 * (expert + router));
        QCOMPARE(mixers(changed(R"({"sliding": {"window": 1024}})")->schedule), std::string(32, 's'));
        QCOMPARE(mixers(changed(R"({"sliding": {"window": 1024, "kind": "chunked"}})")->schedule),
                 std::string(32, 'c'));
        QCOMPARE(changed(R"({"attention": {"mla": {"kv_lora_rank": 512, "qk_nope": 128, "qk_rope": 64,
                             "v_head_dim": 128}}})")
                     ->attention.kind,
                 AttentionKind::Mla);
        QCOMPARE(
            mixers(readArchitectureOverride(file("gemma-3-27b"), json{{"sliding", {{"window", 512}}}}, "")->schedule),
            mixers(file("gemma-3-27b").schedule));
        QVERIFY(!changed(R"({"moe": {"top_k": 2}})"));
        QVERIFY(!changed(R"({"mamba": {"inner": 8192, "heads": 64, "head_dim": 128, "state": 128, "groups": 8}})"));
        QVERIFY(!changed(R"({"extra": -100000000000})"));
        // What the model had and its new schedule leaves out is nothing that the object states.
        QVERIFY(readArchitectureOverride(file("mixtral-8x7b"),
                                         json::parse(R"({"ffn": 14336, "schedule": [[32, "full", "dense"]]})"), ""));
    }

    void overriddenHeadsKeepTheirKind()
    {
        const json half = {{"heads", 20}};
        const auto multi = readArchitectureOverride(file("llama-2-13b"), half, "/model");
        QVERIFY(multi.has_value());
        QCOMPARE(multi->kvHeads, std::int64_t(20)); // multi-head stays multi-head
        QCOMPARE(multi->attention.heads, std::int64_t(20));
        QCOMPARE(readArchitectureOverride(file("llama-3-8b"), half, "/model")->kvHeads, std::int64_t(8));
        const auto few = readArchitectureOverride(file("llama-3-8b"), json{{"heads", 4}}, "/model");
        QVERIFY(!few.has_value());
        QCOMPARE(few.error().front().path, std::string("/model/kv_heads"));
    }

    void overriddenLayersCutOrRepeatTheCycle()
    {
        const auto resized = [](const char* id, int layers) {
            const json o = {{"id", id}, {"layers", layers}};
            const auto m = readArchitectureOverride(file(id), o, "/model");
            return m ? mixers(m->schedule) : m.error().front().message;
        };
        QCOMPARE(resized("llama-3-8b", 16), std::string(16, 'f'));
        QCOMPARE(resized("llama-3-8b", 40), std::string(40, 'f'));
        QCOMPARE(resized("deepseek-v3", 5), std::string("fffFF"));
        QCOMPARE(resized("deepseek-v3", 64), "fff" + std::string(61, 'F')); // its dense head does not come again
        QCOMPARE(resized("gemma-3-27b", 8), std::string("sssssfss"));
        QCOMPARE(resized("gemma-3-27b", 66).substr(60), std::string("sssssf"));
        QCOMPARE(resized("glm-5.2", 80).substr(0, 11), std::string("fffFFFFFFFF"));
        QCOMPARE(resized("llama-3.3-nemotron-super-49b", 82).size(), std::size_t(82));
    }

    void customBlocksBookTheirWidthsInExtra()
    {
        const ModelArchitecture m = file("llama-3.3-nemotron-super-49b");
        QCOMPARE(m.extra, std::int64_t(0));
        QCOMPARE(writeArchitecture(m)["extra"].get<double>(), 40365727744.0);
        json o = json::parse(writeArchitecture(m).dump());
        o.erase("extra");
        QCOMPARE(countParameters(readArchitecture(o, "").value()).total, countParameters(m).total);
        o["extra"] = 5;
        QVERIFY(!readArchitecture(o, "").has_value());
    }
};
HEADROOM_TEST(TestCatalogArchitecture)

} // namespace headroom::test_catalog_architecture
#include "test_catalog_architecture.moc"
