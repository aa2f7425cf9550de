// SPDX-License-Identifier: GPL-3.0-or-later
// Where the cost of two pools of different GPUs appears, the source of both prices stands beside it.
#include "core/predict/prices.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/plan/planner.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::test_price_sources
{
namespace
{

/// H100s decode, B200s read prompts; `hardware` and `pool` hold further keys.
PreparedScenario pools(const std::string& hardware = {}, const std::string& pool = {})
{
    const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
        "hardware": {"accelerator": "h100-sxm-80gb", "count": 4, "price_kind": "on_demand")" +
                                       hardware + R"(}, "workload": {"task": "inference", "requests_per_s": 5,
        "scheduling": "disaggregated", "prefill_pool": {"count": 4, "accelerator": "b200-sxm")" +
                                       pool + "}}}",
                                   Catalog::builtIn());
    return prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

nlohmann::json costOf(const PreparedScenario& p)
{
    return nlohmann::json::parse(evaluationJson("two pools", p, evaluate(p), 0))["cost"];
}

} // namespace

class TestPriceSources : public QObject
{
    Q_OBJECT
private slots:
    void bothAreNamedWhereverTheCostIs()
    {
        const PreparedScenario p = pools();
        const auto sources = priceSources(p);
        QCOMPARE(sources.size(), std::size_t(2));
        QVERIFY2(sources[0].starts_with("$2.95 a GPU-hour: on demand, catalogue"), sources[0].c_str());
        QVERIFY2(sources[1].find("an hour of a prefill GPU: on demand, catalogue") != sources[1].npos,
                 sources[1].c_str());

        const nlohmann::json cost = costOf(p);
        QCOMPARE(cost["price"]["per_gpu_hour"].get<double>(), *p.hardware.pricePerGpuHour);
        QCOMPARE(cost["prefill_price"]["per_gpu_hour"].get<double>(), *p.inference.prefillPool.pricePerGpuHour);
        QVERIFY(!cost["prefill_price"]["source"].get<std::string>().empty());

        const Evaluation e = evaluate(p);
        ChartContext context;
        context.scenario = p;
        context.evaluation = e;
        const std::string note = chartRow("cost")->build(context).note;
        const std::string text = evaluationText("two pools", p, e);
        for (const std::string& source : sources) {
            QVERIFY2(note.find(source) != note.npos, note.c_str());
            QVERIFY2(text.find(source) != text.npos, text.c_str());
        }
    }

    void whatIsStatedHasNone()
    {
        const std::string stated = R"(, "price_per_gpu_hour": 2)";
        QVERIFY(!lookedUpPrice(pools(stated)) && !lookedUpPrefillPrice(pools(stated))); // no list: as the others
        const PreparedScenario one = pools({}, stated);
        QVERIFY(lookedUpPrice(one) && !lookedUpPrefillPrice(one) && !costOf(one).contains("prefill_price"));
        // Moved since, as a slider moves it.
        PreparedScenario moved = pools();
        moved.inference.prefillPool.pricePerGpuHour = 1;
        QVERIFY(!lookedUpPrefillPrice(moved));
        lookUpPrice(moved);
        QCOMPARE(*moved.inference.prefillPool.pricePerGpuHour, 1.0);
    }

    void aPlanKeepsThem()
    {
        PlanRequest request;
        request.base = pools();
        request.gpuCounts = {8};
        const PlanResult result = plan(request).value();
        QVERIFY(!result.ranked.empty());
        const KnownPrice* theirs = lookedUpPrefillPrice(result.ranked.front().scenario);
        QVERIFY(theirs && *theirs == *pools().prefillPrice);
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestPriceSources)

} // namespace headroom::test_price_sources
#include "test_price_sources.moc"
