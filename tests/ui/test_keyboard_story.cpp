// SPDX-License-Identifier: GPL-3.0-or-later
// A what-if from end to end without a mouse: every step is a key to whatever has the keyboard.
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/compare_model.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/log_slider.hpp"

#include <QFileInfo>
#include <QImage>

namespace headroom::ui::test_keyboard_story
{

using headroom::test::inHand;
using headroom::test::press;
using headroom::test::tabTo;
using headroom::test::type;
using headroom::test::WindowFixture;

class TestKeyboardStory : public QObject
{
    Q_OBJECT

    static const MetricTile& tile(const WindowFixture& fixture, const char* id)
    {
        return *fixture.part<MetricTiles>().tile(QLatin1String(id));
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void fromAModelToAFileOfAChart()
    {
        WindowFixture fixture;
        const ScenarioStore& store = fixture.session.store;
        press(fixture, Qt::Key_N, Qt::ControlModifier);

        press(fixture, Qt::Key_M, Qt::AltModifier);
        type(fixture, QStringLiteral("llama 3.1 8b"));
        press(fixture, Qt::Key_Return);
        QCOMPARE(store.scenario().model.id, std::string("llama-3.1-8b"));

        press(fixture, Qt::Key_G, Qt::AltModifier);
        type(fixture, QStringLiteral("mi300x"));
        press(fixture, Qt::Key_Return);
        QCOMPARE(store.scenario().accelerator.id, std::string("mi300x"));

        QVERIFY(tabTo<LogSlider>(fixture, QStringLiteral("Micro-batch in sequences")));
        press(fixture, Qt::Key_Right);
        QCOMPARE(store.scenario().training.microBatch, 2);
        type(fixture, QStringLiteral("4")); // a digit goes to the box
        press(fixture, Qt::Key_Return);
        QCOMPARE(store.scenario().training.microBatch, 4);

        // Out of the box, for a letter in a box is text.
        QVERIFY(tabTo<LogSlider>(fixture, QStringLiteral("Micro-batch in sequences")));
        const std::string pinned = tile(fixture, "step_time_s").content().number;
        press(fixture, Qt::Key_P);
        QCOMPARE(store.pins().size(), std::size_t(1));
        press(fixture, Qt::Key_PageUp);
        QCOMPARE(store.scenario().training.microBatch, 8);
        const TileText& step = tile(fixture, "step_time_s").content();
        QVERIFY(step.number != pinned);
        // Twice the sequences take twice the time, and a little less for each token.
        QVERIFY2(step.pins.front().find("faster per token than A") != std::string::npos, step.pins.front().c_str());

        press(fixture, Qt::Key_C);
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("compare"));
        const auto* compare = qobject_cast<ComparePage*>(fixture.window->pages().page(QStringLiteral("compare")));
        QVERIFY(compare);
        QCOMPARE(compare->model()->columnCount(), 2);
        QVERIFY2(compare->changes().contains(QStringLiteral("Micro-batch")), qPrintable(compare->changes()));
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("comparison.csv"));
        QVERIFY(tabTo(fixture, QStringLiteral("Export CSV")));
        press(fixture, Qt::Key_Space);
        const std::string table = test::readFile(fixture.dialogs.path.toStdString());
        QVERIFY2(table.find("\nstep_time_s,") != std::string::npos, table.c_str());
        QVERIFY(tabTo(fixture, QStringLiteral("Swap with A")));
        press(fixture, Qt::Key_Space);
        QCOMPARE(store.scenario().training.microBatch, 4);
        press(fixture, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(store.scenario().training.microBatch, 8);
        QCOMPARE(store.pins().front().scenario.training.microBatch, 4);
        press(fixture, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("dashboard"));

        // The tiles are one stop, arrows go from one to the next.
        QVERIFY(tabTo(fixture, QStringLiteral("Model FLOP utilisation")));
        QCOMPARE(fixture.part<MetricTiles>().selected(), QStringLiteral("mfu"));
        press(fixture, Qt::Key_Right);
        // Larger type leaves room for fewer tiles: whichever is next, the explanation is of it.
        const MetricRow* next = metricRow(fixture.part<MetricTiles>().selected().toStdString());
        QVERIFY(next && next->id != "mfu");
        QVERIFY2(fixture.part<ExplanationPanel>().text().section(u'\n', 1, 1).startsWith(ui::toQString(next->label)),
                 qPrintable(fixture.part<ExplanationPanel>().text().left(80)));

        QVERIFY(tabTo(fixture, fixture.part<DashboardPage>().charts().front()->accessibleName()));
        auto* chart = qobject_cast<ChartView*>(QApplication::focusWidget());
        QVERIFY(chart);
        press(fixture, Qt::Key_Right);
        QVERIFY(!chart->cursorText().isEmpty());

        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("chart.png"));
        press(fixture, Qt::Key_E);
        const QImage picture(fixture.dialogs.path);
        QVERIFY(picture.width() >= chart->width() && picture.height() >= chart->height());

        press(fixture, Qt::Key_F);
        QVERIFY(chart->height() > fixture.window->height() / 2);
        press(fixture, Qt::Key_F);
        QVERIFY(chart->height() < fixture.window->height() / 2);

        press(fixture, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(store.scenario().training.microBatch, 4);
        press(fixture, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(store.scenario().training.microBatch, 8);

        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("story.headroom"));
        press(fixture, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QFileInfo::exists(fixture.dialogs.path));
        QVERIFY(!store.isModified());
        QVERIFY(fixture.dialogs.errors.isEmpty());
    }

    void tabGoesOnceAroundFromPickersToExplanation()
    {
        WindowFixture fixture;
        fixture.part<ParameterPanel>().setFocus();
        QStringList order;
        QVERIFY(tabTo(fixture, QStringLiteral("Model:")));
        for (int i = 0; i < 300; ++i) {
            const QString name = QApplication::focusWidget()->accessibleName();
            if (i > 0 && name.startsWith(QStringLiteral("Model:")))
                break;
            if (order.isEmpty() || order.back() != name) // links within the explanation
                order << name;
            QTest::keyClick(inHand(fixture), Qt::Key_Tab);
            QVERIFY(QApplication::focusWidget());
        }
        const auto place = [&order](const QString& name) {
            for (int i = 0; i < order.size(); ++i)
                if (order[i].startsWith(name))
                    return i;
            return -1;
        };
        const int row = place(QStringLiteral("Micro-batch")), tile = place(QStringLiteral("Model FLOP util"));
        const int chart = place(fixture.part<DashboardPage>().charts().front()->accessibleName());
        const int explanation = place(QStringLiteral("Explanation"));
        QVERIFY2(place(QStringLiteral("Accelerator")) > 0 && row > 0 && tile > row && chart > tile &&
                     explanation > chart,
                 qPrintable(order.join(u'\n')));
    }
};
HEADROOM_TEST_WITH(QApplication, TestKeyboardStory)

} // namespace headroom::ui::test_keyboard_story
#include "test_keyboard_story.moc"
