// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/platform/files.hpp"

#include "core/support/say.hpp"
#include "ui/base/text.hpp"

#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>

namespace headroom::ui
{
namespace
{

/// Unbuffered, and again until the system says why not: on a disk that fills up the first call writes what still fits,
/// which Qt's own buffer takes for all of it (6.4 commits the rest of the file away).
bool writeAll(QFileDevice& file, const QByteArray& bytes)
{
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return false;
    for (qint64 done = 0; done < bytes.size();) {
        const qint64 written = file.write(bytes.constData() + done, bytes.size() - done);
        if (written <= 0)
            return false;
        done += written;
    }
    return true;
}

} // namespace

Expected<QByteArray> readFile(const QString& path, qint64 most)
{
    if (const QFileInfo info(path); info.exists() && !info.isFile())
        return fail(unreadableFile, {}, said("it is a folder, a pipe or a device, not a file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(unreadableFile, {}, toUtf8(file.errorString()));
    // Qt asks for as much memory as it may read, and keeps it.
    constexpr qint64 unsized = 64 << 10; // what says 0, like those of /proc
    const QByteArray bytes = file.read(std::min(most, std::max(file.size(), unsized)));
    if (file.error() != QFileDevice::NoError)
        return fail(unreadableFile, {}, toUtf8(file.errorString()));
    return bytes;
}

QString writeFile(const QString& path, const QByteArray& bytes)
{
    if (const QFileInfo info(path); info.exists() && !info.isFile()) { // a device is not to be replaced by a file
        QFile device(path);
        return writeAll(device, bytes) ? QString() : device.errorString();
    }
    QSaveFile file(path);
    return writeAll(file, bytes) && file.commit() ? QString() : file.errorString();
}

QString writeFile(const QString& path, std::string_view text)
{
    return writeFile(path, QByteArray(text.data(), static_cast<qsizetype>(text.size())));
}

QString notWritten(const QString& path, const QString& error)
{
    return error.isEmpty() ? QString() : QObject::tr("Could not write %1: %2").arg(path, error);
}

QString fileNameFor(QString title, bool windows)
{
    for (QChar& letter : title)
        if (letter == u'/' || (windows && (letter < u' ' || QStringView(u"<>:\"\\|?*").contains(letter))))
            letter = u'-';
    return title;
}

} // namespace headroom::ui
