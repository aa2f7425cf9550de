// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/user_catalog.hpp"

#include "core/catalog/catalog_search.hpp"
#include "core/catalog/catalog_text.hpp"
#include "core/support/file_name.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

namespace fs = std::filesystem;

constexpr std::uintmax_t mostBytes = 1u << 20; ///< as for scenarios; a record takes a few kilobytes
constexpr std::size_t mostFiles = 10'000;      ///< a folder chosen by mistake must not hang the start

std::vector<fs::path> jsonFiles(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::directory_iterator() && files.size() < mostFiles; entry.increment(error)) {
        std::error_code unreadable;
        if (entry->path().extension() == ".json" && entry->is_regular_file(unreadable))
            files.push_back(entry->path());
    }
    std::ranges::sort(files);
    return files;
}

tl::unexpected<Diagnostics> tooLarge()
{
    return fail("too-large", "", said("is larger than 1 MiB"),
                said("a catalogue file holds one accelerator or model, a price list a line for each"));
}

Expected<std::string> contentOf(const fs::path& file)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error)
        return fail("unreadable", "", say("cannot be read: {}", error.message()));
    if (size > mostBytes)
        return tooLarge();
    const auto text = readBytes(nameFromPath(file), mostBytes + 1); // what says 0 may hold something
    if (!text)
        return fail("unreadable", "", said("cannot be read"), said("check who may read the file"));
    if (text->size() > mostBytes)
        return tooLarge();
    return *text;
}

UserCatalog::Files::const_iterator fileWithId(const UserCatalog::Files& files, const std::string& id)
{
    return std::ranges::find_if(files, [&id](const auto& file) { return equalNames(file.first, id); });
}

template <typename Parse>
void loadFolder(UserCatalog& user, const fs::path& folder, UserCatalog::Files& loaded, Parse parse)
{
    for (const fs::path& file : jsonFiles(folder)) {
        const auto text = contentOf(file);
        auto entry = text ? parse(*text) : tl::unexpected(text.error());
        if (entry && entry->id.empty())
            entry->id = nameFromPath(file.stem());
        if (const auto twin = entry ? fileWithId(loaded, entry->id) : loaded.end(); twin != loaded.end())
            entry = fail("duplicate-id", "/id",
                         say("the id '{}' is that of {} too", entry->id, nameFromPath(twin->second.filename())),
                         said("give one of the two another id"));
        if (!entry) {
            for (Diagnostic diagnostic : entry.error()) {
                diagnostic.file = nameFromPath(file);
                user.diagnostics.push_back(std::move(diagnostic));
            }
            continue;
        }
        loaded.emplace(entry->id, file);
        user.catalog = user.catalog.with(std::move(*entry));
    }
}

void loadPrices(UserCatalog& user, const fs::path& file)
{
    std::error_code missing;
    if (!fs::exists(file, missing))
        return;
    Diagnostics problems;
    const auto text = contentOf(file);
    const auto list = text ? readPriceList(*text) : tl::unexpected(text.error());
    if (list) {
        user.catalog = withPrices(user.catalog, *list, problems);
        addLines(problems, *text);
        user.prices = *list;
    } else {
        problems = list.error();
    }
    for (Diagnostic& diagnostic : problems) {
        diagnostic.file = nameFromPath(file);
        user.diagnostics.push_back(std::move(diagnostic));
    }
}

} // namespace

UserCatalog loadUserCatalog(const Catalog& base, const fs::path& folder)
{
    UserCatalog user;
    user.catalog = base;
    loadFolder(user, folder / "accelerators", user.accelerators, parseAccelerator);
    loadFolder(user, folder / "models", user.models, parseArchitecture);
    loadPrices(user, folder / priceListFile);
    return user;
}

} // namespace headroom
