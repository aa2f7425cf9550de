// SPDX-License-Identifier: GPL-3.0-or-later
// ChartView: how often it works, what it shows, and that it tells it by hover, keys and accessibility.
#include "core/charts/pin_marks.hpp"
#include "core/units/format.hpp"
#include "tests/support/patience.hpp"
#include "tests/support/program.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/theme/theme.hpp"

#include <QAccessible>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace headroom::ui::test_chart_view
{

using headroom::test::lineSpec;

namespace
{

void showSettled(QWidget& widget)
{
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QCoreApplication::processEvents();
}

int countPixels(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == colour.rgb() ? 1 : 0;
    return count;
}

} // namespace

class TestChartView final : public QObject
{
    Q_OBJECT

private slots:
    /// Where a chart shows a pin as a mark alone, it has the colour of its lines on the other charts.
    void aPinsMarkHasItsColour()
    {
        const Theme& light = theme(ThemeKind::Light);
        for (const char letter : {'A', 'B', 'C'}) {
            Series line;
            line.role = pinRole(letter);
            line.slot = letter - 'A' + 1;
            ChartSpec with, without;
            with.series.push_back(line);
            const Guide mark{GuideKind::OperatingPoint, line.role, 1, 1, 0, {}};
            QCOMPARE(guideColour(mark, without, light), guideColour(mark, with, light));
        }
    }

    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        qApp->setPalette(paletteOf(theme(ThemeKind::Light)));
    }

    void oneReplotAndOnePaintPerStep()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(0));
        showSettled(view);
        QSignalSpy replots(&view, &ChartView::replotted);
        QSignalSpy paints(&view, &ChartView::painted);
        for (int step = 1; step <= 5; ++step) {
            for (int edit = 0; edit < 5; ++edit)
                view.setSpec(lineSpec(step + edit * 0.01));
            QTRY_COMPARE(paints.count(), step);
            QCoreApplication::processEvents();
            QCOMPARE(replots.count(), step);
            QCOMPARE(paints.count(), step);
        }
    }

    void anEqualSpecCostsNothing()
    {
        ChartView view;
        view.setSpec(lineSpec(0));
        showSettled(view);
        QSignalSpy replots(&view, &ChartView::replotted);
        view.setSpec(lineSpec(0));
        QCoreApplication::processEvents();
        QCOMPARE(replots.count(), 0);
    }

    void hiddenChartsWaitUntilShown()
    {
        QWidget page;
        auto* const view = new ChartView(&page);
        page.resize(420, 300);
        view->resize(420, 300);
        showSettled(page);
        view->hide();
        QCoreApplication::processEvents();
        QSignalSpy replots(view, &ChartView::replotted);
        view->setSpec(lineSpec(1));
        view->resize(400, 280);
        QCoreApplication::processEvents();
        QCOMPARE(replots.count(), 0);
        QVERIFY(view->isStale());
        view->show();
        QTRY_VERIFY(replots.count() > 0);
        QCoreApplication::processEvents();
        QCOMPARE(replots.count(), 1);
        QVERIFY(!view->isStale());
    }

    void chartsScrolledAwayWaitToo()
    {
        QScrollArea area;
        auto* const content = new QWidget;
        content->resize(400, 2000);
        auto* const view = new ChartView(content);
        view->setGeometry(0, 1600, 380, 300);
        area.setWidget(content);
        area.resize(420, 320);
        showSettled(area);
        QSignalSpy replots(view, &ChartView::replotted);
        view->setSpec(lineSpec(1));
        QCoreApplication::processEvents();
        QCOMPARE(replots.count(), 0);
        area.ensureVisible(10, 1890);
        QTRY_COMPARE(replots.count(), 1);
    }

    void themeRecolours()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(1));
        showSettled(view);
        const Theme& light = theme(ThemeKind::Light);
        QImage picture = view.grab().toImage();
        QCOMPARE(picture.pixelColor(picture.width() / 2, 4), light.surface);
        QVERIFY(countPixels(picture, light.slot(0)) > 50);

        QSignalSpy paints(&view, &ChartView::painted);
        const Theme& dark = theme(ThemeKind::Dark);
        qApp->setPalette(paletteOf(dark));
        QTRY_VERIFY(paints.count() > 0);
        QCoreApplication::processEvents();
        picture = view.grab().toImage();
        QCOMPARE(picture.pixelColor(picture.width() / 2, 4), dark.surface);
        QVERIFY(countPixels(picture, dark.slot(0)) > 50);
        QCOMPARE(countPixels(picture, light.slot(0)), 0);
        QVERIFY(countPixels(picture, dark.muted) > 10); // axis labels
    }

    void hoverShowsTheValueAsCorePrintsIt()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(1));
        showSettled(view);
        QSignalSpy hovered(&view, &ChartView::hovered);
        QSignalSpy cleared(&view, &ChartView::cleared);
        QSignalSpy activated(&view, &ChartView::pointActivated);
        QSignalSpy replots(&view, &ChartView::replotted);
        const Point point = view.spec().series[1].points[20];
        const QPoint pixel = view.pixelOf(point.x, point.y).toPoint();
        QTest::mouseMove(&view, pixel);
        QTRY_COMPARE(hovered.count(), 1);
        QCOMPARE(hovered[0][0].toString(), QStringLiteral("mfu"));
        QCOMPARE(hovered[0][1].toInt(), 20);
        const QString text = view.hoverText();
        QVERIFY2(text.contains(QString::fromStdString(formatText(point.y, ValueFormat::Percent))), qPrintable(text));
        QVERIFY2(text.contains(QString::fromStdString(formatText(point.x, ValueFormat::Integer))), qPrintable(text));
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel);
        QCOMPARE(activated.count(), 1);
        QTest::mouseMove(&view, QPoint(3, 3));
        QTRY_COMPARE(cleared.count(), 1);
        QVERIFY(view.hoverText().isEmpty());
        QCoreApplication::processEvents();
        QCOMPARE(replots.count(), 0); // only the hover layer was drawn
    }

    void hoverAndCrosshairAreSeen()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(1));
        showSettled(view);
        const QImage before = view.grab().toImage();
        view.setCrosshair(64);
        const QImage with = view.grab().toImage();
        QVERIFY(before != with);
        view.clearCrosshair();
        QCOMPARE(view.grab().toImage(), before);
    }

    void theWheelBelongsToThePageUnlessCtrlIsHeld()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(1));
        showSettled(view);
        const QPointF at = view.plotArea().center();
        const auto turn = [&](Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(at, view.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                              false);
            QCoreApplication::sendEvent(&view, &event);
            QCoreApplication::processEvents();
            return event.isAccepted();
        };
        const QPointF before = view.pixelOf(8, 0.2);
        QVERIFY(!turn(Qt::NoModifier));
        QCOMPARE(view.pixelOf(8, 0.2), before);
        QVERIFY(turn(Qt::ControlModifier));
        QTRY_VERIFY(view.pixelOf(8, 0.2) != before);
    }

    void arrowKeysTellThePoints()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(1));
        showSettled(view);
        QCOMPARE(view.focusPolicy(), Qt::StrongFocus);
        QSignalSpy announced(&view, &ChartView::announced);
        QTest::keyClick(&view, Qt::Key_Right);
        const ChartSpec& spec = view.spec();
        QVERIFY(view.cursorText().contains(QStringLiteral("ideal")));
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Home);
        QTest::keyClick(&view, Qt::Key_Right);
        const Point& second = spec.series[1].points[1];
        QCOMPARE(view.cursorText().left(14), QStringLiteral("Batch size 1, "));
        QVERIFY(
            view.cursorText().contains(QString::fromStdString("MFU " + formatText(second.y, ValueFormat::Percent))));
        QCOMPARE(announced.count(), 4);
        QTest::keyClick(&view, Qt::Key_End);
        const QString atEnd = view.cursorText();
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.cursorText(), atEnd);
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(view.cursorText().isEmpty());
    }

    void assistiveTechnologyHearsAChart()
    {
        ChartView view;
        view.setSpec(lineSpec(1));
        showSettled(view);
        QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(face != nullptr);
        QCOMPARE(face->role(), QAccessible::Chart);
        QCOMPARE(face->text(QAccessible::Name), QString::fromStdString(view.spec().title));
        QCOMPARE(face->text(QAccessible::Description), QString::fromStdString(view.spec().summary));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(face->text(QAccessible::Value), view.cursorText());
        QVERIFY(face->text(QAccessible::Description).startsWith(view.cursorText()));
    }

    void barsLieDownWhenTheirNamesAreLong()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(test::ladderSpec());
        showSettled(view);
        // Lying: the category runs down the left side, the value to the right.
        QVERIFY(view.pixelOf(4, 0.5).y() > view.pixelOf(0, 0.5).y());
        QVERIFY(view.pixelOf(0, 0.9).x() > view.pixelOf(0, 0.1).x());
        ChartSpec brief = test::ladderSpec();
        for (std::size_t i = 0; i < brief.x.ticks.size(); ++i)
            brief.x.ticks[i].label = std::string(1, char('a' + i));
        QSignalSpy paints(&view, &ChartView::painted);
        view.setSpec(brief);
        QTRY_COMPARE(paints.count(), 1);
        QVERIFY(view.pixelOf(4, 0.5).x() > view.pixelOf(0, 0.5).x());
        QVERIFY(view.pixelOf(0, 0.9).y() < view.pixelOf(0, 0.1).y());
    }

    /// The note at the foot is read whole: on two lines where one is too narrow; the plot gives it the room.
    void aLongNoteHasTwoLines()
    {
        ChartScene scene;
        scene.spec = lineSpec(1);
        scene.spec.note = "Hatched cells do not fit in memory, or the sizes do not go together.";
        const auto room = [&scene](QSize size) {
            scene.layout = layOut(scene, size);
            return scene.layout.noteHeight;
        };
        const double line = room({900, 300});
        QCOMPARE(scene.layout.note.size(), 1);
        const double two = room({300, 300});
        QCOMPARE(scene.layout.note.size(), 2);
        QCOMPARE(scene.layout.note.join(u' '), QString::fromStdString(scene.spec.note));
        QVERIFY(two > 1.5 * line);
        room({300, 200});
        QCOMPARE(scene.layout.note.size(), 1);
        scene.spec.note.clear();
        QCOMPARE(room({300, 300}), 0.0);
    }

    void cellsOfAHeatMapAnswerThePointer()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(test::heatSpec());
        showSettled(view);
        QSignalSpy hovered(&view, &ChartView::hovered);
        QTest::mouseMove(&view, view.pixelOf(32, 4096).toPoint());
        QTRY_COMPARE(hovered.count(), 1);
        QCOMPARE(hovered[0][1].toInt(), 23);
        QVERIFY2(view.hoverText().contains(QStringLiteral("does not fit")), qPrintable(view.hoverText()));
        const QImage picture = view.image();
        // The first cell is viridis' dark end, a hatched one is not on the scale at all.
        const double ratio = picture.devicePixelRatio();
        const QPointF cell = (view.pixelOf(1, 512) - QPointF(2, 2)) * ratio;
        QCOMPARE(picture.pixelColor(cell.toPoint()), QColor(0x44, 0x01, 0x54));
        ChartSpec unnamed = test::heatSpec(); // what the colours mean stands above their scale
        unnamed.heatMap->label.clear();
        view.setSpec(unnamed);
        const QRectF above(view.plotArea().right() - 10, view.plotArea().top() - 30, 60, 25);
        const QRect pixels = QRectF(above.topLeft() * ratio, above.size() * ratio).toAlignedRect();
        QVERIFY(picture.copy(pixels) != view.image().copy(pixels));
    }

    void aWindowMovedToAnotherScreenIsDrawnAnew()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(1));
        showSettled(view);
        auto* const canvas = view.findChild<ChartCanvas*>();
        QVERIFY(canvas != nullptr);
        canvas->setBufferDevicePixelRatio(3); // as if it came from a finer screen
        QSignalSpy replots(&view, &ChartView::replotted);
        canvas->update();
        QTRY_COMPARE(replots.count(), 1);
        QCOMPARE(canvas->bufferDevicePixelRatio(), view.devicePixelRatioF());
    }

    void graphsAreKeptFromSpecToSpec()
    {
        ChartView view;
        view.resize(420, 300);
        view.setSpec(lineSpec(1));
        showSettled(view);
        auto* const canvas = view.findChild<ChartCanvas*>();
        const QCPGraph* const first = canvas->graph(0);
        const int count = canvas->graphCount();
        QSignalSpy paints(&view, &ChartView::painted);
        view.setSpec(lineSpec(2));
        QTRY_COMPARE(paints.count(), 1);
        QCOMPARE(canvas->graph(0), first);
        QCOMPARE(canvas->graphCount(), count);
        view.setSpec(test::ladderSpec());
        QTRY_COMPARE(paints.count(), 2);
        QCOMPARE(canvas->graphCount(), 0);
    }

    void labelsAtLineEndsAreNotClipped()
    {
        ChartSpec spec = lineSpec(1);
        spec.series[1].label = "a name of some length";
        ChartView view;
        view.resize(420, 300);
        view.setSpec(spec);
        showSettled(view);
        const QImage picture = renderImage(spec, view.size(), theme(ThemeKind::Light), view.font(), 1);
        // The reserved margin holds ink of the label and keeps a free strip at the card's edge.
        int ink = 0;
        int atEdge = 0;
        for (int y = view.plotArea().top(); y < view.plotArea().bottom(); ++y)
            for (int x = view.plotArea().right() + 6; x < picture.width(); ++x)
                if (picture.pixelColor(x, y) != theme(ThemeKind::Light).surface)
                    ++(x < picture.width() - 6 ? ink : atEdge);
        QVERIFY(ink > 40);
        QCOMPARE(atEdge, 0);
        QVERIFY(picture.width() - view.plotArea().right() > 90);
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartView)

} // namespace headroom::ui::test_chart_view
#include "test_chart_view.moc"
