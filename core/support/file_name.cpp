// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/file_name.hpp"

#include <cerrno>
#include <system_error>

namespace headroom
{

std::filesystem::path pathFromName(std::string_view name)
{
    return {std::u8string(name.begin(), name.end())};
}

std::string nameFromPath(const std::filesystem::path& path)
{
    const std::u8string name = path.u8string();
    return {name.begin(), name.end()};
}

std::FILE* openToRead(const std::string& name)
{
#ifdef _WIN32
    try {
        return _wfopen(pathFromName(name).c_str(), L"rb");
    } catch (const std::system_error&) {
        errno = ENOENT;
        return nullptr;
    }
#else
    return std::fopen(name.c_str(), "rb");
#endif
}

} // namespace headroom
