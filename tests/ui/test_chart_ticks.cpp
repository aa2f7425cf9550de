// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks: where they stand and what is written, by axis alone.
#include "tests/support/program.hpp"
#include "ui/charts/si_ticker.hpp"

#include <QLocale>
#include <QTest>

namespace headroom::ui::test_chart_ticks
{
namespace
{

Axis axis(const char* unit, ValueFormat format, AxisScale scale, double minimum, double maximum)
{
    return {"quantity", unit, scale, format, minimum, maximum, {}};
}

QString labels(const Axis& a, int wanted)
{
    QStringList result;
    for (const Tick& tick : chooseTicks(a, wanted))
        result << QString::fromStdString(tick.label);
    return result.join(u' ');
}

} // namespace

class TestChartTicks final : public QObject
{
    Q_OBJECT

private slots:
    void labelsByUnit_data()
    {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<int>("format");
        QTest::addColumn<bool>("log");
        QTest::addColumn<double>("minimum");
        QTest::addColumn<double>("maximum");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* unit, ValueFormat format, bool log, double low, double high,
                            const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(unit) << int(format) << log << low << high
                                << QString::fromUtf8(expected);
        };
        row("percent", "% of peak", ValueFormat::Percent, false, 0, 1, "0 20 40 60 80 100");
        row("small percent", "% of peak", ValueFormat::Percent, false, 0, 0.02, "0 0.5 1.0 1.5 2.0");
        row("gigabytes", "GB", ValueFormat::Bytes, false, 0, 250e9, "0 50 100 150 200 250");
        row("gibibytes", "GiB", ValueFormat::Bytes, false, 0, 80 * 0x1p30, "0 20 40 60 80");
        row("teraflops", "TFLOP/s per GPU", ValueFormat::FlopPerS, true, 1e13, 2e15, "10 30 100 300 1,000");
        row("flops", "FLOP/s", ValueFormat::FlopPerS, true, 1e12, 1e16, "1T 10T 100T 1P 10P");
        row("bytes without a unit", "", ValueFormat::Bytes, false, 0, 80e9,
            "0\u202FB 20\u202FGB 40\u202FGB 60\u202FGB 80\u202FGB");
        row("seconds", "seconds", ValueFormat::Seconds, true, 0.5, 30, "0.5 1 2 5 10 20");
        row("short times in ms", "seconds", ValueFormat::Seconds, false, 0, 0.04, "0 10 20 30 40");
        row("milliseconds", "ms", ValueFormat::Seconds, false, 0, 0.1, "0 20 40 60 80 100");
        row("counts", "sequences", ValueFormat::Integer, true, 1, 100000, "1 10 100 1k 10k 100k");
        row("whole numbers only", "GPUs", ValueFormat::Integer, false, 0, 3, "0 1 2 3");
        row("negative", "points", ValueFormat::Plain, false, -2, 2, "\u22122 \u22121 0 1 2");
        row("within a decade", "tokens/s", ValueFormat::TokensPerS, true, 22, 26, "22 23 24 25 26");
    }

    void labelsByUnit()
    {
        QFETCH(const QString, unit);
        QFETCH(const int, format);
        QFETCH(const bool, log);
        QFETCH(const double, minimum);
        QFETCH(const double, maximum);
        QFETCH(const QString, expected);
        const Axis a =
            axis(qPrintable(unit), ValueFormat(format), log ? AxisScale::Log : AxisScale::Linear, minimum, maximum);
        QCOMPARE(labels(a, 6), expected);
    }

    void explicitTicksWin()
    {
        Axis a = axis("sequences", ValueFormat::Integer, AxisScale::Log, 1, 64);
        a.ticks = {{1, "1"}, {8, "eight"}};
        QCOMPARE(labels(a, 6), QStringLiteral("1 eight"));
    }

    void unusableRangesGiveNoTicks()
    {
        QVERIFY(chooseTicks(axis("", ValueFormat::Plain, AxisScale::Log, 0, 10), 5).empty());
        QVERIFY(chooseTicks(axis("", ValueFormat::Plain, AxisScale::Linear, 3, 3), 5).empty());
    }

    void neverMoreThanWanted()
    {
        for (double high = 1.7; high < 1e18; high *= 3.3)
            for (const AxisScale scale : {AxisScale::Linear, AxisScale::Log})
                for (int wanted = 2; wanted < 9; ++wanted) {
                    const auto ticks = chooseTicks(axis("tokens", ValueFormat::Plain, scale, 0.9, high), wanted);
                    QVERIFY2(int(ticks.size()) <= wanted + 1, qPrintable(QString::number(high)));
                }
    }

    void theDesktopsLocaleChangesNothing()
    {
        const Axis a = axis("TFLOP/s", ValueFormat::FlopPerS, AxisScale::Linear, 0, 2.5e15);
        const QString before = labels(a, 5);
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(labels(a, 5), before);
        QLocale::setDefault(QLocale::c());
    }

    void oneValueAsTheAxisPrintsIt()
    {
        QCOMPARE(axisText(0.42, axis("% of peak", ValueFormat::Percent, AxisScale::Linear, 0, 1)), std::string("42"));
        QCOMPARE(axisText(192e9, axis("GB", ValueFormat::Bytes, AxisScale::Linear, 0, 2e11)), std::string("192"));
        QCOMPARE(axisText(0.0213, axis("", ValueFormat::Seconds, AxisScale::Linear, 0, 1)),
                 std::string("21.3\u202Fms"));
    }
};
HEADROOM_TEST(TestChartTicks)

} // namespace headroom::ui::test_chart_ticks
#include "test_chart_ticks.moc"
