// SPDX-License-Identifier: GPL-3.0-or-later
// A line of steps, as the front of a plan: the names at its corners lie on neither of their two legs.
#include "tests/support/program.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_view.hpp"

#include <QApplication>
#include <cmath>

namespace headroom::ui::test_chart_steps
{
namespace
{

const LabelMark& labelsOf(ChartView& view)
{
    for (const QObject* child : view.findChild<ChartCanvas*>()->children())
        if (const auto* mark = dynamic_cast<const LabelMark*>(child))
            return *mark;
    qFatal("no label mark");
}

ChartSpec frontSpec(double away)
{
    ChartSpec spec = test::crowdSpec();
    spec.id = "front";
    Series line{"front", "front", SeriesRole::Current, SeriesKind::StepLine, 0, {}, {}};
    const double left = spec.x.minimum, right = spec.x.maximum, low = spec.y.minimum, high = spec.y.maximum;
    const auto along = [](const Axis& axis, double from, double to, double share) {
        return axis.scale == AxisScale::Log ? from * std::pow(to / from, share) : from + (to - from) * share;
    };
    constexpr int corners = 7;
    for (int i = 0; i < corners; ++i) {
        const double share = 0.06 + away * i;
        line.points.push_back({.x = along(spec.x, left, right, share),
                               .y = along(spec.y, low, high, 0.95 - 0.8 * i / (corners - 1)),
                               .label = std::to_string(8 * (corners - i)) + " × H100 SXM5 80GB"});
    }
    Series marks = line;
    marks.id = "marks";
    marks.kind = SeriesKind::Points;
    for (Point& point : line.points)
        point.label.clear();
    spec.series = {line, marks};
    spec.guides.clear();
    return spec;
}

} // namespace

class TestChartSteps final : public QObject
{
    Q_OBJECT
private slots:
    void noNameLiesOnAStep()
    {
        ChartView view;
        view.resize(400, 230);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        int named = 0;
        for (const double away : {0.01, 0.03, 0.06, 0.12}) {
            const ChartSpec spec = frontSpec(away);
            view.setSpec(spec);
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
            const QPointF corner = view.findChild<ChartCanvas*>()->pos();
            const std::vector<Point>& points = spec.series.front().points;
            for (const PlacedLabel& label : labelsOf(view).placed()) {
                if (!label.text.contains(u"H100"))
                    continue;
                ++named;
                for (std::size_t i = 1; i < points.size(); ++i) {
                    const QPointF from = view.pixelOf(points[i - 1].x, points[i - 1].y) - corner;
                    const QPointF to = view.pixelOf(points[i].x, points[i].y) - corner;
                    const QRectF level(QPointF(from.x(), from.y() - 0.5), QPointF(to.x(), from.y() + 0.5));
                    const QRectF upright(QPointF(to.x() - 0.5, from.y()), QPointF(to.x() + 0.5, to.y()));
                    QVERIFY2(!label.rect.intersects(level) && !label.rect.intersects(upright),
                             qPrintable(u"%1, %2"_qs.arg(label.text).arg(away)));
                }
            }
        }
        QVERIFY2(named >= 8, qPrintable(QString::number(named)));
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartSteps)

} // namespace headroom::ui::test_chart_steps
#include "test_chart_steps.moc"
