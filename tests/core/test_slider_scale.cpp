// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/slider_scale.hpp"

#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_slider_scale
{

class TestSliderScale : public QObject
{
    Q_OBJECT

private slots:
    void everyWholeValueOfALongLogRangeCanBeReached()
    {
        const SliderScale scale(*parameterRow("batch"));
        QSet<int> reached;
        for (int position = 0; position <= SliderScale::steps; ++position)
            reached.insert(static_cast<int>(scale.toValue(position)));
        for (int value = 1; value <= 128; ++value)
            QVERIFY2(reached.contains(value), qPrintable(QString::number(value)));
    }

    void positionsAndValuesAgreeForEveryRow()
    {
        for (const ParameterRow& row : parameterRegistry()) {
            const SliderScale scale(row);
            QVERIFY2(scale.maximum() > scale.minimum(), row.id.data());
            double before = scale.toValue(0);
            QCOMPARE(before, scale.minimum());
            QCOMPARE(scale.toValue(SliderScale::steps), scale.maximum());
            for (int position = 0; position <= SliderScale::steps; position += 64) {
                const double value = scale.toValue(position);
                QVERIFY2(std::isfinite(value) && value >= before, row.id.data());
                QVERIFY2(value >= row.minimum && value <= row.maximum, row.id.data());
                before = value;
            }
            for (const double snap : scale.snaps()) {
                if (snap > scale.maximum())
                    continue; // shown once a typed value widens the range
                const double back = scale.toValue(scale.toPosition(snap));
                QVERIFY2(std::abs(back - snap) <= 0.01 * std::max(1.0, snap), row.id.data());
            }
        }
    }

    void stepsGoToSnapsAndStopAtTheBounds()
    {
        const SliderScale scale(*parameterRow("micro_batch"));
        QCOMPARE(scale.nextSnap(5, 1), 8.0);
        QCOMPARE(scale.nextSnap(5, -1), 4.0);
        QCOMPARE(scale.nextSnap(8, 1), 16.0);
        QCOMPARE(scale.nextSnap(1, -1), 1.0);
        QCOMPARE(scale.nextSnap(1024, 1), 1024.0);
        QCOMPARE(scale.fineStep(5, 1), 6.0);
        QCOMPARE(scale.pageStep(5, 1), 10.0);
        QCOMPARE(scale.pageStep(5, -1), 3.0); // 2.5 rounds to a whole number
    }

    void aTypedValueBeyondTheRangeWidensIt()
    {
        SliderScale scale(*parameterRow("count"));
        scale.include(16384);
        QCOMPARE(scale.maximum(), 16384.0);
        QCOMPARE(scale.toPosition(16384), SliderScale::steps);
        scale.include(8);
        QCOMPARE(scale.maximum(), 1024.0);
    }

    void oneIsNoPlural()
    {
        QVERIFY(parameterText(*parameterRow("count"), 1).ends_with("GPU"));
        QVERIFY(parameterText(*parameterRow("micro_batch"), 1).ends_with("sequence"));
        QCOMPARE(parameterText(*parameterRow("count"), 8), parameterText(*parameterRow("count"), 8));
    }

    void ticksAreShort()
    {
        const SliderScale tokens(*parameterRow("sequence_length"));
        QCOMPARE(tokens.tickLabel(512), std::string("512"));
        QCOMPARE(tokens.tickLabel(131072), std::string("128k"));
        const ParameterRow& checkpointing = *parameterRow("checkpointing");
        const SliderScale steps(checkpointing);
        QVERIFY(steps.isStepped());
        QCOMPARE(steps.tickLabel(1), std::string("op"));
    }
};
HEADROOM_TEST(TestSliderScale)

} // namespace headroom::test_slider_scale
#include "test_slider_scale.moc"
