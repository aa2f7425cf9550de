// SPDX-License-Identifier: GPL-3.0-or-later
// Pins have names: typed on the compare page, one step to undo, in the file, on charts, in tables and reports.
#include "core/comparison/comparison.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/autosave.hpp"
#include "ui/document/recovery.hpp"
#include "ui/document/report_html.hpp"
#include "ui/pages/compare_model.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/settings/language.hpp"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <algorithm>

namespace headroom::ui::test_pin_names
{

using namespace Qt::StringLiterals;
using test::press;
using test::WindowFixture;

class TestPinNames : public QObject
{
    Q_OBJECT

    struct Pinned : WindowFixture {
        Pinned()
        {
            session.store.pinCurrent();
            session.store.setParameter(0, *parameterRow("sequence_length"), 4096);
            window->pages().show(u"compare"_s);
            settle();
            page = qobject_cast<ComparePage*>(window->pages().page(u"compare"_s));
        }
        QLineEdit& field(QChar letter)
        {
            for (QLineEdit* each : page->findChildren<QLineEdit*>())
                if (each->accessibleName().endsWith(letter))
                    return *each;
            qFatal("no field");
        }
        void name(QChar letter, const QString& text)
        {
            field(letter).setFocus();
            field(letter).selectAll();
            field(letter).insert(text); // as an input method writes it: QTest types ASCII alone
            press(*this, Qt::Key_Return);
        }
        QString heading() { return page->model()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(); }
        ComparePage* page = nullptr;
    };

private slots:
    /// In the menu, on the compare page and in the undo history.
    void whatForgetsThePinsHasOneName()
    {
        for (const auto* code : {"en", "de"}) {
            const Language language(QString::fromLatin1(code));
            Pinned f;
            const QString name = f.part<Actions>()[ActionId::ClearPins]->text().remove(u'&');
            const auto buttons = f.page->findChildren<QPushButton*>();
            QVERIFY2(std::any_of(buttons.begin(), buttons.end(), [&](auto* each) { return each->text() == name; }),
                     qPrintable(name));
            f.session.store.clearPins();
            QCOMPARE(f.session.store.undoStack().undoText(), name);
        }
    }

    void aNameIsTypedAndSeenEverywhere()
    {
        Pinned f;
        QVERIFY(f.field(u'A').isVisible());
        QVERIFY(!f.field(u'B').isVisible());
        f.name(u'A', u"  the   baseline "_s);
        QCOMPARE(f.session.store.pins().front().name, std::string("the baseline"));
        QVERIFY2(f.heading().contains(u"the baseline"_s), qPrintable(f.heading()));
        const ChartContext& context = *f.session.recalculator.context();
        bool drawn = false;
        for (const ChartRow& row : chartRegistry())
            if (appliesTo(row, context.scenario.task))
                for (const Series& series : row.build(context).series)
                    drawn = drawn || series.label == "A the baseline";
        QVERIFY(drawn);
        QVERIFY(reportComparison(context).contains(u"the baseline"_s));
        const std::string markdown = comparisonMarkdown(compare(context.scenario, context.evaluation, context.pins));
        QVERIFY2(markdown.find("A: the baseline, ") != std::string::npos, markdown.c_str());
        // One step back, and again.
        const int steps = f.session.store.undoStack().index();
        f.session.store.undoStack().undo();
        QCOMPARE(f.session.store.pins().front().name, std::string());
        f.session.store.undoStack().redo();
        QCOMPARE(f.session.store.pins().front().name, std::string("the baseline"));
        QCOMPARE(f.session.store.undoStack().index(), steps);
        // The name goes with its scenario when the two change places.
        QVERIFY(f.session.store.swapWithPin('A'));
        QCOMPARE(f.session.store.pins().front().name, std::string());
        QVERIFY(f.session.store.swapWithPin('A'));
        QCOMPARE(f.session.store.pins().front().name, std::string("the baseline"));
    }

    void namesArePartOfTheFile()
    {
        Pinned f;
        f.session.store.pinCurrent();
        f.name(u'A', u"before"_s);
        f.name(u'B', u"nach „Umbau“"_s.repeated(9)); // more than a file may hold
        QVERIFY(f.session.store.isModified());
        f.dialogs.path = f.folder.filePath(u"named.headroom"_s);
        QVERIFY(f.session.documents.saveAs());
        QVERIFY(!f.session.store.isModified());
        WindowFixture later;
        QVERIFY(later.session.documents.openPath(f.dialogs.path));
        QVERIFY(!later.session.store.isModified());
        const auto saved = f.session.store.savedPins();
        QCOMPARE(saved.size(), std::size_t(2));
        QCOMPARE(saved[0].name, std::string("before"));
        QVERIFY(saved[1].name.size() > 20 && saved[1].name.size() <= longestPinName);
        QVERIFY(later.session.store.savedPins() == saved);
        // What is pinned to a file belongs to it; without one nothing asks to be saved for a pin.
        later.session.store.clearPins();
        QVERIFY(later.session.store.isModified());
        WindowFixture example;
        example.session.store.pinCurrent();
        QVERIFY(!example.session.store.isModified());
    }

    /// What was pinned in one file is there to compare with in another, and is not written into it.
    void pinsOfOneFileAreNotWrittenIntoAnother()
    {
        Pinned f;
        f.dialogs.path = f.folder.filePath(u"other.headroom"_s);
        WindowFixture plain;
        plain.dialogs.path = f.dialogs.path;
        QVERIFY(plain.session.documents.saveAs());
        f.session.store.setPinName('A', u"secret"_s);
        QVERIFY(f.session.documents.openPath(f.dialogs.path));
        QCOMPARE(f.session.store.pins().front().name, std::string("secret"));
        QVERIFY(f.session.store.savedPins().empty() && !f.session.store.isModified());
        f.session.store.pinCurrent();
        QCOMPARE(f.session.store.savedPins().size(), std::size_t(1));
    }

