// SPDX-License-Identifier: GPL-3.0-or-later
// Names on charts: none over another, none over a line, the important ones first.
#include "core/charts/catalog_charts.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/settings/language.hpp"

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>
#include <cmath>

namespace headroom::ui::test_chart_labels
{
namespace
{

const LabelMark& labelsOf(ChartView& view)
{
    const auto* canvas = view.findChild<ChartCanvas*>();
    for (const QObject* child : canvas->children())
        if (const auto* mark = dynamic_cast<const LabelMark*>(child))
            return *mark;
    qFatal("no label mark");
}

void draw(ChartView& view, const ChartSpec& spec)
{
    view.setSpec(spec);
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
}

QString overlaps(const std::vector<PlacedLabel>& labels)
{
    for (std::size_t i = 0; i < labels.size(); ++i)
        for (std::size_t j = i + 1; j < labels.size(); ++j)
            // Neighbours at the right edge may touch by the rounding of half a pixel.
            if (labels[i].rect.adjusted(0.5, 0.5, -0.5, -0.5).intersects(labels[j].rect.adjusted(0.5, 0.5, -0.5, -0.5)))
                return QStringLiteral("“%1” over “%2”").arg(labels[i].text, labels[j].text);
    return {};
}

} // namespace

class TestChartLabels final : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyBarIsNamed_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QSize>("size");
        for (const char* code : {"en", "de"}) {
            // Two columns on a small screen; a larger card; four on a stage, whose type is larger.
            for (const auto& [scale, size] : {std::pair(1.0, QSize(300, 260)), {1.0, {420, 300}}, {1.5, {640, 290}}})
                QTest::addRow("%s, type %g, %d×%d", code, scale, size.width(), size.height())
                    << QString(QLatin1String(code)) << scale << size;
        }
    }

    /// The ladder has up to seventeen bars: no name is left out or loses its end, however low the card is.
    void everyBarIsNamed()
    {
        QFETCH(const QString, code);
        QFETCH(const double, scale);
        QFETCH(const QSize, size);
        const Language language(code);
        test::RandomScenarios scenarios(31);
        std::size_t most = 0;
        for (int i = 0; i < 60; ++i) {
            ChartScene scene;
            scene.theme = theme(ThemeKind::Light);
            scene.font = QApplication::font();
            scene.font.setPointSizeF(scene.font.pointSizeF() * scale);
            scene.spec = chartRow("loss_ladder")->build(scenarios.nextContext(Task(i % 2), 0));
            const ChartLayout layout = layOut(scene, size);
            QVERIFY(layout.horizontal);
            const auto& named = layout.keyTicks;
            QCOMPARE(named.size(), scene.spec.x.ticks.size());
            for (std::size_t bar = 0; bar < named.size(); ++bar) {
                const QString shown = QString::fromStdString(named[bar].label).replace(u'\n', u' ').simplified();
                QCOMPARE(shown, QString::fromStdString(scene.spec.x.ticks[bar].label).simplified());
            }
            most = std::max(most, named.size());
        }
        QVERIFY2(most >= 11, qPrintable(QString::number(most)));
    }

    void aPinsLineDoesNotStrikeThroughAValue()
    {
        ChartView view;
        view.resize(420, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ChartSpec spec = test::ladderSpec();
        spec.guides.push_back({GuideKind::Horizontal, SeriesRole::PinA, 0, spec.y.maximum, 0, "A"});
        draw(view, spec);
        const QImage without = view.grab().toImage();
        // The value beside the bar in the middle, and what the axis says where it stands.
        const auto* canvas = view.findChild<ChartCanvas*>();
        const std::vector<PlacedLabel> placed = labelsOf(view).placed();
        QVERIFY(placed.size() > 2);
        const QRectF label = placed[2].rect.translated(canvas->pos());
        const double left = view.pixelOf(0, 0).x(), right = view.pixelOf(0, 1).x();
        const double value = (label.center().x() - left) / (right - left);
        spec.guides.back().y = value;
        draw(view, spec);
        const QImage with = view.grab().toImage();
        QVERIFY(with != without);
        QCOMPARE(labelsOf(view).placed()[2].rect, placed[2].rect);
        const QRgb ground = theme(ThemeKind::Light).surface.rgb();
        int struck = 0;
        const QRect inside = label.toAlignedRect().adjusted(1, 1, -1, -1);
        for (int y = inside.top(); y <= inside.bottom(); ++y)
            for (int x = inside.left(); x <= inside.right(); ++x)
                struck += with.pixel(x, y) != without.pixel(x, y) && with.pixel(x, y) != ground ? 1 : 0;
        QVERIFY2(struck < 4, qPrintable(QString::number(struck))); // letters over a grid line may differ by a shade
    }

    void aMeasurementIsNamedBeforePublishedRuns()
    {
        ChartView view;
        view.resize(420, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ChartSpec spec = test::crowdSpec();
        const Point at = spec.series.back().points.front();
        spec.series.clear();
        for (const auto& [name, role] :
             {std::pair("published", SeriesRole::Published), std::pair("measured", SeriesRole::Measured)}) {
            Series series;
            series.id = series.label = name;
            series.role = role;
            series.kind = SeriesKind::Points;
            series.points.push_back({.x = at.x, .y = at.y, .label = "a run"});
            spec.series.push_back(series);
        }
        spec.series.back().points.front().label.clear();
        draw(view, spec);
        const auto labels = labelsOf(view).placed();
        QVERIFY(!labels.empty());
        QCOMPARE(labels.front().text, QStringLiteral("measured"));
    }

    void theLargestOfACrowdIsNamed()
    {
        ChartView view;
        view.resize(420, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        draw(view, test::crowdSpec());
        QStringList names;
        for (const PlacedLabel& label : labelsOf(view).placed()) {
            names << label.text;
            QVERIFY2(label.offLines, qPrintable(label.text));
        }
        QVERIFY(names.contains(QStringLiteral("largest")));
        QVERIFY(names.contains(QStringLiteral("alone")));
        QVERIFY(!names.contains(QStringLiteral("small")) && !names.contains(QStringLiteral("middling")));
        // What has no name of its own is told by its neighbours' hover.
        QTest::mouseMove(&view, view.pixelOf(121, 3.1e14).toPoint());
        QVERIFY2(view.hoverText().contains(QStringLiteral("small")) &&
                     view.hoverText().contains(QStringLiteral("middling")) &&
                     view.hoverText().contains(QStringLiteral("largest")),
                 qPrintable(view.hoverText()));
        QVERIFY(!view.hoverText().contains(QStringLiteral("alone")));
    }

    void aNameInTheMarginKeepsClearOfALargePoint()
    {
        ChartView view;
        view.resize(420, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ChartSpec spec = test::lineSpec(0);
        Series points{"points", "points", SeriesRole::Secondary, SeriesKind::Points, 1, {}, {}};
        const Point end = spec.series.back().points.back(); // where the name of MFU stands beside the plot
        for (const auto& [y, size] : {std::pair(end.y, 1.0), {0.1, 0.1}})
            points.points.push_back({.x = end.x, .y = y, .size = size});
        spec.series.push_back(points);
        draw(view, spec);
        const QPointF at = view.pixelOf(end.x, end.y) - view.findChild<ChartCanvas*>()->pos();
        constexpr double radius = 13; // of the largest point
        const auto labels = labelsOf(view).placed();
        const auto name =
            std::find_if(labels.begin(), labels.end(), [](const PlacedLabel& label) { return label.text == u"MFU"; });
        QVERIFY(name != labels.end());
        QVERIFY2(name->rect.left() > at.x() + radius, qPrintable(QString::number(name->rect.left() - at.x())));
        QVERIFY(name->rect.right() < view.findChild<ChartCanvas*>()->width());
    }

    void noLabelCoversAnother_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("type");
        QTest::newRow("narrowest") << QSize(300, 260) << 1.0;
        QTest::newRow("usual") << QSize(420, 300) << 1.0;
        QTest::newRow("full size") << QSize(1100, 700) << 1.0;
        // As a page of larger type is no higher: the presentation, an export, a page of four charts.
        QTest::newRow("narrowest, type 1.25") << QSize(300, 260) << 1.25;
        QTest::newRow("narrowest, type 1.5") << QSize(300, 260) << 1.5;
        QTest::newRow("usual, type 1.5") << QSize(450, 390) << 1.5;
    }

    void noLabelCoversAnother()
    {
        QFETCH(const QSize, size);
        QFETCH(const double, type);
        ChartView view;
        QFont font = view.font();
        font.setPointSizeF(font.pointSizeF() * type);
        view.setFont(font);
        view.resize(size);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        test::RandomScenarios scenarios(7);
        int written = 0, zones = 0;
        for (const Task task : {Task::Training, Task::Inference})
            for (int i = 0; i < 25; i += test::everyNth) {
                const ChartContext context = scenarios.nextContext(task, i % 3);
                for (const ChartRow& row : chartRegistry()) {
                    if (!(task == Task::Training ? row.training : row.inference))
                        continue;
                    const ChartSpec spec = row.build(context);
                    draw(view, spec);
                    const auto& labels = labelsOf(view).placed();
                    written += int(labels.size());
                    QVERIFY2(overlaps(labels).isEmpty(), qPrintable(QStringLiteral("%1, scenario %2: %3")
                                                                        .arg(QString::fromStdString(spec.id),
                                                                             QString::number(i), overlaps(labels))));
                    for (const PlacedLabel& label : labels)
                        if (label.text == QStringLiteral("does not fit")) {
                            ++zones;
                            QVERIFY2(label.offLines, qPrintable(QString::fromStdString(spec.id)));
                        }
                    for (const Series& series : spec.series)
                        if (series.kind == SeriesKind::Points && series.role == SeriesRole::Secondary)
                            for (const PlacedLabel& label : labels)
                                for (const Point& point : series.points)
                                    QVERIFY2(label.offLines || label.text != QString::fromStdString(point.label),
                                             qPrintable(label.text));
                }
            }
        QVERIFY(written > 1000 / test::everyNth);
        QVERIFY(zones > 0 || size.width() < 400);
    }

    /// "○42" reads as one word: the value of a bar keeps away from the circle of a run.
    void aBarsValueKeepsClearOfARunsCircle()
    {
        ChartView view;
        view.resize(420, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ChartSpec spec = test::ladderSpec();
        const Point bar = spec.series.back().points.back();
        for (const double beyond : {0.0, 0.02, 0.04, 0.06}) {
            ChartSpec with = spec;
            Series run{"run", "published", SeriesRole::Published, SeriesKind::Points, 0, {}, {}};
            run.points.push_back({.x = bar.x, .y = bar.y + beyond, .size = 0.1});
            with.series.push_back(run);
            draw(view, with);
            const QPointF circle = view.pixelOf(bar.x, bar.y + beyond) - view.findChild<ChartCanvas*>()->pos();
            int beside = 0;
            for (const PlacedLabel& label : labelsOf(view).placed())
                if (label.rect.left() > circle.x() && label.rect.top() < circle.y() &&
                    label.rect.bottom() > circle.y()) {
                    ++beside;
                    QVERIFY2(label.rect.left() - circle.x() > 9, qPrintable(QString::number(beyond)));
                }
            QCOMPARE(beside, 1);
        }
    }

    /// Rows lower than a line of type: each value stands at its own bar all the same, not a finger away from it.
    void aValueStandsAtItsBarInLowRows()
    {
        ChartView view;
        view.resize(420, 140);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ChartSpec spec = test::ladderSpec();
        spec.series[1].points[2] = {3, 0.02, 1, "", 0.06, false}; // no room at their left
        spec.series[2].points[0] = {4, 0.02, 1, "", {}, false};
        draw(view, spec);
        const QPointF corner = view.findChild<ChartCanvas*>()->pos();
        const double pitch = view.pixelOf(4, 0).y() - view.pixelOf(3, 0).y();
        QVERIFY2(pitch < QFontMetricsF(view.font()).height() && pitch > 6, qPrintable(QString::number(pitch)));
        int seen = 0;
        for (const auto& [row, end] : {std::pair(3.0, 0.06), std::pair(4.0, 0.02)})
            for (const PlacedLabel& label : labelsOf(view).placed()) {
                const QPointF bar = view.pixelOf(row, end) - corner;
                if (std::abs(label.rect.center().y() - bar.y()) > 2 || label.rect.left() < bar.x())
                    continue;
                ++seen;
                QVERIFY2(label.rect.left() - bar.x() < 12, qPrintable(label.text));
            }
        QCOMPARE(seen, 2);
    }

    /// The two ridges of a device are parallel lines: each name stands plainly nearer to the end of its own. (Of three
    /// some are too near to each other for the width of a name.)
    void aRidgesNameStandsAtItsLine()
    {
        ChartView view;
        view.resize(560, 230);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QPointF corner = view.findChild<ChartCanvas*>()->pos();
        CatalogChartInput input;
        input.shown = Catalog::builtIn().accelerators();
        int names = 0;
        for (const auto& device : input.shown) {
            input.current = device;
            const ChartSpec spec = peakOverBandwidth(input);
            std::vector<const Series*> lines;
            for (const Series& series : spec.series)
                if (series.kind == SeriesKind::Line)
                    lines.push_back(&series);
            if (lines.size() != 2)
                continue;
            draw(view, spec);
            const auto end = [&](const Series& line) {
                return view.pixelOf(line.points.back().x, line.points.back().y) - corner;
            };
            if (std::abs(end(*lines[0]).x() - end(*lines[1]).x()) < 40)
                continue; // in the margin, or nearly one line
            const auto apart = [&](const PlacedLabel& label, const Series& line) {
                const QPointF to = end(line) - label.rect.center();
                return std::hypot(std::max(std::abs(to.x()) - label.rect.width() / 2, 0.0),
                                  std::max(std::abs(to.y()) - label.rect.height() / 2, 0.0));
            };
            for (const PlacedLabel& label : labelsOf(view).placed())
                for (const std::size_t own : {0, 1})
                    if (label.text == QString::fromStdString(lines[own]->label)) {
                        ++names;
                        QVERIFY2(apart(label, *lines[own]) + 8 < apart(label, *lines[1 - own]),
                                 qPrintable(QString::fromStdString(device->id) + u": " + label.text));
                    }
        }
        QVERIFY2(names > 30, qPrintable(QString::number(names)));
    }

    void aNameWiderThanTheMarginTakesTwoLines()
    {
        ChartView view;
        view.resize(280, 240);
        view.show();
        ChartSpec spec = test::lineSpec(0);
        spec.series.front().label = "replicas that serve requests";
        draw(view, spec);
        const auto& placed = labelsOf(view).placed();
        QVERIFY(std::ranges::any_of(placed, [](const auto& p) { return p.text == u"replicas that serve requests"; }));
    }

    /// The tip with the whole reading lies over this chart's plot, not over its title or that of the chart beside it.
    void theReadingsTipStaysWithinItsChart()
    {
        Scenario scenario;
        ChartContext context;
        context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        ChartSpec spec = chartRegistry().front().build(context);
        spec.reading = std::string(300, 'x');
        for (std::size_t i = 7; i < spec.reading.size(); i += 8)
            spec.reading[i] = ' ';
        ChartView view;
        view.resize(380, 280);
        draw(view, spec);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QPoint head(200, 12);
        QHelpEvent asked(QEvent::ToolTip, head, view.mapToGlobal(head));
        QApplication::sendEvent(&view, &asked);
        const QWidget* tip = nullptr;
        for (const QWidget* each : QApplication::topLevelWidgets())
            if (each->inherits("QTipLabel") && each->isVisible())
                tip = each;
        QVERIFY(tip);
        const QRect chart(view.mapToGlobal(QPoint()), view.size());
        QVERIFY2(tip->geometry().right() <= chart.right(), qPrintable(QString::number(tip->geometry().right())));
        QVERIFY(tip->geometry().top() >= chart.top() + 20);
        QToolTip::hideText();
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartLabels)

} // namespace headroom::ui::test_chart_labels
#include "test_chart_labels.moc"
