// SPDX-License-Identifier: GPL-3.0-or-later
// Real config.json files (tests/facts): exact counts, or a refusal that names its reason.
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/catalog.hpp"
#include "core/catalog/hf_config.hpp"
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom::test_hf_config_files
{
namespace
{

using nlohmann::json;

/// What each file of tests/facts/hf_configs must give, by name.
const std::map<std::string, json>& expectations()
{
    static const std::map<std::string, json> all = [] {
        std::map<std::string, json> rows;
        for (const std::string& line : test::readLines(test::sourcePath("tests/facts/hf_configs.jsonl"))) {
            json row = json::parse(line);
            rows.emplace(row["name"].get<std::string>(), std::move(row));
        }
        return rows;
    }();
    return all;
}

std::string configText(const json& wanted)
{
    return test::readFile(test::sourcePath("tests/facts/hf_configs/" + wanted["file"].get<std::string>()));
}

QByteArray textOf(const Diagnostics& diagnostics)
{
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics)
        text += toText(diagnostic) + "; ";
    return QByteArray::fromStdString(text);
}

/// Words that a refusal must hold, by the reason that the facts give.
std::string wordOf(const std::string& reason)
{
    static const std::map<std::string, std::string> words{
        {"no model_type", "model_type|Hugging Face config"},
        {"mixtral: key num_local_experts absent", "num_local_experts"},
        {"transformer: layers, hidden size or vocabulary missing", "vocab_size"}};
    if (const auto found = words.find(reason); found != words.end())
        return found->second;
    if (reason.find("sizes missing") != std::string::npos)
        return "num_hidden_layers";
    return reason.substr(0, reason.find(':')); // the model_type
}

bool holdsOneOf(const QByteArray& text, const std::string& words)
{
    for (const QByteArray& word : QByteArray::fromStdString(words).split('|'))
        if (text.contains(word))
            return true;
    return false;
}

/// One name per layer, however the schedule is coded.
std::vector<std::string> layerNames(const ModelArchitecture& model)
{
    std::vector<std::string> names;
    for (const LayerRun& run : model.schedule)
        for (std::int64_t repeat = 0; repeat < run.repeat; ++repeat)
            for (const LayerSegment& segment : run.segments)
                names.insert(names.end(), static_cast<std::size_t>(segment.count),
                             segment.mixer + "/" + std::to_string(int(segment.mlp)));
    return names;
}

/// The first thing in which two architectures differ; empty where they agree in all that is evaluated.
std::string difference(const ModelArchitecture& a, const ModelArchitecture& b)
{
    if (layerNames(a) != layerNames(b))
        return "schedule";
    if (a.attention != b.attention)
        return "attention";
    if (a.attentionVariants != b.attentionVariants)
        return "attention variants";
    if (a.sliding != b.sliding)
        return "sliding window";
    if (a.moe != b.moe)
        return "experts";
    if (a.linear != b.linear || a.mamba != b.mamba)
        return "linear or state-space layers";
    if (a.indexer != b.indexer)
        return "indexer";
    if (a.mtp != b.mtp)
        return "prediction layers";
    if (a.position != b.position || a.parallelBlock != b.parallelBlock || a.norm != b.norm || a.tied != b.tied)
        return "position, parallel block, norm or tied";
    if (a.gated != b.gated || a.maxContext != b.maxContext || a.customBlocks != b.customBlocks)
        return "gated, context or custom blocks";
    return {};
}

} // namespace

