// SPDX-License-Identifier: GPL-3.0-or-later
// Denials: while one of these lives, writing fails as it does on a full disk, in a folder that may not be written, or
// in one that has vanished; for root too.
#pragma once

#include <QString>
#include <csignal>
#include <linux/capability.h>
#include <map>
#include <sys/resource.h>
#include <sys/types.h>

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

/// What files and folders forbid is forbidden to root too: to this thread, and to the processes that it starts. Root
/// stays root, and so still enters a home that only root may enter: nobody else could start the programs there.
class BoundByPermissions
{
public:
    BoundByPermissions();
    BoundByPermissions(const BoundByPermissions&) = delete;
    BoundByPermissions& operator=(const BoundByPermissions&) = delete;
    ~BoundByPermissions();

private:
    bool m_wasFree = false; ///< permissions did not bind this thread before
    __user_cap_data_struct m_rights[_LINUX_CAPABILITY_U32S_3]{};
    int m_securityBits = 0;
};

/// `folder` and all below it may be read, not written; with `modeOfFiles` 0 its files not even read. Afterwards all is
/// as before.
class ReadOnlyFolder
{
public:
    explicit ReadOnlyFolder(const QString& folder, mode_t modeOfFiles = 0444);
    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;
    ~ReadOnlyFolder();

private:
    void change(const QString& path, mode_t mode);

    std::map<QByteArray, mode_t> m_before; ///< what every path allowed
    BoundByPermissions m_bound;
};

} // namespace headroom::test
