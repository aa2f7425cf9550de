// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the catalogue's records: each is read, written, found by its path, and stands on the page.
// HEADROOM_UPDATE_FORMAT_PAGE=1 writes docs/catalog_format.md anew; read the difference.
#include "core/catalog/catalog.hpp"
#include "core/catalog/catalog_text.hpp"
#include "core/catalog/record_keys.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QtGlobal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom::test_catalog_keys
{
namespace
{

/// The paths of all values of a record; elements of arrays of objects are "…", kinds of layers "MIXER".
void paths(const nlohmann::json& json, const std::string& at, std::set<std::string>& all)
{
    if (json.is_object() && at != "/field_sources") {
        for (const auto& entry : json.items())
            paths(entry.value(), at + "/" + (at == "/attention_variants" ? "MIXER" : entry.key()), all);
    } else if (json.is_array() && !json.empty() && json[0].is_object()) {
        for (const auto& element : json)
            paths(element, at + "/…", all);
    } else {
        all.insert(at);
    }
}

std::set<std::string> listed(const std::vector<RecordKey>& keys)
{
    std::set<std::string> all{"/id"};
    for (const RecordKey& key : keys)
        all.insert(key.path);
    return all;
}

} // namespace

class TestCatalogKeys : public QObject
{
    Q_OBJECT

private slots:
    void whatIsWrittenIsListed()
    {
        std::set<std::string> accelerators, models;
        for (const auto& accelerator : Catalog::builtIn().accelerators())
            paths(nlohmann::json::parse(acceleratorText(*accelerator)), "", accelerators);
        for (const auto& model : Catalog::builtIn().models())
            paths(nlohmann::json::parse(architectureText(*model)), "", models);
        const std::set<std::string> ofAccelerators = listed(acceleratorKeys()), ofModels = listed(architectureKeys());
        for (const std::string& path : accelerators)
            QVERIFY2(ofAccelerators.contains(path), path.c_str());
        for (const std::string& path : models)
            QVERIFY2(ofModels.contains(path), path.c_str());
    }

    void aNumberIsFoundByItsPath()
    {
        Accelerator a = *Catalog::builtIn().accelerator("h100-sxm-80gb");
        QCOMPARE(numberAt(a, "/memory_gb"), std::optional(a.memoryGb));
        QCOMPARE(numberAt(a, "/peak_tflops/bf16"), std::optional(a.peak.bf16));
        QCOMPARE(numberAt(a, "/scaleup_domain_size"), std::optional(8.0));
        QCOMPARE(numberAt(a, "/cloud_price_usd_per_hour/value"),
                 a.price ? std::optional(a.price->usdPerHour) : std::nullopt);
        QVERIFY(!numberAt(a, "/name") && !numberAt(a, "/memory") && !numberAt(a, "/peak_tflops") && !numberAt(a, "") &&
                !numberAt(a, "/peak_tflops/bf17"));
        QVERIFY(setNumberAt(a, "/peak_tflops/bf16", 500) && setNumberAt(a, "/scaleup_domain_size", 4));
        QCOMPARE(a.peak.bf16, 500.0);
        QCOMPARE(a.scaleUpDomain, 4);
        QVERIFY(!setNumberAt(a, "/name", 1));
        a.price.reset();
        QVERIFY(!setNumberAt(a, "/cloud_price_usd_per_hour/value", 1) && !a.price);

        const ModelArchitecture& m = *Catalog::builtIn().model("deepseek-v3");
        QCOMPARE(numberAt(m, "/moe/experts"), std::optional(double(m.moe.experts)));
        QCOMPARE(numberAt(m, "/attention/mla/kv_lora_rank"), std::optional(double(m.attention.mla.kvLoraRank)));
        QCOMPARE(numberAt(m, "/mtp/layers"), std::optional(1.0));
        QVERIFY(!numberAt(m, "/indexer/topk")); // it has none
    }

    void thePageIsMadeOfTheLists()
    {
        const std::string path = test::sourcePath("docs/catalog_format.md"), now = catalogFormatPage();
        if (qEnvironmentVariableIsSet("HEADROOM_UPDATE_FORMAT_PAGE"))
            std::ofstream(path) << now;
        QCOMPARE(test::readFile(path), now);
    }
};
HEADROOM_TEST(TestCatalogKeys)

} // namespace headroom::test_catalog_keys
#include "test_catalog_keys.moc"
