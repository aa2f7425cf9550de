// SPDX-License-Identifier: GPL-3.0-or-later
// The tests' own denials: they bind root and the programs it starts, need no other user, and leave everything as it
// was.
#include "tests/support/cli_process.hpp"
#include "tests/support/denied.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::test_denied
{

class TestDenied : public QObject
{
    Q_OBJECT

    static mode_t modeOf(const QString& path)
    {
        struct stat status {
        };
        return stat(QFile::encodeName(path).constData(), &status) == 0 ? status.st_mode & 07777U : 0;
    }

    /// Whether a program that this test starts can do what a line of the shell says.
    static bool canDo(const char* line, const QString& path)
    {
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromLatin1(line), path});
        return test::finish(shell, {}).status == 0;
    }

private slots:
    void aReadOnlyFolderBindsThisProgramAndThoseItStarts()
    {
        const QTemporaryDir place;
        const QString folder = place.filePath(QStringLiteral("folder")), path = folder + QStringLiteral("/file");
        const QString below = test::writtenFile(folder + QStringLiteral("/below/file"), "old");
        test::writtenFile(path, "old");
        {
            const test::ReadOnlyFolder denied(folder);
            QVERIFY(!QFile(below + QStringLiteral(".new")).open(QIODevice::WriteOnly));
            QVERIFY(!QFile(path).open(QIODevice::WriteOnly));
            QVERIFY(!QFile(folder + QStringLiteral("/new")).open(QIODevice::WriteOnly));
            QVERIFY(QFile(path).open(QIODevice::ReadOnly));
            QVERIFY(!canDo("echo new >\"$0\"", path));
            QVERIFY(!canDo("rm -f \"$0\"", path));
            QVERIFY(canDo("cat \"$0\"", path));
        }
        {
            const test::ReadOnlyFolder denied(folder, 0);
            QVERIFY(!QFile(path).open(QIODevice::ReadOnly));
            QVERIFY(!canDo("cat \"$0\"", path));
        }
        QCOMPARE(QByteArray::fromStdString(test::readFile(path.toStdString())), QByteArray("old"));
    }

    /// An ordinary user could not write the file again, where root could: the mode is part of what was there before.
    void whatIsOverLeavesTheModesOfBefore()
    {
        const QTemporaryDir place;
        const QString folder = place.filePath(QStringLiteral("folder")), path = folder + QStringLiteral("/file");
        test::writtenFile(path, "old");
        QCOMPARE(chmod(QFile::encodeName(path).constData(), 0640), 0);
        QCOMPARE(chmod(QFile::encodeName(folder).constData(), 0710), 0);
        {
            const test::ReadOnlyFolder denied(folder);
            QCOMPARE(modeOf(path), mode_t{0444});
        }
        QCOMPARE(modeOf(path), mode_t{0640});
        QCOMPARE(modeOf(folder), mode_t{0710});
        QVERIFY(canDo("echo new >\"$0\"", path));
    }

    /// A clone may lie in a home that its owner alone may enter: what is denied there is still started from there.
    void whoIsDeniedKeepsTheUserAndTheHome()
    {
        const QTemporaryDir home;
        QCOMPARE(chmod(QFile::encodeName(home.path()).constData(), 0700), 0);
        const QString program = test::writtenFile(home.filePath(QStringLiteral("program")), "#!/bin/sh\nexit 0\n");
        QCOMPARE(chmod(QFile::encodeName(program).constData(), 0700), 0);
        const uid_t user = geteuid();
        const test::BoundByPermissions bound;
        QCOMPARE(geteuid(), user);
        QVERIFY(canDo("\"$0\"", program));
        QCOMPARE(modeOf(home.path()), mode_t{0700});
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestDenied)

} // namespace headroom::test_denied
#include "test_denied.moc"
