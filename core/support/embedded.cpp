// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/embedded.hpp"

#include <algorithm>

namespace headroom
{

std::optional<std::string_view> embeddedFile(std::string_view path)
{
    const auto files = embeddedFiles();
    const auto found = std::ranges::lower_bound(files, path, {}, &EmbeddedFile::path);
    if (found == files.end() || found->path != path)
        return std::nullopt;
    return found->text;
}

std::span<const EmbeddedFile> embeddedFolder(std::string_view prefix)
{
    const auto files = embeddedFiles();
    const auto first = std::ranges::lower_bound(files, prefix, {}, &EmbeddedFile::path);
    const auto last =
        std::find_if(first, files.end(), [prefix](const EmbeddedFile& file) { return !file.path.starts_with(prefix); });
    return {first, last};
}

} // namespace headroom
