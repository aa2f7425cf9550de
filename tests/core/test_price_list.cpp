// SPDX-License-Identifier: GPL-3.0-or-later
// Price lists: what is read and refused, which price counts, where it is shown, what spot interruptions do.
#include "core/catalog/price_list.hpp"

#include "core/catalog/user_catalog.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/missing_figure.hpp"
#include "core/facts/catalog_facts.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/plan/planner.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/predict/key_effects.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/swept.hpp"

#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom::test_price_list
{
namespace
{

constexpr const char* listText = R"({
  "format": "headroom-prices",
  "version": 1,
  "name": "Contract", // as purchasing calls it
  "date": "2026-11-01",
  "source": "purchasing",
  "prices": [
    {"accelerator": "h100-sxm-80gb", "provider": "Cloud A", "on_demand": 2.5, "reserved": 2.0,
     "spot": {"price": 1.0, "mtbf_hours": 400}},
    {"accelerator": "b200-sxm", "spot": 2.25, "date": "2026-10-15", "source": "offer"}
  ]
})";

PriceList sampleList()
{
    return readPriceList(listText).value();
}

Catalog priced()
{
    Diagnostics problems;
    Catalog catalog = withPrices(Catalog::builtIn(), sampleList(), problems);
    return problems.empty() ? catalog : Catalog::builtIn();
}

/// A training on eight devices; `hardware` and `workload` hold further keys.
Scenario scenario(const std::string& hardware = {}, const std::string& workload = {},
                  const std::string& device = "h100-sxm-80gb")
{
    return readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
        "hardware": {"accelerator": ")" +
                            device + R"(", "count": 8)" + hardware + R"(}, "workload": {"task": "training")" +
                            workload + "}}",
                        Catalog::builtIn())
        .value()
        .scenario;
}

PreparedScenario prepared(const Scenario& s, const Catalog& catalog = priced())
{
    return prepare(s, catalog, Calibration::builtIn()).value();
}

/// Four H100 that decode and four GPUs that read prompts; `hardware` and `pool` hold further keys.
PreparedScenario inPools(const std::string& hardware, const std::string& pool)
{
    const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
        "hardware": {"accelerator": "h100-sxm-80gb", "count": 4)" +
                                       hardware + R"(}, "workload": {"task": "inference", "requests_per_s": 5,
        "scheduling": "disaggregated", "prefill_pool": {"count": 4)" +
                                       pool + "}}}",
                                   priced());
    return prepared(read.value().scenario);
}

std::optional<double> priceOf(const Scenario& s, const Catalog& catalog = priced())
{
    return prepared(s, catalog).hardware.pricePerGpuHour;
}

} // namespace

class TestPriceList : public QObject
{
    Q_OBJECT
private slots:
    void readsWhatItHolds()
    {
        const PriceList list = sampleList();
        QCOMPARE(list.name, std::string("Contract"));
        QCOMPARE(list.entries.size(), std::size_t(2));
        const ListedPrices &first = list.entries[0].prices, &second = list.entries[1].prices;
        QCOMPARE(*first.onDemand, 2.5);
        QCOMPARE(*first.of(PriceKind::Reserved), 2.0);
        QCOMPARE(*first.spot, 1.0);
        QCOMPARE(*first.spotMtbfHours, 400.0);
        QCOMPARE(first.date + first.source + first.provider, std::string("2026-11-01purchasingCloud A"));
        QCOMPARE(*second.spot, 2.25);
        QVERIFY(!second.onDemand && !second.spotMtbfHours);
        QCOMPARE(second.date + second.source, std::string("2026-10-15offer")); // its own
    }

