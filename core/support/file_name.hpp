// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files are UTF-8 on every system: the standard library of Windows takes narrow text for a code page's. And
// the one way in which core and the command line read a file whole.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headroom
{

/// The path of this name. Throws std::system_error where Windows cannot have the name (malformed UTF-8).
[[nodiscard]] std::filesystem::path pathFromName(std::string_view name);

/// The name of this path, as pathFromName() takes it.
[[nodiscard]] std::string nameFromPath(const std::filesystem::path& path);

/// Opens for reading bytes, ends of lines included; nullptr with errno where that fails. The caller closes.
[[nodiscard]] std::FILE* openToRead(const std::string& name);

/// Why a file gave nothing: what the system says (errno), and whether it was opened at all. A folder opens.
struct Unread {
    bool opened = false;
    int error = 0;
};
/// The first `most` bytes of a file, ends of lines included; all of it where it has fewer. Who refuses what is larger
/// asks for one more. A read error never passes for the end of the file.
[[nodiscard]] tl::expected<std::string, Unread> readBytes(const std::string& name, std::size_t most);
/// The same from where an open file stands; it stays open.
[[nodiscard]] tl::expected<std::string, Unread> readBytes(std::FILE* file, std::size_t most);

} // namespace headroom
