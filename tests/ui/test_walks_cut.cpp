// SPDX-License-Identifier: GPL-3.0-or-later
// Walks through every page on the screens and with the types that people have: no word is cut, in either language.
#include "tests/support/cut_text.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/places.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/learn/door_button.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/pages/catalog_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/plan/plan_table_model.hpp"
#include "ui/present/presenter.hpp"
#include "ui/present/stage_chart.hpp"
#include "ui/settings/language.hpp"
#include "ui/settings/preferences.hpp"
#include "ui/theme/theme.hpp"

#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSet>
#include <QStackedWidget>
#include <QTableView>
#include <QTextBrowser>

namespace headroom::ui::test_walks_cut
{

using headroom::test::cutIn;
using headroom::test::press;
using headroom::test::WindowFixture;

namespace
{

constexpr std::array sizes{QSize(960, 540), QSize(1366, 768), QSize(2560, 1440)};

void addLookColumns()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<double>("type");
    QTest::addColumn<QSize>("size");
}

/// Calls add(language, type, size) for both languages, three sizes of type and the first `screens` of the sizes.
template <typename Add>
void forEachLook(std::size_t screens, const Add& add)
{
    int look = 0;
    for (const char* code : {"en", "de"})
        for (const double type : {1.0, 1.25, 1.5})
            for (std::size_t i = 0; i < screens; ++i)
                if (look++ % headroom::test::everyNth == 0)
                    add(code, type, sizes[i]);
}

} // namespace

class TestWalksCut final : public QObject
{
    Q_OBJECT
private slots:
    void nothingIsCut_data()
    {
        addLookColumns();
        forEachLook(sizes.size(), [](const char* code, double type, QSize size) {
            QTest::addRow("%s, type %g, %d×%d", code, type, size.width(), size.height())
                << QString(QLatin1String(code)) << type << size;
        });
    }

