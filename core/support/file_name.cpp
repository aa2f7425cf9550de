// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/file_name.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
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

tl::expected<std::string, Unread> readBytes(const std::string& name, std::size_t most)
{
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Close> file(openToRead(name));
    if (!file)
        return tl::unexpected(Unread{false, errno});
    return readBytes(file.get(), most);
}

tl::expected<std::string, Unread> readBytes(std::FILE* file, std::size_t most)
{
    constexpr std::size_t piece = 65536;
    std::string text;
    for (bool ended = false; !ended && text.size() < most;) {
        const std::size_t before = text.size(), wanted = std::min(piece, most - before);
        text.resize(before + wanted);
        const std::size_t count = std::fread(text.data() + before, 1, wanted, file);
        text.resize(before + count);
        ended = count < wanted;
    }
    if (std::ferror(file) != 0)
        return tl::unexpected(Unread{true, errno});
    return text;
}

} // namespace headroom
