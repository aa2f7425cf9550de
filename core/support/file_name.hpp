// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files are UTF-8 on every system: the standard library of Windows takes narrow text for a code page's.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace headroom
{

/// The path of this name. Throws std::system_error where Windows cannot have the name (malformed UTF-8).
[[nodiscard]] std::filesystem::path pathFromName(std::string_view name);

/// The name of this path, as pathFromName() takes it.
[[nodiscard]] std::string nameFromPath(const std::filesystem::path& path);

/// Opens for reading bytes, ends of lines included; nullptr with errno where that fails. The caller closes.
[[nodiscard]] std::FILE* openToRead(const std::string& name);

} // namespace headroom
