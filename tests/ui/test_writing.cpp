// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the window's program writes, where it cannot: one clear message, and what was there before is intact.
#include "core/scenario/scenario_json.hpp"
#include "tests/support/denied.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/report.hpp"
#include "ui/panels/table_output.hpp"
#include "ui/platform/files.hpp"
#include "ui/present/presenter.hpp"
#include "ui/present/view_library.hpp"
#include "ui/present/views_pdf.hpp"
#include "ui/settings/preferences.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTableWidget>
#include <sys/stat.h>

namespace headroom::ui::test_writing
{

using headroom::test::WindowFixture;
using headroom::test::writtenFile;

namespace
{

/// Tries to write `path`; what the user was told, one entry a message.
using Writer = std::function<QStringList(WindowFixture&, const QString& path)>;

QStringList told(const QString& error)
{
    return error.isEmpty() ? QStringList() : QStringList(error);
}

QStringList told(const Diagnostics& diagnostics)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics)
        lines << toQString(toText(diagnostic));
    return lines;
}

/// Does it by way of the window, whose dialogs give `path` where they are asked and keep what they are to show.
QStringList told(WindowFixture& fixture, const QString& path, const std::function<void()>& write)
{
    fixture.dialogs.path = path;
    fixture.dialogs.errors.clear();
    write();
    return fixture.dialogs.errors;
}

void trigger(WindowFixture& fixture, ActionId id)
{
    fixture.part<Actions>()[id]->trigger();
}

std::map<std::string, Writer> writers()
{
    const QSize size(300, 200);
    const Theme& light = theme(ThemeKind::Light);
    return {
        {"scenario",
         [](WindowFixture& f, const QString& path) { return told(f, path, [&] { trigger(f, ActionId::SaveAs); }); }},
        {"report", [](WindowFixture& f,
                      const QString& path) { return told(f, path, [&] { trigger(f, ActionId::ExportReport); }); }},
        {"views.pdf", [](WindowFixture& f,
                         const QString& path) { return told(f, path, [&] { trigger(f, ActionId::ExportViews); }); }},
        {"table.csv",
         [](WindowFixture& f, const QString& path) {
             QTableWidget table(20, 20);
             return told(f, path, [&] { exportTable(table, f.dialogs, f.settings); });
         }},
        {"chart.png",
         [=](WindowFixture&, const QString& path) { return told(exportPng(test::lineSpec(0), path, size, light, 1)); }},
        {"chart.svg",
         [=](WindowFixture&, const QString& path) { return told(exportSvg(test::lineSpec(0), path, size, light)); }},
        {"chart.pdf",
         [=](WindowFixture&, const QString& path) { return told(exportPdf(test::lineSpec(0), path, size, light)); }},
        {"chart.csv", [](WindowFixture&, const QString& path) { return told(exportCsv(test::lineSpec(0), path)); }},
        {"views",
         [](WindowFixture& f, const QString& path) { return told(f.part<Presenter>().library().saveCopy(path)); }},
        {"own runs",
         [](WindowFixture&, const QString& path) {
             RunLibrary runs(Catalog::builtIn(), path);
             QSignalSpy failed(&runs, &RunLibrary::failed);
             Scenario run;
             run.name = "mine";
             run.measured.stepTimeS = 3;
             runs.add({run, run});
             return failed.isEmpty() ? QStringList() : QStringList(path + failed.front().front().toString());
         }},
        {"catalogue",
         [](WindowFixture&, const QString& path) {
             CatalogLibrary library(QFileInfo(path).path());
             const auto saved = library.save(*Catalog::builtIn().accelerators().front());
             return saved ? QStringList() : told(saved.error());
         }},
        {"preferences",
         [](WindowFixture&, const QString& path) {
             Settings settings(path);
             settings.setValue(SettingKey::LastFolder, QString(200, u'x'));
             return settings.flush() ? QStringList() : QStringList(settings.fileName());
         }},
    };
}

} // namespace

class TestWriting : public QObject
{
    Q_OBJECT

private slots:
    void whatCannotBeWrittenIsSaidAndHarmsNothing_data()
    {
        QTest::addColumn<QString>("writer");
        for (const auto& [name, writer] : writers())
            QTest::newRow(name.c_str()) << toQString(name);
    }

