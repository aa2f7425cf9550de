// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_chart_axis
{
namespace
{
DataRange range(double low, double high)
{
    DataRange data;
    data.add(low);
    data.add(high);
    return data;
}
} // namespace

class TestChartAxis : public QObject
{
    Q_OBJECT
private slots:
    void axesThatAreHeldOnlyGrow()
    {
        ChartSpec before, now;
        before.id = now.id = "step_time";
        before.x = now.x = logAxis("batch", "Batch", "sequences", ValueFormat::Integer, {1, 1000});
        before.y = linearAxis("step_time", "Step time", "seconds", ValueFormat::Seconds, {0, 10});
        now.y = linearAxis("step_time", "Step time", "seconds", ValueFormat::Seconds, {0, 2});
        ChartSpec held = now;
        holdAxes(held, before);
        QCOMPARE(held.y.maximum, before.y.maximum);
        held = before;
        holdAxes(held, now);
        QCOMPARE(held.y.maximum, before.y.maximum);

        // Another chart, another quantity or other categories have ranges of their own.
        held = now;
        before.id = "cost";
        holdAxes(held, before);
        QVERIFY(held == now);
        before.id = now.id;
        before.y.quantity = "tpot_s";
        holdAxes(held, before);
        QVERIFY(held == now);
        now.x = categoryAxis("loss", "Loss", {"a", "b"});
        before.x = categoryAxis("loss", "Loss", {"a", "b", "c"});
        now.series.push_back({.id = "losses", .label = "losses", .kind = SeriesKind::Bar, .points = {}, .band = {}});
        held = now;
        holdAxes(held, before);
        QCOMPARE(held.x.maximum, now.x.maximum);
    }

    void boundsAreOneTwoFive()
    {
        QCOMPARE(niceCeil(1.0), 1.0);
        QCOMPARE(niceCeil(1.01), 2.0);
        QCOMPARE(niceCeil(0.021), 0.05);
        QCOMPARE(niceCeil(600.0), 1000.0);
        QCOMPARE(niceFloor(1.99), 1.0);
        QCOMPARE(niceFloor(0.05), 0.05);
        QCOMPARE(niceFloor(49.0), 20.0);
    }

    void smallMovesLeaveTheAxisAlone()
    {
        const Axis a = logAxis("t", "t", "s", ValueFormat::Seconds, range(0.0213, 3.1));
        const Axis b = logAxis("t", "t", "s", ValueFormat::Seconds, range(0.0251, 4.4));
        QCOMPARE(a, b);
        QCOMPARE(a.minimum, 0.02);
        QCOMPARE(a.maximum, 5.0);
    }

    void aLogAxisSpansADecadeAndStaysPositive()
    {
        const Axis narrow = logAxis("t", "t", "s", ValueFormat::Seconds, range(3, 3));
        QVERIFY(narrow.maximum >= 10 * narrow.minimum && narrow.minimum > 0);
        const Axis empty = logAxis("t", "t", "s", ValueFormat::Seconds, {});
        QVERIFY(empty.minimum > 0 && empty.maximum > empty.minimum);
        QVERIFY(logAxis("t", "t", "s", ValueFormat::Seconds, range(0, 5)).minimum > 0);
    }

    void aLinearAxisBeginsAtZero()
    {
        const Axis axis = linearAxis("m", "m", "GB", ValueFormat::Bytes, range(40e9, 230e9));
        QCOMPARE(axis.minimum, 0.0);
        QCOMPARE(axis.maximum, 250e9);
        const Axis both = linearAxis("d", "d", "s", ValueFormat::Seconds, range(-1, 2));
        QVERIFY(both.minimum <= -1 && both.maximum >= 2);
    }

    void aCloseAxisLeavesOutWhatIsFarBelow()
    {
        DataRange range;
        range.add(0.586);
        range.add(0.624);
        const Axis axis = closeAxis("mfu", "MFU", "% of peak", ValueFormat::Percent, range);
        QVERIFY(axis.minimum > 0.5 && axis.minimum <= 0.586);
        QVERIFY(axis.maximum >= 0.624 && axis.maximum < 0.7);
        DataRange one;
        one.add(3);
        const Axis single = closeAxis("time", "Time", "seconds", ValueFormat::Seconds, one);
        QVERIFY(single.minimum <= 3 && single.maximum >= 3 && single.minimum < single.maximum);
        DataRange zero;
        zero.add(0);
        const Axis nothing = closeAxis("time", "Time", "seconds", ValueFormat::Seconds, zero);
        QVERIFY(nothing.minimum <= 0 && nothing.minimum < nothing.maximum);
    }

    /// A value at a bar's end and the numbers below the bars are of one unit.
    void barsOfTimeAreInTheUnitOfTheirAxis()
    {
        ChartContext context;
        context.scenario = test::trainingCase("llama-3-70b", "h100-sxm-80gb", 64);
        context.scenario.training.rl.prompts = 4096;
        context.scenario.training.rl.samples = 16;
        context.scenario.training.sequenceLength = 8192;
        context.scenario.training.microBatch = 64;
        context.evaluation = evaluate(context.scenario);
        for (const char* id : {"rl_parts", "time_breakdown", "profile", "phases"}) {
            const ChartSpec spec = chartRow(id)->build(context);
            QVERIFY2(spec.y.unit == "min" || spec.y.unit == "h", (id + (": " + spec.y.unit)).c_str());
            for (const Point& bar : spec.series.front().points)
                QVERIFY2(bar.label.find("\u202F" + spec.y.unit) != std::string::npos || bar.y == bar.base,
                         bar.label.c_str());
        }
    }

    void sharesHaveFixedTops()
    {
        QCOMPARE(shareAxis("mfu", "MFU", range(0.2, 0.43)).maximum, 1.0);
        QCOMPARE(shareAxis("mfu", "MFU", range(0.01, 0.08)).maximum, 0.1);
        QCOMPARE(shareAxis("mfu", "MFU", range(0.001, 0.005)).maximum, 0.01);
        QVERIFY(shareAxis("mfu", "MFU", range(0.5, 1.07)).maximum >= 1.07); // more than the peak is shown, not cut
    }
};
HEADROOM_TEST(TestChartAxis)

} // namespace headroom::test_chart_axis
#include "test_chart_axis.moc"