    /// Training and serving on each page, and the dialogs over them.
    void nothingIsCut()
    {
        QFETCH(const QString, code);
        QFETCH(const double, type);
        QFETCH(const QSize, size);
        const Language language(code);
        WindowFixture fixture(size);
        fixture.appearance.setTypeScale(type);
        fixture.window->resize(size);
        WindowFixture::settle();
        QStringList wrong;
        const auto look = [&wrong](const QString& where, const QWidget& window) {
            for (const QString& each : cutIn(window))
                wrong << where + QStringLiteral(": ") + each;
        };
        for (const Task task : {Task::Training, Task::Inference}) {
            fixture.session.store.edit(0, QStringLiteral("task"), [task](Scenario& scenario) {
                scenario.task = task;
                scenario.inference.requestsPerS = 1; // a note on the status line
                scenario.inference.arrivalCv = 13;   // and another
                scenario.efficiency.matmul = 0.9;    // and an own calibration beside it
            });
            for (const PageRow& row : pageRegistry()) {
                fixture.window->pages().show(QLatin1String(row.id));
                const auto busy = [&] {
                    return fixture.window->pages().stack()->currentWidget()->property("busy").toBool();
                };
                QVERIFY2(QTest::qWaitFor([&] { return !busy(); }, 60'000), row.id);
                WindowFixture::settle();
                look(QLatin1String(row.id), *fixture.window);
                if (fixture.window->width() > size.width() || fixture.window->height() > size.height())
                    wrong << QStringLiteral("%1 makes the window %2×%3")
                                 .arg(QLatin1String(row.id))
                                 .arg(fixture.window->width())
                                 .arg(fixture.window->height());
            }
        }
        if (const auto* side = fixture.window->findChild<ExplanationPanel*>(); side->isVisible()) {
            fixture.window->pages().show(QStringLiteral("dashboard"));
            WindowFixture::settle();
            constexpr int readable = 17; // lines of type across: two columns of words and numbers
            if (side->width() < readable * side->fontMetrics().height())
                wrong << QStringLiteral("the explanation is %1 px wide").arg(side->width());
            if (const auto* words = side->findChild<QTextBrowser*>(); words->horizontalScrollBar()->maximum() > 0)
                wrong << QStringLiteral("the explanation's words need %1 px more")
                             .arg(words->horizontalScrollBar()->maximum());
        }
        press(fixture, Qt::Key_Comma, Qt::ControlModifier);
        auto* preferences = fixture.window->findChild<PreferencesDialog*>();
        QVERIFY(preferences);
        look(QStringLiteral("preferences"), *preferences);
        preferences->reject();
        fixture.window->showWelcome();
        WindowFixture::settle();
        for (const auto* door : fixture.window->findChildren<DoorButton*>())
            if (door->height() < door->heightForWidth(door->width()))
                wrong << QStringLiteral("door “%1”: %2 px").arg(door->accessibleName()).arg(door->height());
        look(QStringLiteral("welcome"), *fixture.window);
        QVERIFY2(wrong.isEmpty(), qPrintable(u'\n' + wrong.join(u'\n')));
    }

    void aLessonFitsTheScreen_data() { nothingIsCut_data(); }

    /// Sliders, charts and lesson beside each other, or the lesson over a part of the charts.
    void aLessonFitsTheScreen()
    {
        QFETCH(const QString, code);
        QFETCH(const double, type);
        QFETCH(const QSize, size);
        const Language language(code);
        WindowFixture fixture(size);
        fixture.appearance.setTypeScale(type);
        fixture.window->resize(size);
        WindowFixture::settle();
        QStringList wrong;
        for (const char* lesson : {"mfu", "batching"}) {
            fixture.session.lessons.start(QLatin1String(lesson));
            fixture.session.recalculator.flush(); // its messages and figures, not those of before
            WindowFixture::settle();
            if (fixture.window->width() > size.width() || fixture.window->height() > size.height())
                wrong << QStringLiteral("%1 makes the window %2×%3")
                             .arg(QLatin1String(lesson))
                             .arg(fixture.window->width())
                             .arg(fixture.window->height());
            for (const QString& each : cutIn(*fixture.window))
                wrong << QLatin1String(lesson) + QStringLiteral(": ") + each;
            // What does not fit is said beside the lesson, not under it.
            const auto place = [&fixture](const QWidget& part) {
                return QRect(part.mapTo(fixture.window.get(), QPoint()), part.size());
            };
            const MessageBar& bar = fixture.part<MessageBar>();
            if (!fixture.session.recalculator.context()->evaluation.fits)
                QTRY_VERIFY(bar.isVisible());
            WindowFixture::settle();
            if (bar.isVisible() && place(bar).intersects(place(fixture.part<LessonCard>())))
                wrong << QLatin1String(lesson) + QStringLiteral(": covers “%1”").arg(bar.text());
            fixture.session.lessons.leave();
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(u'\n' + wrong.join(u'\n')));
    }

    /// A high window shows the ranking, not an empty half; a low one shows rows of the catalogue, not charts alone.
    void roomIsUsed()
    {
        WindowFixture fixture({2560, 1440});
        const auto shown = [&fixture](const char* page) -> QWidget* {
            fixture.window->pages().show(QLatin1String(page));
            QWidget* widget = fixture.window->pages().stack()->currentWidget();
            (void)QTest::qWaitFor([widget] { return !widget->property("busy").toBool(); }, 60'000);
            WindowFixture::settle();
            return widget;
        };
        auto* plan = qobject_cast<PlanPage*>(shown("plan"));
        const auto rowsInSight = [](const QTableView& table) {
            return table.viewport()->height() / std::max(1, table.verticalHeader()->defaultSectionSize());
        };
        QVERIFY(plan->model()->rowCount() > 12);
        QVERIFY2(rowsInSight(*plan->table()) > 12, qPrintable(QString::number(rowsInSight(*plan->table()))));
        QVERIFY(!plan->verticalScrollBar()->isVisible());
        for (const double type : {1.0, 1.5}) {
            fixture.appearance.setTypeScale(type);
            fixture.window->resize(960, 540);
            auto* catalog = qobject_cast<CatalogPage*>(shown("catalog"));
            QVERIFY2(rowsInSight(*catalog->table()) >= 3, qPrintable(QString::number(rowsInSight(*catalog->table()))));
            shown("plan");
            QVERIFY(plan->verticalScrollBar()->isVisible()); // as many rows as it had in a low window
            QVERIFY2(rowsInSight(*plan->table()) <= 9, qPrintable(QString::number(rowsInSight(*plan->table()))));
        }
    }

    /// What stands beside the compared figures goes under them where either would be a strip.
    void nothingIsAStrip()
    {
        for (const double type : {1.0, 1.5})
            for (const QSize size : sizes) {
                WindowFixture fixture(size);
                fixture.appearance.setTypeScale(type);
                fixture.window->resize(size);
                fixture.window->pages().show(QStringLiteral("compare"));
                WindowFixture::settle();
                for (const auto* words :
                     fixture.window->pages().stack()->currentWidget()->findChildren<QTextBrowser*>())
                    QVERIFY2(words->width() >= 10 * words->fontMetrics().height(),
                             qPrintable(QStringLiteral("%1 px of %2").arg(words->width()).arg(size.width())));
            }
    }

    /// Every example that Headroom ships, on every screen: no tile is cut.
    void noTileOfAnExampleIsCut()
    {
        const Language language(QStringLiteral("de"));
        QDir examples(QString::fromStdString(headroom::test::sourcePath("resources/scenarios")));
        const QStringList files = examples.entryList({QStringLiteral("*.headroom")});
        QVERIFY(files.size() > 10);
        QStringList wrong;
        int look = 0;
        for (const double type : {1.0, 1.25, 1.5})
            for (const QSize size : sizes) {
                if (look++ % headroom::test::everyNth != 0)
                    continue;
                WindowFixture fixture(size);
                fixture.appearance.setTypeScale(type);
                fixture.window->resize(size);
                for (const QString& file : files) {
                    QVERIFY(fixture.session.documents.openPath(examples.filePath(file)));
                    fixture.session.recalculator.flush();
                    WindowFixture::settle();
                    for (const auto* tile : fixture.part<MetricTiles>().findChildren<MetricTile*>())
                        if (tile->isVisible() && !tile->cutText().isEmpty())
                            wrong << QStringLiteral("%1, type %2, %3 px: “%4”")
                                         .arg(file)
                                         .arg(type)
                                         .arg(size.width())
                                         .arg(tile->cutText());
                }
            }
        QVERIFY2(wrong.isEmpty(), qPrintable(u'\n' + wrong.join(u'\n')));
    }

    void noSentenceOfTheStageIsCut_data()
    {
        addLookColumns();
        const auto add = [](const char* code, double type, QSize size) {
            if (QLatin1String(code) == QLatin1String("de")) // the longer of the two
                QTest::addRow("type %g, %d×%d", type, size.width(), size.height())
                    << QString(QLatin1String(code)) << type << size;
        };
        forEachLook(sizes.size(), add);
    }

    /// Every example on the stage: what a chart says is said to its end.
    void noSentenceOfTheStageIsCut()
    {
        QFETCH(const QString, code);
        QFETCH(const double, type);
        QFETCH(const QSize, size);
        const Language language(code);
        WindowFixture fixture(size);
        fixture.appearance.setTypeScale(type);
        const QDir examples(QString::fromStdString(headroom::test::sourcePath("resources/scenarios")));
        QStringList wrong;
        int seen = 0;
        for (const QString& file : examples.entryList({QStringLiteral("*.headroom")})) {
            QVERIFY(fixture.session.documents.openPath(examples.filePath(file)));
            fixture.session.recalculator.flush();
            const Presenter& presenter = fixture.part<Presenter>();
            const auto stage = presenter.makeStage({presenter.present()}, fixture.window.get());
            stage->resize(size);
            stage->show();
            WindowFixture::settle();
            for (const QString& each : cutIn(*stage))
                wrong << file + QStringLiteral(": ") + each;
            for (const StageChart* chart : stage->charts())
                seen += chart->reading().isEmpty() ? 0 : 1;
        }
        QVERIFY(seen > 30);
        QVERIFY2(wrong.isEmpty(), qPrintable(u'\n' + wrong.join(u'\n')));
    }

    /// The explanation stands beside two charts, or in a drawer.
    void chartsKeepTheirWidth()
    {
        for (const double type : {1.0, 1.25, 1.5})
            for (const int width : {960, 1280, 1366, 1536, 1600, 1920, 2560}) {
                WindowFixture fixture({width, 900});
                fixture.appearance.setTypeScale(type);
                fixture.window->resize(width, 900);
                WindowFixture::settle();
                if (fixture.part<Workspace>().isFolded())
                    continue;
                QSet<int> columns;
                for (const ChartView* chart : fixture.part<DashboardPage>().charts())
                    columns << chart->x();
                QVERIFY2(columns.size() >= 2,
                         qPrintable(QStringLiteral("type %1, %2 px: %3").arg(type).arg(width).arg(columns.size())));
            }
    }

    void theStageLeavesItsChartsRoom_data()
    {
        addLookColumns();
        QTest::addColumn<int>("charts");
        const auto add = [](const char* code, double type, QSize size) {
            for (const int charts : {2, 4})
                QTest::addRow("%s, type %g, %d×%d, %d charts", code, type, size.width(), size.height(), charts)
                    << QString(QLatin1String(code)) << type << size << charts;
        };
        forEachLook(sizes.size() - 1, add);
    }

    /// The stage on small screens with large type: its charts have room for their curves, and no word is cut.
    void theStageLeavesItsChartsRoom()
    {
        QFETCH(const QString, code);
        QFETCH(const double, type);
        QFETCH(const QSize, size);
        QFETCH(const int, charts);
        const Language language(code);
        WindowFixture fixture(size);
        fixture.appearance.setTypeScale(type);
        Presenter& presenter = fixture.part<Presenter>();
        StageView view = presenter.present();
        view.charts = {"roofline", "utilization", "loss_ladder", "time_breakdown"};
        view.charts.resize(static_cast<std::size_t>(charts));
        const auto stage = presenter.makeStage({view}, fixture.window.get());
        stage->resize(size);
        stage->show();
        WindowFixture::settle();
        if (const QString pictures = qEnvironmentVariable("HEADROOM_WALK_PICTURES"); !pictures.isEmpty())
            stage->grab().save(
                QStringLiteral("%1/stage-%2.png").arg(pictures, QString::fromUtf8(QTest::currentDataTag())));
        const QStringList cut = cutIn(*stage);
        QVERIFY2(cut.isEmpty(), qPrintable(u'\n' + cut.join(u'\n')));
        for (const auto* label : stage->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
            QVERIFY2(!label->isVisible() || stage->rect().contains(label->geometry()), qPrintable(label->text()));
        for (const StageChart* chart : stage->charts())
            QVERIFY2(chart->chartHeight() >= 8 * fixture.window->fontMetrics().height(),
                     qPrintable(QStringLiteral("%1 px").arg(chart->chartHeight())));
    }
};
HEADROOM_TEST_WITH(QApplication, TestWalksCut)

} // namespace headroom::ui::test_walks_cut
#include "test_walks_cut.moc"
