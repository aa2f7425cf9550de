// SPDX-License-Identifier: GPL-3.0-or-later
// The heat map over chosen parameters and metrics: its cells are the evaluations they say they are.
#include "core/charts/chart_registry.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::test_heat_map
{
namespace
{

ChartSpec mapOf(const ChartContext& context)
{
    return chartRow("heat_map")->build(context);
}

} // namespace

class TestHeatMap : public QObject
{
    Q_OBJECT

private slots:
    void axesAndMetricAreTheChosenOnes()
    {
        test::RandomScenarios random(7);
        ChartContext context = random.nextContext(Task::Inference, 0);
        context.heatMap = {.x = "output_tokens", .y = "prompt_tokens", .metric = "tpot_s", .fine = false};
        const ChartSpec spec = mapOf(context);
        QCOMPARE(spec.x.label, std::string(parameterRow("output_tokens")->label));
        QCOMPARE(spec.y.label, std::string(parameterRow("prompt_tokens")->label));
        QVERIFY(spec.heatMap->format == ValueFormat::Seconds);
        QVERIFY2(spec.title.starts_with("TPOT over"), spec.title.c_str());
        // Any cell is the evaluation at its values.
        const std::size_t cell = spec.heatMap->value.size() / 2;
        PreparedScenario there = context.scenario;
        parameterRow("prompt_tokens")->set(there, spec.heatMap->y[cell / spec.heatMap->x.size()]);
        parameterRow("output_tokens")->set(there, spec.heatMap->x[cell % spec.heatMap->x.size()]);
        if (checkSetup(there).empty())
            QCOMPARE(spec.heatMap->value[cell], evaluate(there).tpotS.value_or(0));
    }

    void theBestCellIsTheLowestWhereLowerIsBetter()
    {
        test::RandomScenarios random(11);
        int told = 0;
        for (int draw = 0; draw < 12; ++draw) {
            ChartContext context = random.nextContext(Task::Training, 0);
            context.heatMap.metric = "step_time_s";
            const ChartSpec spec = mapOf(context);
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < spec.heatMap->value.size(); ++i)
                if (spec.heatMap->infeasible[i] == 0)
                    least = std::min(least, spec.heatMap->value[i]);
            if (std::isfinite(least)) {
                const std::string best = "Best that fits: step time " + formatText(least, spec.heatMap->format);
                QVERIFY2(spec.reading.starts_with(best), (best + " of " + spec.reading).c_str());
                ++told;
            } else {
                QCOMPARE(spec.reading, std::string("Nothing on this map fits in memory."));
            }
        }
        QVERIFY(told > 2);
    }

    void whatMeansNothingFallsBack()
    {
        test::RandomScenarios random(3);
        ChartContext context = random.nextContext(Task::Training, 0);
        const ChartSpec own = mapOf(context);
        context.heatMap = {.x = "no such", .y = "output_tokens", .metric = "ttft_s", .fine = false};
        QVERIFY(mapOf(context) == own);
        context.heatMap = {.x = "micro_batch", .y = "micro_batch", .metric = {}, .fine = false};
        QVERIFY2(mapOf(context).y.label != mapOf(context).x.label, "one parameter cannot be both axes");
    }

    void aFineGridHasSixtyFourCellsALengthWhereTheRangeHasThatMany()
    {
        test::RandomScenarios random(5);
        ChartContext context = random.nextContext(Task::Inference, 0);
        context.heatMap = {.x = "prompt_tokens", .y = "output_tokens", .metric = {}, .fine = true};
        const ChartSpec spec = mapOf(context);
        QVERIFY(spec.heatMap->x.size() >= 64 && spec.heatMap->x.size() <= 65); // and the current value
        QVERIFY(spec.heatMap->y.size() >= 60);
    }

    /// The batch that fills the memory lies between two cells, of which the nearer is too large: it runs all the same.
    void whatRunsIsNotFramedAsWhatFails()
    {
        ChartContext context;
        Scenario s;
        s.task = Task::Inference;
        s.model.id = "llama-2-70b";
        s.hardware.count = 2;
        s.parallelism.tensor = 2;
        int between = 0, framed = 0;
        for (double batch = 2; batch < 400; batch *= 1.17) {
            s.inference.batch = std::int64_t(batch);
            context.scenario = prepare(s, Catalog::builtIn(), Calibration::builtIn()).value();
            context.evaluation = evaluate(context.scenario);
            const ChartSpec spec = mapOf(context);
            const bool says = spec.note.find("lies between the cells") != std::string::npos;
            QCOMPARE(spec.guides.empty(), says);
            QVERIFY(!says || context.evaluation.fits);
            between += says;
            framed += !says && context.evaluation.fits;
            if (says || !context.evaluation.fits)
                continue;
            const HeatMap& map = *spec.heatMap; // the frame is round a cell that runs
            const auto nearest = [](const std::vector<double>& all, double value) {
                return std::ranges::min_element(all, {},
                                                [&](double each) { return std::abs(std::log(each / value)); }) -
                       all.begin();
            };
            const auto column = nearest(map.x, spec.guides.front().x), row = nearest(map.y, spec.guides.front().y);
            QCOMPARE(int(map.infeasible[std::size_t(row) * map.x.size() + std::size_t(column)]), 0);
        }
        QVERIFY(between > 0 && framed > 3);
    }

    void everyMetricCanBeTheColour()
    {
        test::RandomScenarios random(23);
        for (const Task task : {Task::Training, Task::Inference}) {
            ChartContext context = random.nextContext(task, 0);
            for (const MetricRow& metric : metricRegistry()) {
                if (!appliesTo(metric, task))
                    continue;
                context.heatMap.metric = metric.id;
                const ChartSpec spec = mapOf(context);
                const auto finite = [](double v) { return std::isfinite(v); };
                QVERIFY(std::ranges::all_of(spec.heatMap->value, finite));
                QVERIFY2(spec.heatMap->minimum < spec.heatMap->maximum, std::string(metric.id).c_str());
                const auto [low, high] = std::ranges::minmax(spec.heatMap->value);
                QVERIFY(low >= spec.heatMap->minimum && high <= spec.heatMap->maximum * (1 + 1e-9));
            }
        }
    }
};
HEADROOM_TEST(TestHeatMap)

} // namespace headroom::test_heat_map
#include "test_heat_map.moc"
