// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of the classes of a mix: a bar for each, from the first token to the last; only where there is a mix.
#include "core/charts/chart_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_classes_chart
{
namespace
{

ChartContext chatAndCode()
{
    const auto reading = readScenario(
        R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware": {"accelerator": )"
        R"("h100-sxm-80gb"}, "workload": {"task": "inference", "batch": 32, "requests_per_s": 4, "latency_targets": )"
        R"({"ttft_s": 0.05}, "mix": [{"share": 0.75, "prompt_tokens": 1000, "output_tokens": 200}, {"share": 0.25, )"
        R"("prompt_tokens": 3000, "output_tokens": 40}]}})",
        Catalog::builtIn());
    ChartContext context;
    context.scenario = *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
    context.evaluation = evaluate(context.scenario);
    return context;
}

} // namespace

class TestClassesChart : public QObject
{
    Q_OBJECT
private slots:
    void eachClassHasItsBar()
    {
        const ChartContext context = chatAndCode();
        const MixResult& mix = *context.evaluation.mix;
        const ChartRow& row = *chartRow("classes");
        QVERIFY(row.comesWith(context.scenario));
        const ChartSpec spec = row.build(context);
        QCOMPARE(spec.series.size(), std::size_t(2));
        for (std::size_t i = 0; i < mix.count; ++i) {
            QCOMPARE(spec.series[0].points[i].y, mix.all[i].ttftS);
            QCOMPARE(*spec.series[1].points[i].base, mix.all[i].ttftS);
            QCOMPARE(spec.series[1].points[i].y, mix.all[i].latencyS);
        }
        QCOMPARE(spec.x.ticks[1].label, std::string("3,000 + 40"));
        QVERIFY(spec.reading.starts_with("1,000 + 200 takes longest"));
        QCOMPARE(spec.guides.size(), std::size_t(1));
        // One that takes longest and most of the batch is named once.
        const std::size_t first = spec.reading.find("1,000 + 200");
        QVERIFY2(spec.reading.find("1,000 + 200", first + 1) == std::string::npos, spec.reading.c_str());
        QVERIFY2(spec.reading.find("of the batch with 75") != std::string::npos, spec.reading.c_str());
    }

    void withoutAMixOneBarIsTheMeanRequest()
    {
        ChartContext context = chatAndCode();
        context.scenario.inference.mix.reset();
        context.evaluation = evaluate(context.scenario);
        const ChartRow& row = *chartRow("classes");
        QVERIFY(!row.comesWith(context.scenario));
        const ChartSpec spec = row.build(context);
        QCOMPARE(spec.series[1].points.size(), std::size_t(1));
        QCOMPARE(spec.series[1].points[0].y, *context.evaluation.requestLatencyS);
    }
};
HEADROOM_TEST(TestClassesChart)

} // namespace headroom::test_classes_chart
#include "test_classes_chart.moc"
