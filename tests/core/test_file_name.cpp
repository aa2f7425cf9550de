// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files with letters that no code page of a country has together; under Windows they fail where narrow text is
// taken for that of a code page.
#include "core/catalog/user_catalog.hpp"
#include "core/profile/trace_stream.hpp"
#include "core/support/file_name.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <cerrno>

namespace headroom::test_file_name
{

using namespace Qt::StringLiterals;

namespace
{

const QString strangeName = u"Größe шаг 歩 ½"_s;

bool write(const QString& name, const QByteArray& bytes)
{
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

class TestFileName final : public QObject
{
    Q_OBJECT
private slots:
    void aNameSurvivesThePath()
    {
        const std::string name = strangeName.toStdString();
        QCOMPARE(nameFromPath(pathFromName(name)), name);
        QCOMPARE(nameFromPath(pathFromName("folder/" + name + ".json").filename()), name + ".json");
        QCOMPARE(nameFromPath(pathFromName(name + ".json").stem()), name);
    }

    void qtAndCoreNameTheSameFile()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(strangeName);
        QVERIFY(write(name, "line\r\n"));
        QVERIFY(std::filesystem::is_regular_file(pathFromName(name.toStdString())));
        std::FILE* file = openToRead(name.toStdString());
        QVERIFY(file != nullptr);
        char bytes[16] = {};
        const std::size_t count = std::fread(bytes, 1, sizeof bytes, file);
        std::fclose(file);
        QCOMPARE(std::string(bytes, count), std::string("line\r\n"));
    }

    /// Whole, or as much of it as is wanted; a folder is no empty file.
    void aFileIsReadWhole()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(strangeName);
        const QByteArray bytes = QByteArray(70'000, 'x') + "line\r\n\0end";
        QVERIFY(write(name, bytes));
        const auto read = [&name](std::size_t most) { return readBytes(name.toStdString(), most); };
        QVERIFY(read(1 << 20) && *read(1 << 20) == bytes.toStdString());
        QCOMPARE(read(std::size_t(bytes.size()))->size(), std::size_t(bytes.size()));
        QCOMPARE(read(70'001)->size(), std::size_t(70'001));
        QVERIFY(read(0) && read(0)->empty());
        QVERIFY(write(name, {}) && read(10) && read(10)->empty());
        const auto missing = readBytes(folder.filePath(u"none"_s).toStdString(), 10);
        QVERIFY(!missing && !missing.error().opened && missing.error().error == ENOENT);
        const auto directory = readBytes(folder.path().toStdString(), 10);
#ifndef _WIN32
        QVERIFY(!directory && directory.error().opened && directory.error().error == EISDIR);
#else
        QVERIFY(!directory);
#endif
    }

    void whatIsNotThereSaysSo()
    {
        errno = 0;
        QVERIFY(openToRead("no/such/" + strangeName.toStdString()) == nullptr);
        QCOMPARE(errno, ENOENT);
    }

    void aTraceAndACatalogueLieAnywhere()
    {
        const QTemporaryDir folder;
        const QDir strange(folder.filePath(strangeName));
        QVERIFY(QDir().mkpath(strange.filePath(u"accelerators"_s)));
        const QString trace = strange.filePath(strangeName);
        QVERIFY(write(trace, "{}"));
        QVERIFY(profile::TraceStream::open(trace.toStdString(), {}).has_value());

        QVERIFY(write(strange.filePath(u"accelerators/größer.json"_s), "{ not JSON"));
        const UserCatalog user = loadUserCatalog(Catalog::builtIn(), pathFromName(strange.path().toStdString()));
        QCOMPARE(user.diagnostics.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(user.diagnostics.front().file).endsWith(u"größer.json"_s));
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestFileName)

} // namespace headroom::test_file_name
#include "test_file_name.moc"
