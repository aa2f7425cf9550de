// SPDX-License-Identifier: GPL-3.0-or-later
// Phases of a training in the window: a table whose every change is one undo step, by keys and for screen readers too.
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/commands/actions.hpp"
#include "ui/parameters/row_list.hpp"
#include "ui/parameters/row_table_model.hpp"
#include "ui/parameters/rows_dialog.hpp"

#include <QLabel>
#include <QPushButton>
#include <QTableView>

namespace headroom::ui::test_phases_window
{

using test::WindowFixture;

class TestPhasesWindow : public QObject
{
    Q_OBJECT

    enum Column {
        Name,
        Tokens,
        Sequence,
        MicroBatch,
        GlobalBatch,
        Gpus,
        Tensor,
        Pipeline,
        Context,
        Expert,
        Time,
        Cost
    };

    static RowsDialog& open(WindowFixture& fixture)
    {
        fixture.part<Actions>()[ActionId::Phases]->trigger();
        settle(fixture);
        return *fixture.window->findChild<RowsDialog*>();
    }
    static void settle(WindowFixture& fixture)
    {
        fixture.session.recalculator.flush();
        WindowFixture::settle();
    }
    static const TrainingPhases& phases(WindowFixture& fixture) { return fixture.session.store.scenario().phases; }
    static QPushButton& button(const RowsDialog& dialog, const char* name)
    {
        return *dialog.findChild<QPushButton*>(QLatin1String(name));
    }
    static bool type(RowsDialog& dialog, int row, Column column, const QString& text)
    {
        return dialog.model()->setData(dialog.model()->index(row, column), text);
    }
    static QString cell(RowsDialog& dialog, int row, Column column, int role = Qt::DisplayRole)
    {
        return dialog.model()->index(row, column).data(role).toString();
    }
    static QString problem(const RowsDialog& dialog)
    {
        return dialog.findChild<QLabel*>(QStringLiteral("rowsProblem"))->text();
    }

private slots:
    void rowsComeGoAndMove()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.setParameter(0, *parameterRow("training_tokens"), 2e12);
        RowsDialog& dialog = open(fixture);
        QCOMPARE(dialog.current(), -1);
        QVERIFY(phases(fixture).empty() && !button(dialog, "rowRemove").isEnabled());
        const int before = store.undoStack().index();
        button(dialog, "rowAdd").click();
        QCOMPARE(phases(fixture).size(), std::size_t(1));
        QCOMPARE(phases(fixture).front().tokens, 2e12); // the whole run
        QVERIFY(type(dialog, 0, Name, QStringLiteral("short")));
        QVERIFY(type(dialog, 0, Sequence, QStringLiteral("4k")));
        button(dialog, "rowAdd").click();
        QCOMPARE(dialog.current(), 1);
        QCOMPARE(phases(fixture)[1].sequenceLength.value_or(0), std::int64_t(4096)); // like the one before
        QVERIFY(phases(fixture)[1].name.empty());
        QVERIFY(type(dialog, 1, Tokens, QStringLiteral("5e11")));
        button(dialog, "rowUp").click();
        QCOMPARE(phases(fixture)[1].name, std::string("short"));
        QCOMPARE(dialog.current(), 0);
        QCOMPARE(store.undoStack().index() - before, 6); // one a change
        button(dialog, "rowRemove").click();
        QCOMPARE(phases(fixture).size(), std::size_t(1));
        button(dialog, "rowUndo").click();
        QCOMPARE(phases(fixture).size(), std::size_t(2));
        store.undoStack().setIndex(before);
        QVERIFY(phases(fixture).empty());
        QCOMPARE(dialog.model()->rowCount(), 0);
    }