    void aCrashLosesNoName()
    {
        Pinned f;
        QTemporaryDir folder;
        {
            Autosave autosave(f.session.store, folder.path());
            f.name(u'A', u"kept"_s);
            autosave.flush();
            const QStringList files = QDir(folder.path()).entryList({u"*.autosave"_s});
            QCOMPARE(files.size(), 1);
            QFile file(folder.filePath(files.front()));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.readAll().contains("kept"));
        }
    }

    /// The last thing before the crash was that the pins were forgotten: the document has them still, and is marked.
    void forgottenPinsAreRestoredAsForgotten()
    {
        const QTemporaryDir directory;
        const QString folder = directory.path();
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("pinned.headroom"));
        store.pinCurrent();
        QVERIFY(fixture.session.documents.saveAs());
        {
            WindowFixture other;
            QVERIFY(other.session.documents.openPath(fixture.dialogs.path));
            QCOMPARE(other.session.store.pins().size(), std::size_t(1));
            Autosave autosave(other.session.store, folder);
            other.session.store.clearPins();
            autosave.flush();
            const QStringList kept = QDir(folder).entryList({QStringLiteral("*.autosave")});
            QCOMPARE(kept.size(), 1);
            QVERIFY(QFile::copy(folder + QLatin1Char('/') + kept.front(), folder + QStringLiteral("/dead.autosave")));
        }
        Autosave autosave(store, folder);
        fixture.dialogs.restore = RestoreAnswer::Restore;
        offerUnsaved(autosave, store, fixture.session.recalculator.catalog(), fixture.dialogs, fixture.window.get());
        QCOMPARE(fixture.dialogs.offered.size(), 1);
        QVERIFY(store.pins().empty());
        QVERIFY(store.isModified() && fixture.window->isWindowModified());
        store.undoStack().undo(); // as it was saved
        QCOMPARE(store.pins().size(), std::size_t(1));
        QVERIFY(!store.isModified());
    }

    /// Three pins with names as long as may be do not make the window wider than a small screen.
    void threePinsFitIntoASmallWindow()
    {
        Pinned f;
        f.session.store.pinCurrent();
        f.session.store.pinCurrent();
        for (const QChar letter : {u'A', u'B', u'C'})
            f.name(letter, QString(int(longestPinName), u'm'));
        f.window->resize(960, 540);
        f.settle();
        QVERIFY2(f.window->width() <= 960, qPrintable(QString::number(f.window->width())));
        for (const QPushButton* button : f.page->findChildren<QPushButton*>())
            if (button->isVisible())
                QVERIFY2(button->mapTo(f.page, QPoint(button->width(), 0)).x() <= f.page->width(),
                         qPrintable(button->text()));
    }

    /// On a wide screen too a figure stands near what it is of, and the columns use what room they have on a small one.
    void figuresStayNearTheirNames()
    {
        Pinned f;
        f.session.store.clearPins();
        f.window->resize(2560, 1440);
        f.settle();
        const QTableView& table = *f.page->table();
        QCOMPARE(table.model()->columnCount(), 1);
        QVERIFY(table.viewport()->width() > 900);
        QVERIFY2(table.columnWidth(0) < 400, qPrintable(QString::number(table.columnWidth(0))));
        f.session.store.pinCurrent();
        f.session.store.pinCurrent();
        f.window->resize(1366, 768);
        f.settle();
        QVERIFY2(std::abs(3 * table.columnWidth(2) - table.viewport()->width()) < 6,
                 qPrintable(QString::number(table.columnWidth(2))));
    }

    void badPinsAreRefusedWithTheirPlace()
    {
        Scenario scenario;
        scenario.model.id = "llama-3-8b";
        scenario.accelerator.id = "h100-sxm-80gb";
        const std::string pin = writeScenarioLine(scenario);
        const auto problem = [&](const std::string& pins) -> std::string {
            std::string text = pin;
            text.pop_back();
            const auto reading = readScenario(text + ", \"pins\": " + pins + "}", Catalog::builtIn());
            return reading ? std::to_string(reading->pins.size()) : reading.error().front().path;
        };
        const std::string good = "{\"scenario\": " + pin + "}";
        QCOMPARE(problem("[]"), std::string("0"));
        QCOMPARE(problem("[" + good + "," + good + "]"), std::string("2"));
        QCOMPARE(problem("7"), std::string("/pins"));
        QCOMPARE(problem("[{\"name\": \"x\"}]").substr(0, 7), std::string("/pins/0"));
        QCOMPARE(problem("[{\"scenario\": 3}]"), std::string("/pins/0/scenario"));
        QCOMPARE(problem("[{\"name\": \"" + std::string(41, 'x') + "\", \"scenario\": " + pin + "}]"),
                 std::string("/pins/0/name"));
        QCOMPARE(problem("[" + good + "," + good + "," + good + "," + good + "]"), std::string("/pins/3"));
        std::string nested = pin;
        nested.pop_back();
        QCOMPARE(problem("[{\"scenario\": " + nested + ", \"pins\": []}}]"), std::string("/pins/0/scenario/pins"));
    }
};
HEADROOM_TEST_WITH(QApplication, TestPinNames)

} // namespace headroom::ui::test_pin_names
#include "test_pin_names.moc"
