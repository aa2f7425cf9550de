// SPDX-License-Identifier: GPL-3.0-or-later
// What tables and charts of the catalogue are made from: the fact registries and the two catalogue charts.
#include "core/catalog/catalog.hpp"
#include "core/charts/catalog_charts.hpp"
#include "core/facts/catalog_facts.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <set>

namespace headroom::test_catalog_facts
{
namespace
{

template <typename Entry>
const FactRow<Entry>& row(std::span<const FactRow<Entry>> rows, std::string_view id)
{
    for (const auto& each : rows)
        if (each.id == id)
            return each;
    qFatal("no fact of that name");
}

std::string fact(const char* device, const char* id)
{
    return factText(row(acceleratorFacts(), id), *Catalog::builtIn().accelerator(device));
}

std::string modelFact(const char* model, const char* id)
{
    return factText(row(modelFacts(), id), modelEntry(Catalog::builtIn().model(model)));
}

template <typename Entry>
void complete(std::span<const FactRow<Entry>> rows)
{
    std::set<std::string_view> ids;
    for (const auto& each : rows) {
        QVERIFY2(ids.insert(each.id).second, std::string(each.id).c_str());
        QVERIFY2(!each.group.empty() && !each.label.empty() && (each.number || each.text),
                 std::string(each.id).c_str());
    }
}

CatalogChartInput everything(const char* current, DataType precision = DataType::Bf16)
{
    return {Catalog::builtIn().accelerators(), {}, Catalog::builtIn().accelerator(current), precision};
}

const Series* series(const ChartSpec& spec, std::string_view id)
{
    for (const Series& each : spec.series)
        if (each.id == id)
            return &each;
    return nullptr;
}

} // namespace

class TestCatalogFacts final : public QObject
{
    Q_OBJECT
private slots:
    void everyRowIsComplete()
    {
        complete(acceleratorFacts());
        complete(modelFacts());
    }

    void printsWhatIsKnownAndNothingElse()
    {
        // As the memory tile counts: what is sold as 80 GB are 79.65 · 2³⁰ bytes for software.
        QCOMPARE(fact("h100-sxm-80gb", "memory"), std::string("85.5\u202FGB"));
        QCOMPARE(fact("h100-sxm-80gb", "sold"), std::string("80\u202FGB"));
        QCOMPARE(fact("h100-sxm-64gb", "memory"), std::string("64.0\u202FGB"));
        QCOMPARE(fact("h100-sxm-80gb", "bf16"), std::string("989\u202FTFLOP/s"));
        QCOMPARE(fact("h100-sxm-80gb", "fp4"), std::string());
        QCOMPARE(fact("h100-sxm-80gb", "price"), std::string("2.95"));
        QCOMPARE(fact("h100-sxm-80gb", "ridge"), std::string("295\u202FFLOP/byte"));
        QCOMPARE(fact("h100-sxm-64gb", "bandwidth"), std::string());
        QCOMPARE(fact("v100-sxm2-16gb", "bf16"), std::string()); // fp16 stands in when evaluating, not in a table
        QCOMPARE(modelFact("llama-3-8b", "total"), std::string("8.03\u202FB"));
        QCOMPARE(modelFact("llama-3-8b", "attention"), std::string("GQA"));
        QCOMPARE(modelFact("deepseek-v3", "attention"), std::string("MLA"));
        QCOMPARE(modelFact("gemma-2-9b", "attention"), std::string("GQA + window"));
        // 32 layers × 8 heads × 128 × 2 × 2 bytes × 32 768 tokens
        QCOMPARE(*row(modelFacts(), "cache").number(modelEntry(Catalog::builtIn().model("llama-3-8b"))),
                 32.0 * 8 * 128 * 2 * 2 * 32768);
    }

    void namesTheNearestSource()
    {
        const Accelerator& a = *Catalog::builtIn().accelerator("h100-sxm-80gb");
        const auto source = [&a](const char* id) { return factSource(row(acceleratorFacts(), id), a); };
        QCOMPARE(source("fp64"), a.fieldSources.at("peak.fp64"));
        QCOMPARE(source("bf16"), a.fieldSources.at("peak"));
        QCOMPARE(source("price"), a.price->source);
        QVERIFY(source("ridge").empty());
    }

