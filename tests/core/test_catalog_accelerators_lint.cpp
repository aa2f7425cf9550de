// SPDX-License-Identifier: GPL-3.0-or-later
// Every accelerator file: schema, provenance of each group of facts, names, and figures that must follow from others.
#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/catalog.hpp"
#include "core/facts/catalog_facts.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom::test_catalog_accelerators_lint
{
namespace
{

/// The groups of facts that a record has and must name a source for.
std::vector<std::string> groupsOf(const Accelerator& a)
{
    std::vector<std::string> groups{"memory", "release", "aliases"};
    const auto add = [&](bool known, const char* group) {
        if (known)
            groups.emplace_back(group);
    };
    add(a.memoryUsableGib.has_value(), "usable");
    add(a.memoryBandwidthGbPerS > 0, "bandwidth");
    add(a.l2CacheMb > 0, "cache");
    add(a.computeUnits > 0, "units");
    add(a.peakClockMhz > 0 || a.boostClockMhz > 0, "clock");
    add(a.scaleUpGbPerS > 0, "scaleup");
    add(a.hostLinkGbPerS > 0, "pcie");
    add(a.scaleOutGbitPerS > 0, "nic");
    add(a.tdpWatts > 0, "tdp");
    return groups;
}

/// Rated figure that a measured one is a fraction of, in its unit; 0 = none.
double ratedFor(const Accelerator& a, const MeasuredRate& rate)
{
    if (rate.quantity == "memory_bandwidth")
        return a.memoryBandwidthGbPerS;
    if (rate.quantity == "scaleup_bandwidth")
        return a.scaleUpGbPerS;
    const std::string type = rate.dataType == "nvfp4" ? "fp4" : rate.dataType;
    const auto known = dataTypeFromId(type);
    return known ? a.peakFlops(*known) / 1e12 : 0;
}

/// A source says whether it was read: what was not begins "recalled".
bool saysHowItIsKnown(const std::string& source)
{
    return !source.empty() && source.find("(from memory") == std::string::npos;
}

} // namespace

class TestCatalogAcceleratorsLint final : public QObject
{
    Q_OBJECT
private slots:
    void everyFile_data()
    {
        QTest::addColumn<QByteArray>("path");
        QVERIFY(embeddedFolder("catalog/accelerators/").size() >= 100);
        for (const EmbeddedFile& file : embeddedFolder("catalog/accelerators/"))
            QTest::newRow(std::string(file.path).c_str()) << QByteArray(file.path.data(), qsizetype(file.path.size()));
    }

    void everyFile()
    {
        QFETCH(QByteArray, path);
        const auto json = nlohmann::json::parse(embeddedFile(path.toStdString()).value());
        const auto read = readAccelerator(json, "", AcceleratorFacts::MayLack);
        QVERIFY2(read.has_value(), read ? "" : toText(read.error().front()).c_str());
        const Accelerator& a = *read;
        QCOMPARE(path.toStdString(), "catalog/accelerators/" + a.id + ".json");
        QVERIFY2(json.contains("family"), "the calibration family is explicit in our files");
        QVERIFY(!a.name.empty() && !a.vendor.empty() && !a.peakBasis.empty() && !a.accountingUnit.empty());
        QVERIFY(a.confidence == "high" || a.confidence == "medium" || a.confidence == "low");
        QVERIFY2(a.scaleUpDomain == 1 || a.scaleUpGbPerS > 0, "a domain needs links");
        QVERIFY(a.scaleUpPeerGbPerS <= a.scaleUpGbPerS);
    }

    void everyGroupOfFactsNamesItsSource_data() { everyFile_data(); }
    void everyGroupOfFactsNamesItsSource()
    {
        QFETCH(QByteArray, path);
        const Accelerator a = readAccelerator(nlohmann::json::parse(embeddedFile(path.toStdString()).value()), "",
                                              AcceleratorFacts::MayLack)
                                  .value();
        for (const std::string& group : groupsOf(a))
            QVERIFY2(a.fieldSources.contains(group), group.c_str());
        for (const FactRow<Accelerator>& fact : acceleratorFacts()) // a rate by its own source, or that of all rates
            if (fact.source.starts_with("peak") && !factText(fact, a).empty())
                QVERIFY2(!factSource(fact, a).empty(), std::string(fact.id).c_str());
        for (const auto& [group, source] : a.fieldSources)
            QVERIFY2(saysHowItIsKnown(source), group.c_str());
        for (const PeakAlternate& alternate : a.peakAlternates)
            QVERIFY(saysHowItIsKnown(alternate.source) && !alternate.why.empty());
        for (const MeasuredRate& rate : a.measured)
            QVERIFY(saysHowItIsKnown(rate.source));
        if (a.price)
            QVERIFY(saysHowItIsKnown(a.price->source) && !a.price->date.empty() && !a.price->basis.empty() &&
                    a.price->low.value_or(0) <= a.price->usdPerHour &&
                    a.price->high.value_or(1e9) >= a.price->usdPerHour);
    }

    void peakIsUnitsTimesRateTimesClock()
    {
        int checked = 0;
        for (const auto& a : Catalog::builtIn().accelerators()) {
            const double product = a->computeUnits * a->matrix16FlopPerClockPerUnit * a->peakClockMhz * 1e6;
            const double peak = a->peakFlops(DataType::Bf16);
            if (product == 0 || peak == 0)
                continue;
            ++checked;
            // TPU v2: 45.9 by its units and clock, published as 45.
            const double allowed = a->id == "tpu-v2" ? 0.025 : 0.005;
            QVERIFY2(std::fabs(product / peak - 1) <= allowed,
                     fmt::format("{}: {:.1f} against {:.1f} TFLOP/s", a->id, product / 1e12, peak / 1e12).c_str());
        }
        QVERIFY2(checked >= 60, std::to_string(checked).c_str());
    }

    void measuredRatesAreTheFractionsTheySay()
    {
        for (const auto& a : Catalog::builtIn().accelerators())
            for (const MeasuredRate& rate : a->measured)
                if (const double rated = ratedFor(*a, rate); rate.fractionOfPeak && rated > 0)
                    QVERIFY2(std::fabs(rate.value / rated - *rate.fractionOfPeak) < 0.002,
                             fmt::format("{} {} {}: {} of {} is not {}", a->id, rate.quantity, rate.dataType,
                                         rate.value, rated, *rate.fractionOfPeak)
                                 .c_str());
    }

    void noNameOccursTwice()
    {
        std::map<QString, std::string> owners;
        for (const auto& a : Catalog::builtIn().accelerators()) {
            std::set<std::string> names(a->aliases.begin(), a->aliases.end());
            names.insert({a->id, a->name});
            for (const std::string& name : names) {
                const auto [other, added] = owners.emplace(QString::fromStdString(name).toLower(), a->id);
                QVERIFY2(added || other->second == a->id, (name + ": " + other->second + ", " + a->id).c_str());
            }
        }
    }

    void familiesFollowTheArchitecture()
    {
        const auto family = [](const char* id) { return toId(Catalog::builtIn().accelerator(id)->family); };
        const std::vector<std::pair<const char*, std::string_view>> expected{{"v100-sxm2-16gb", "v100"},
                                                                             {"a100-sxm-80gb", "a100"},
                                                                             {"a800-pcie-80gb", "a100"},
                                                                             {"a30", "a100"},
                                                                             {"a10g", "ada"},
                                                                             {"rtx-3090", "ada"},
                                                                             {"l40s", "ada"},
                                                                             {"rtx-5090", "ada"},
                                                                             {"gh200-96gb", "hopper"},
                                                                             {"h20-96gb", "hopper"},
                                                                             {"gb300", "blackwell"},
                                                                             {"mi325x", "cdna3"},
                                                                             {"mi355x", "cdna4"},
                                                                             {"tpu-v5e", "tpu"},
                                                                             {"t4", "other"},
                                                                             {"mi250x", "other"},
                                                                             {"gaudi3", "other"},
                                                                             {"rtx-4060-ti-16gb", "ada"},
                                                                             {"rx-9070-xt", "other"},
                                                                             {"apple-m4-pro", "other"}};
        for (const auto& [id, name] : expected)
            QVERIFY2(family(id) == name, id);
    }
};
HEADROOM_TEST(TestCatalogAcceleratorsLint)

} // namespace headroom::test_catalog_accelerators_lint
#include "test_catalog_accelerators_lint.moc"
