// SPDX-License-Identifier: GPL-3.0-or-later
// Every model file: schema, names, provenance, and each published parameter count against ours.
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/catalog.hpp"
#include "core/model/model_profile.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/expression.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom::test_catalog_models_lint
{
namespace
{

/// What the `basis` of a published count may name.
std::map<std::string, double, std::less<>> namesOf(const ModelArchitecture& m)
{
    const ParameterCounts c = countParameters(m);
    return {{"total", c.total},
            {"active", c.active},
            {"active_no_input_embedding", c.activeNoInputEmbedding},
            {"non_embedding", c.nonEmbedding},
            {"mtp", c.mtp},
            {"mtp_copies", c.mtpCopies},
            {"embedding", c.embedding},
            {"lm_head", c.lmHead},
            {"position", c.position},
            {"layers", double(m.layers)},
            {"head_dim", double(m.headDim)},
            {"hidden", double(m.hidden)},
            {"vocab", double(m.vocab)},
            {"experts", double(m.moe.experts)},
            {"stored_integers", double(m.storedIntegers)}};
}

/// Published figures that no sum of our parts gives; the cause stands in each file. A figure that starts or stops to
/// agree must change this list.
const std::set<std::string>& knownDisagreements()
{
    static const std::set<std::string> known{"gpt-3-medium total 350000000",
                                             "opt-350m total 350000000",
                                             "llama-65b total 65200000000",
                                             "llama-3.2-1b total 1230000000",
                                             "devstral-2-123b total 123000000000",
                                             "qwen3-30b-a3b active 3300000000",
                                             "qwen3.5-397b-a17b total 397000000000",
                                             "deepseek-v2-lite active 2400000000",
                                             "deepseek-v3 active 36700000000",
                                             "deepseek-v3 mtp 11500000000",
                                             "kimi-k2 total 1040000000000",
                                             "kimi-k2 active 32600000000",
                                             "kimi-k2 total 1026408235864",
                                             "kimi-linear-48b-a3b total 48000000000",
                                             "moonlight-16b-a3b total 15960111936",
                                             "glm-5 active 40000000000",
                                             "phi-1.5 total 1300000000",
                                             "grok-1 total 314000000000",
                                             "minimax-m3 active 23000000000",
                                             "nemotron-h-8b total 8000000000",
                                             "nemotron-3-super-120b-a12b active 12100000000",
                                             "palm-540b total 540350000000",
                                             "jamba-1.5-large total 398000000000"};
    return known;
}

bool agrees(const PublishedCount& p, double ours)
{
    return p.kind == "exact" ? ours == p.value : std::fabs(ours - p.value) <= p.unit / 2;
}

} // namespace

class TestCatalogModelsLint final : public QObject
{
    Q_OBJECT
private slots:
    void expressions()
    {
        const std::map<std::string, double, std::less<>> names{{"total", 100}, {"mtp_copies", 7}};
        QCOMPARE(test::evaluateExpression("total + 2*(mtp_copies - 3) / 4", names).value(), 102.0);
        QCOMPARE(test::evaluateExpression("-total - -1", names).value(), -99.0);
        for (const char* bad : {"", "total +", "(total", "totals", "total total", "1/3", "1/0", "1e3"})
            QVERIFY2(!test::evaluateExpression(bad, names), bad);
    }

    void everyFile_data()
    {
        QTest::addColumn<QByteArray>("path");
        QVERIFY(embeddedFolder("catalog/models/").size() >= 215);
        for (const EmbeddedFile& file : embeddedFolder("catalog/models/"))
            QTest::newRow(std::string(file.path).c_str()) << QByteArray(file.path.data(), qsizetype(file.path.size()));
    }

    void everyFile()
    {
        QFETCH(QByteArray, path);
        const std::string text(embeddedFile(path.toStdString()).value());
        const auto read = readArchitecture(nlohmann::json::parse(text), "", PublicationFields::Kept);
        QVERIFY2(read.has_value(), read ? "" : toText(read.error().front()).c_str());
        const ModelArchitecture& m = *read;
        QCOMPARE(path.toStdString(), "catalog/models/" + m.id + ".json");
        QVERIFY(!m.name.empty() && !m.family.empty() && !m.source.empty() && m.year >= 2018);
        QVERIFY2(text.find(": null") == std::string::npos && text.find("(from memory") == std::string::npos, "");
        QVERIFY2(m.notes.find("slide over") == std::string::npos || m.sliding.window > 0, "the notes say more");
        for (const LayerRun& run : m.schedule)
            for (const LayerSegment& s : run.segments)
                if (s.mixer.starts_with("sliding") || s.mixer.starts_with("chunked"))
                    QVERIFY(m.sliding.window > 0 && (s.mixer == "chunked") == m.sliding.chunked);
    }

    /// A block that was read in another repository makes `native` another model (Gemma 4 31B "in NVFP4").
    void quantisationIsThatOfTheRepositoryItself()
    {
        // Read in another repository of its maker that is stored alike (FP8 in blocks).
        const std::set<std::string> knownElsewhere{"minimax-m2"};
        std::size_t quantised = 0;
        for (const auto& m : Catalog::builtIn().models()) {
            if (!m->quantization)
                continue;
            ++quantised;
            QVERIFY2(m->dataType != "bfloat16" && m->dataType != "float16" && m->dataType != "float32",
                     (m->id + ": its dtype says that the weights are not quantised").c_str());
            std::string repository = m->hfId; // as folders of configs spell it: maker--model_config.json
            if (const auto slash = repository.find('/'); slash != std::string::npos)
                repository.replace(slash, 1, "--");
            const bool other =
                m->source.find("--") != std::string::npos && m->source.find(repository + "_") == std::string::npos;
            QVERIFY2(other == knownElsewhere.contains(m->id), (m->id + ": " + m->source).c_str());
        }
        QVERIFY(quantised >= 10);
    }

    void publishedCounts()
    {
        std::set<std::string> disagreeing;
        int exact = 0, rounded = 0;
        for (const auto& m : Catalog::builtIn().models()) {
            const auto names = namesOf(*m);
            for (const PublishedCount& p : m->published) {
                QVERIFY2(p.kind == "exact" || (p.kind == "rounded" && p.unit > 0), m->id.c_str());
                QVERIFY2(!p.source.empty(), m->id.c_str());
                const auto ours = test::evaluateExpression(p.basis, names);
                QVERIFY2(ours.has_value(), (m->id + ": " + p.basis).c_str());
                (p.kind == "exact" ? exact : rounded) += 1;
                if (agrees(p, *ours))
                    continue;
                disagreeing.insert(fmt::format("{} {} {:.0f}", m->id, p.what, p.value));
                QVERIFY2(!p.cause.empty(), (m->id + ": a figure that differs needs its cause").c_str());
            }
        }
        QVERIFY2(exact >= 147 && rounded >= 162, fmt::format("{} exact, {} rounded", exact, rounded).c_str());
        for (const std::string& figure : disagreeing)
            QVERIFY2(knownDisagreements().contains(figure), (figure + " differs").c_str());
        for (const std::string& figure : knownDisagreements())
            QVERIFY2(disagreeing.contains(figure), (figure + " agrees now").c_str());
    }

    void namesAreUnique()
    {
        std::map<QString, std::string> owners;
        for (const auto& m : Catalog::builtIn().models())
            for (const std::string& name : std::set<std::string>{m->id, m->name, m->hfId}) {
                if (name.empty())
                    continue;
                const auto [other, added] = owners.emplace(QString::fromStdString(name).toLower(), m->id);
                QVERIFY2(added || other->second == m->id, (name + ": " + other->second + ", " + m->id).c_str());
            }
    }
};
HEADROOM_TEST(TestCatalogModelsLint)

} // namespace headroom::test_catalog_models_lint
#include "test_catalog_models_lint.moc"
