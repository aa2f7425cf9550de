// SPDX-License-Identifier: GPL-3.0-or-later
// Accelerator objects: defaults, overrides, round trips, and what each bad one is told.
#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/catalog.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>

namespace headroom::test_catalog_accelerator
{

using nlohmann::json;

namespace
{

const char* const minimal =
    R"({"memory_gb": 80, "memory_bandwidth_gbps_bytes": 2000, "peak_tflops": {"bf16": 300, "fp8": null}})";

Accelerator h100()
{
    return *Catalog::builtIn().accelerator("h100-sxm-80gb");
}

} // namespace

class TestCatalogAccelerator final : public QObject
{
    Q_OBJECT
private slots:
    void defaults()
    {
        const Accelerator a = readAccelerator(json::parse(minimal), "/a").value();
        QCOMPARE(a.name, std::string("custom"));
        QCOMPARE(a.usableMemoryBytes(), 80e9);
        QCOMPARE(a.memoryBandwidth(), 2e12);
        QCOMPARE(a.peakFlops(DataType::Fp16), 300e12);
        QCOMPARE(a.peakFlops(DataType::Fp8), 0.0);
        QVERIFY(a.family == AcceleratorFamily::Other && a.scaleUpDomain == 1 && a.scaleUpGbPerS == 0 && a.custom);
        QVERIFY(!a.price && a.tdpWatts == 0);
    }

    void linkFiguresGoOneWay()
    {
        json o = json::parse(minimal);
        o["scaleup_bandwidth_bidir_gbps_bytes"] = 900;
        QCOMPARE(readAccelerator(o, "")->scaleUpGbPerS, 450.0);
        QCOMPARE(readAccelerator(o, "")->scaleUpPeerGbPerS, 450.0);
        o["scaleup_bandwidth_unidir_gbps_bytes"] = 448;
        o["scaleup_peer_unidir_gbps_bytes"] = 64;
        QCOMPARE(readAccelerator(o, "")->scaleUpGbPerS, 448.0);
        QCOMPARE(readAccelerator(o, "")->scaleUpPeerGbPerS, 64.0);
    }

    /// A device that names no family takes the one of its architecture; every record of ours would find its own.
    void familyFollowsTheArchitecture()
    {
        for (const auto& a : Catalog::builtIn().accelerators())
            QVERIFY2(familyFromArchitecture(*a) == a->family, a->id.c_str());
        json o = json::parse(minimal);
        const auto family = [&](const char* vendor, const char* architecture, double bandwidth) {
            o["vendor"] = vendor;
            o["architecture"] = architecture;
            o["memory_bandwidth_gbps_bytes"] = bandwidth;
            return readAccelerator(o, "")->family;
        };
        QVERIFY(family("NVIDIA", "Ampere", 936) == AcceleratorFamily::Ada);
        QVERIFY(family("NVIDIA", "Ampere", 1555) == AcceleratorFamily::A100);
        QVERIFY(family("NVIDIA", "Blackwell", 1792) == AcceleratorFamily::Ada);
        QVERIFY(family("NVIDIA", "Blackwell", 8000) == AcceleratorFamily::Blackwell);
        QVERIFY(family("AMD", "CDNA 2 (gfx90a)", 1638) == AcceleratorFamily::Other);
        QVERIFY(family("Apple", "Apple GPU", 400) == AcceleratorFamily::Other);
        o["name"] = "GeForce RTX 3070";
        o["architecture"] = "Ampere";
        QCOMPARE(readAccelerator(o, "")->peak.fp16Accumulate16, 0.0); // vendor Apple, family other
        o["vendor"] = "NVIDIA";
        QCOMPARE(readAccelerator(o, "")->peak.fp16Accumulate16, 600.0);
        o["family"] = "hopper";
        QVERIFY(family("NVIDIA", "Ampere", 936) == AcceleratorFamily::Hopper); // what is said beats what follows
    }

