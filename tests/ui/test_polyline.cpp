// SPDX-License-Identifier: GPL-3.0-or-later
// A thinned line is the same line to the eye: it passes what it leaves out, and leaves out nothing that matters.
#include "tests/support/program.hpp"
#include "ui/charts/polyline.hpp"

#include <QRandomGenerator>
#include <QTest>
#include <cmath>
#include <limits>

namespace headroom::test_polyline
{

using headroom::ui::thinned;

namespace
{

constexpr double tolerance = 0.1;

/// How far above or below the thinned line a point of the whole one lies.
double distance(const QVector<QPointF>& line, QPointF p)
{
    for (qsizetype i = 0; i + 1 < line.size(); ++i)
        if (line[i].x() <= p.x() && p.x() <= line[i + 1].x()) {
            const QPointF way = line[i + 1] - line[i];
            return std::abs(line[i].y() + (way.x() > 0 ? way.y() / way.x() * (p.x() - line[i].x()) : 0) - p.y());
        }
    return std::numeric_limits<double>::infinity();
}

} // namespace

class TestPolyline final : public QObject
{
    Q_OBJECT

private slots:
    void aSmoothCurveNeedsFewPointsAndKeepsItsWay()
    {
        QVector<QPointF> curve;
        for (int i = 0; i <= 200; ++i)
            curve << QPointF(i, 120 * (1 - std::exp(-i / 40.0)));
        const QVector<QPointF> fewer = thinned(curve, tolerance);
        QVERIFY2(fewer.size() < 40, qPrintable(QString::number(fewer.size())));
        QCOMPARE(fewer.front(), curve.front());
        QCOMPARE(fewer.back(), curve.back());
        for (const QPointF& point : curve)
            QVERIFY(distance(fewer, point) <= tolerance + 1e-9);
    }

    void everyPointOfAnyLineIsPassed()
    {
        QRandomGenerator random(5);
        for (int run = 0; run < 500; ++run) {
            QVector<QPointF> line{{0, 0}};
            while (line.size() < 60)
                line << line.back() + QPointF(0.1 + 4 * random.generateDouble(), 8 * random.generateDouble() - 4);
            const QVector<QPointF> fewer = thinned(line, tolerance);
            for (const QPointF& point : line)
                QVERIFY(distance(fewer, point) <= tolerance + 1e-9);
        }
    }

    void cornersStepsAndGapsStay()
    {
        const QVector<QPointF> corner{{0, 0}, {10, 0}, {20, 0}, {30, 10}, {40, 20}};
        QCOMPARE(thinned(corner, tolerance), QVector<QPointF>({{0, 0}, {20, 0}, {40, 20}}));
        const QVector<QPointF> steps{{0, 0}, {10, 0}, {10, 5}, {20, 5}};
        QCOMPARE(thinned(steps, tolerance), steps);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const QVector<QPointF> gap{{0, 0}, {10, 0}, {20, nan}, {30, 0}, {40, 0}};
        const QVector<QPointF> kept = thinned(gap, tolerance);
        QCOMPARE(kept.size(), 5);
        QVERIFY(std::isnan(kept[2].y()));
        QVERIFY(thinned({}, tolerance).isEmpty());
    }
};
HEADROOM_TEST(TestPolyline)

} // namespace headroom::test_polyline
#include "test_polyline.moc"