    void whatCannotBeWrittenIsSaidAndHarmsNothing()
    {
        QFETCH(QString, writer);
        const Writer write = writers().at(toUtf8(writer));
        WindowFixture fixture;
        const QTemporaryDir place;
        const QString folder = place.filePath(QStringLiteral("folder")), path = folder + QStringLiteral("/old.file");
        const QByteArray old("; what was there before\n");
        writtenFile(path, old);
        const auto check = [&](const QStringList& messages, const char* denial) {
            QVERIFY2(messages.size() == 1, qPrintable(QLatin1String(denial) + messages.join(u'|')));
            QVERIFY2(messages.front().contains(folder) && messages.front().size() < 600, qPrintable(messages.front()));
            QCOMPARE(QByteArray::fromStdString(test::readFile(toUtf8(path))), old);
            // Nothing half-written is left behind either.
            QCOMPARE(QDir(folder).entryList(QDir::Files | QDir::Hidden), QStringList(QStringLiteral("old.file")));
        };
        QStringList messages;
        // Full at once, and full while it writes: the room that is left must not be taken for enough.
        for (const rlim_t room : {0, 20}) {
            {
                const test::FullDisk full(room);
                messages = write(fixture, path);
            }
            check(messages, "full disk: ");
        }
        {
            const test::ReadOnlyFolder denied(folder);
            messages = write(fixture, path);
        }
        check(messages, "read-only folder: ");
        // A folder that is gone, with a file in its place: neither root nor a writer that makes folders gets past it.
        QVERIFY(QDir(folder).removeRecursively());
        writtenFile(folder, old);
        messages = write(fixture, path);
        QVERIFY2(messages.size() == 1, qPrintable(messages.join(u'|')));
        QCOMPARE(QByteArray::fromStdString(test::readFile(toUtf8(folder))), old);
    }

    void whatCanBeWrittenIs_data() { whatCannotBeWrittenIsSaidAndHarmsNothing_data(); }

    /// The other half: a writer that never gets as far would pass the test above.
    void whatCanBeWrittenIs()
    {
        QFETCH(QString, writer);
        WindowFixture fixture;
        const QTemporaryDir place;
        const QString path = place.filePath(QStringLiteral("new.file"));
        QCOMPARE(writers().at(toUtf8(writer))(fixture, path), QStringList());
        QVERIFY(QFileInfo(path).size() > 0 || writer == QStringLiteral("catalogue"));
    }

    void preferencesThatCannotBeKeptAreSaid()
    {
        WindowFixture fixture;
        const auto choose = [&](int index) {
            fixture.part<Actions>()[ActionId::Preferences]->trigger();
            WindowFixture::settle();
            auto* dialog = fixture.window->findChild<PreferencesDialog*>();
            dialog->choice(SettingKey::MemoryUnit)->setCurrentIndex(index);
            dialog->accept();
            delete dialog;
        };
        choose(1);
        QVERIFY(fixture.dialogs.errors.isEmpty());
        const test::FullDisk full(0);
        choose(0);
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(fixture.dialogs.errors.front().contains(fixture.settings.fileName()));
    }

