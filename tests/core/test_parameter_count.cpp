// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter counts to the last parameter, against those of tests/facts for every model of the catalogue.
#include "core/catalog/architecture_json.hpp"
#include "core/model/model_profile.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>

namespace headroom::test_parameter_count
{
namespace
{

std::string text(const Diagnostics& diagnostics)
{
    std::string all;
    for (const Diagnostic& d : diagnostics)
        all += toText(d) + '\n';
    return all;
}

/// What tests/facts calls each figure.
std::vector<std::pair<const char*, double>> figures(const ParameterCounts& c)
{
    return {{"total", c.total},
            {"active", c.active},
            {"active_no_input_embedding", c.activeNoInputEmbedding},
            {"non_embedding", c.nonEmbedding},
            {"matmul_weights", c.matmul},
            {"matmul_weights_active", c.matmulActive},
            {"mtp", c.mtp},
            {"mtp_copies", c.mtpCopies}};
}

std::vector<std::pair<const char*, double>> components(const ParameterCounts& c)
{
    return {{"embedding", c.embedding},
            {"position", c.position},
            {"embed_proj", c.embedProjection},
            {"embed_norm", c.embedNorm},
            {"lm_head", c.lmHead},
            {"attention", c.attention},
            {"linear", c.linear},
            {"mamba", c.stateSpace},
            {"dense", c.dense},
            {"moe", c.moe},
            {"norms", c.norms},
            {"indexer", c.indexer},
            {"other", c.other},
            {"final_norm", c.finalNorm}};
}

/// The reference count leaves the widths of custom blocks and what is `extra` out of its matmul weights: matrices among
/// them are matrix products, and ours has them. For it a table of per-layer embeddings is no embedding.
double missingMatmul(const ModelArchitecture& m)
{
    double sum = double(m.extraMatrices) + double(m.layers) * double(m.extraMatricesPerLayer);
    for (const auto& block : m.customBlocks)
        sum += 3.0 * double(m.hidden) * double(block.second);
    return sum;
}

void compareFigures(const ModelArchitecture& m, const nlohmann::json& computed)
{
    for (const auto& [name, value] : figures(countParameters(m))) {
        const std::string_view figure = name;
        const double more = figure.starts_with("matmul") ? missingMatmul(m)
                            : figure == "non_embedding" || figure == "active_no_input_embedding"
                                ? -double(m.extraTables)
                                : 0;
        QVERIFY2(value == computed.value(name, 0.0) + more, name);
    }
}

/// The facts book the widths of custom blocks, and their missing norms, under "other".
bool booksDifferently(const std::string& component)
{
    return component == "other" || component == "dense" || component == "norms";
}

} // namespace

class TestParameterCount final : public QObject
{
    Q_OBJECT
private slots:
    void everyModelOfTheFacts_data()
    {
        QTest::addColumn<QByteArray>("entry");
        const auto lines = test::readLines(test::sourcePath("tests/facts/parameter_counts.jsonl"));
        QVERIFY(lines.size() >= 215);
        for (const std::string& line : lines)
            QTest::newRow(nlohmann::json::parse(line)["id"].get<std::string>().c_str())
                << QByteArray::fromStdString(line);
    }

    void everyModelOfTheFacts()
    {
        QFETCH(QByteArray, entry);
        const auto facts = nlohmann::json::parse(entry.toStdString());
        const auto file = test::sourcePath("resources/catalog/models/" + facts["id"].get<std::string>() + ".json");
        const auto ours = readArchitecture(nlohmann::json::parse(test::readFile(file)), "", PublicationFields::Kept);
        QVERIFY2(ours.has_value(), ours ? "" : text(ours.error()).c_str());
        compareFigures(*ours, facts);
        const ParameterCounts counts = countParameters(*ours);
        for (const auto& [name, value] : components(counts))
            if (ours->customBlocks.empty() || !booksDifferently(name))
                QVERIFY2(value == facts["components"].value(name, 0.0), name);
        const ModelProfile profile = compileModel(*ours);
        QVERIFY(profile.parameters == counts);
        QVERIFY2(profile.kinds.size() <= 8, std::to_string(profile.kinds.size()).c_str());
        double layers = 0;
        for (const LayerKind& kind : profile.kinds)
            layers += kind.count;
        QCOMPARE(layers, double(ours->layers));
    }

    /// Of Gemma 4 E2B's 4.63 billion 262,144 · 35 · 256 lie in the table of per-layer embeddings; its matrices are
    /// 35 · 2 · 1,536 · 256 in the layers and 1,536 · 35 · 256 before them.
    void perLayerEmbeddingsOfGemma4()
    {
        const auto file = test::sourcePath("resources/catalog/models/gemma-4-e2b.json");
        const auto model = readArchitecture(nlohmann::json::parse(test::readFile(file)), "", PublicationFields::Kept);
        QVERIFY(model.has_value());
        const ParameterCounts counts = countParameters(*model);
        QCOMPARE(counts.tables, 2348810240.0);
        QCOMPARE(counts.total, 4628569379.0);
        QCOMPARE(counts.activeNoInputEmbedding, 2279759139.0); // the "2.3B effective" of its card
        QCOMPARE(counts.nonEmbedding, 1877105955.0);
        QCOMPARE(counts.matmul, 2238185472.0 + 27525120 + 13762560);
    }
};
HEADROOM_TEST(TestParameterCount)

} // namespace headroom::test_parameter_count
#include "test_parameter_count.moc"