    void refusesWithPlaceAndHint_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("line");
        const auto row = [](const char* name, const char* from, const char* to, const char* path, int line) {
            QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(path) << line;
        };
        row("no such day", "2026-11-01", "2026-02-29", "/date", 5);
        row("no date", "2026-11-01", "November", "/date", 5);
        row("date of an entry", "2026-10-15", "2026-13-01", "/prices/1/date", 10);
        row("price of 0", "\"on_demand\": 2.5", "\"on_demand\": 0", "/prices/0/on_demand", 8);
        row("a price in words", "\"reserved\": 2.0", "\"reserved\": \"2\"", "/prices/0/reserved", 8);
        row("interruptions", "\"mtbf_hours\": 400", "\"mtbf_hours\": -1", "/prices/0/spot/mtbf_hours", 9);
        row("spot without a price", "\"price\": 1.0, ", "", "/prices/0/spot", 9);
        row("misspelt", "\"on_demand\": 2.5", "\"ondemand\": 2.5", "/prices/0/ondemand", 8);
        row("no price", "\"spot\": 2.25, ", "", "/prices/1", 10);
        row("twice", "b200-sxm", "H100-SXM-80GB", "/prices/1/accelerator", 10);
        row("no currency", "\"version\": 1,", "\"version\": 1, \"currency\": \"euro\",", "/currency", 3);
        row("newer", "\"version\": 1", "\"version\": 9", "/version", 3);
        row("another file", "headroom-prices", "headroom-views", "/format", 2);
    }
    void refusesWithPlaceAndHint()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, path);
        QFETCH(int, line);
        QString text = QString::fromUtf8(listText);
        QVERIFY(text.contains(from));
        text.replace(text.indexOf(from), from.size(), to);
        const auto read = readPriceList(text.toStdString());
        QVERIFY(!read.has_value());
        QCOMPARE(QString::fromStdString(read.error().front().path), path);
        QCOMPARE(read.error().front().line, line);
        QVERIFY(!read.error().front().message.empty());
    }

    /// Who writes 0 often means that nobody knows the price.
    void aPriceOfNothingSaysWhatWouldBeRight()
    {
        const auto hintOf = [](std::string_view from, std::string_view to) {
            std::string text = listText;
            text.replace(text.find(from), from.size(), to);
            const auto read = readPriceList(text);
            return read ? std::string("read") : read.error().front().hint;
        };
        const std::string some("write a price above 0, or leave the key out where it is not known");
        QCOMPARE(hintOf("\"on_demand\": 2.5", "\"on_demand\": 0"), some);
        QCOMPARE(hintOf("\"reserved\": 2.0", "\"reserved\": -2.0"), some);
        QCOMPARE(hintOf("\"spot\": 2.25", "\"spot\": 0.0"), some);
        QCOMPARE(hintOf("\"price\": 1.0", "\"price\": 0"),
                 std::string("write a price above 0, or leave 'spot' out where it is not known"));
        QCOMPARE(hintOf("\"reserved\": 2.0", "\"reserved\": 2e7"), std::string()); // its range says it all
    }

    void theManualsListIsGood()
    {
        const std::string manual = test::readFile(test::sourcePath("docs/prices.md"));
        const std::string fence = "```json\n";
        const std::size_t begin = manual.find(fence) + fence.size();
        const auto list = readPriceList(manual.substr(begin, manual.find("```", begin) - begin));
        QVERIFY(list.has_value());
        Diagnostics problems;
        static_cast<void>(withPrices(Catalog::builtIn(), *list, problems));
        QVERIFY(problems.empty());
    }

    void whatTheCatalogueDoesNotKnowIsNamed()
    {
        PriceList list = sampleList();
        list.entries[1].accelerator = "b200-sxn";
        Diagnostics problems;
        const Catalog catalog = withPrices(Catalog::builtIn(), list, problems);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems.front().path, std::string("/prices/1/accelerator"));
        QVERIFY2(problems.front().hint.find("b200-sxm") != std::string::npos, problems.front().hint.c_str());
        QVERIFY(catalog.accelerator("h100-sxm-80gb")->listed);
        list.entries[1].accelerator = Catalog::builtIn().accelerator("h100-sxm-80gb")->name; // the same by its name
        problems.clear();
        static_cast<void>(withPrices(Catalog::builtIn(), list, problems));
        QCOMPARE(problems.front().code, std::string("duplicate-id"));
    }

    void whichPriceCounts()
    {
        const double catalogue = Catalog::builtIn().accelerator("h100-sxm-80gb")->price->usdPerHour;
        QVERIFY(!priceOf(scenario(), Catalog::builtIn()));
        QCOMPARE(*priceOf(scenario(R"(, "price_kind": "on_demand")"), Catalog::builtIn()), catalogue);
        QVERIFY(!priceOf(scenario(R"(, "price_kind": "reserved")"), Catalog::builtIn()));
        QCOMPARE(*priceOf(scenario()), 2.5);
        QCOMPARE(*priceOf(scenario(R"(, "price_kind": "reserved")")), 2.0);
        QCOMPARE(*priceOf(scenario(R"(, "price_kind": "spot")")), 1.0);
        QCOMPARE(*priceOf(scenario(R"(, "price_kind": "spot", "price_per_gpu_hour": 7)")), 7.0);
        QVERIFY(!priceOf(scenario({}, {}, "b200-sxm"))); // listed as spot alone
        QVERIFY(!priceOf(scenario({}, {}, "a100-sxm-80gb")));
        const Evaluation e = evaluate(prepared(scenario()));
        QCOMPARE(*e.costPerHour, 20.0);
    }

    /// Of two pools one has no price: neither has the job, and why is said.
    void anUnlistedPoolIsNotPricedAsTheOther()
    {
        const auto pools = [](const std::string& kind, const std::string& reader, const std::string& more = {}) {
            return prepared(readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
                "hardware": {"accelerator": "h100-sxm-80gb", "count": 4, "price_kind": ")" +
                                             kind + R"("}, "workload": {"task": "inference", "requests_per_s": 5,
                "scheduling": "disaggregated", "prefill_pool": {"count": 4, "accelerator": ")" +
                                             reader + R"(")" + more + R"(}}})",
                                         priced())
                                .value()
                                .scenario);
        };
        QCOMPARE(*evaluate(pools("spot", "b200-sxm")).costPerHour, 4 * 1.0 + 4 * 2.25);
        for (const auto& [kind, reader] : {std::pair("spot", "a100-sxm-80gb"), std::pair("reserved", "b200-sxm")}) {
            const PreparedScenario p = pools(kind, reader);
            const Evaluation e = evaluate(p);
            QVERIFY2(!e.costPerHour && !e.pools->prefill.costPerHour && !p.price, reader);
            const std::string why = missingFigure(*metricRow("cost.per_hour"), p, e);
            QVERIFY2(why.find("reads prompts") != std::string::npos, why.c_str());
            const std::string idle = keysWithoutEffectText(p);
            QVERIFY2(idle.find(p.prefillAccelerator->name + ", which reads prompts, is known") != std::string::npos,
                     idle.c_str());
        }
        QCOMPARE(*evaluate(pools("spot", "a100-sxm-80gb", R"(, "price_per_gpu_hour": 0.5)")).costPerHour, 4 + 4 * 0.5);
    }

    /// A price that is stated is of the GPUs that decode: four of them at 7, and four others as the list has them.
    void aStatedPriceIsNotThatOfOtherGpus()
    {
        const std::string stated = R"(, "price_per_gpu_hour": 7)";
        const auto cost = [&](const std::string& pool) { return *evaluate(inPools(stated, pool)).costPerHour; };
        const PreparedScenario both = inPools(stated + R"(, "price_kind": "spot")", R"(, "accelerator": "b200-sxm")");
        QCOMPARE(*evaluate(both).costPerHour, 4 * 7 + 4 * 2.25);
        QVERIFY(keysWithoutEffectText(both).find("price_kind") == std::string::npos); // a price is looked up
        const auto points = test::swept(both, *parameterRow("price_kind"), std::vector<double>{0, 1, 2});
        QCOMPARE(*points[0].evaluation.costPerHour, 8 * 7.0); // listed as spot alone: as the others
        QCOMPARE(*points[2].evaluation.costPerHour, 4 * 7 + 4 * 2.25);
        QCOMPARE(cost(R"(, "accelerator": "b200-sxm", "price_per_gpu_hour": 3)"), 4 * 7 + 4 * 3.0);
        QCOMPARE(cost(R"(, "accelerator": "h100-sxm-80gb")"), 8 * 7.0); // the same
        QCOMPARE(cost({}), 8 * 7.0);
    }

    /// Of two prices each that was looked up has its origin beside the cost.
    void thePriceOfPromptsHasItsOrigin()
    {
        const auto said = [](const std::string& price, const std::string& pool) {
            const PreparedScenario p = inPools(R"(, "price_kind": "spot")" + price, pool);
            std::string lines;
            for (const std::string& line : derive("cost.per_hour", p, evaluate(p)).assumptions)
                lines += line + "\n";
            return lines;
        };
        const std::string other = R"(, "accelerator": "b200-sxm")", stated = R"(, "price_per_gpu_hour": 7)";
        const std::string theirs = "spot, list Contract, 2026-10-15 (offer)", own = "spot, list Contract, Cloud A";
        const auto has = [](const std::string& text, const std::string& part) { return text.find(part) != text.npos; };
        const std::string mixed = said(stated, other);
        QVERIFY2(has(mixed, theirs) && has(mixed, "prefill GPU") && has(mixed, "your price"), mixed.c_str());
        const std::string both = said({}, other);
        QVERIFY2(has(both, theirs) && has(both, own), both.c_str());
        const std::string neither = said(stated, other + R"(, "price_per_gpu_hour": 3)");
        QVERIFY2(!has(neither, "Contract"), neither.c_str());
        const std::string alone = said({}, {}); // the same GPUs read: one price
        QVERIFY2(has(alone, own) && !has(alone, "prefill GPU"), alone.c_str());
    }

    void aSweepOverTheKindFollowsIt()
    {
        const ParameterRow& row = *parameterRow("price_kind");
        const std::vector<double> kinds{2, 0, 1};
        const auto points = test::swept(prepared(scenario()), row, kinds);
        QCOMPARE(*points[0].evaluation.costPerHour, 8.0);
        QCOMPARE(*points[1].evaluation.costPerHour, 20.0);
        QCOMPARE(*points[2].evaluation.costPerHour, 16.0);
        for (const auto& point : test::swept(prepared(scenario(R"(, "price_per_gpu_hour": 3)")), row, kinds))
            QCOMPARE(*point.evaluation.costPerHour, 24.0);
    }

    /// The catalogue has of some devices no price on demand, only a market report's average: GB200 had "on demand".
    void anAverageOfAllKindsSaysSo()
    {
        const auto originOf = [](std::string_view id) {
            return priceOrigin(*knownPrice(*Catalog::builtIn().accelerator(id), PriceKind::OnDemand));
        };
        QVERIFY(originOf("gb200").starts_with("an average of on demand, reserved and spot, catalogue, 2026-04 ("));
        QVERIFY(originOf("b200-sxm").starts_with("on demand, catalogue, "));
    }

    void dateAndSourceStandWhereThePriceDoes()
    {
        const PreparedScenario p = prepared(scenario(R"(, "price_kind": "reserved")"));
        const Evaluation e = evaluate(p);
        const std::string origin = "reserved, list Contract, Cloud A, 2026-11-01 (purchasing)";
        QCOMPARE(priceOrigin(*p.price), origin);
        for (const char* metric : {"cost.per_hour", "cost.per_million_tokens"}) {
            const Derivation d = derive(metric, p, e);
            QVERIFY2(
                std::ranges::any_of(d.assumptions,
                                    [&](const std::string& line) { return line.find(origin) != std::string::npos; }),
                metric);
        }
        QVERIFY(evaluationText("", p, e).find(origin) != std::string::npos);
        const auto json = nlohmann::json::parse(evaluationJson("", p, e, 0))["cost"]["price"];
        QCOMPARE(json["per_gpu_hour"].get<double>(), 2.0);
        QCOMPARE(json["kind"].get<std::string>(), std::string("reserved"));
        QCOMPARE(json["date"].get<std::string>(), std::string("2026-11-01"));
        const PreparedScenario own = prepared(scenario(R"(, "price_per_gpu_hour": 3)"));
        QVERIFY(!own.price);
        QVERIFY(!nlohmann::json::parse(evaluationJson("", own, evaluate(own), 0))["cost"].contains("price"));
        const auto& facts = acceleratorFacts();
        const auto fact = std::ranges::find(facts, std::string_view("listed-reserved"), &FactRow<Accelerator>::id);
        QCOMPARE(factText(*fact, *priced().accelerator("h100-sxm-80gb")), std::string("$2.00"));
        QCOMPARE(factSource(*fact, *priced().accelerator("h100-sxm-80gb")), std::string("purchasing"));
        QVERIFY(factText(*fact, *Catalog::builtIn().accelerator("h100-sxm-80gb")).empty());
    }

    void spotInterruptionsAddToFailures()
    {
        const auto mtbf = [](const std::string& hardware, const std::string& workload) {
            const auto e = evaluate(prepared(scenario(hardware, workload)));
            return e.goodput ? e.goodput->mtbfS : 0;
        };
        const std::string counted = R"(, "reliability": {"gpu_mtbf_hours": 50000})", spot = R"(, "price_kind": "spot")";
        const double alone = 50000 * 3600.0 / 8, taken = 400 * 3600.0 / 8;
        QCOMPARE(mtbf("", counted), alone);
        QCOMPARE(mtbf(R"(, "price_kind": "reserved")", counted), alone);
        QCOMPARE(mtbf(spot, counted), 1 / (1 / alone + 1 / taken));
        QCOMPARE(mtbf(spot + R"(, "spot_mtbf_hours": 100)", counted), 1 / (1 / alone + 4 / taken));
        QCOMPARE(mtbf(spot, ""), 0.0); // nobody asked
        const PreparedScenario silent = prepared(scenario(spot));
        QVERIFY(evaluate(silent).warnings.has(WarningCode::KeyWithoutEffect));
        QVERIFY(warningText(WarningCode::KeyWithoutEffect, 0, silent).find("reliability") != std::string::npos);
        const PreparedScenario both = prepared(scenario(spot, counted));
        const Derivation d = derive("goodput.mtbf_s", both, evaluate(both));
        QCOMPARE(d.steps.back().value, evaluate(both).goodput->mtbfS);
    }

    void thePlanTakesTheKindOfEachDevice()
    {
        const Catalog catalog = priced();
        const PreparedScenario base = prepared(scenario(R"(, "price_kind": "spot")"), catalog);
        const PlanAccelerator own = planAccelerator(base, base.accelerator);
        QCOMPARE(*own.pricePerGpuHour, 1.0);
        QCOMPARE(*own.spotMtbfHours, 400.0);
        QVERIFY(own.price && own.price->date == "2026-11-01");
        const PlanAccelerator other = planAccelerator(base, catalog.accelerator("b200-sxm"));
        QCOMPARE(*other.pricePerGpuHour, 2.25);
        QVERIFY(!other.spotMtbfHours); // the list has those of the other device alone
        const PreparedScenario stated = prepared(scenario(R"(, "price_kind": "spot", "spot_mtbf_hours": 90)"), catalog);
        QCOMPARE(*planAccelerator(stated, catalog.accelerator("b200-sxm")).spotMtbfHours, 90.0);
        QVERIFY(other.price && other.price->source == "offer");
        const PlanAccelerator typed = planAccelerator(base, catalog.accelerator("b200-sxm"), 9.0);
        QVERIFY(*typed.pricePerGpuHour == 9.0 && !typed.price);
        QVERIFY(!planAccelerator(base, catalog.accelerator("a100-sxm-80gb")).pricePerGpuHour); // of no such kind
        PreparedScenario bought = prepared(scenario(), catalog);
        bought.accelerator = catalog.accelerator("b200-sxm");
        QVERIFY(!planAccelerator(bought, base.accelerator).spotMtbfHours); // nobody rents it as spot
        const PreparedScenario plain = prepared(scenario(), Catalog::builtIn());
        QVERIFY(planAccelerator(plain, plain.accelerator).price->list.empty()); // the catalogue's, as ever
    }

    void theUsersFolderHasAList()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / priceListFile;
        std::ofstream(path) << listText;
        UserCatalog user = loadUserCatalog(Catalog::builtIn(), folder.path().toStdString());
        QVERIFY(user.diagnostics.empty() && user.prices);
        QCOMPARE(*user.catalog.accelerator("h100-sxm-80gb")->listed->onDemand, 2.5);
        QVERIFY(!user.catalog.accelerator("h100-sxm-80gb")->custom);
        std::ofstream(path) << "{";
        user = loadUserCatalog(Catalog::builtIn(), folder.path().toStdString());
        QVERIFY(!user.prices && !user.catalog.accelerator("h100-sxm-80gb")->listed);
        QCOMPARE(user.diagnostics.front().file, path.string());
    }

    void keysComeBackFromAFile()
    {
        const Scenario s = scenario(R"(, "price_kind": "spot", "spot_mtbf_hours": 100)");
        QVERIFY(s.hardware.priceKind == PriceKind::Spot && s.hardware.spotMtbfHours == 100);
        QVERIFY(readScenario(writeScenario(s), Catalog::builtIn()).value().scenario == s);
        QVERIFY(!readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware":
            {"accelerator": "h100-sxm-80gb", "price_kind": "cheap"}, "workload": {"task": "training"}})",
                              Catalog::builtIn()));
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestPriceList)

} // namespace headroom::test_price_list
#include "test_price_list.moc"
