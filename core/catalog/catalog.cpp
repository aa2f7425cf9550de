// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog.hpp"

#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/catalog_search.hpp"
#include "core/model/model_profile.hpp"
#include "core/support/embedded.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <tuple>

namespace headroom
{
namespace
{

template <typename Entry>
using Entries = std::vector<std::shared_ptr<const Entry>>;

/// Vendors as most people look for them; others follow by name.
int vendorRank(const std::string& vendor)
{
    constexpr std::array<std::string_view, 7> order{"NVIDIA", "AMD", "Google", "Intel", "AWS", "Apple", "Huawei"};
    return static_cast<int>(std::ranges::find(order, vendor) - order.begin());
}

auto orderOf(const Accelerator& a)
{
    return std::tuple(vendorRank(a.vendor), a.vendor, a.family, a.peakFlops(DataType::Bf16), a.memoryGb, a.id);
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

auto orderOf(const ModelArchitecture& m)
{
    return std::tuple(lowerCase(m.family), countParameters(m).total, m.id);
}

template <typename Entry>
void put(Entries<Entry>& entries, Entry entry)
{
    auto added = std::make_shared<const Entry>(std::move(entry));
    std::erase_if(entries, [&](const auto& old) { return equalNames(old->id, added->id); });
    const auto byOrder = [](const auto& listed) { return orderOf(*listed); };
    entries.insert(std::ranges::upper_bound(entries, orderOf(*added), {}, byOrder), added);
}

/// "H100" of "NVIDIA H100": makers' names stand before some names of a part and not before others.
std::string_view withoutVendor(std::string_view name, const Accelerator& a)
{
    const std::size_t length = a.vendor.size();
    const bool named = length > 0 && name.size() > length && name[length] == ' ';
    return named && equalNames(name.substr(0, length), a.vendor) ? name.substr(length + 1) : name;
}

/// Whether a longer name begins with the words of `name`.
bool goesOn(std::string_view longer, std::string_view name)
{
    const auto isLetter = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return longer.size() > name.size() && !isLetter(longer[name.size()]) &&
           equalNames(longer.substr(0, name.size()), name);
}

/// Whether a name of the accelerator begins with `name` and says more.
bool isVariantOf(const Accelerator& a, std::string_view name)
{
    const std::string_view bare = withoutVendor(name, a);
    const auto more = [&](std::string_view own) { return goesOn(withoutVendor(own, a), bare); };
    return more(a.name) || std::ranges::any_of(a.aliases, more);
}

/// Whole names by which an entry is found, besides its id. An alias that other parts' names begin with is none, but
/// where it is all of the end of the name ("4070"), or the others are odd parts of which little is known.
bool hasName(const Entries<Accelerator>& entries, const Accelerator& a, std::string_view name)
{
    if (equalNames(a.name, name))
        return true;
    if (std::ranges::none_of(a.aliases, [&](const std::string& alias) { return equalNames(alias, name); }))
        return false;
    const std::string_view bare = withoutVendor(name, a);
    const std::size_t whole = a.name.size(), part = bare.size();
    if (part <= whole && equalNames(std::string_view(a.name).substr(whole - part), bare))
        return true;
    return std::ranges::none_of(entries, [&](const auto& other) {
        return other->id != a.id && other->confidence != "low" && isVariantOf(*other, name);
    });
}

bool hasName(const Entries<ModelArchitecture>& /*entries*/, const ModelArchitecture& m, std::string_view name)
{
    return equalNames(m.hfId, name) || equalNames(m.name, name);
}

template <typename Entry>
std::shared_ptr<const Entry> lookUp(const Entries<Entry>& entries, std::string_view name)
{
    // Nearly always the id as it is written.
    const auto exact = std::ranges::find_if(entries, [&](const auto& entry) { return entry->id == name; });
    if (exact != entries.end())
        return *exact;
    const auto byId = std::ranges::find_if(entries, [&](const auto& entry) { return equalNames(entry->id, name); });
    if (byId != entries.end())
        return *byId;
    const auto byName =
        std::ranges::find_if(entries, [&](const auto& entry) { return hasName(entries, *entry, name); });
    return byName != entries.end() && !name.empty() ? *byName : nullptr;
}

std::optional<int> penaltyOf(const Accelerator& a, const SearchQuery& query)
{
    std::vector<std::string_view> names{a.id, a.name, a.vendor};
    names.insert(names.end(), a.aliases.begin(), a.aliases.end());
    // "Hopper (GH100, sm_90)": the die would bring every Hopper part to a search for "h100".
    const std::string_view generation = std::string_view(a.architecture).substr(0, a.architecture.find(" ("));
    const std::array<std::string_view, 2> lesser{generation, a.memoryType};
    auto penalty = query.penalty(names, lesser);
    // The common part before the odd one; the board that nearly all published runs of its name had before the card.
    if (penalty && *penalty > 0)
        *penalty += (a.confidence == "low" ? 1 : 0) + (a.formFactor.starts_with("PCIe") ? 1 : 0);
    return penalty;
}

std::optional<int> penaltyOf(const ModelArchitecture& m, const SearchQuery& query)
{
    const std::array<std::string_view, 2> names{m.id, m.name};
    const std::array<std::string_view, 2> lesser{m.family, m.hfId};
    return query.penalty(names, lesser);
}

template <typename Entry>
Entries<Entry> searched(const Entries<Entry>& entries, std::string_view text)
{
    const SearchQuery query(text);
    if (query.empty())
        return entries;
    std::vector<std::pair<int, std::shared_ptr<const Entry>>> found;
    for (const auto& entry : entries)
        if (const auto penalty = penaltyOf(*entry, query))
            found.emplace_back(*penalty, entry);
    std::ranges::stable_sort(found, {}, [](const auto& match) { return match.first; });
    Entries<Entry> result;
    for (auto& match : found)
        result.push_back(std::move(match.second));
    return result;
}

template <typename Entry, typename Read>
Entries<Entry> embeddedEntries(std::string_view folder, Read read)
{
    using Order = decltype(orderOf(std::declval<const Entry&>()));
    std::vector<std::pair<Order, std::shared_ptr<const Entry>>> ordered;
    for (const EmbeddedFile& file : embeddedFolder(folder)) {
        const auto json = parseJson(file.text);
        if (!json)
            continue; // a test reads each of them
        auto entry = read(*json, std::string(file.path));
        if (!entry)
            continue;
        auto shared = std::make_shared<const Entry>(std::move(*entry));
        ordered.emplace_back(orderOf(*shared), std::move(shared));
    }
    std::ranges::sort(ordered, {}, [](const auto& entry) -> const Order& { return entry.first; });
    Entries<Entry> entries;
    for (auto& entry : ordered)
        entries.push_back(std::move(entry.second));
    return entries;
}

} // namespace

const Catalog& Catalog::builtIn()
{
    static const Catalog loaded = [] {
        Catalog catalog;
        catalog.m_accelerators =
            embeddedEntries<Accelerator>("catalog/accelerators/", [](const Json& object, const std::string& path) {
                return readAccelerator(object, path, AcceleratorFacts::MayLack);
            });
        catalog.m_models =
            embeddedEntries<ModelArchitecture>("catalog/models/", [](const Json& object, const std::string& path) {
                return readArchitecture(object, path, PublicationFields::Kept);
            });
        return catalog;
    }();
    return loaded;
}

std::shared_ptr<const Accelerator> Catalog::accelerator(std::string_view idOrAlias) const
{
    return lookUp(m_accelerators, idOrAlias);
}

std::shared_ptr<const ModelArchitecture> Catalog::model(std::string_view idOrAlias) const
{
    return lookUp(m_models, idOrAlias);
}

std::vector<std::shared_ptr<const Accelerator>> Catalog::searchAccelerators(std::string_view query) const
{
    return searched(m_accelerators, query);
}

std::vector<std::shared_ptr<const ModelArchitecture>> Catalog::searchModels(std::string_view query) const
{
    return searched(m_models, query);
}

std::string acceleratorHint(const Catalog& catalog, std::string_view name)
{
    std::vector<std::string_view> ids, variants;
    bool alias = false;
    for (const auto& entry : catalog.accelerators()) {
        ids.push_back(entry->id);
        const bool own =
            std::ranges::any_of(entry->aliases, [name](const std::string& one) { return equalNames(one, name); });
        alias = alias || own;
        if (own || isVariantOf(*entry, name))
            variants.push_back(entry->id);
    }
    std::string hint = alias ? std::string() : suggestId(name, ids);
    return hint.empty() && variants.size() > 1 ? say("one of: {}", listOf(variants)) : hint;
}

Catalog Catalog::with(Accelerator accelerator) const
{
    Catalog copy = *this;
    put(copy.m_accelerators, std::move(accelerator));
    return copy;
}

Catalog Catalog::with(ModelArchitecture model) const
{
    Catalog copy = *this;
    put(copy.m_models, std::move(model));
    return copy;
}

} // namespace headroom
