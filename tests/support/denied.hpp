// SPDX-License-Identifier: GPL-3.0-or-later
// Denials: while one of these lives, writing fails as it does on a full disk, in a folder that may not be written, or in
// one that has vanished; for root too.
#pragma once

#include <QDir>
#include <QFileInfo>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::test
{

/// No file grows beyond `bytes` any more: the write that would fails, as on a full disk.
class FullDisk
{
public:
    explicit FullDisk(rlim_t bytes = 64) : m_signal(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit full = m_before;
        full.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &full);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }

private:
    rlimit m_before{};
    void (*m_signal)(int);
};

/// `folder` and what lies in it may be read, not written; with `modeOfFiles` 0 not even read. Root, whom nothing is forbidden, is somebody else meanwhile.
class ReadOnlyFolder
{
public:
    explicit ReadOnlyFolder(const QString& folder, mode_t modeOfFiles = 0444) : m_folder(folder.toLocal8Bit())
    {
        // Somebody else has to find the way: temporary folders are their owner's alone.
        for (QDir above(folder); geteuid() == 0 && above.cdUp() && !above.isRoot();)
            if (QFileInfo(above.path()).ownerId() == 0 && above.path() != QDir::tempPath())
                chmod(above.path().toLocal8Bit().constData(), 0755);
        chmod(m_folder.constData(), 0555);
        const QFileInfoList files = QDir(folder).entryInfoList(QDir::Files);
        for (const QFileInfo& file : files)
            chmod(file.filePath().toLocal8Bit().constData(), modeOfFiles);
        if (geteuid() == 0)
            m_wasRoot = seteuid(nobody) == 0;
    }
    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;
    ~ReadOnlyFolder()
    {
        [[maybe_unused]] const bool back = !m_wasRoot || seteuid(0) == 0;
        chmod(m_folder.constData(), 0755);
    }

private:
    static constexpr uid_t nobody = 65534;
    QByteArray m_folder;
    bool m_wasRoot = false;
};

} // namespace headroom::test
