// SPDX-License-Identifier: GPL-3.0-or-later
// The history of runs: kept with the time, filtered, opened, compared, noted, drawn; whatever its file has gone
// through.
#include "tests/support/denied.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/history_model.hpp"
#include "ui/pages/history_page.hpp"
#include "ui/pages/navigator.hpp"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>

namespace headroom::ui::test_history
{

using namespace Qt::StringLiterals;
using test::press;
using test::WindowFixture;

class TestHistory : public QObject
{
    Q_OBJECT

    static Scenario run(const char* name, const char* model, double step)
    {
        Scenario scenario;
        scenario.name = name;
        scenario.model.id = model;
        scenario.accelerator.id = "h100-sxm-80gb";
        scenario.hardware.count = 8;
        scenario.measured.stepTimeS = step;
        return scenario;
    }

    struct Kept : WindowFixture {
        Kept()
        {
            session.runLibrary.add({run("first", "llama-3-8b", 20), run("second", "llama-2-7b", 30)});
            window->pages().show(u"history"_s);
            settle();
            page = qobject_cast<HistoryPage*>(window->pages().page(u"history"_s));
        }
        [[nodiscard]] QString cell(int row, int column) const
        {
            return page->table()->model()->index(row, column).data().toString();
        }
        QPushButton& button(const QString& text)
        {
            for (QPushButton* each : page->findChildren<QPushButton*>())
                if (each->text() == text)
                    return *each;
            qFatal("no button");
        }
        HistoryPage* page = nullptr;
    };

    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    /// A figure that cannot be is not shown as if it were measured; the chart leaves it out.
    void anImpossibleFigureSaysSo()
    {
        Kept f;
        f.session.runLibrary.add({run("absurd", "llama-3-8b", 0.001)});
        f.settle();
        QMap<QString, QString> shown;
        for (int row = 0; row < 3; ++row)
            shown[f.cell(row, HistoryModel::Name)] = f.cell(row, HistoryModel::Mfu);
        QVERIFY2(shown[u"absurd"_s].endsWith(u": impossible"_s), qPrintable(shown[u"absurd"_s]));
        QVERIFY2(shown[u"first"_s].endsWith(u'%'), qPrintable(shown[u"first"_s]));
    }

    /// An empty history says what the next step is: for a scenario that was measured, to keep it.
    void theEmptyHistorySaysWhatToDo()
    {
        WindowFixture f;
        const auto said = [&f] {
            QString all;
            for (const QLabel* each : f.window->pages().page(u"history"_s)->findChildren<QLabel*>())
                all += each->text();
            return all;
        };
        f.session.store.setDocument(run("measured", "llama-3-8b", 20), {});
        f.window->pages().show(u"history"_s);
        f.settle();
        QVERIFY2(said().contains(u"No runs yet"_s) && said().contains(u"is a measured run: keep it"_s),
                 qPrintable(said()));
        Scenario asked = run("asked", "llama-3-8b", 20);
        asked.measured = {};
        f.session.store.setDocument(asked, {});
        f.settle();
        QVERIFY2(said().contains(u"enter what the scenario in hand measured"_s), qPrintable(said()));
    }

