// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is lost: unsaved work survives the death of its process, and saved files survive everything.
#include "core/scenario/scenario_json.hpp"
#include "tests/support/denied.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/document/autosave.hpp"
#include "ui/document/recovery.hpp"

#include <QProcess>
#include <QRandomGenerator>
#include <QSaveFile>
#include <QSignalSpy>

namespace headroom::ui::test_autosave
{

using headroom::test::WindowFixture;
using headroom::test::writtenFile;

namespace
{

constexpr auto childVariable = "HEADROOM_TEST_AUTOSAVE_FOLDER";

/// What the child does until it is killed: edits, and now and then saves. Says what it did only once it is done.
[[noreturn]] void editForEver(const QString& folder)
{
    ScenarioStore store;
    Autosave autosave(store, folder);
    const QString document = folder + QStringLiteral("/saved.headroom");
    store.setDocument(Scenario{}, document);
    for (int value = 1;; value = value % 1000 + 1) {
        store.setParameter(0, *parameterRow("micro_batch"), value);
        if (value % 40 == 0) {
            QSaveFile file(document);
            const std::string text = writeScenario(store.scenario());
            if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0 || !file.commit())
                std::exit(2);
            store.markSaved(document);
        }
        std::printf("%d %lld %d\n", value, static_cast<long long>(QDateTime::currentMSecsSinceEpoch()),
                    value % 40 == 0 ? 1 : 0);
        std::fflush(stdout);
        QTest::qWait(10);
    }
}

qint64 microBatch(const Scenario& scenario)
{
    return static_cast<qint64>(parameterRow("micro_batch")->get(scenario));
}

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files);
}

} // namespace

class TestAutosave : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_case = 0;
    static void age(const QString& folder, const QStringList& names, const QDateTime& time)
    {
        for (const QFileInfo& info : QDir(folder).entryInfoList(names, QDir::Files)) {
            QFile file(info.filePath());
            QVERIFY(file.open(QIODevice::ReadWrite) && file.setFileTime(time, QFileDevice::FileModificationTime));
        }
    }
    QString newFolder() { return m_folder.filePath(QString::number(++m_case)); }

    /// What is left when a process dies: its copy, and no living owner of the lock.
    static void leaveUnsaved(const QString& folder, qint64 value, const QString& document)
    {
        ScenarioStore store;
        store.setDocument(Scenario{}, document);
        Autosave autosave(store, folder);
        store.setParameter(0, *parameterRow("micro_batch"), double(value));
        autosave.flush();
        QStringList copies = QDir(folder).entryList({QStringLiteral("*.autosave")}, QDir::Files);
        copies.removeIf([](const QString& name) { return name.startsWith(QLatin1String("dead")); });
        QVERIFY(!copies.isEmpty());
        const QString copy = folder + u'/' + copies.front();
        QVERIFY(QFile::copy(copy, folder + QStringLiteral("/dead-%1.autosave").arg(value)));
    }

