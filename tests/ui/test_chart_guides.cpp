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