    void everyKnownFactHasASourceOrFollows()
    {
        for (const auto& a : Catalog::builtIn().accelerators())
            for (const auto& each : acceleratorFacts())
                if (!each.source.empty() && each.number && each.number(*a) &&
                    !(each.id == "domain" && a->scaleUpGbPerS == 0)) // a domain of one follows from having no links
                    QVERIFY2(!factSource(each, *a).empty(), (a->id + " " + std::string(each.id)).c_str());
    }

    void marksTheBetterEnd()
    {
        using Values = std::vector<std::optional<double>>;
        QCOMPARE(bestOf(FactOrder::More, Values{1, 3, 2}), std::optional<std::size_t>(1));
        QCOMPARE(bestOf(FactOrder::Less, Values{{}, 3, 2}), std::optional<std::size_t>(2));
        QVERIFY(!bestOf(FactOrder::None, Values{1, 2}));
        QVERIFY(!bestOf(FactOrder::More, Values{2, 2}));
        QVERIFY(!bestOf(FactOrder::More, Values{2, {}}));
    }

    void ridgeLinesPassThroughTheirDevice()
    {
        const ChartSpec spec = peakOverBandwidth(everything("b200-sxm"));
        const Accelerator& a = *Catalog::builtIn().accelerator("b200-sxm");
        for (const auto& [id, type] : {std::pair("ridge-bf16", DataType::Bf16), std::pair("ridge-fp8", DataType::Fp8),
                                       std::pair("ridge-fp4", DataType::Fp4)}) {
            const Series* line = series(spec, id);
            QVERIFY2(line && line->points.size() == 2, id);
            for (const Point& point : line->points) {
                QVERIFY(std::fabs(point.y / point.x / (a.peakFlops(type) / a.memoryBandwidth()) - 1) < 1e-12);
                QVERIFY(point.x >= spec.x.minimum * 0.999 && point.x <= spec.x.maximum * 1.001);
                QVERIFY(point.y >= spec.y.minimum * 0.999 && point.y <= spec.y.maximum * 1.001);
            }
        }
        QVERIFY(series(spec, "current") && series(spec, "current")->points.front().y == a.peakFlops(DataType::Bf16));
        QCOMPARE(series(spec, "ridge-fp8")->label, std::string("FP8, INT8 563")); // one roof, one line
        const ChartSpec older = peakOverBandwidth(everything("a100-sxm-80gb"));
        QVERIFY(!series(older, "ridge-fp8"));
        QVERIFY(series(older, "ridge-int8")); // 8 bits as integers only
    }

    void everyDeviceIsOneOfThePointsOrCounted()
    {
        CatalogChartInput input = everything("h100-sxm-80gb", DataType::Fp8);
        input.selected = {"mi300x", "a100-sxm-80gb"}; // the latter has no 8-bit rate
        for (const ChartSpec& spec : {peakOverBandwidth(input), memoryOverPrice(input)}) {
            std::size_t points = 0;
            std::set<std::string> ids;
            for (const Series& each : spec.series)
                for (int i = 0; each.kind == SeriesKind::Points && i < int(each.points.size()); ++i, ++points)
                    ids.insert(acceleratorAt(spec, each.id, i));
            QCOMPARE(ids.size(), points); // each its own, none empty
            QVERIFY(!ids.contains(std::string()));
            const std::size_t left = input.shown.size() - points;
            QVERIFY2(spec.note.starts_with(std::to_string(left) + " "), spec.note.c_str());
            QVERIFY(!spec.reading.empty() && !spec.summary.empty());
        }
        QCOMPARE(series(peakOverBandwidth(input), "selected")->points.size(), std::size_t(1));
        QVERIFY(acceleratorAt(peakOverBandwidth(input), "others", 10'000).empty());
    }

    void nothingToShowIsNoError()
    {
        const CatalogChartInput nothing;
        for (const ChartSpec& spec : {peakOverBandwidth(nothing), memoryOverPrice(nothing)}) {
            QVERIFY(spec.series.empty() && spec.note.empty());
            QVERIFY(spec.x.minimum > 0 && spec.x.maximum > spec.x.minimum);
        }
    }
};
HEADROOM_TEST(TestCatalogFacts)

} // namespace headroom::test_catalog_facts
#include "test_catalog_facts.moc"