private slots:
    void unsavedWorkIsKeptAndSavedWorkIsNot()
    {
        const QString folder = newFolder();
        {
            WindowFixture fixture;
            ScenarioStore& store = fixture.session.store;
            Autosave autosave(store, folder);
            autosave.flush();
            QVERIFY(filesIn(folder).isEmpty()); // nothing to keep yet
            store.setParameter(0, *parameterRow("micro_batch"), 37);
            QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder).entryList({QStringLiteral("*.autosave")}).isEmpty(),
                                     Autosave::delayMs * 5 * test::timesSlower);
            fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("mine.headroom"));
            QVERIFY(fixture.session.documents.save());
            autosave.flush();
            QVERIFY(QDir(folder).entryList({QStringLiteral("*.autosave")}).isEmpty());
            store.setParameter(0, *parameterRow("micro_batch"), 38);
            autosave.flush();
        }
        QVERIFY2(filesIn(folder).isEmpty(), qPrintable(filesIn(folder).join(u' '))); // ended properly
    }

    void whatADeadProcessLeftIsOffered()
    {
        const QString folder = newFolder();
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        const QString document = fixture.folder.filePath(QStringLiteral("mine.headroom"));
        fixture.dialogs.path = document;
        store.setParameter(0, *parameterRow("micro_batch"), 5);
        QVERIFY(fixture.session.documents.saveAs());
        const Scenario saved = store.scenario();
        leaveUnsaved(folder, 37, document);

        Autosave autosave(store, folder);
        const auto offer = [&] {
            offerUnsaved(autosave, store, fixture.session.recalculator.catalog(), fixture.dialogs,
                         fixture.window.get());
        };
        offer(); // later: nothing changes, and it is offered again
        QCOMPARE(fixture.dialogs.offered.size(), 1);
        QVERIFY(!store.isModified());

        fixture.dialogs.restore = RestoreAnswer::Restore;
        offer();
        QCOMPARE(fixture.dialogs.offered.size(), 2);
        QCOMPARE(microBatch(store.scenario()), 37);
        QCOMPARE(store.path(), document);
        QVERIFY(fixture.window->isWindowModified());
        QVERIFY(!QFile::exists(folder + QStringLiteral("/dead-37.autosave")));
        store.undoStack().undo();
        QVERIFY(store.scenario() == saved);

        offer(); // and not once more
        QCOMPARE(fixture.dialogs.offered.size(), 2);
    }

    void discardedIsGone()
    {
        const QString folder = newFolder();
        WindowFixture fixture;
        leaveUnsaved(folder, 12, {});
        Autosave autosave(fixture.session.store, folder);
        fixture.dialogs.restore = RestoreAnswer::Discard;
        offerUnsaved(autosave, fixture.session.store, Catalog::builtIn(), fixture.dialogs, fixture.window.get());
        QCOMPARE(fixture.dialogs.offered.size(), 1);
        QVERIFY(!fixture.session.store.isModified());
        QVERIFY(filesIn(folder).isEmpty());
    }

    void aLivingWindowKeepsItsOwn()
    {
        const QString folder = newFolder();
        ScenarioStore ours, theirs;
        Autosave first(ours, folder), second(theirs, folder);
        ours.setParameter(0, *parameterRow("micro_batch"), 7);
        first.flush();
        QVERIFY(!second.takeUnsaved());
        // The clock has been set forward by years: its lock looks old, its process lives.
        age(folder, {QStringLiteral("*.lock")}, QDateTime::currentDateTime().addYears(-30));
        QVERIFY(!second.takeUnsaved());
    }

    void whateverTheClockSaysEveryCopyIsOffered()
    {
        const QString folder = newFolder();
        leaveUnsaved(folder, 11, {});
        age(folder, {QStringLiteral("dead-11*")}, QDateTime::currentDateTime().addYears(30)); // before it was set back
        leaveUnsaved(folder, 12, {});
        age(folder, {QStringLiteral("dead-12*")}, QDateTime::fromSecsSinceEpoch(0)); // an empty battery
        leaveUnsaved(folder, 13, {});
        ScenarioStore store;
        Autosave autosave(store, folder);
        QSet<qint64> offered;
        while (const auto unsaved = autosave.takeUnsaved()) {
            offered << microBatch(readScenario(toUtf8(unsaved->scenario), Catalog::builtIn())->scenario);
            autosave.removeTaken();
        }
        QCOMPARE(offered, (QSet<qint64>{11, 12, 13}));
    }

    void twoWindowsOnOneFileKeepTwoCopies()
    {
        const QString folder = newFolder(), document = m_folder.filePath(QStringLiteral("both.headroom"));
        ScenarioStore ours, theirs;
        Autosave first(ours, folder), second(theirs, folder);
        ours.setDocument(Scenario{}, document);
        theirs.setDocument(Scenario{}, document);
        ours.setParameter(0, *parameterRow("micro_batch"), 21);
        theirs.setParameter(0, *parameterRow("micro_batch"), 22);
        first.flush();
        second.flush();
        QStringList copies = QDir(folder).entryList({QStringLiteral("*.autosave")});
        QCOMPARE(copies.size(), 2);
        ours.markSaved(document); // one saves: the other's copy stays
        first.flush();
        copies = QDir(folder).entryList({QStringLiteral("*.autosave")});
        QCOMPARE(copies.size(), 1);
        QVERIFY(test::readFile(toUtf8(folder + u'/' + copies.front())).find("22") != std::string::npos);
    }

    void whatIsRestoredStaysWhileItCannotBeKeptAnew()
    {
        const QString folder = newFolder();
        leaveUnsaved(folder, 37, {});
        WindowFixture fixture;
        Autosave autosave(fixture.session.store, folder);
        fixture.dialogs.restore = RestoreAnswer::Restore;
        {
            const test::FullDisk full(250); // enough for a lock, not for a scenario
            offerUnsaved(autosave, fixture.session.store, Catalog::builtIn(), fixture.dialogs, fixture.window.get());
        }
        QCOMPARE(microBatch(fixture.session.store.scenario()), 37);
        QVERIFY(QFile::exists(folder + QStringLiteral("/dead-37.autosave"))); // the only copy there is
    }

    void aCopyThatCannotBeReadTodayHidesNoOther()
    {
        const QString folder = newFolder();
        leaveUnsaved(folder, 41, {});
        age(folder, {QStringLiteral("dead-41*")}, QDateTime::currentDateTime().addDays(-1));
        writtenFile(folder + QStringLiteral("/newer.autosave"),
                    R"({"format":"headroom-autosave","scenario":"{}"})"); // a later version's, say
        WindowFixture fixture;
        Autosave autosave(fixture.session.store, folder);
        fixture.dialogs.restore = RestoreAnswer::Restore;
        offerUnsaved(autosave, fixture.session.store, Catalog::builtIn(), fixture.dialogs, fixture.window.get());
        QCOMPARE(microBatch(fixture.session.store.scenario()), 41);
        QVERIFY(QFile::exists(folder + QStringLiteral("/newer.autosave")));
    }

    void damagedAndForeignFilesArePassedOver()
    {
        const QString folder = newFolder();
        QVERIFY(QDir().mkpath(folder));
        const std::vector<QByteArray> texts = {"",
                                               "{",
                                               "[1]",
                                               R"({"format":"headroom-autosave"})",
                                               R"({"format":"other","scenario":"{}"})",
                                               R"({"format":"headroom-autosave","scenario":"not a scenario"})"};
        for (std::size_t i = 0; i < texts.size(); ++i) {
            QFile file(folder + QStringLiteral("/%1.autosave").arg(i));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(texts[i]) == texts[i].size());
        }
        WindowFixture fixture;
        const Scenario before = fixture.session.store.scenario();
        Autosave autosave(fixture.session.store, folder);
        fixture.dialogs.restore = RestoreAnswer::Restore;
        offerUnsaved(autosave, fixture.session.store, Catalog::builtIn(), fixture.dialogs, fixture.window.get());
        QVERIFY(fixture.dialogs.offered.isEmpty());
        QVERIFY(fixture.session.store.scenario() == before);
    }

    void aFolderThatCannotBeWrittenIsSaidOnce()
    {
        const QString blocked = newFolder();
        QFile file(blocked); // a file where the folder should be stops root too
        QVERIFY(file.open(QIODevice::WriteOnly));
        ScenarioStore store;
        Autosave autosave(store, blocked + QStringLiteral("/autosave"));
        QSignalSpy failed(&autosave, &Autosave::failed);
        for (int value = 2; value < 5; ++value) {
            store.setParameter(0, *parameterRow("micro_batch"), value);
            autosave.flush();
            QCoreApplication::processEvents();
        }
        QCOMPARE(failed.size(), 1);
        QVERIFY(!failed.front().front().toString().isEmpty());
    }

    void aDiskThatFillsUpAgainIsSaidAgain()
    {
        ScenarioStore store;
        Autosave autosave(store, newFolder());
        QSignalSpy failed(&autosave, &Autosave::failed);
        const auto edit = [&](int value) {
            store.setParameter(0, *parameterRow("micro_batch"), value);
            autosave.flush();
            QCoreApplication::processEvents();
        };
        for (int times = 1; times <= 2; ++times) {
            edit(10 * times);
            QCOMPARE(failed.size(), times - 1);
            const test::FullDisk full;
            edit(10 * times + 1);
            edit(10 * times + 2);
            QCOMPARE(failed.size(), times);
        }
    }

    /// HEADROOM_TEST_KILLS=200 for the long one.
    void aKilledProcessLosesTwoSecondsAtMost()
    {
        bool given = false;
        const int kills = qEnvironmentVariableIntValue("HEADROOM_TEST_KILLS", &given);
        for (int i = 0; i < (given ? kills : 3); ++i) {
            const QString folder = newFolder();
            QVERIFY(QDir().mkpath(folder));
            QProcess child;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QString::fromLatin1(childVariable), folder);
            child.setProcessEnvironment(environment);
            child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("test_autosave")});
            QVERIFY(child.waitForReadyRead(30000));
            QTest::qWait(QRandomGenerator::global()->bounded(100, 2500));
            {
                ScenarioStore other;
                QVERIFY(!Autosave(other, folder).takeUnsaved()); // it lives
            }
            child.kill();
            QVERIFY(child.waitForFinished());

            struct Step {
                qint64 value, time;
                bool saved;
            };
            std::vector<Step> steps;
            const QList<QByteArray> lines = child.readAllStandardOutput().split('\n');
            for (const QByteArray& line : lines) {
                const QList<QByteArray> words = line.split(' ');
                if (words.size() == 3)
                    steps.push_back({words[0].toLongLong(), words[1].toLongLong(), words[2] == "1"});
            }
            QVERIFY(!steps.empty());

            // The saved file is whole, and no older than the last save that was finished.
            const auto lastSave =
                std::find_if(steps.rbegin(), steps.rend(), [](const Step& step) { return step.saved; });
            if (lastSave != steps.rend()) {
                const auto saved = readScenario(test::readFile(toUtf8(folder) + "/saved.headroom"), Catalog::builtIn());
                QVERIFY(saved);
                QVERIFY(microBatch(saved->scenario) >= lastSave->value);
            }
            // The unsaved copy, or else the saved file, is at most two seconds behind.
            ScenarioStore store;
            Autosave autosave(store, folder);
            qint64 kept = lastSave == steps.rend() ? 1 : lastSave->value;
            if (const auto unsaved = autosave.takeUnsaved()) {
                const auto reading = readScenario(toUtf8(unsaved->scenario), Catalog::builtIn());
                QVERIFY(reading);
                kept = std::max(kept, microBatch(reading->scenario));
            }
            const auto after = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.value > kept; });
            if (after != steps.end())
                QVERIFY2(steps.back().time - after->time <= 2000,
                         qPrintable(QString::number(steps.back().time - after->time)));
        }
    }
};

namespace
{

int runAutosave(int count, char** arguments)
{
    if (const QString folder = qEnvironmentVariable(childVariable); !folder.isEmpty()) {
        const QApplication application(count, arguments);
        editForEver(folder);
    }
    if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT")) // 200 kills take longer than Qt Test's five minutes
        qputenv("QTEST_FUNCTION_TIMEOUT", "7200000");
    return test::runTests<TestAutosave, QApplication>(count, arguments);
}

} // namespace
HEADROOM_TEST_RUN(runAutosave)

} // namespace headroom::ui::test_autosave
#include "test_autosave.moc"
