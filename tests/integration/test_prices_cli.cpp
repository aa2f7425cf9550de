// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli --prices as a user meets it: the list's prices, with date and source; a faulty list; the plan.
#include "tests/support/cli_process.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QFile>
#include <QTemporaryDir>

namespace headroom::test_prices_cli
{
namespace
{

using namespace Qt::StringLiterals;
using test::Outcome;

constexpr const char* scenario = R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
    "hardware": {"accelerator": "h100-sxm-80gb", "count": 8, "price_kind": "reserved"},
    "workload": {"task": "training"}})";
constexpr const char* list = R"({"format": "headroom-prices", "version": 1, "name": "Contract",
    "date": "2026-11-01", "source": "purchasing",
    "prices": [{"accelerator": "h100-sxm-80gb", "on_demand": 2.5, "reserved": 2}]})";

} // namespace

class TestPricesCli : public QObject
{
    Q_OBJECT

    static Outcome run(const QString& command, const QByteArray& prices, const QStringList& more = {},
                       const QByteArray& asked = scenario)
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"prices.json"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(prices) != prices.size())
            return {};
        file.close();
        return test::runCli(QStringList{command, u"-"_s, u"--prices"_s, file.fileName()} + more, asked);
    }

private slots:
    void thePriceHasItsDateAndSource()
    {
        const Outcome o = run(u"evaluate"_s, list);
        QCOMPARE(o.status, 0);
        QVERIFY2(o.out.contains("reserved, list Contract, 2026-11-01 (purchasing)"), o.out.constData());
        const Outcome why = run(u"explain"_s, list, {u"--metric"_s, u"cost.per_hour"_s});
        QVERIFY2(why.out.contains("reserved, list Contract, 2026-11-01 (purchasing)"), why.out.constData());
        const Outcome plan = run(u"plan"_s, list, {u"--gpus"_s, u"8"_s});
        QVERIFY2(plan.out.contains("reserved, list Contract, 2026-11-01 (purchasing)"), plan.out.constData());
        const Outcome without = test::runCli({u"evaluate"_s, u"-"_s}, scenario);
        QCOMPARE(without.status, 0);
        QVERIFY2(without.out.contains("no such price"), without.out.constData());
    }

    /// Of a day, of phases and of a step of reinforcement learning, too.
    void everyCostHasItsOrigin()
    {
        const auto why = [](const QString& metric, const QByteArray& workload) {
            const QByteArray asked = QByteArray(scenario)
                                         .replace("\"count\": 8", "\"count\": 16")
                                         .replace("{\"task\": \"training\"}", workload);
            return run(u"explain"_s, list, {u"--metric"_s, metric}, asked).out.contains("reserved, list Contract");
        };
        QVERIFY(why(
            u"day.cost"_s,
            R"({"task": "inference", "requests_per_s": 5, "load_profile": {"shape": "sine", "peak_to_trough": 3}})"));
        QVERIFY(why(u"phases.cost"_s, R"({"task": "training", "phases": [{"tokens": 1e9}, {"tokens": 2e9}]})"));
        QVERIFY(why(u"rl.cost_per_step"_s, R"({"task": "training", "rl": {}})"));
    }

    void anotherCurrencyStandsEverywhere()
    {
        const QByteArray euros = QByteArray(list).replace("\"version\": 1", "\"version\": 1, \"currency\": \"EUR\"");
        for (const Outcome& o :
             {run(u"evaluate"_s, euros), run(u"explain"_s, euros, {u"--metric"_s, u"cost.per_hour"_s}),
              run(u"plan"_s, euros, {u"--gpus"_s, u"8"_s})}) {
            QCOMPARE(o.status, 0);
            QVERIFY2(o.out.contains("EUR"), o.out.constData());
            QVERIFY2(!o.out.contains("$") && !o.out.contains("dollar"), o.out.constData());
        }
        const Outcome json = run(u"evaluate"_s, euros, {u"--format"_s, u"json"_s});
        QVERIFY2(json.out.contains("\"currency\": \"EUR\""), json.out.constData());
    }

    /// A device that the scenario describes has a price in US dollars, as the catalogue's are.
    void noDollarsStandAsEuros()
    {
        const QByteArray euros = QByteArray(list).replace("\"version\": 1", "\"version\": 1, \"currency\": \"EUR\"");
        const QByteArray own =
            QByteArray(scenario).replace("reserved", "on_demand").replace("\"h100-sxm-80gb\"", R"({"id": "mine",
            "name": "Mine", "memory_gb": 80, "memory_bandwidth_gbps_bytes": 3000, "peak_tflops": {"bf16": 900},
            "cloud_price_usd_per_hour": {"value": 4}})");
        const QStringList hour{u"--metric"_s, u"cost.per_hour"_s};
        const Outcome dollars = run(u"evaluate"_s, list, hour, own), others = run(u"evaluate"_s, euros, hour, own);
        QVERIFY2(dollars.out.contains("32"), dollars.err.constData());
        QVERIFY2(others.status == 0 && !others.out.contains("32"), others.err.constData());
    }

    void aSweepLooksEachKindUp()
    {
        const Outcome sweep = run(u"sweep"_s, list,
                                  {u"--over"_s, u"price_kind=on_demand,reserved,spot"_s, u"--metric"_s,
                                   u"cost.per_hour"_s, u"--format"_s, u"csv"_s});
        QVERIFY2(sweep.out.contains("on_demand,20") && sweep.out.contains("reserved,16") &&
                     sweep.out.contains("spot,,"),
                 sweep.out.constData());
    }

    void theOrderOfAxesMovesNoPrice()
    {
        const QStringList dollars{u"--metric"_s, u"cost.per_hour"_s, u"--format"_s, u"csv"_s};
        const QStringList price{u"--over"_s, u"price_per_gpu_hour=2,5"_s}, kind{u"--over"_s, u"price_kind=on_demand"_s};
        const Outcome first = run(u"sweep"_s, list, dollars + price + kind);
        const Outcome last = run(u"sweep"_s, list, dollars + kind + price);
        QVERIFY2(first.out.contains("\n2,on_demand,16,") && first.out.contains("\n5,on_demand,40,"),
                 first.out.constData());
        QVERIFY2(last.out.contains("\non_demand,2,16,") && last.out.contains("\non_demand,5,40,"),
                 last.out.constData());
    }

    /// Two pools of which one has no price have none together, in the plan as in `evaluate`.
    void aPlanPricesNoReaderAsTheOthers()
    {
        const QByteArray asked = QByteArray(scenario).replace("{\"task\": \"training\"}", R"({"task": "inference",
            "requests_per_s": 20, "scheduling": "disaggregated", "prefill_pool": {"accelerator": "b200-sxm"}})");
        const Outcome plan =
            run(u"plan"_s, list, {u"--gpus"_s, u"1..8"_s, u"--top"_s, u"1"_s, u"--format"_s, u"json"_s}, asked);
        QVERIFY2(plan.out.contains("\"per_hour\":null"), plan.err.constData());
        QVERIFY(!plan.out.contains("\"price_per_gpu_hour\":2"));
        const Outcome cost = run(u"plan"_s, list, {u"--gpus"_s, u"1..8"_s, u"--objective"_s, u"cost"_s}, asked);
        QVERIFY2(cost.status == 1 && cost.err.contains("no price of the B200"), cost.err.constData());
    }

    /// As `evaluate` with that price: GPUs that read prompts cost as much as the others where no list says more.
    void aSweptPriceIsStated()
    {
        const Outcome o = test::runCli({u"sweep"_s, u"-"_s, u"--over"_s, u"price_per_gpu_hour=2"_s, u"--metric"_s,
                                        u"cost.per_hour"_s, u"--format"_s, u"csv"_s},
                                       R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
                "hardware": {"accelerator": "h100-sxm-80gb", "count": 4, "price_kind": "on_demand"},
                "workload": {"task": "inference", "scheduling": "disaggregated",
                             "prefill_pool": {"count": 3, "accelerator": "b200-sxm"}}})");
        QVERIFY2(o.out.contains("\n2,14,"), o.out.constData());
    }

    void aFaultyListEndsTheCall()
    {
        const Outcome wrong = run(u"evaluate"_s, QByteArray(list).replace("\"reserved\": 2", "\"reserved\": \"2\""));
        QVERIFY(wrong.status != 0 && wrong.out.isEmpty());
        QVERIFY2(wrong.err.contains("/prices/0/reserved"), wrong.err.constData());
        const Outcome unknown = run(u"evaluate"_s, QByteArray(list).replace("h100-sxm-80gb", "h100-sxn-80gb"));
        QVERIFY2(unknown.status != 0 && unknown.err.contains("h100-sxm-80gb"), unknown.err.constData());
        QVERIFY2(unknown.err.contains("prices.json:3: "), unknown.err.constData());
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestPricesCli)

} // namespace headroom::test_prices_cli
#include "test_prices_cli.moc"
