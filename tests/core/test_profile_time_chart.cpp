// SPDX-License-Identifier: GPL-3.0-or-later
// The time chart with a profile: both sides in the profile's parts, measured marked as measured and never mixed.
#include "core/charts/chart_registry.hpp"
#include "core/profile/profile_comparison.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_profile_time_chart
{
namespace
{

ChartContext context(Task task)
{
    ChartContext context;
    context.scenario = test::serving("llama-3-8b", "h100-sxm-80gb", 8, [task](Scenario& s) {
        s.task = task;
        s.parallelism.tensor = task == Task::Training ? 1 : 8;
        s.training.sequenceLength = 8192;
        s.training.checkpointing = Checkpointing::Full;
    });
    context.evaluation = evaluate(context.scenario);
    return context;
}

MeasuredProfile profileOf(const ChartContext& context)
{
    MeasuredProfile m;
    m.matmulS = 1.25 * context.evaluation.part(TimePart::Matmul);
    m.attentionS = 2 * context.evaluation.part(TimePart::Attention);
    m.copyS = 0.125 * m.matmulS; // no prediction has them
    m.stepS = m.sumS();
    return m;
}

const Series* seriesOf(const ChartSpec& spec, std::string_view id)
{
    const auto found = std::ranges::find(spec.series, id, &Series::id);
    return found == spec.series.end() ? nullptr : &*found;
}

double sumOf(const Series& series)
{
    double sum = 0;
    for (const Point& point : series.points)
        sum += point.y;
    return sum;
}

} // namespace

class TestProfileTimeChart : public QObject
{
    Q_OBJECT
private slots:
    void measuredStandsBesidePredictedPartByPart_data()
    {
        QTest::addColumn<int>("task");
        QTest::newRow("training") << int(Task::Training);
        QTest::newRow("inference") << int(Task::Inference);
    }
    void measuredStandsBesidePredictedPartByPart()
    {
        QFETCH(const int, task);
        ChartContext now = context(static_cast<Task>(task));
        const ChartRow& row = *chartRow("time_breakdown");
        const ChartSpec before = row.build(now);
        QVERIFY(seriesOf(before, "measured") == nullptr);

        now.scenario.measured.profile = profileOf(now);
        const MeasuredProfile& m = now.scenario.measured.profile;
        const ChartSpec spec = row.build(now);
        const Series* predicted = seriesOf(spec, "time");
        const Series* measured = seriesOf(spec, "measured");
        QVERIFY(predicted && measured);
        QVERIFY(predicted->kind == SeriesKind::Bar && predicted->role == SeriesRole::Current);
        QVERIFY(measured->kind == SeriesKind::Points && measured->role == SeriesRole::Measured);
        // Neither side takes anything of the other: each adds up to its own step.
        QVERIFY(std::abs(sumOf(*predicted) / sumOf(*seriesOf(before, "time")) - 1) < 0.01);
        QVERIFY(std::abs(sumOf(*measured) / m.stepS - 1) < 0.01);
        const auto at = [&](const char* name) {
            const auto tick = std::ranges::find(spec.x.ticks, std::string(name), &Tick::label);
            return tick == spec.x.ticks.end() ? -1.0 : tick->position;
        };
        const auto of = [](const Series& series, double x) {
            return std::ranges::find(series.points, x, &Point::x)->y;
        };
        QCOMPARE(of(*measured, at("matmuls")), m.matmulS);
        // Recomputation is laid to what it repeats: a profile cannot tell it.
        QVERIFY(at("recomputation") < 0);
        const auto parts = profile::compareProfile({}, now.scenario, now.evaluation).parts;
        QCOMPARE(of(*predicted, at("matmuls")),
                 *std::ranges::find(parts, "matmul", &profile::ProfilePart::id)->predictedS);
        // What one side alone has stays with it, and says so.
        const Point& copies = *std::ranges::find(predicted->points, at("copies"), &Point::x);
        QVERIFY(copies.y == 0 && copies.label.starts_with("–, ○ "));
        QVERIFY(std::ranges::find(measured->points, at("tensor and data parallel"), &Point::x) ==
                    measured->points.end() ||
                of(*measured, at("tensor and data parallel")) == 0);
        QVERIFY2(spec.reading.find("Predicted: ") == 0 && spec.reading.find("Measured: matmuls, ") != std::string::npos,
                 spec.reading.c_str());
        QVERIFY(!spec.note.empty());
        QVERIFY(spec.y.maximum >= m.matmulS);
    }

    void pinsStandInTheSameParts()
    {
        ChartContext now = context(Task::Training);
        const PinnedScenario pin{'A', {}, now.scenario, now.evaluation};
        now.pins = {pin};
        now.scenario.measured.profile = profileOf(now);
        const ChartSpec spec = chartRow("time_breakdown")->build(now);
        const Series* predicted = seriesOf(spec, "time");
        const Series* pinned = seriesOf(spec, "pin-a.time");
        QVERIFY(predicted && pinned && pinned->points.size() == predicted->points.size());
        for (std::size_t i = 0; i < predicted->points.size(); ++i) // the same scenario, pinned
            QCOMPARE(pinned->points[i].y, predicted->points[i].y);
    }
};
HEADROOM_TEST(TestProfileTimeChart)

} // namespace headroom::test_profile_time_chart
#include "test_profile_time_chart.moc"
