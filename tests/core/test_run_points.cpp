// SPDX-License-Identifier: GPL-3.0-or-later
// Measured runs on charts: near ones only, with their source, never mixed with what is predicted.
#include "core/charts/chart_registry.hpp"
#include "core/charts/run_points.hpp"
#include "core/runs/measured_run.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_run_points
{
namespace
{

ChartContext contextOf(std::string_view example)
{
    const auto reading =
        readScenario(*embeddedFile("scenarios/" + std::string(example) + ".headroom"), Catalog::builtIn());
    ChartContext context;
    context.scenario = *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
    context.evaluation = evaluate(context.scenario);
    return context;
}

ChartContext withRuns(ChartContext context)
{
    context.runs = std::make_shared<const RunShelf>(RunShelf{publishedRuns(), nullptr});
    return context;
}

const Series* seriesOf(const ChartSpec& spec, SeriesRole role)
{
    const auto found = std::ranges::find(spec.series, role, &Series::role);
    return found == spec.series.end() ? nullptr : &*found;
}

constexpr auto training = "07-llama-3-8b-64-a100-selective-layer", serving = "13-llama-3-8b-decode-h100";

} // namespace

class TestRunPoints : public QObject
{
    Q_OBJECT
private slots:
    void publishedRunsLieOnTheirCharts_data()
    {
        QTest::addColumn<QString>("example");
        QTest::addColumn<QString>("chart");
        for (const char* chart : {"utilization", "step_time", "loss_ladder", "roofline", "cost"})
            QTest::addRow("training %s", chart) << QString::fromLatin1(training) << QString::fromLatin1(chart);
        for (const char* chart : {"utilization", "latency", "loss_ladder", "roofline", "cost"})
            QTest::addRow("serving %s", chart) << QString::fromLatin1(serving) << QString::fromLatin1(chart);
    }
    void publishedRunsLieOnTheirCharts()
    {
        QFETCH(QString, example);
        QFETCH(QString, chart);
        const ChartContext plain = contextOf(example.toStdString());
        const auto build = chartRow(chart.toStdString())->build;
        const ChartSpec with = build(withRuns(plain)), without = build(plain);
        const Series* runs = seriesOf(with, SeriesRole::Published);
        QVERIFY(runs);
        QVERIFY(!seriesOf(without, SeriesRole::Published));
        QVERIFY(runs->kind == SeriesKind::Points);
        QVERIFY(runs->points.size() <= 12);
        for (const Point& point : runs->points) {
            QVERIFY(!point.label.empty());
            QVERIFY2(point.detail.find("same model") != std::string::npos ||
                         point.detail.find(" instead of ") != std::string::npos,
                     point.detail.c_str());
            QVERIFY2(point.detail.find('\n') != std::string::npos, point.detail.c_str()); // then the source
            QVERIFY(point.x >= with.x.minimum && point.x <= with.x.maximum);
            QVERIFY(point.y >= with.y.minimum && point.y <= with.y.maximum);
        }
        // What is predicted stays as it was.
        for (const Series& series : without.series)
            QVERIFY2(std::ranges::find(with.series, series) != with.series.end(), series.id.c_str());
    }

    void aRunIsDrawnWhereItWasMeasured()
    {
        // pytorch/torchtitan docs/performance.md: 2904 tokens/s/GPU at local batch 1, 56.8 % as PaLM counts.
        const ChartSpec spec = chartRow("utilization")->build(withRuns(contextOf(training)));
        const Series* runs = seriesOf(spec, SeriesRole::Published);
        const auto found = std::ranges::find_if(
            runs->points, [](const Point& point) { return point.x == 1 && std::abs(point.y - 0.568) < 0.0015; });
        QVERIFY(found != runs->points.end());
        QVERIFY2(found->label.starts_with("Llama 3 8B on 64"), found->label.c_str());
        QVERIFY2(found->detail.find("pytorch/torchtitan") != std::string::npos, found->detail.c_str());
    }

    /// Each chart's y follows from the measurement alone; the point leads back to its run.
    void placesFollowFromTheMeasurement()
    {
        ChartContext context = withRuns(contextOf(training));
        context.scenario.hardware.pricePerGpuHour = 2;
        context.evaluation = evaluate(context.scenario);
        for (const char* chart : {"roofline", "cost"}) {
            const ChartSpec spec = chartRow(chart)->build(context);
            const Series* series = seriesOf(spec, SeriesRole::Published);
            QVERIFY2(series, chart);
            for (const Point& point : series->points) {
                const MeasuredRun* run = runOfPoint(context, point);
                QVERIFY2(run, chart);
                const double time = *run->evaluation.observed->stepTimeS;
                if (std::string_view(chart) == "cost") {
                    const double hours = double(run->prepared.hardware.count) * time / 3600;
                    QVERIFY(std::abs(point.y / (2 * hours * 1e6 / run->evaluation.tokensPerStep) - 1) < 1e-9);
                    QVERIFY2(point.detail.find("at this scenario's price") != std::string::npos, point.detail.c_str());
                    continue;
                }
                QCOMPARE(run->prepared.accelerator->id, context.scenario.accelerator->id);
                QVERIFY(point.y < context.evaluation.peakFlops); // nobody beats the roof
                const double executed = run->evaluation.flops.hardware / (time * double(run->prepared.hardware.count));
                QVERIFY2(std::abs(point.y / executed - 1) < 0.1, run->name.c_str());
            }
        }
    }

    void measuredMemoryLiesOnTheMemoryChart()
    {
        // The first published run that says its peak memory: a scenario of the same kind.
        const auto runs = publishedRuns();
        const auto found = std::ranges::find_if(*runs, [](const MeasuredRun& run) {
            return run.prepared.task == Task::Training && run.prepared.measured.peakMemoryBytes &&
                   run.prepared.measured.peakMemoryKind == PeakMemoryKind::Reserved;
        });
        QVERIFY(found != runs->end());
        ChartContext context;
        context.scenario = found->prepared;
        context.scenario.measured = {};
        context.evaluation = evaluate(context.scenario);
        const ChartSpec spec = chartRow("memory")->build(withRuns(context));
        const Series* series = seriesOf(spec, SeriesRole::Published);
        QVERIFY(series);
        const double bytes = *found->prepared.measured.peakMemoryBytes;
        const auto point = std::ranges::find(series->points, bytes, &Point::y);
        QVERIFY(point != series->points.end());
        QVERIFY2(point->detail.find("as the allocator reserves it") != std::string::npos, point->detail.c_str());
        QVERIFY(point->y <= spec.y.maximum);
        QVERIFY(runOfPoint(withRuns(context), *point));
    }

    void ownRunsAreASeriesOfTheirOwn()
    {
        ChartContext context = contextOf(training);
        auto own = std::make_shared<MeasuredRuns>();
        Scenario run;
        run.model.id = "llama-3-8b";
        run.accelerator.id = "a100-sxm-80gb";
        run.setup() = context.scenario.setup();
        run.training.microBatch = 2;
        run.measured = {};
        run.measured.stepTimeS = 5;
        run.source = "own measurement";
        own->push_back(*measuredRun(run, *prepare(run, Catalog::builtIn(), Calibration::builtIn())));
        context.runs = std::make_shared<const RunShelf>(RunShelf{nullptr, own});
        const ChartSpec spec = chartRow("step_time")->build(context);
        const Series* series = seriesOf(spec, SeriesRole::Own);
        QVERIFY(series);
        QVERIFY(!seriesOf(spec, SeriesRole::Published));
        QCOMPARE(series->points.size(), std::size_t(1));
        QCOMPARE(series->points.front().x, 2.0);
        QCOMPARE(series->points.front().y, 5.0);
    }

    void farRunsAndAxesWithoutMeaningShowNone()
    {
        ChartContext context = withRuns(contextOf(training));
        context.sweepParameter = "expert_imbalance"; // no run can be laid along an assumption
        QVERIFY(!seriesOf(chartRow("utilization")->build(context), SeriesRole::Published));
        context = withRuns(contextOf(training));
        context.scenario.hardware.count = 65536;
        context.scenario.training.sequenceLength = 1048576;
        context.evaluation = evaluate(context.scenario);
        QVERIFY(!seriesOf(chartRow("utilization")->build(context), SeriesRole::Published));
    }
};
HEADROOM_TEST(TestRunPoints)

} // namespace headroom::test_run_points
#include "test_run_points.moc"
