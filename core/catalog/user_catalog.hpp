// SPDX-License-Identifier: GPL-3.0-or-later
// UserCatalog: the built-in catalogue with the files of a user's folder put over it.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/catalog/price_list.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace headroom
{

struct UserCatalog {
    using Files = std::map<std::string, std::filesystem::path>;

    Catalog catalog;
    Files accelerators, models;      ///< entries that came from the folder, by id
    std::optional<PriceList> prices; ///< of the folder's price list
    Diagnostics diagnostics;         ///< one or more per file that was skipped, with the file's name
};

/// Where a user's folder has its price list.
inline constexpr const char* priceListFile = "prices.json";

/// Reads FOLDER/accelerators/*.json and FOLDER/models/*.json in the order of their names. An entry replaces the base's
/// of the same id and is marked custom; a file without "id" takes its name. A file that cannot be read, or gives an id
/// that another one gives, is skipped and said so. Then FOLDER/prices.json, whose prices are laid at the accelerators;
/// a price of one that is not known is skipped and said so. A folder or list that is not there is an empty one.
[[nodiscard]] UserCatalog loadUserCatalog(const Catalog& base, const std::filesystem::path& folder);

} // namespace headroom
