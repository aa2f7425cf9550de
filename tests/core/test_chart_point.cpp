// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind a chart's points is what the chart draws; advice does what it says.
#include "core/charts/axis.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explain/chart_point.hpp"
#include "core/explain/derive.hpp"
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/metrics/metric_registry.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_chart_point
{

class TestChartPoint : public QObject
{
    Q_OBJECT

private slots:
    void everyPointOfTheSweptChartsIsItsMetric()
    {
        test::RandomScenarios random(41);
        int compared = 0;
        for (int round = 0; round < 12; ++round)
            for (const Task task : {Task::Training, Task::Inference}) {
                const ChartContext context = random.nextContext(task, 2);
                for (const char* id : {"utilization", "latency", "step_time"}) {
                    const ChartRow& row = *chartRow(id);
                    if (!(task == Task::Training ? row.training : row.inference))
                        continue;
                    const ChartSpec spec = row.build(context);
                    for (const Series& series : spec.series) {
                        if (series.role == SeriesRole::Measured)
                            continue;
                        const std::size_t i = series.points.size() / 3;
                        const auto point = chartPoint(context, spec, series.id, i);
                        QVERIFY2(point, series.id.c_str());
                        const auto value = metricRow(point->metricId)->value(point->evaluation);
                        QVERIFY2(value && std::abs(*value - series.points[i].y) <= 1e-9 * std::abs(*value),
                                 (spec.id + " " + series.id).c_str());
                        QVERIFY(!derive(point->metricId, point->scenario, point->evaluation).steps.empty());
                        ++compared;
                    }
                }
            }
        QVERIFY(compared > 60);
    }

    /// Bars are compared with each other and with "now 4.94 ms": "−0.89 ms" and "−0.09 ms", not "−887 µs".
    void changesOfATimeAreInItsUnit()
    {
        test::RandomScenarios random(47);
        int compared = 0;
        for (int round = 0; round < 12; ++round) {
            const ChartContext context = random.nextContext(Task::Inference, 0);
            const ChartSpec spec = chartRow("sensitivity")->build(context);
            const std::string now = spec.guides.back().label; // "now 4.94 ms"
            const std::string unit = now.substr(now.find("\u202F"));
            const auto decimals = [](const std::string& text) {
                const auto mark = text.find('.');
                return mark == std::string::npos ? 0 : text.find("\u202F", mark) - mark - 1;
            };
            for (const Series& series : spec.series)
                for (const Point& bar : series.points)
                    if (bar.label != "0") {
                        QVERIFY2(bar.label.find(unit) != std::string::npos, (now + ": " + bar.label).c_str());
                        QVERIFY2(decimals(bar.label) == decimals(now), (now + ": " + bar.label).c_str());
                        ++compared;
                    }
        }
        QVERIFY(compared > 20);
    }

    /// From five minutes on figures are in minutes, and so is the axis under the bars; below it has seconds.
    void theAxisHasTheUnitOfItsBars()
    {
        QCOMPARE(timeUnit(299), std::string("seconds"));
        QCOMPARE(timeUnit(0.004), std::string("seconds")); // which the view turns into ms
        QCOMPARE(timeUnit(300), std::string("min"));
        QCOMPARE(timeUnit(4 * 3600), std::string("h"));
        test::RandomScenarios random(47);
        ChartContext context = random.nextContext(Task::Training, 0);
        while (!context.evaluation.fits) // else the bars are memory
            context = random.nextContext(Task::Training, 0);
        context.scenario.measured = {};
        context.scenario.phases.reset();
        for (const std::int64_t prompts : {8, 65536, 4194304}) {
            context.scenario.training.rl.prompts = prompts;
            context.evaluation = evaluate(context.scenario);
            const ChartSpec spec = chartRow("sensitivity")->build(context);
            const std::string now = spec.guides.back().label, unit = now.substr(now.find("\u202F") + 3);
            const std::string expected = unit == "s" || unit == "ms" ? "seconds" : unit;
            QVERIFY2(spec.y.unit == expected, (now + ": " + spec.y.unit).c_str());
            QCOMPARE(chartRow("rl_parts")->build(context).y.unit, timeUnit(context.evaluation.rl->sumS()));
        }
    }

    /// The chart compares next steps: a pin far from them is named below, and does not press them together.
    void pinsLeaveTheBarsTheirRoom()
    {
        test::RandomScenarios random(48);
        int drawn = 0, told = 0;
        for (int round = 0; round < 40; ++round) {
            const ChartContext context = random.nextContext(round % 2 == 0 ? Task::Training : Task::Inference, 2);
            const ChartSpec spec = chartRow("sensitivity")->build(context);
            double low = spec.guides.back().y, high = low;
            for (const Series& series : spec.series)
                for (const Point& bar : series.points)
                    low = std::min(low, bar.y), high = std::max(high, bar.y);
            const auto within = [&](double y) { return y >= low - (high - low) && y <= high + (high - low); };
            for (std::size_t i = 0; i + 1 < spec.guides.size(); ++i, ++drawn)
                QVERIFY(within(spec.guides[i].y));
            for (const PinnedScenario& pin : context.pins)
                if (const auto value = metricRow(spec.series.front().metric)->value(pin.evaluation);
                    value && !within(*value)) {
                    const std::string said = std::string(1, pin.letter) + ": ";
                    QVERIFY2(spec.note.find(said) != std::string::npos, spec.note.c_str());
                    ++told;
                }
        }
        QVERIFY2(drawn > 3 && told > 3, std::to_string(drawn * 1000 + told).c_str());
    }

    void aCellOfTheHeatMapIsItsEvaluation()
    {
        test::RandomScenarios random(44);
        const ChartContext context = random.nextContext(Task::Inference, 0);
        const ChartSpec spec = chartRow("heat_map")->build(context);
        std::size_t explained = 0;
        for (std::size_t cell = 0; cell < spec.heatMap->value.size(); ++cell) {
            const auto point = chartPoint(context, spec, "heatmap", cell);
            if (!point) // a set-up that is refused
                continue;
            ++explained;
            const auto value = metricRow(point->metricId)->value(point->evaluation);
            QVERIFY(value);
            QCOMPARE(*value, spec.heatMap->value[cell]);
            QVERIFY2(point->where.empty() || point->where.starts_with("at "), point->where.c_str());
        }
        QVERIFY2(explained > spec.heatMap->value.size() / 2, std::to_string(explained).c_str());
        QVERIFY(!chartPoint(context, spec, "heatmap", spec.heatMap->value.size()));
        QVERIFY(!chartPoint(context, spec, "no such series", 0));
    }

    void everyPointOfEveryChartHasADerivation()
    {
        test::RandomScenarios random(47);
        int explained = 0;
        for (const Task task : {Task::Training, Task::Inference}) {
            const ChartContext context = random.nextContext(task, 3);
            for (const ChartRow& row : chartRegistry()) {
                if (!(task == Task::Training ? row.training : row.inference))
                    continue;
                const ChartSpec spec = row.build(context);
                for (const Series& series : spec.series)
                    for (std::size_t i = 0; i < series.points.size(); i += 7)
                        if (const auto point = chartPoint(context, spec, series.id, i)) {
                            QVERIFY2(metricRow(point->metricId), point->metricId.c_str());
                            QVERIFY2(!derive(point->metricId, point->scenario, point->evaluation).steps.empty(),
                                     point->metricId.c_str());
                            ++explained;
                        }
            }
        }
        QVERIFY2(explained > 60, std::to_string(explained).c_str());
    }

    void aStandInHasNoPoint()
    {
        test::RandomScenarios random(48);
        ChartContext context = random.nextContext(Task::Inference, 0);
        context.scenario.inference.requestsPerS = 0.001; // under a load no power limit is looked for
        context.evaluation = evaluate(context.scenario);
        const ChartSpec spec = chartRow("power_limit")->build(context);
        QVERIFY(!spec.note.empty());
        QCOMPARE(spec.series.front().points.size(), std::size_t(2));
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY(!chartPoint(context, spec, spec.series.front().id, i));
    }

    void improvementsFitAndGainWhatTheySay()
    {
        test::RandomScenarios random(53);
        int seen = 0;
        for (int round = 0; round < 40; ++round) {
            const PreparedScenario scenario = random.next(round % 2 == 0 ? Task::Training : Task::Inference);
            const Evaluation before = evaluate(scenario);
            const MetricRow& metric = leadingMetric(scenario);
            for (const Advice& advice : whatNext(scenario, before, {})) {
                PreparedScenario after = scenario;
                applyEdits(after, advice.edits);
                const Evaluation result = evaluate(after);
                const bool ran = before.credible() && !before.fits; // what needs no more memory runs, too
                QVERIFY2(result.fits || (ran && result.usedBytes <= before.usedBytes), advice.text.c_str());
                QVERIFY(result == advice.after);
                if (allFits(before)) {
                    const double gain = *metric.value(result) - *metric.value(before);
                    QVERIFY2(metric.better == Better::Lower ? gain < 0 : gain > 0, advice.text.c_str());
                    QVERIFY2(advice.text.find(": fits, ") != std::string::npos, advice.text.c_str());
                }
                ++seen;
            }
        }
        QVERIFY(seen > 20);
    }

    void adviceLeavesAloneWhatIsHeld()
    {
        test::RandomScenarios random(59);
        for (int round = 0; round < 10; ++round) {
            const PreparedScenario scenario = random.next(Task::Training);
            const Evaluation before = evaluate(scenario);
            const auto free = whatNext(scenario, before, {});
            if (free.empty())
                continue;
            const std::string_view held = free.front().edits.front().row->id;
            for (const Advice& advice : whatNext(scenario, before, [&](std::string_view id) { return id == held; }))
                for (const auto& edit : advice.edits)
                    QVERIFY(edit.row->id != held);
        }
    }
};
HEADROOM_TEST(TestChartPoint)

} // namespace headroom::test_chart_point
#include "test_chart_point.moc"
