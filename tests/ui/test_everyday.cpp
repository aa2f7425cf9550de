// SPDX-License-Identifier: GPL-3.0-or-later
// What a day of use stumbled over, by mouse and by keys: nothing is locked, lost, moved away or typed wrong by
// accident.
#include "core/charts/chart_table.hpp"
#include "core/explore/levers.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/plan_fixture.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/learn_page.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/row_notice.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_ranking.hpp"
#include "ui/settings/language.hpp"
#include "ui/settings/preferences.hpp"
#include "ui/widgets/catalog_picker.hpp"
#include "ui/widgets/frozen_columns.hpp"
#include "ui/widgets/group_header.hpp"
#include "ui/widgets/steady_scroll.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>

namespace headroom::ui::test_everyday
{

using headroom::test::PlanFixture;
using headroom::test::press;
using headroom::test::type;
using headroom::test::WindowFixture;

namespace
{

ParameterRowWidget& rowOf(const WindowFixture& fixture, const char* id)
{
    return *fixture.part<ParameterPanel>().reveal(QLatin1String(id));
}

QToolButton* buttonOf(const ParameterRowWidget& row, const char* word)
{
    for (QToolButton* button : row.findChildren<QToolButton*>())
        if (button->accessibleName().startsWith(QLatin1String(word)))
            return button;
    return nullptr;
}

void moveTo(QWidget& widget, QPoint at)
{
    QTest::mouseMove(widget.window(), widget.mapTo(widget.window(), at));
    WindowFixture::settle();
}

} // namespace

class TestEveryday final : public QObject
{
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, ThemeKind::Light); }

    /// Most rows are folded away and made when they are first seen. Tab and screen readers come to each where it
    /// stands.
    void rowsThatComeLateStandInTheirPlaces()
    {
        WindowFixture fixture;
        QWidget& content = *fixture.part<ParameterPanel>().scrollArea()->widget();
        const auto rows = [&content] {
            return content.findChildren<ParameterRowWidget*>(QString(), Qt::FindDirectChildrenOnly);
        };
        const qsizetype before = rows().size();
        QVERIFY(before < std::ssize(parameterRegistry()) / 2);
        for (GroupHeader* header : content.findChildren<GroupHeader*>())
            header->setOpen(true);
        rowOf(fixture, "count");
        WindowFixture::settle();
        QVERIFY(rows().size() > before);
        const auto above = [](const QWidget* a, const QWidget* b) { return a->y() < b->y(); };
        QVERIFY(std::ranges::is_sorted(rows(), above));
        std::vector<ParameterRowWidget*> tabbed;
        for (QWidget* each = content.nextInFocusChain(); each != &content; each = each->nextInFocusChain())
            if (auto* row = qobject_cast<ParameterRowWidget*>(each))
                tabbed.push_back(row);
        QCOMPARE(std::ssize(tabbed), rows().size());
        QVERIFY(std::ranges::is_sorted(tabbed, above));
        for (ParameterRowWidget* row : tabbed) // with what is in it
            QVERIFY(row->isAncestorOf(row->nextInFocusChain()));
    }

    void aNumberTypedAfterAClickReplacesTheOneThatWasThere()
    {
        WindowFixture fixture;
        ParameterRowWidget& row = rowOf(fixture, "global_batch");
        fixture.session.store.setParameter(0, row.row(), 64);
        WindowFixture::settle();
        // In the middle, where the caret would stand between digits.
        QTest::mouseClick(row.box(), Qt::LeftButton, {}, row.box()->rect().center());
        type(fixture, QStringLiteral("8192"));
        press(fixture, Qt::Key_Return);
        QCOMPARE(row.row().get(fixture.session.store.scenario()), 8192.0);
        // A second click means what it says: the caret goes where it was put.
        QTest::mouseClick(row.box(), Qt::LeftButton, {}, QPoint(row.box()->width() - 3, row.box()->height() / 2));
        QVERIFY(!row.box()->hasSelectedText());
    }

    void resetLocksNothing()
    {
        WindowFixture fixture;
        ParameterRowWidget& row = rowOf(fixture, "micro_batch");
        fixture.session.store.setParameter(0, row.row(), 1024); // a wider box than the default's
        WindowFixture::settle();
        const QPoint reset =
            buttonOf(row, "Back to")->mapTo(fixture.window.get(), buttonOf(row, "Back to")->rect().center());
        // The pointer comes to the button that it saw, clicks, and clicks again out of habit.
        QTest::mouseMove(fixture.window.get(), reset + QPoint(0, 2));
        QTest::mouseMove(fixture.window.get(), reset);
        WindowFixture::settle();
        QVERIFY(row.isPointedAt());
        for (int click = 0; click < 2; ++click) {
            QWidget* under = fixture.window->childAt(reset);
            QTest::mouseClick(under, Qt::LeftButton, {}, under->mapFrom(fixture.window.get(), reset));
            WindowFixture::settle();
        }
        QVERIFY(!row.row().isSet(fixture.session.store.scenario()));
        QVERIFY(!fixture.session.store.isLocked("micro_batch"));
    }

    void theFirstOfASearchIsWhatWasTyped()
    {
        WindowFixture fixture;
        press(fixture, Qt::Key_M, Qt::AltModifier);
        type(fixture, QStringLiteral("llama 3.3"));
        press(fixture, Qt::Key_Return);
        QCOMPARE(fixture.session.store.scenario().model.id, std::string("llama-3.3-70b"));
    }

    void noNoticeMovesTheRowUnderThePointer()
    {
        WindowFixture fixture({1366, 768});
        ScenarioStore& store = fixture.session.store;
        // A context that the model was not trained for is warned of at the sequence; the rows below it are in hand.
        ParameterRowWidget& above = rowOf(fixture, "sequence_length");
        ParameterRowWidget& hand = rowOf(fixture, "count");
        WindowFixture::settle();
        QVERIFY(above.y() < hand.y());
        QWidget& label = *hand.findChild<QLabel*>();
        moveTo(label, label.rect().center() - QPoint(1, 0));
        moveTo(label, label.rect().center());
        QVERIFY(hand.isPointedAt());
        const auto place = [&hand, &fixture] { return hand.mapTo(fixture.window.get(), QPoint()).y(); };
        const int before = place();
        store.setParameter(0, above.row(), 262144);
        WindowFixture::settle();
        QVERIFY2(!above.notice().words().isEmpty(), "this scenario must warn above the row in hand");
        QCOMPARE(place(), before);
        store.setParameter(0, above.row(), 8192);
        WindowFixture::settle();
        QVERIFY(above.notice().words().isEmpty());
        QCOMPARE(place(), before);
        // Once the pointer has left, the empty place goes too.
        const int held = above.height();
        moveTo(fixture.part<DashboardPage>(), QPoint(300, 300));
        QTRY_VERIFY(above.height() < held); // a display server tells it when it will
    }

    void anotherFigureIsExplainedFromItsTop()
    {
        WindowFixture fixture({1366, 768});
        auto* text = fixture.part<ExplanationPanel>().findChild<QTextBrowser*>();
        QScrollBar* bar = text->verticalScrollBar();
        QVERIFY(bar->maximum() > 100);
        bar->setValue(bar->maximum());
        const int left = bar->value();
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 2); // the same figure: it stays
        QTest::qWait(400);
        QVERIFY(std::abs(bar->value() - std::min(left, bar->maximum())) < 80);
        fixture.part<MetricTiles>().tile(QStringLiteral("hfu"))->click();
        QTest::qWait(400);
        QCOMPARE(bar->value(), 0);
    }

    void paneByPaneByOneKey()
    {
        WindowFixture fixture;
        const auto pane = [&fixture]() -> QString {
            QWidget* hand = QApplication::focusWidget();
            const auto within = [hand](const QWidget& part) { return hand == &part || part.isAncestorOf(hand); };
            return within(fixture.part<ParameterPanel>())     ? QStringLiteral("parameters")
                   : within(fixture.part<MetricTiles>())      ? QStringLiteral("tiles")
                   : within(*fixture.window->pages().stack()) ? QStringLiteral("page")
                   : within(fixture.part<ExplanationPanel>()) ? QStringLiteral("explanation")
                   : within(*fixture.window->pages().tabs())  ? QStringLiteral("tabs")
                                                              : QString();
        };
        rowOf(fixture, "micro_batch").slider()->setFocus();
        QStringList walked;
        for (int i = 0; i < 5; ++i) {
            press(fixture, Qt::Key_F6);
            walked << pane();
        }
        QCOMPARE(walked, QStringList({QStringLiteral("tiles"), QStringLiteral("page"), QStringLiteral("explanation"),
                                      QStringLiteral("tabs"), QStringLiteral("parameters")}));
        // Back to the slider that was left, and round the other way.
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(rowOf(fixture, "micro_batch").slider()));
        press(fixture, Qt::Key_F6, Qt::ShiftModifier);
        QCOMPARE(pane(), QStringLiteral("tabs"));
    }

    void trainingIsPlannedAfterServing()
    {
        PlanFixture f;
        QVERIFY(f.page->model()->rowCount() > 0);
        f.page->table()->setFocus();
        press(f, Qt::Key_Return); // the best of serving becomes the scenario, replicas and all
        QCOMPARE(f.session.store.scenario().task, Task::Inference);
        f.session.store.edit(0, QStringLiteral("Pre-train"), [](Scenario& scenario) {
            scenario.task = Task::Training;
            scenario.parallelism.replicas = 3; // what a serving layout may leave behind
            scenario.parallelism.tensor = 3;
            scenario.training.globalBatch = 1024;
            scenario.training.trainingTokens = 1e9;
        });
        f.window->pages().show(QStringLiteral("plan"));
        QVERIFY(f.wait());
        QVERIFY(f.session.recalculator.isRefused());
        QVERIFY2(f.page->model()->rowCount() > 0, qPrintable(f.page->answer()->verdict()));
        QCOMPARE(f.best().evaluation.task, Task::Training);
        // What is locked is not the search's to choose: it is said, in the window's words.
        f.session.store.setLocked("tensor", true);
        f.session.store.setLocked("replicas", true);
        f.session.store.setLocked("count", true);
        QVERIFY(f.wait());
        const QString words = f.page->answer()->verdict() + f.page->answer()->reasons();
        static const QRegularExpression key(QStringLiteral("[a-z]+_[a-z_]+"));
        QVERIFY2(!key.match(words).hasMatch(), qPrintable(words));
    }

    void answersNameParametersAsTheWindowDoes()
    {
        PlanFixture f;
        f.session.store.edit(0, QStringLiteral("no load"),
                             [](Scenario& scenario) { scenario.inference.requestsPerS.reset(); });
        QVERIFY(f.wait());
        static const QRegularExpression key(QStringLiteral("[a-z]+_[a-z_]+"));
        const QString reasons = f.page->answer()->reasons();
        QVERIFY2(!key.match(reasons).hasMatch(), qPrintable(reasons));
        QVERIFY2(reasons.contains(QStringLiteral("No load is stated")), qPrintable(reasons));
    }

    /// What every row ended with pushed them out of a small screen.
    void latenciesAndHeadroomAreInSightOfASmallScreen()
    {
        PlanFixture f({1366, 768});
        const QTableView& table = *f.page->table();
        for (int column = 0; column < table.model()->columnCount(); ++column)
            if (table.model()->headerData(column, Qt::Horizontal).toString() == QStringLiteral("Headroom"))
                QVERIFY(table.columnViewportPosition(column) + table.columnWidth(column) <= table.viewport()->width());
        QVERIFY(f.page->model()->shared().endsWith(QStringLiteral("cache")));
    }

    void rankAndGpusStayWhereTheRankingIsScrolledSideways()
    {
        PlanFixture f({1142, 724});
        QTableView* table = f.page->table();
        const QHeaderView* header = table->horizontalHeader();
        // The layout is in full, however long.
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QModelIndex cell = table->model()->index(row, PlanTableModel::Layout);
            QVERIFY(table->columnWidth(PlanTableModel::Layout) >=
                    table->fontMetrics().horizontalAdvance(cell.data().toString()));
        }
        QVERIFY(header->length() > table->viewport()->width());
        auto* frozen = table->findChild<FrozenColumns*>();
        QVERIFY(frozen && frozen->isHidden());
        table->horizontalScrollBar()->setValue(table->horizontalScrollBar()->maximum());
        WindowFixture::settle();
        QVERIFY(frozen->isVisible());
        QCOMPARE(frozen->horizontalHeader()->sortIndicatorOrder(), table->horizontalHeader()->sortIndicatorOrder());
        const QModelIndex first = table->model()->index(0, PlanTableModel::Rank);
        const QRect tick = frozen->visualRect(first);
        QVERIFY(frozen->viewport()->rect().contains(tick));
        QCOMPARE(frozen->viewport()->mapTo(table, tick.topLeft()).y(),
                 table->viewport()->mapTo(table, table->visualRect(table->model()->index(0, 5)).topLeft()).y());
        QVERIFY(frozen->visualRect(table->model()->index(0, PlanTableModel::Gpus)).isValid());
        // Space ticks the row in hand, and the tick is seen.
        table->setFocus();
        table->selectRow(0);
        press(f, Qt::Key_Space);
        QCOMPARE(first.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        // By mouse too, on the frozen column itself.
        QTest::mouseClick(frozen->viewport(), Qt::LeftButton, {}, tick.center());
        QCOMPARE(frozen->currentIndex().row(), 0);
    }

    void arrowsInTheRankingTakeThePageAlong()
    {
        PlanFixture f({960, 540});
        f.appearance.setTypeScale(1.5);
        QVERIFY(f.wait());
        QTableView* table = f.page->table();
        f.page->ensureWidgetVisible(table, 0, 0);
        f.page->verticalScrollBar()->setValue(0);
        table->setFocus();
        table->selectRow(0);
        for (int i = 0; i < table->model()->rowCount(); ++i) {
            press(f, Qt::Key_Down);
            const QRect row = table->visualRect(table->currentIndex());
            const QPoint centre(f.page->viewport()->width() / 2,
                                table->viewport()->mapTo(f.page->viewport(), row.center()).y());
            QVERIFY2(f.page->viewport()->rect().contains(centre), qPrintable(QString::number(i)));
        }
    }

    void aLessonGoesOnWhereItWasLeft()
    {
        QTemporaryDir folder;
        {
            WindowFixture fixture;
            LessonPlayer& player = fixture.session.lessons;
            const QString first = toQString(player.lessons().front().id);
            QVERIFY(player.start(first));
            while (player.state().step < 2) { // as its solution has it
                const LessonStep& step = player.runner().step(player.state());
                if (step.question)
                    player.send(lesson_event::Answered{step.solution.answer});
                Scenario done = edited(fixture.session.store.scenario(), step.solution.edits);
                player.send(lesson_event::ScenarioChanged{done, true});
                player.send(lesson_event::Next{});
            }
            const LessonState left = player.state();
            player.leave();
            QVERIFY(!player.isPlaying());
            // From the list of lessons, by keys.
            press(fixture, Qt::Key_6, Qt::ControlModifier);
            QVERIFY(test::tabTo(fixture, QStringLiteral("Go on at step 3: ")));
            press(fixture, Qt::Key_Space);
            QVERIFY(player.isPlaying());
            QVERIFY(player.state() == left);
            QVERIFY(fixture.session.store.scenario() == left.scenario);
            // The next start of the program knows it too.
            player.leave();
            Session later(fixture.settings, fixture.dialogs, fixture.appearance);
            QVERIFY(later.lessons.leftAt(first) == std::size_t(2));
            // By mouse, from its beginning.
            auto& page = *static_cast<LearnPage*>(fixture.window->pages().page(QStringLiteral("learn")));
            fixture.window->pages().show(QStringLiteral("learn"));
            WindowFixture::settle();
            QVERIFY(page.anewButton(0)->isVisible() && page.anewButton(1)->isHidden());
            QTest::mouseClick(page.anewButton(0), Qt::LeftButton);
            QCOMPARE(player.state().step, std::size_t(0));
        }
    }

    void aChoiceOnAnAxisHasItsNameInTheTable()
    {
        WindowFixture fixture;
        HeatMapChoice choice;
        choice.x = "precision";
        fixture.session.recalculator.setHeatMap(choice);
        fixture.session.recalculator.flush();
        const ChartRow* row = chartRow("heat_map");
        const ChartTable table = chartTable(row->build(*fixture.session.recalculator.context()));
        QVERIFY(!table.rows.empty());
        for (const auto& cells : table.rows)
            QVERIFY2(std::isalpha(static_cast<unsigned char>(cells.front().front())), cells.front().c_str());
    }

    void standardButtonsSpeakGermanWithoutQtsOwnTranslations()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::Preferences]->trigger();
        WindowFixture::settle();
        const auto* dialog = fixture.window->findChild<PreferencesDialog*>();
        QVERIFY(dialog);
        const auto* buttons = dialog->findChild<QDialogButtonBox*>();
        QCOMPARE(buttons->button(QDialogButtonBox::Cancel)->text(), QStringLiteral("Abbrechen"));
        QCOMPARE(buttons->button(QDialogButtonBox::RestoreDefaults)->text(), QStringLiteral("Standardwerte"));
    }
};
HEADROOM_TEST_WITH(QApplication, TestEveryday)

} // namespace headroom::ui::test_everyday
#include "test_everyday.moc"