    void runsAreListedFilteredOpenedAndCompared()
    {
        Kept f;
        QCOMPARE(f.page->table()->model()->rowCount(), 2);
        static const QRegularExpression percent(u"^\\d+(\\.\\d+)?.%$"_s);
        for (int row = 0; row < 2; ++row) {
            QVERIFY(f.cell(row, HistoryModel::When).contains(QString::number(QDate::currentDate().year() % 100)));
            QVERIFY(f.cell(row, HistoryModel::Device).contains(u"H100"_s));
            QVERIFY2(percent.match(f.cell(row, HistoryModel::Mfu)).hasMatch(),
                     qPrintable(f.cell(row, HistoryModel::Mfu)));
        }
        QCOMPARE(f.page->chart()->spec().series.front().points.size(), std::size_t(2));
        f.page->filter()->setFocus();
        test::type(f, u"llama 2"_s);
        QCOMPARE(f.page->table()->model()->rowCount(), 1);
        QCOMPARE(f.cell(0, HistoryModel::Name), u"second"_s);
        QCOMPARE(f.page->chart()->spec().series.front().points.size(), std::size_t(1));
        // By keys: the row, Enter; one step back.
        f.page->table()->setFocus();
        f.page->table()->selectRow(0);
        const Scenario before = f.session.store.scenario();
        press(f, Qt::Key_Return);
        QCOMPARE(f.session.store.scenario().name, std::string("second"));
        QVERIFY(f.session.store.scenario().measured.stepTimeS == 30.0);
        press(f, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(f.session.store.scenario() == before);
        f.page->filter()->clear();
        f.page->table()->selectAll();
        QTest::mouseClick(&f.button(u"Compare"_s), Qt::LeftButton);
        QCOMPARE(f.session.store.pins().size(), std::size_t(2));
        QCOMPARE(QLatin1String(f.window->pages().current().id), QLatin1String("compare"));
    }

    /// Two runs: the table is as high as its rows, the chart has the rest of the page, and there is no run 0.
    void fewRunsLeaveThePageToTheChart()
    {
        Kept f;
        QVERIFY2(f.page->chart()->height() > 2 * f.page->table()->height(),
                 qPrintable(QString::number(f.page->table()->height())));
        const Axis& order = f.page->chart()->spec().x;
        QVERIFY(order.minimum > 0 && order.minimum < 1 && order.maximum > 2 && order.maximum < 3);
    }

    void nothingEmptyIsShown()
    {
        WindowFixture f;
        f.window->pages().show(u"history"_s);
        f.settle();
        const auto* page = qobject_cast<HistoryPage*>(f.window->pages().page(u"history"_s));
        QVERIFY(!page->table()->isVisible() && !page->chart()->isVisible());
        f.session.runLibrary.add({run("first", "llama-3-8b", 20)});
        f.settle();
        QVERIFY(page->table()->isVisible() && page->chart()->isVisible());
        if (const QString gallery = qEnvironmentVariable("HEADROOM_WALK_PICTURES"); !gallery.isEmpty()) {
            f.session.runLibrary.add({run("with another layout", "llama-3-8b", 18), run("third", "llama-2-7b", 30)});
            f.session.runLibrary.setNote(0, u"after the new driver"_s);
            f.settle();
            f.window->resize(1366, 768);
            f.settle();
            f.window->grab().save(gallery + u"/history.png"_s);
        }
    }

    void theRunInHandIsKeptOnce()
    {
        Kept f;
        f.session.store.setDocument(run("mine", "llama-3-8b", 25), {});
        f.settle();
        QVERIFY(f.button(u"Keep the run in hand"_s).isEnabled());
        QTest::mouseClick(&f.button(u"Keep the run in hand"_s), Qt::LeftButton);
        QCOMPARE(f.session.runLibrary.own().size(), std::size_t(3));
        QVERIFY(!f.button(u"Keep the run in hand"_s).isEnabled());
        // A note is typed into its cell and stays in the file.
        const QModelIndex note = f.page->table()->model()->index(0, HistoryModel::Note);
        QVERIFY(f.page->table()->model()->setData(note, u"with the new driver"_s, Qt::EditRole));
        QVERIFY(contentOf(f.session.runLibrary.file()).contains("with the new driver"));
        f.page->table()->selectRow(0);
        f.page->removeSelected();
        QCOMPARE(f.session.runLibrary.own().size(), std::size_t(2));
    }

    /// Undo brings back what was removed, at its time, and the document is none the wiser.
    void aRemovalIsUndone()
    {
        Kept f;
        const std::vector<std::string> times = f.session.runLibrary.recorded();
        const QByteArray before = contentOf(f.session.runLibrary.file());
        f.page->table()->setFocus();
        f.page->table()->selectAll();
        press(f, Qt::Key_Delete);
        QVERIFY(f.session.runLibrary.own().empty());
        QVERIFY(!f.session.store.isModified());
        press(f, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.session.runLibrary.own().size(), std::size_t(2));
        QCOMPARE(f.session.runLibrary.recorded(), times);
        QCOMPARE(contentOf(f.session.runLibrary.file()), before);
        QVERIFY(!f.session.store.isModified());
        press(f, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(f.session.runLibrary.own().empty());
        press(f, Qt::Key_Z, Qt::ControlModifier);
        f.page->table()->selectRow(0);
        f.page->removeSelected();
        QCOMPARE(f.session.runLibrary.own().size(), std::size_t(1));
        f.session.store.undoStack().undo();
        QCOMPARE(f.session.runLibrary.own().size(), std::size_t(2));
    }

    void theFileIsJsonLinesThatSurviveWhatHappens()
    {
        Kept f;
        const QString path = f.session.runLibrary.file();
        static const QRegularExpression recorded(u"\"recorded\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\""_s);
        const QList<QByteArray> lines = contentOf(path).trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        for (const QByteArray& line : lines)
            QVERIFY2(recorded.match(QString::fromUtf8(line)).hasMatch(), line.constData());
        // Broken lines and those of another release stay; those before recorded nothing, and are read.
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("{\"format\": \"headroom-scen\n\nnot JSON\n");
        file.write(QByteArray::fromStdString(writeScenarioLine(run("old", "llama-3-8b", 22))) + '\n');
        QByteArray wrong = lines[0];
        wrong.replace("\"recorded\":\"2", "\"recorded\":\"x");
        file.write(wrong);
        file.close();
        f.window->pages().show(u"dashboard"_s);
        f.window->pages().show(u"history"_s); // looks again
        f.settle();
        QCOMPARE(f.page->table()->model()->rowCount(), 3);
        f.session.runLibrary.remove({0});
        const QByteArray after = contentOf(path);
        QVERIFY(after.contains("headroom-scen\n") && after.contains("not JSON") && after.contains("\"recorded\":\"x"));
        QVERIFY(after.contains("\"old\"") && !after.contains(lines[0]));
        // Two windows at once.
        RunLibrary theirs(Catalog::builtIn(), path);
        theirs.refresh();
        theirs.setNote(0, u"theirs"_s);
        f.session.runLibrary.add({run("ours", "llama-3-8b", 23)});
        QVERIFY(contentOf(path).contains("theirs") && contentOf(path).contains("\"ours\""));
        QVERIFY(!QFileInfo::exists(path + u".lock"_s));
        // Several are removed at once; what another window has removed meanwhile is passed over, its neighbours stay.
        theirs.refresh();
        QCOMPARE(theirs.own().size(), std::size_t(3));
        f.session.runLibrary.remove({0});
        theirs.remove({0, 1});
        QCOMPARE(theirs.own().size(), std::size_t(1));
        QVERIFY(contentOf(path).contains("\"ours\"") && contentOf(path).contains("not JSON"));
    }

    void aReadOnlyFolderIsSaid()
    {
        Kept f;
        const QString path = f.session.runLibrary.file();
        const QByteArray before = contentOf(path);
        {
            const test::ReadOnlyFolder readOnly(QFileInfo(path).path());
            f.session.runLibrary.add({run("third", "llama-3-8b", 23)});
        }
        QCOMPARE(f.dialogs.errors.size(), 1);
        QCOMPARE(contentOf(path), before);
        QCOMPARE(f.session.runLibrary.own().size(), std::size_t(3)); // there until the program ends
    }
};
HEADROOM_TEST_WITH(QApplication, TestHistory)

} // namespace headroom::ui::test_history
#include "test_history.moc"
