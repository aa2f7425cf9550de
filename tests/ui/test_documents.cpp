// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/commands/actions.hpp"
#include "ui/learn/welcome_card.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/platform/files.hpp"
#include "ui/widgets/value_box.hpp"

#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>

namespace headroom::ui::test_documents
{

using headroom::test::WindowFixture;
using headroom::test::writtenFile;

class TestDocuments : public QObject
{
    Q_OBJECT

private slots:
    void aTitleBecomesAFileNameThatTheSystemCanHave()
    {
        const QString title = QStringLiteral("GPT: 1/8 of <2> nodes, \"fast\"? a\\b|c*\t×");
        QCOMPARE(fileNameFor(title, false), QStringLiteral("GPT: 1-8 of <2> nodes, \"fast\"? a\\b|c*\t×"));
        QCOMPARE(fileNameFor(title, true), QStringLiteral("GPT- 1-8 of -2- nodes, -fast-- a-b-c--×"));
    }

    void theFirstWindowIsNotEmpty()
    {
        WindowFixture fixture;
        QVERIFY(fixture.session.recalculator.context());
        QVERIFY(!fixture.session.store.isModified());
        QVERIFY(!fixture.session.documents.examples().empty());
    }

    /// A key or a tool leaves the field where it is: the file had the value before, and was said to be saved.
    void whatIsBeingTypedIsSaved()
    {
        WindowFixture fixture;
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("typed.headroom"));
        ValueBox* box = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("micro_batch"))->box();
        box->setFocus();
        QTRY_VERIFY(box->hasFocus());
        QTest::keyClicks(box, QStringLiteral("7"));
        fixture.part<Actions>()[ActionId::Save]->trigger();
        QCOMPARE(fixture.session.store.scenario().training.microBatch, 7);
        QVERIFY(test::readFile(toUtf8(fixture.dialogs.path)).find("\"micro_batch\": 7") != std::string::npos);
        QVERIFY(box->hasFocus());
        QTest::keyClicks(box, QStringLiteral("9"));
        fixture.dialogs.asked = 0;
        QVERIFY(fixture.session.documents.maybeSave()); // asks: it is not saved
        QCOMPARE(fixture.dialogs.asked, 1);
    }

    /// Restored or dropped while the first start still asks where to begin.
    void theWelcomeGivesWayToADocument()
    {
        WindowFixture fixture;
        fixture.window->showWelcome();
        WindowFixture::settle();
        QVERIFY(fixture.window->findChild<WelcomeCard*>());
        QVERIFY(fixture.session.documents.openExample(fixture.session.documents.examples().back()));
        WindowFixture::settle();
        QVERIFY(!fixture.window->findChild<WelcomeCard*>());
    }

    void everyExampleOpens()
    {
        WindowFixture fixture;
        for (const Example& example : fixture.session.documents.examples()) {
            QVERIFY2(fixture.session.documents.openExample(example), qPrintable(example.title));
            fixture.session.recalculator.flush();
            QVERIFY2(!fixture.session.recalculator.isRefused(), qPrintable(example.title));
            QVERIFY(!example.title.isEmpty());
        }
    }

    void whatIsSavedComesBack()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.setParameter(0, *parameterRow("micro_batch"), 37);
        const Scenario before = store.scenario();
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("mine")); // the suffix comes by itself
        fixture.part<Actions>()[ActionId::Save]->trigger();
        QCOMPARE(store.path(), fixture.folder.filePath(QStringLiteral("mine.headroom")));
        QVERIFY(!fixture.window->isWindowModified());
        store.setParameter(0, *parameterRow("micro_batch"), 5);
        QVERIFY(fixture.window->isWindowModified());
        fixture.dialogs.path = store.path();
        fixture.part<Actions>()[ActionId::Open]->trigger();
        QCOMPARE(fixture.dialogs.asked, 1);
        QVERIFY(writeScenario(store.scenario()) == writeScenario(before));
        QCOMPARE(fixture.session.documents.recentFiles().paths().front(), store.path());
    }

    void aCancelledQuestionChangesNothing()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.setParameter(0, *parameterRow("micro_batch"), 37);
        fixture.dialogs.answer = SaveAnswer::Cancel;
        fixture.part<Actions>()[ActionId::New]->trigger();
        QCOMPARE(store.scenario().training.microBatch, 37);
        QVERIFY(!fixture.window->close());
    }

    void aFailedWriteKeepsTheOldFile()
    {
        WindowFixture fixture;
        const QString blocker = writtenFile(fixture.folder.filePath(QStringLiteral("file")), "old");
        fixture.dialogs.path = blocker + QStringLiteral("/inside.headroom");
        QVERIFY(!fixture.session.documents.saveAs());
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QCOMPARE(QByteArray::fromStdString(test::readFile(toUtf8(blocker))), QByteArray("old"));
        QVERIFY(fixture.session.store.path().isEmpty());
    }

    void damagedFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        const QByteArray head =
            R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",)"
            R"( "hardware": {"accelerator": "h100-sxm-80gb"%1}, "workload": {"task": "training"%2}%3})";
        const auto with = [&head](const char* hardware, const char* workload, const char* rest) {
            return QByteArray(head).replace("%1", hardware).replace("%2", workload).replace("%3", rest);
        };
        QTest::newRow("empty") << QByteArray() << QString();
        QTest::newRow("not JSON") << QByteArray("hello") << QString();
        QTest::newRow("cut off") << with("", "", "").left(60) << QString();
        QTest::newRow("a list") << QByteArray("[1, 2]") << QString();
        QTest::newRow("deep") << QByteArray(4000, '[') << QString();
        QTest::newRow("no format") << QByteArray("{}") << QStringLiteral("format");
        QTest::newRow("newer version") << with("", "", "").replace("\"version\": 1", "\"version\": 99")
                                       << QStringLiteral("/version");
        QTest::newRow("unknown model") << with("", "", "").replace("llama-3-8b", "lama") << QStringLiteral("/model");
        QTest::newRow("unknown key") << with("", ", \"batchh\": 3", "") << QStringLiteral("batchh");
        QTest::newRow("zero") << with(", \"count\": 0", "", "") << QStringLiteral("/hardware/count");
        QTest::newRow("text for a number") << with(", \"count\": \"8\"", "", "") << QStringLiteral("/hardware/count");
        QTest::newRow("a fraction") << with(", \"count\": 1.5", "", "") << QStringLiteral("/hardware/count");
        QTest::newRow("huge") << with(", \"count\": 1e999", "", "") << QString();
        QTest::newRow("twice") << with(", \"count\": 1, \"count\": 2", "", "") << QString();
        QTest::newRow("unknown name") << with("", ", \"method\": \"lorra\"", "") << QStringLiteral("/workload/method");
        QTest::newRow("too large") << QByteArray((1 << 20) + 10, ' ') << QString();
        QTest::newRow("binary") << QByteArray("\x00\xff\xfe\x80", 4) << QString();
    }

    void damagedFilesAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        WindowFixture fixture;
        const Scenario before = fixture.session.store.scenario();
        const QString path = writtenFile(fixture.folder.filePath(QStringLiteral("bad.headroom")), text);
        QVERIFY(!fixture.session.documents.openPath(path));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY2(fixture.dialogs.errors.front().contains(place), qPrintable(fixture.dialogs.errors.front()));
        QVERIFY(fixture.dialogs.errors.front().contains(QStringLiteral("bad.headroom")));
        QVERIFY(fixture.session.store.scenario() == before);
        QCOMPARE(QByteArray::fromStdString(test::readFile(toUtf8(path))), text);
    }

    /// The list that core and the command line refuse (tests/core/bad_files), on a document with unsaved work.
    void everyBadFileLeavesTheDocumentAsItIs()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.setParameter(0, *parameterRow("micro_batch"), 37);
        fixture.session.recalculator.flush();
        const Scenario before = store.scenario();
        const QString title = fixture.window->windowTitle(), path = store.path();
        const QDir folder(QString::fromStdString(test::sourcePath("tests/core/bad_files")));
        const QStringList files = folder.entryList({QStringLiteral("*.headroom")}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 40);
        int refused = 0;
        for (const QString& file : files) {
            fixture.dialogs.errors.clear();
            // Sizes that are legal one by one and do not go together are work in progress: they open, with a remedy.
            if (readScenario(test::readFile(toUtf8(folder.filePath(file))), Catalog::builtIn()))
                continue;
            ++refused;
            QVERIFY2(!fixture.session.documents.openPath(folder.filePath(file)), qPrintable(file));
            QVERIFY2(fixture.dialogs.errors.size() == 1, qPrintable(file));
            const QString& said = fixture.dialogs.errors.front();
            QVERIFY2(said.contains(file) && said.size() < 3000, qPrintable(said));
            QVERIFY2(store.scenario() == before && store.undoStack().count() == 1 && store.path() == path,
                     qPrintable(file));
            QCOMPARE(fixture.window->windowTitle(), title);
        }
        QVERIFY(refused >= 40);
        // The window goes on.
        store.setParameter(0, *parameterRow("micro_batch"), 8);
        fixture.session.recalculator.flush();
        QCOMPARE(fixture.session.recalculator.context()->scenario.training.microBatch, 8);
    }

    void sizesThatDoNotGoTogetherOpenWithWords()
    {
        for (const char* name : {"count_not_divisible", "global_batch_not_divisible"}) {
            WindowFixture fixture;
            const std::string file = test::sourcePath(std::string("tests/core/bad_files/") + name + ".headroom");
            QVERIFY(fixture.session.documents.openPath(toQString(file)));
            fixture.session.recalculator.flush();
            QVERIFY(fixture.session.recalculator.isRefused());
            const MessageBar& bar = fixture.part<MessageBar>();
            QTRY_VERIFY(bar.isVisible() && !bar.text().isEmpty());
            QVERIFY2(!bar.remedies().empty(), name);
        }
    }

    void aDroppedFileOpens()
    {
        WindowFixture fixture;
        Scenario scenario;
        scenario.name = "dropped";
        const QString path = writtenFile(fixture.folder.filePath(QStringLiteral("dropped.headroom")),
                                         QByteArray::fromStdString(writeScenario(scenario)));
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(fixture.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(fixture.window.get(), &drop);
        QCOMPARE(fixture.session.store.path(), path);
        QCOMPARE(fixture.session.store.scenario().name, std::string("dropped"));
    }

    void theClipboardCarriesAScenario()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.setParameter(0, *parameterRow("micro_batch"), 12);
        fixture.part<Actions>()[ActionId::Copy]->trigger();
        store.setParameter(0, *parameterRow("micro_batch"), 3);
        fixture.part<Actions>()[ActionId::Paste]->trigger();
        QCOMPARE(store.scenario().training.microBatch, 12);
        store.undoStack().undo();
        QCOMPARE(store.scenario().training.microBatch, 3);
        QGuiApplication::clipboard()->setText(QStringLiteral("no scenario"));
        fixture.part<Actions>()[ActionId::Paste]->trigger();
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QCOMPARE(store.scenario().training.microBatch, 3);
    }

    void recentFilesAreTenAndRemembered()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("s.ini"));
        {
            Settings settings(file);
            RecentFiles recent(settings);
            for (int i = 0; i < 12; ++i)
                recent.add(QStringLiteral("/tmp/%1.headroom").arg(i));
            recent.add(QStringLiteral("/tmp/5.headroom"));
        }
        Settings settings(file);
        const RecentFiles recent(settings);
        QCOMPARE(recent.paths().size(), RecentFiles::maximum);
        QCOMPARE(recent.paths().front(), QStringLiteral("/tmp/5.headroom"));
        QCOMPARE(recent.paths().count(QStringLiteral("/tmp/5.headroom")), 1);
    }

    void settingsKeysAreUnique()
    {
        QSet<QString> names;
        int index = 0;
        for (const SettingRow& row : Settings::table()) {
            QCOMPARE(static_cast<int>(row.key), index++);
            QVERIFY2(!names.contains(QLatin1String(row.name)), row.name);
            names.insert(QLatin1String(row.name));
        }
    }
};
HEADROOM_TEST_WITH(QApplication, TestDocuments)

} // namespace headroom::ui::test_documents
#include "test_documents.moc"