class TestHfConfigFiles : public QObject
{
    Q_OBJECT
private slots:
    void counts_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& [name, entry] : expectations())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        QCOMPARE(expectations().size(), std::size_t(257));
    }

    void counts()
    {
        QFETCH(QString, name);
        const json& wanted = expectations().at(name.toStdString());
        const auto imported = importHfConfig(configText(wanted));
        if (wanted.contains("unsupported")) {
            QVERIFY2(!imported, "should be refused");
            const QByteArray text = textOf(imported.error());
            QVERIFY2(holdsOneOf(text, wordOf(wanted["unsupported"].get<std::string>())), text.constData());
            return;
        }
        QVERIFY2(imported.has_value(), imported ? "" : textOf(imported.error()).constData());
        const ParameterCounts counts = countParameters(imported->architecture);
        QCOMPARE(counts.total, wanted["total"].get<double>());
        QCOMPARE(counts.active, wanted["active"].get<double>());
        QCOMPARE(counts.mtp, wanted["mtp"].get<double>());
        QCOMPARE(imported->architecture.layers, wanted["layers"].get<std::int64_t>());
        QCOMPARE(imported->exact, wanted.value("exact", true));
        // What the reference warns of, we warn of too.
        QVERIFY(imported->warnings.size() >= wanted.value("warnings", std::size_t(0)));
        QCOMPARE(imported->architecture.warnings.size(), imported->warnings.size());
        // The profile merges equal layers: no layer may get lost on the way.
        double layers = 0;
        for (const LayerKind& kind : compileModel(imported->architecture).kinds)
            layers += kind.count;
        QCOMPARE(layers, wanted["layers"].get<double>());
        // What import-config prints can stand in a scenario.
        const auto again = readArchitecture(writeArchitecture(imported->architecture), "");
        QVERIFY2(again.has_value(), again ? "" : textOf(again.error()).constData());
        QVERIFY(countParameters(*again) == counts);
    }

    /// Counts do not tell a sliding layer from a full one; the catalogue's entries, written by hand, do.
    void agreesWithTheCatalogue()
    {
        const Catalog catalog = Catalog::builtIn();
        const std::set<std::string> cutContext{"yi-6b", "olmo-3-7b"}; // these files are of ports that cut it
        const std::set<std::string> outside{"mimo-v2-flash"};         // its prediction layers are not in its file
        int compared = 0;
        for (const auto& [name, wanted] : expectations()) {
            for (const json& id : wanted.value("catalogue", json::array())) {
                const auto known = catalog.model(id.get<std::string>());
                QVERIFY2(known, id.dump().c_str());
                auto imported = importHfConfig(configText(wanted));
                QVERIFY2(imported.has_value(), name.c_str());
                if (cutContext.contains(known->id))
                    imported->architecture.maxContext = known->maxContext;
                if (outside.contains(known->id) && !imported->architecture.mtp)
                    imported->architecture.mtp = known->mtp;
                const std::string differs = difference(imported->architecture, *known);
                QVERIFY2(differs.empty(), (name + " and " + known->id + ": " + differs).c_str());
                ++compared;
            }
        }
        QVERIFY(compared > 80);
    }

    void quantization_data() { counts_data(); }

    void quantization()
    {
        QFETCH(QString, name);
        const json& wanted = expectations().at(name.toStdString());
        if (wanted.contains("unsupported"))
            return;
        const auto imported = importHfConfig(configText(wanted));
        QVERIFY(imported.has_value());
        const std::optional<Quantization>& found = imported->architecture.quantization;
        QCOMPARE(found.has_value(), wanted.contains("quantization"));
        if (!found)
            return;
        const json& facts = wanted["quantization"];
        const bool named = facts["method"] != "FP8"; // an older file gives the algorithm instead of the method
        QCOMPARE(found->method, named ? facts["method"].get<std::string>() : "modelopt");
        const bool mixed = facts.value("algo", "") == "MIXED_PRECISION"; // the facts name one group of several
        if (mixed) {
            QVERIFY(found->algorithm.find("NVFP4") != std::string::npos);
            QCOMPARE(found->bits, 4.0);
            return;
        }
        if (facts.contains("bits") && facts["bits"].is_number())
            QCOMPARE(found->bits, facts["bits"].get<double>());
        if (facts.contains("group") && facts["group"].is_number())
            QCOMPARE(found->group, facts["group"].get<std::int64_t>());
        if (facts.contains("block") && facts["block"].is_array())
            QCOMPARE(found->block, facts["block"].get<std::vector<std::int64_t>>());
        if (facts.contains("format"))
            QCOMPARE(found->format, facts["format"].get<std::string>());
    }

    void separateQuantizationFiles()
    {
        const std::string dense = configText({{"file", "Qwen3.5-27B.json"}});
        const std::string mixture = configText({{"file", "DeepSeek-R1.json"}}); // which format decides hangs on weights
        int files = 0;
        for (const auto& entry :
             std::filesystem::directory_iterator(test::sourcePath("tests/facts/hf_quant_configs"))) {
            const std::string name = entry.path().filename().string();
            const bool isDense = name.find("27B") != std::string::npos;
            const auto imported = importHfConfig(isDense ? dense : mixture, test::readFile(entry.path().string()));
            QVERIFY2(imported.has_value(), name.c_str());
            const auto& found = imported->architecture.quantization;
            QVERIFY2(found && found->method == "modelopt", name.c_str());
            const bool fp8 = name.find("FP8") != std::string::npos;
            QVERIFY2(fp8 || found->algorithm.find("NVFP4") != std::string::npos, found->algorithm.c_str());
            QVERIFY2(found->bits == (fp8 ? 8 : 4), name.c_str());
            ++files;
        }
        QCOMPARE(files, 27);
    }
};
HEADROOM_TEST(TestHfConfigFiles)

} // namespace headroom::test_hf_config_files
#include "test_hf_config_files.moc"