    void everyRecordSurvivesARoundTrip()
    {
        for (const auto& a : Catalog::builtIn().accelerators()) {
            const auto again = readAccelerator(json::parse(writeAccelerator(*a).dump()), "", AcceleratorFacts::MayLack);
            QVERIFY2(again.has_value() && *again == *a, a->id.c_str());
        }
    }

    /// tests/facts holds the figures as they were compiled, apart from the catalogue: a slip in one file shows.
    void theCatalogueHoldsTheFacts()
    {
        for (const std::string& line : test::readLines(test::sourcePath("tests/facts/accelerators.jsonl"))) {
            json facts = json::parse(line);
            const auto id = facts["id"].get<std::string>();
            const auto measured = facts["measured"].get<std::size_t>();
            facts.erase("measured");
            const auto read = readAccelerator(facts, "/a", AcceleratorFacts::MayLack);
            QVERIFY2(read.has_value(), read ? "" : (id + toText(read.error().front())).c_str());
            const auto ours = Catalog::builtIn().accelerator(id);
            QVERIFY2(ours != nullptr, id.c_str());
            QVERIFY2(ours->peak == read->peak && ours->memoryGb == read->memoryGb &&
                         ours->memoryUsableGib == read->memoryUsableGib &&
                         ours->memoryBandwidthGbPerS == read->memoryBandwidthGbPerS &&
                         ours->scaleUpGbPerS == read->scaleUpGbPerS &&
                         ours->scaleUpPeerGbPerS == read->scaleUpPeerGbPerS &&
                         ours->scaleUpDomain == read->scaleUpDomain && ours->tdpWatts == read->tdpWatts &&
                         ours->scaleOutGbitPerS == read->scaleOutGbitPerS && ours->aliases == read->aliases &&
                         ours->measured.size() == measured,
                     id.c_str());
        }
    }

    void overrideKeepsTheRest()
    {
        const auto a = readAcceleratorOverride(
            h100(), json::parse(R"({"id": "h100-sxm-80gb", "memory_gb": 94, "peak_tflops": {"fp8": 1500}})"), "/a");
        QVERIFY(a.has_value());
        QCOMPARE(a->usableMemoryBytes(), 94e9); // the 79.65 GiB of the base no longer hold
        QCOMPARE(a->peak.bf16, 989.4);
        QCOMPARE(a->peak.fp8, 1500.0);
        QVERIFY(a->custom && a->family == AcceleratorFamily::Hopper && a->scaleUpDomain == 8);
        const auto slower =
            readAcceleratorOverride(h100(), json::parse(R"({"memory_bandwidth_gbps_bytes": 2000})"), "/a");
        QCOMPARE(slower->memoryUsableGib.value(), 79.65);
    }

    void anOverrideMayCompleteARecord()
    {
        const Accelerator base = *Catalog::builtIn().accelerator("h100-sxm-64gb");
        QCOMPARE(base.missingFacts(), std::vector<std::string>{"memory_bandwidth_gbps_bytes"});
        QVERIFY(!readAcceleratorOverride(base, json::parse(R"({"tdp_w": 600})"), "/a").has_value());
        const auto whole = readAcceleratorOverride(base, json::parse(R"({"memory_bandwidth_gbps_bytes": 3350})"), "/a");
        QVERIFY(whole.has_value() && whole->missingFacts().empty());
    }

    void anErrorNamesTheLikelyUnit()
    {
        const auto hint = [](const char* patch) {
            json o = json::parse(minimal);
            o.merge_patch(json::parse(patch));
            return readAccelerator(o, "/a").error().front().hint;
        };
        QCOMPARE(hint(R"({"memory_gb": 81559})"), std::string("the key is in GB; 81559 MiB are 85.52 GB"));
        QCOMPARE(hint(R"({"memory_gb": 8e10})"), std::string("the key is in GB; 8e+10 B are 80 GB"));
        QCOMPARE(hint(R"({"memory_bandwidth_gbps_bytes": 3.35})"),
                 std::string("the key is in GB/s; 3.35 TB/s are 3350 GB/s"));
        QCOMPARE(hint(R"({"memory_gb": 1e-300})"), std::string("the key is in GB"));
    }