    void aDeviceIsWrittenAndNotReplaced()
    {
        if (!QFileInfo::exists(QStringLiteral("/dev/full")))
            QSKIP("this system has no /dev/full");
        const QString error = writeFile(QStringLiteral("/dev/full"), QByteArray("x"));
        QVERIFY2(error.contains(QStringLiteral("space")), qPrintable(error));
        struct stat status {
        };
        QVERIFY(stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
    }

    void aPipeIsNotWaitedFor()
    {
        WindowFixture fixture;
        const QString path = fixture.folder.filePath(QStringLiteral("pipe.headroom"));
        QCOMPARE(mkfifo(path.toLocal8Bit().constData(), 0600), 0);
        QVERIFY(!fixture.session.documents.openPath(path));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(!RunController::isLog(path));
        QVERIFY(!readViewsFile(path, Catalog::builtIn()));
    }

    void aFileThatCannotBeReadToItsEndIsSaid()
    {
        const QString path = QStringLiteral("/proc/self/mem"); // opens, then fails as a broken disk does
        if (!QFileInfo(path).isFile())
            QSKIP("this system has no /proc");
        WindowFixture fixture;
        QVERIFY(!readFile(path, 100));
        QVERIFY(!fixture.session.documents.openPath(path));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY2(fixture.dialogs.errors.front().contains(QStringLiteral("error")),
                 qPrintable(fixture.dialogs.errors.front()));
    }

    void nothingIsReadBeyondWhatIsAskedAndNoMemoryKeptForIt()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("file"));
        writtenFile(path, QByteArray(300'000, 'x'));
        QCOMPARE(readFile(path, 100).value_or(QByteArray()), QByteArray(100, 'x'));
        const auto whole = readFile(path, 32 << 20);
        QVERIFY(whole);
        QCOMPARE(whole->size(), 300'000);
        QVERIFY(whole->capacity() < 1 << 20);
        QVERIFY(!readFile(QStringLiteral("/proc/self/status"), 32 << 20).value_or(QByteArray()).isEmpty());
    }

    void permissionDeniedAndAVanishedFileAreSaid()
    {
        WindowFixture fixture;
        const QString path = fixture.folder.filePath(QStringLiteral("mine.headroom"));
        const Scenario before = fixture.session.store.scenario();
        QVERIFY(!fixture.session.documents.openPath(path));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(fixture.dialogs.errors.front().contains(path));
        writtenFile(path, QByteArray::fromStdString(writeScenario(before)));
        {
            const test::ReadOnlyFolder other(fixture.folder.path(), 0);
            QVERIFY(!fixture.session.documents.openPath(path));
        }
        QCOMPARE(fixture.dialogs.errors.size(), 2);
        QVERIFY(fixture.session.store.scenario() == before);
    }

    void aFileThatAnotherChangedIsNotSavedOverUnasked()
    {
        WindowFixture ours, theirs;
        const QString path = ours.folder.filePath(QStringLiteral("shared.headroom"));
        const auto change = [](WindowFixture& fixture, double value) {
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), value);
        };
        const auto onDisk = [&] {
            return static_cast<double>(
                readScenario(test::readFile(toUtf8(path)), Catalog::builtIn())->scenario.training.microBatch);
        };
        ours.dialogs.confirmed = theirs.dialogs.confirmed = false;
        ours.dialogs.path = path;
        QVERIFY(ours.session.documents.saveAs());
        QVERIFY(theirs.session.documents.openPath(path));
        change(theirs, 3);
        QVERIFY(theirs.session.documents.save()); // the first to save is not asked
        change(ours, 5);
        QVERIFY(!ours.session.documents.save()); // the second is, and says no
        QCOMPARE(onDisk(), 3.0);
        QVERIFY(ours.session.store.isModified());
        ours.dialogs.confirmed = true;
        QVERIFY(ours.session.documents.save());
        QCOMPARE(onDisk(), 5.0);
        ours.dialogs.confirmed = false;
        change(ours, 6);
        QVERIFY(ours.session.documents.save()); // it is ours again
        // Gone: there is nothing to lose, and it is written anew.
        QVERIFY(QFile::remove(path));
        change(ours, 7);
        QVERIFY(ours.session.documents.save());
        QCOMPARE(onDisk(), 7.0);
        // Opened once more: what is there now is known.
        QVERIFY(theirs.session.documents.openPath(path));
        change(theirs, 8);
        QVERIFY(theirs.session.documents.save());
    }

    void runsThatTwoWindowsImportAreAllKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("runs.jsonl"));
        RunLibrary ours(Catalog::builtIn(), path), theirs(Catalog::builtIn(), path);
        const auto run = [](const char* name) {
            Scenario scenario;
            scenario.name = name;
            scenario.measured.stepTimeS = 3;
            return scenario;
        };
        ours.add({run("one")});
        theirs.add({run("two")});
        ours.add({run("three")});
        QCOMPARE(ours.own().size(), std::size_t(3));
        theirs.remove({0}); // "one", as it stands in that window
        QCOMPARE(theirs.own().size(), std::size_t(2));
        QCOMPARE(theirs.own().front().name, std::string("two"));
    }
};
HEADROOM_TEST_WITH(QApplication, TestWriting)

} // namespace headroom::ui::test_writing
#include "test_writing.moc"
