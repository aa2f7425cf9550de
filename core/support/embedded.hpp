// SPDX-License-Identifier: GPL-3.0-or-later
// Embedded files: the texts under resources/ that are compiled into the library.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace headroom
{

struct EmbeddedFile {
    std::string_view path; ///< relative to resources/, "catalog/models/llama-3-8b.json"
    std::string_view text;
};

/// Every embedded file, sorted by path.
[[nodiscard]] std::span<const EmbeddedFile> embeddedFiles();
/// One file by its path.
[[nodiscard]] std::optional<std::string_view> embeddedFile(std::string_view path);
/// The files of one folder ("catalog/models/"), sorted by path.
[[nodiscard]] std::span<const EmbeddedFile> embeddedFolder(std::string_view prefix);

} // namespace headroom
