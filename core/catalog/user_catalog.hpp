// SPDX-License-Identifier: GPL-3.0-or-later
// UserCatalog: the built-in catalogue with the files of a user's folder put over it.
#pragma once

#include "core/catalog/catalog.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace headroom
{

struct UserCatalog {
    using Files = std::map<std::string, std::filesystem::path>;

    Catalog catalog;
    Files accelerators, models; ///< entries that came from the folder, by id
    Diagnostics diagnostics;    ///< one or more per file that was skipped, with the file's name
};

/// Reads FOLDER/accelerators/*.json and FOLDER/models/*.json in the order of their names. An entry replaces the base's
/// of the same id and is marked custom; a file without "id" takes its name. A file that cannot be read, or gives an id
/// that another one gives, is skipped and said so. A folder that is not there is an empty one.
[[nodiscard]] UserCatalog loadUserCatalog(const Catalog& base, const std::filesystem::path& folder);

} // namespace headroom
