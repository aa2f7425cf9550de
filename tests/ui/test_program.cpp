// SPDX-License-Identifier: GPL-3.0-or-later
// The window program as a process: pictures without a display, messages, exit status.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>

namespace headroom::test_program
{

class TestProgram final : public QObject
{
    Q_OBJECT

    struct Outcome {
        int status = -1;
        QByteArray out, err;
    };

    Outcome run(const QStringList& arguments, const QString& platform = {})
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        // As on a login node: no display, no platform chosen, no folder for sockets.
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
            environment.remove(QLatin1String(name));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.path());
        if (!platform.isEmpty())
            environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start(test::windowProgram(), arguments);
        if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) {
            process.kill();
            process.waitForFinished();
            return {};
        }
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

    QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static QString example(const char* name)
    {
        return QString::fromStdString(headroom::test::sourcePath(std::string("resources/scenarios/") + name));
    }

    QTemporaryDir m_folder;

private slots:
    void aPictureHasTheAskedSizeAndTheme()
    {
        const Outcome light =
            run({QStringLiteral("--render"), file("light.png"), QStringLiteral("--size"), QStringLiteral("1366x768")});
        QVERIFY2(light.status == 0, light.err.constData());
        QVERIFY2(light.err.isEmpty(), light.err.constData()); // nothing that a user could do nothing about
        const QImage picture(file("light.png"));
        QCOMPARE(picture.size(), QSize(1366, 768));
        QVERIFY(picture.pixelColor(3, 400).lightness() > 200);
        const Outcome dark = run({QStringLiteral("--render"), file("dark.png"), QStringLiteral("--theme"),
                                  QStringLiteral("dark"), QStringLiteral("--size=1200x800")});
        QVERIFY2(dark.status == 0, dark.err.constData());
        QVERIFY(QImage(file("dark.png")).pixelColor(3, 400).lightness() < 60);
        // A script may have chosen the platform itself.
        const Outcome chosen = run({QStringLiteral("--render"), file("chosen.png")}, QStringLiteral("offscreen"));
        QVERIFY2(chosen.status == 0 && chosen.err.isEmpty(), chosen.err.constData());
        const Outcome sharp = run({QStringLiteral("--render"), file("sharp.png"), QStringLiteral("--scale"),
                                   QStringLiteral("2"), QStringLiteral("--size"), QStringLiteral("1200x800")});
        QVERIFY2(sharp.status == 0, sharp.err.constData());
        QCOMPARE(QImage(file("sharp.png")).size(), QSize(2400, 1600));
    }

    void theFileAndThePageAreShown()
    {
        const QStringList size{QStringLiteral("--size"), QStringLiteral("1200x800")};
        const QString mistral = example("14-mixtral-8x7b-64-h100.headroom");
        QCOMPARE(run(QStringList{QStringLiteral("--render"), file("first.png")} + size).status, 0);
        const Outcome other = run(QStringList{QStringLiteral("--render"), file("other.png"), QStringLiteral("--page"),
                                              QStringLiteral("dashboard"), mistral} +
                                  size);
        QVERIFY2(other.status == 0, other.err.constData());
        const QImage first(file("first.png")), second(file("other.png"));
        QVERIFY(!first.isNull() && !second.isNull());
        QVERIFY(first != second);
    }

    void refusals_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArrayList>("said");
        QFile bad(file("bad.headroom"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write(R"({"format": "headroom-scenario", "version": 1, "model": "lama"})");
        bad.close();
        const auto render = [this](std::initializer_list<QString> rest) {
            return QStringList{QStringLiteral("--render"), file("never.png")} + QStringList(rest);
        };
        QTest::newRow("a damaged file") << render({file("bad.headroom")}) << 1
                                        << QByteArrayList{"bad.headroom", "/model", "lama"};
        QTest::newRow("a missing file") << render({file("none.headroom")}) << 1 << QByteArrayList{"none.headroom"};
        QTest::newRow("no such folder") << QStringList{QStringLiteral("--render"), file("no/such/folder.png")} << 1
                                        << QByteArrayList{"folder.png", "cannot be written"};
        QTest::newRow("no such page") << render({QStringLiteral("--page"), QStringLiteral("lounge")}) << 2
                                      << QByteArrayList{"--page", "lounge", "dashboard"};
        QTest::newRow("no size") << render({QStringLiteral("--size"), QStringLiteral("big")}) << 2
                                 << QByteArrayList{"--size", "big", "1600x900"};
        QTest::newRow("no theme") << render({QStringLiteral("--theme"), QStringLiteral("pink")}) << 2
                                  << QByteArrayList{"--theme", "pink", "dark"};
        QTest::newRow("no scale") << render({QStringLiteral("--scale"), QStringLiteral("9")}) << 2
                                  << QByteArrayList{"--scale", "9", "0.5"};
        QTest::newRow("no language") << render({QStringLiteral("--language"), QStringLiteral("tlh")}) << 2
                                     << QByteArrayList{"--language", "tlh", "de"};
        QTest::newRow("two files") << render({file("a"), file("b")}) << 2 << QByteArrayList{"one scenario"};
    }

    void refusals()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, status);
        QFETCH(const QByteArrayList, said);
        const Outcome outcome = run(arguments);
        QVERIFY2(outcome.status == status, outcome.err.constData());
        for (const QByteArray& words : said)
            QVERIFY2(outcome.err.contains(words), outcome.err.constData());
        QVERIFY(!QFile::exists(file("never.png")));
    }

    void aThemeForOneStartIsNotKept()
    {
        QProcess window;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), file("config"));
        environment.insert(QStringLiteral("XDG_DATA_HOME"), file("data"));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        window.setProcessEnvironment(environment);
        window.start(test::windowProgram(), {QStringLiteral("--theme"), QStringLiteral("dark")});
        QVERIFY(window.waitForStarted());
        window.waitForFinished(2'000); // it stays open, and writes its settings meanwhile
        QCOMPARE(window.state(), QProcess::Running);
        window.kill();
        window.waitForFinished();
        for (QDirIterator each(file("config"), QDir::Files, QDirIterator::Subdirectories); each.hasNext();) {
            QFile settings(each.next());
            QVERIFY(settings.open(QIODevice::ReadOnly));
            QVERIFY2(!settings.readAll().contains("dark"), qPrintable(settings.fileName()));
        }
    }

    void helpAndVersionNeedNoDisplay()
    {
        const Outcome help = run({QStringLiteral("--help")});
        QCOMPARE(help.status, 0);
        for (const char* option : {"--render", "--page", "--size", "--theme", "--scale"})
            QVERIFY2(help.out.contains(option), option);
        const Outcome version = run({QStringLiteral("--version")});
        QCOMPARE(version.status, 0);
        QVERIFY(version.out.contains(HEADROOM_VERSION));
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestProgram)

} // namespace headroom::test_program
#include "test_program.moc"
