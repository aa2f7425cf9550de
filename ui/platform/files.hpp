// SPDX-License-Identifier: GPL-3.0-or-later
// readFile(), writeFile(), notWritten(), fileNameFor(): the one way in which the window's program reads, writes and
// names the user's files.
#pragma once

#include "core/support/diagnostic.hpp"

#include <QByteArray>
#include <QString>
#include <string_view>

namespace headroom::ui
{

/// The code of a file that cannot be opened or read.
inline constexpr const char* unreadableFile = "unreadable";

/// The first `most` bytes of a file. A read error never passes for the end of the file. Folders, pipes and devices are
/// refused: a pipe may never end.
[[nodiscard]] Expected<QByteArray> readFile(const QString& path, qint64 most);

/// Writes `bytes` to `path` whole or not at all: until they are on the disk, what was there before stays. A device or a
/// pipe is written as it is. Returns what failed, in words; empty = written.
[[nodiscard]] QString writeFile(const QString& path, const QByteArray& bytes);
[[nodiscard]] QString writeFile(const QString& path, std::string_view text);

/// What writeFile() returned for `path` as a sentence that names the file; empty stays empty.
[[nodiscard]] QString notWritten(const QString& path, const QString& error);

#ifdef Q_OS_WIN
inline constexpr bool onWindows = true;
#else
inline constexpr bool onWindows = false;
#endif

/// `title` as the name of a file, to suggest: what the system cannot have in one becomes "-". Windows has more of that
/// (learn.microsoft.com, Naming Files, Paths, and Namespaces), and its dialog refuses a suggestion that holds any.
[[nodiscard]] QString fileNameFor(QString title, bool windows = onWindows);

} // namespace headroom::ui