    void emptyCellsAreAsInTheScenario()
    {
        WindowFixture fixture;
        RowsDialog& dialog = open(fixture);
        dialog.add();
        settle(fixture);
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 8192);
        settle(fixture);
        QCOMPARE(cell(dialog, 0, Sequence), QStringLiteral("8,192"));
        QVERIFY(cell(dialog, 0, Sequence, Qt::EditRole).isEmpty());
        QVERIFY(cell(dialog, 0, Sequence, Qt::AccessibleTextRole).endsWith(QStringLiteral("as in the scenario")));
        QVERIFY(type(dialog, 0, Sequence, QStringLiteral("2048")));
        QCOMPARE(cell(dialog, 0, Sequence), QStringLiteral("2,048"));
        QCOMPARE(cell(dialog, 0, Sequence, Qt::AccessibleTextRole), QStringLiteral("Sequence length: 2,048"));
        QVERIFY(type(dialog, 0, Sequence, QString()));
        QCOMPARE(cell(dialog, 0, Sequence), QStringLiteral("8,192"));
        QVERIFY(!phases(fixture).front().sequenceLength);
    }

    void whatIsWrongIsSaidAndNotTaken()
    {
        WindowFixture fixture;
        RowsDialog& dialog = open(fixture);
        dialog.add();
        const int before = fixture.session.store.undoStack().index();
        QVERIFY(!type(dialog, 0, Tokens, QString()));
        QVERIFY(problem(dialog).startsWith(QStringLiteral("Tokens")));
        QVERIFY(!type(dialog, 0, Gpus, QStringLiteral("many")));
        QVERIFY2(problem(dialog).contains(QStringLiteral("“many”")), qPrintable(problem(dialog)));
        QVERIFY(!type(dialog, 0, Gpus, QStringLiteral("0")));
        QCOMPARE(fixture.session.store.undoStack().index(), before);
        QVERIFY(type(dialog, 0, Gpus, QStringLiteral("8")));
        settle(fixture);
        QVERIFY(problem(dialog).isEmpty());
        QVERIFY(type(dialog, 0, Tensor, QStringLiteral("16"))); // more than the GPUs: refused where all is looked at
        settle(fixture);
        QVERIFY2(problem(dialog).contains(QStringLiteral("/workload/phases/0")), qPrintable(problem(dialog)));
        QVERIFY(!button(dialog, "rowUp").isEnabled());
    }

    void timeAndCostStandInTheRow()
    {
        WindowFixture fixture;
        fixture.session.store.setParameter(0, *parameterRow("price_per_gpu_hour"), 2);
        RowsDialog& dialog = open(fixture);
        dialog.add();
        dialog.add();
        QVERIFY(type(dialog, 1, Tokens, QStringLiteral("1e9")));
        settle(fixture);
        QVERIFY(!cell(dialog, 0, Time).isEmpty() && !cell(dialog, 0, Cost).isEmpty());
        QVERIFY(cell(dialog, 0, Time) != cell(dialog, 1, Time));
        fixture.session.store.resetParameter(*parameterRow("price_per_gpu_hour"));
        settle(fixture);
        QCOMPARE(cell(dialog, 0, Cost), QStringLiteral("–")); // unknown, not forgotten
        QVERIFY(!(dialog.model()->index(0, Time).flags() & Qt::ItemIsEditable));
        QVERIFY(!dialog.findChild<QLabel*>(QStringLiteral("rowsSummary"))->text().isEmpty());
    }

    void keysAlone()
    {
        WindowFixture fixture;
        RowsDialog& dialog = open(fixture);
        QTableView& table = *dialog.table();
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Insert);
        QTest::keyClick(&table, Qt::Key_Insert);
        QCOMPARE(phases(fixture).size(), std::size_t(2));
        QVERIFY(type(dialog, 1, Name, QStringLiteral("long")));
        QTest::keyClick(&table, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(phases(fixture)[0].name, std::string("long"));
        table.setCurrentIndex(dialog.model()->index(0, Name));
        QTest::keyClick(&table, Qt::Key_Delete);
        QVERIFY(phases(fixture)[0].name.empty());
        QTest::keyClick(&table, Qt::Key_Delete, Qt::ControlModifier);
        QCOMPARE(phases(fixture).size(), std::size_t(1));
        QTest::keyClick(&table, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(phases(fixture).size(), std::size_t(2));
        QVERIFY(!table.accessibleName().isEmpty());
    }

    void noMoreThanAFileHolds()
    {
        WindowFixture fixture;
        RowsDialog& dialog = open(fixture);
        for (std::size_t i = 0; i < mostPhases + 2; ++i)
            dialog.add();
        QCOMPARE(phases(fixture).size(), mostPhases);
        QVERIFY(!button(dialog, "rowAdd").isEnabled());
    }

    void servingHasNone()
    {
        WindowFixture fixture;
        QAction* action = fixture.part<Actions>()[ActionId::Phases];
        QVERIFY(action->isEnabled());
        RowsDialog& dialog = open(fixture);
        fixture.session.store.edit(0, QStringLiteral("Serve"), [](Scenario& s) { s.task = Task::Inference; });
        settle(fixture);
        QVERIFY(!action->isEnabled());
        QVERIFY(!dialog.isVisible());
    }
};
HEADROOM_TEST_WITH(QApplication, TestPhasesWindow)

} // namespace headroom::ui::test_phases_window
#include "test_phases_window.moc"