    void bad_data()
    {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("path");
        const auto row = [](const char* name, const char* patch, const char* code, const char* path) {
            QTest::newRow(name) << QString::fromLatin1(patch) << QString::fromLatin1(code) << QString::fromLatin1(path);
        };
        row("no memory", R"({"memory_gb": null})", "missing-key", "/a");
        row("no bandwidth", R"({"memory_bandwidth_gbps_bytes": null})", "missing-key", "/a");
        row("no peak", R"({"peak_tflops": {"bf16": null, "fp8": 600}})", "missing-key", "/a");
        row("zero", R"({"memory_gb": 0})", "out-of-range", "/a/memory_gb");
        row("negative", R"({"peak_tflops": {"bf16": -1}})", "out-of-range", "/a/peak_tflops/bf16");
        row("absurd", R"({"memory_gb": 1e300})", "out-of-range", "/a/memory_gb");
        row("text", R"({"tdp_w": "700"})", "wrong-type", "/a/tdp_w");
        row("part of a device", R"({"scaleup_domain_size": 1.5})", "not-whole", "/a/scaleup_domain_size");
        row("unknown key", R"({"memory": 80})", "unknown-key", "/a/memory");
        row("unknown rate", R"({"peak_tflops": {"fp7": 1}})", "unknown-key", "/a/peak_tflops/fp7");
        row("family", R"({"family": "Hopper"})", "unknown-name", "/a/family");
        row("in MiB", R"({"memory_gb": 81559})", "out-of-range", "/a/memory_gb");
        row("in bytes", R"({"memory_gb": 85899345920})", "out-of-range", "/a/memory_gb");
        row("in TB", R"({"memory_gb": 0.08})", "out-of-range", "/a/memory_gb");
        row("next to nothing", R"({"memory_gb": 1e-300})", "out-of-range", "/a/memory_gb");
        row("in TB/s", R"({"memory_bandwidth_gbps_bytes": 3.35})", "out-of-range", "/a/memory_bandwidth_gbps_bytes");
        row("no rate", R"({"peak_tflops": {"bf16": 1e-300}})", "out-of-range", "/a/peak_tflops/bf16");
        row("in kW", R"({"tdp_w": 0.7})", "out-of-range", "/a/tdp_w");
        row("in GHz", R"({"boost_clock_mhz": 1.98})", "out-of-range", "/a/boost_clock_mhz");
        row("slower in fewer bits", R"({"peak_tflops": {"fp8": 1}})", "contradiction", "/a/peak_tflops/fp8");
        row("low and high", R"({"cloud_price_usd_per_hour": {"value": 2, "low": 3, "high": 1}})", "contradiction",
            "/a/cloud_price_usd_per_hour");
        row("both directions",
            R"({"scaleup_bandwidth_unidir_gbps_bytes": 450, "scaleup_bandwidth_bidir_gbps_bytes": 450})",
            "contradiction", "/a/scaleup_bandwidth_bidir_gbps_bytes");
        row("more usable than there is", R"({"memory_usable_gib": 141})", "out-of-range", "/a/memory_usable_gib");
    }

    void bad()
    {
        QFETCH(QString, patch);
        QFETCH(QString, code);
        QFETCH(QString, path);
        json o = json::parse(minimal);
        o.merge_patch(json::parse(patch.toStdString()));
        const auto read = readAccelerator(o, "/a");
        QVERIFY(!read.has_value());
        QCOMPARE(QString::fromStdString(read.error().front().code), code);
        QCOMPARE(QString::fromStdString(read.error().front().path), path);
    }
};
HEADROOM_TEST(TestCatalogAccelerator)

} // namespace headroom::test_catalog_accelerator
#include "test_catalog_accelerator.moc"
