// SPDX-License-Identifier: GPL-3.0-or-later
// A line across bars is named wherever it lies: beside the first of them, too, where names of bars fill the margin.
#include "tests/support/program.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_view.hpp"

#include <QTest>

namespace headroom::ui::test_chart_guides
{
namespace
{

/// Where a label stands, on the view; none where it is not drawn.
std::optional<QRectF> placeOf(ChartView& view, const ChartSpec& spec, const QString& text)
{
    view.setSpec(spec);
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    const auto* canvas = view.findChild<ChartCanvas*>();
    for (const QObject* child : canvas->children())
        if (const auto* mark = dynamic_cast<const LabelMark*>(child))
            for (const PlacedLabel& label : mark->placed())
                if (label.text == text)
                    return label.rect.translated(canvas->pos());
    return std::nullopt;
}

} // namespace

class TestChartGuides final : public QObject
{
    Q_OBJECT

private slots:
    void aLineAtEitherEndIsNamed()
    {
        ChartView view;
        view.resize(320, 340);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (const double share : {0.0, 0.015, 0.5, 1.0}) {
            ChartSpec spec = test::ladderSpec();
            spec.guides.push_back(
                {GuideKind::Horizontal, SeriesRole::Target, 0, share * spec.y.maximum, 0, "a target with a long name"});
            QVERIFY2(placeOf(view, spec, QStringLiteral("a target with a long name")),
                     qPrintable(QString::number(share)));
        }
    }

    /// A pin's line close by took the place above the bars, and "now 3.7 %" lay on the first of them.
    void linesCloseTogetherAreNamedAboveTheBars()
    {
        ChartView view;
        view.resize(320, 340);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ChartSpec spec = test::ladderSpec();
        spec.guides = {{GuideKind::Horizontal, SeriesRole::Limit, 0, 0.5, 0, "85 GB"},
                       {GuideKind::Horizontal, SeriesRole::Current, 0, 0.52, 0, "now 88 GB"}};
        const auto other = placeOf(view, spec, QStringLiteral("85 GB")),
                   now = placeOf(view, spec, QStringLiteral("now 88 GB"));
        QVERIFY(other && now && !now->intersects(*other));
        QVERIFY(now->bottom() <= view.plotArea().top());
    }

    /// A measured point on the axis, under lines: its name stood across the axis, where farther off there is room.
    void aMeasurementUnderLinesIsNamedFartherOff()
    {
        ChartView view;
        view.resize(400, 320);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ChartSpec spec = test::lineSpec(0);
        spec.guides.clear();
        spec.series.clear();
        constexpr double at = 32, step = 0.025, lines = 3; // of the axis: five pixels
        for (int i = 1; i <= lines; ++i)
            spec.series.push_back({.id = std::to_string(i),
                                   .label = std::to_string(i),
                                   .points = {{.x = 1, .y = i * step}, {.x = 1024, .y = i * step}}});
        spec.series.push_back({.id = "measured",
                               .label = "measured",
                               .role = SeriesRole::Measured,
                               .kind = SeriesKind::Points,
                               .points = {{.x = at, .y = 0, .label = "measured"}}});
        const auto place = placeOf(view, spec, QStringLiteral("measured"));
        QVERIFY(place);
        QVERIFY(place->bottom() < view.pixelOf(at, lines * step).y());
    }

    /// The ridge's name lay over a roof just below the top of a low chart, which looked broken.
    void anUprightLineIsNamedBesideTheOthers()
    {
        ChartView view;
        view.resize(360, 260);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        constexpr double at = 16, roof = 0.97;
        ChartSpec spec = test::lineSpec(0);
        spec.series.back().band.reset();
        for (Point& point : spec.series.back().points)
            point.y = roof;
        spec.series.erase(spec.series.begin());
        spec.guides = {{GuideKind::Vertical, SeriesRole::Current, at, 0, 0, "ridge"}};
        const auto place = placeOf(view, spec, QStringLiteral("ridge"));
        QVERIFY(place);
        QVERIFY(place->top() > view.pixelOf(at, roof).y());
        QVERIFY(place->bottom() < view.pixelOf(at, 0).y());
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartGuides)

} // namespace headroom::ui::test_chart_guides
#include "test_chart_guides.moc"
