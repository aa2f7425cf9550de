// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/denied.hpp"

#include <QDirIterator>
#include <QFile>
#include <cerrno>
#include <cstring>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace headroom::test
{
namespace
{

/// The rights of a thread, as the kernel reads and writes them; glibc has no function for that.
void exchangeRights(long call, __user_cap_data_struct* rights)
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    if (syscall(call, &header, rights) != 0)
        qFatal("the rights of this thread cannot be read or changed: %s", std::strerror(errno));
}

void setSecurityBits(int bits)
{
    if (prctl(PR_SET_SECUREBITS, bits) != 0)
        qFatal("root cannot give up rights here (%s): run the tests as an ordinary user", std::strerror(errno));
}

} // namespace

BoundByPermissions::BoundByPermissions()
{
    // Reading and writing what is forbidden, searching closed folders, and changing what belongs to others.
    constexpr __u32 beyondPermissions = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_FOWNER;
    exchangeRights(SYS_capget, m_rights);
    m_wasFree = (m_rights[0].effective & beyondPermissions) != 0;
    if (!m_wasFree)
        return;
    // Else the kernel would give a program that root starts all of root's rights anew.
    m_securityBits = prctl(PR_GET_SECUREBITS);
    setSecurityBits(m_securityBits | SECBIT_NOROOT);
    __user_cap_data_struct bound[_LINUX_CAPABILITY_U32S_3];
    std::memcpy(bound, m_rights, sizeof bound);
    bound[0].effective &= ~beyondPermissions;
    bound[0].inheritable &= ~beyondPermissions;
    exchangeRights(SYS_capset, bound);
}

BoundByPermissions::~BoundByPermissions()
{
    if (!m_wasFree)
        return;
    exchangeRights(SYS_capset, m_rights);
    setSecurityBits(m_securityBits);
}

ReadOnlyFolder::ReadOnlyFolder(const QString& folder, mode_t modeOfFiles)
{
    QStringList folders(folder), files;
    for (QDirIterator below(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks,
                            QDirIterator::Subdirectories);
         below.hasNext();) {
        const QString path = below.next();
        (below.fileInfo().isDir() ? folders : files) << path;
    }
    for (const QString& file : files)
        change(file, modeOfFiles);
    for (const QString& one : folders)
        change(one, 0555);
}

ReadOnlyFolder::~ReadOnlyFolder()
{
    for (const auto& [path, mode] : m_before)
        chmod(path.constData(), mode);
}

void ReadOnlyFolder::change(const QString& path, mode_t mode)
{
    const QByteArray name = QFile::encodeName(path);
    struct stat status {
    };
    if (stat(name.constData(), &status) != 0 || chmod(name.constData(), mode) != 0)
        qFatal("the permissions of %s cannot be changed: %s", name.constData(), std::strerror(errno));
    m_before[name] = status.st_mode & 07777U;
}

} // namespace headroom::test
