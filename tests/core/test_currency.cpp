// SPDX-License-Identifier: GPL-3.0-or-later
// A price list in another currency: its letters stand at money, and dollars do not count beside it.
#include "core/units/currency.hpp"

#include "core/catalog/price_list.hpp"
#include "core/explain/derive.hpp"
#include "core/plan/planner_table.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_currency
{
namespace
{

PriceList listIn(const std::string& currency)
{
    return readPriceList(R"({"format": "headroom-prices", "version": 1, "name": "Contract", "date": "2026-11-01",
        "source": "purchasing", "currency": ")" +
                         currency + R"(", "prices": [{"accelerator": "h100-sxm-80gb", "on_demand": 2.5}]})")
        .value();
}

std::optional<KnownPrice> priceOf(const Catalog& catalog, const char* accelerator)
{
    return knownPrice(*catalog.accelerator(accelerator), PriceKind::OnDemand);
}

} // namespace

class TestCurrency : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { showMoneyIn(usDollars); }

    void threeCapitalLettersAreOne()
    {
        for (const char* good : {"USD", "EUR", "JPY"})
            QVERIFY(isCurrency(good));
        for (const char* bad : {"", "EU", "euro", "eur", "€", "E R", "EURO"})
            QVERIFY2(!isCurrency(bad), bad);
    }

    void moneyHasItsLetters()
    {
        const std::string gap = "\u202F";
        QCOMPARE(formatText(2.5, ValueFormat::Money), std::string("$2.50")); // in the panel, a plan, a tile, a report
        QCOMPARE(formatText(-0.5, ValueFormat::Money), std::string("\u2212$0.5000"));
        QCOMPARE(parameterText(*parameterRow("price_per_gpu_hour"), 2.5), "$2.50" + gap + "per GPU-hour");
        for (const char* typed : {"$2.50", "-$2.50", "2.50"})
            QCOMPARE(std::abs(readNumber(typed, ValueFormat::Money, false).value()), 2.5);
        QVERIFY(!readNumber("$2.50", ValueFormat::Plain, false));
        QCOMPARE(currencySign(), std::string("$"));
        QCOMPARE(currencyName(), std::string("US dollars"));
        showMoneyIn("EUR");
        QCOMPARE(formatText(2.5, ValueFormat::Money), "2.50" + gap + "EUR");
        QCOMPARE(currencySign(), std::string("EUR"));
        QCOMPARE(currencyName(), std::string("EUR"));
        QCOMPARE(readNumber("2.50 EUR", ValueFormat::Money, false), std::optional(2.5)); // what it prints it reads
    }

    void dollarsDoNotCountBesideIt()
    {
        Diagnostics problems;
        const Catalog euros = withPrices(Catalog::builtIn(), listIn("EUR"), problems);
        const Catalog dollars = withPrices(Catalog::builtIn(), listIn("USD"), problems);
        QVERIFY(problems.empty());
        QCOMPARE(priceOf(euros, "h100-sxm-80gb")->currency, std::string("EUR"));
        QCOMPARE(priceOf(dollars, "h100-sxm-80gb")->currency, std::string("USD"));
        QVERIFY(Catalog::builtIn().accelerator("b200-sxm")->price);
        QVERIFY(priceOf(dollars, "b200-sxm"));
        QVERIFY(!priceOf(euros, "b200-sxm"));
        QVERIFY(euros.accelerator("b200-sxm")->price); // it is a fact of the catalogue still
    }

    void theDerivationNamesIt()
    {
        Diagnostics problems;
        const Catalog euros = withPrices(Catalog::builtIn(), listIn("EUR"), problems);
        const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
            "hardware": {"accelerator": "h100-sxm-80gb"}, "workload": {"task": "training"}})",
                                       euros);
        const PreparedScenario p = prepare(read.value().scenario, euros, Calibration::builtIn()).value();
        const Evaluation e = evaluate(p);
        const Derivation why = derive("cost.per_hour", p, e);
        QVERIFY(std::ranges::any_of(why.assumptions, [](const std::string& line) {
            return line.ends_with("; EUR.") && line.find("dollar") == line.npos;
        }));
        QVERIFY(evaluationJson("", p, e, 0).find("\"currency\": \"EUR\"") != std::string::npos);
    }
};
HEADROOM_TEST(TestCurrency)

} // namespace headroom::test_currency
#include "test_currency.moc"
