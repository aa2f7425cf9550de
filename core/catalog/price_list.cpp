// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/price_list.hpp"

#include "core/catalog/catalog_search.hpp"
#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/currency.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace headroom
{
namespace
{

constexpr std::string_view priceListMarker = "headroom-prices";
constexpr int newestPriceList = 1;
/// Beyond these nobody rents an accelerator: a typing error, a price of a month or of another currency's cents.
constexpr double mostMoney = 1e6, leastMoney = 1e-4;
constexpr NumberRange money{leastMoney, mostMoney};
constexpr NumberRange hours{1e-2, 1e7};

/// "2026-11-01", a day that there is.
bool isDay(std::string_view text)
{
    constexpr std::size_t length = 10;
    if (text.size() != length || text[4] != '-' || text[7] != '-')
        return false;
    const auto number = [text](std::size_t begin, std::size_t count) {
        int value = -1;
        const char* end = text.data() + begin + count;
        return std::from_chars(text.data() + begin, end, value).ptr == end ? value : -1;
    };
    const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
    constexpr std::array<int, 12> days{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (year < 1900 || month < 1 || month > 12 || day < 1 || day > days.at(static_cast<std::size_t>(month - 1)))
        return false;
    return month != 2 || leap || day < 29;
}

void readDay(ObjectReader& reader, std::string& date, Presence presence)
{
    std::string text;
    if (!reader.string("date", text, presence))
        return;
    if (isDay(text))
        date = std::move(text);
    else
        reader.error("date", "out-of-range", say("'{}' is no date", printable(text)),
                     said("write year, month and day: \"2026-11-01\""));
}

/// A price. Who writes 0 often means that nobody knows it: the error says what would be right.
void readMoney(ObjectReader& reader, std::string_view key, std::optional<double>& price, std::string hint,
               Presence presence = Presence::Optional)
{
    const Json* found = reader.value(key);
    if (!reader.number(key, price, money, presence) && found && found->is_number() && found->get<double>() <= 0)
        reader.diagnostics().back().hint = std::move(hint);
}

std::string priceHint()
{
    return said("write a price above 0, or leave the key out where it is not known");
}

/// A price, or {"price": …, "mtbf_hours": …}.
void readSpot(ObjectReader& reader, ListedPrices& prices)
{
    const Json* value = reader.value("spot");
    if (value == nullptr)
        return;
    if (!value->is_object()) {
        readMoney(reader, "spot", prices.spot, priceHint());
        return;
    }
    reader.object("spot", [&prices](ObjectReader& spot) {
        readMoney(spot, "price", prices.spot, said("write a price above 0, or leave 'spot' out where it is not known"),
                  Presence::Required);
        spot.number("mtbf_hours", prices.spotMtbfHours, hours);
    });
}

PriceList::Entry readEntry(ObjectReader& reader, const PriceList& list)
{
    PriceList::Entry entry;
    ListedPrices& p = entry.prices;
    p.date = list.date;
    p.source = list.source;
    p.list = list.name;
    p.currency = list.currency;
    reader.string("accelerator", entry.accelerator, Presence::Required);
    reader.string("provider", p.provider);
    readMoney(reader, "on_demand", p.onDemand, priceHint());
    readMoney(reader, "reserved", p.reserved, priceHint());
    readSpot(reader, p);
    readDay(reader, p.date, Presence::Optional);
    reader.string("source", p.source);
    const bool stated =
        reader.value("on_demand") != nullptr || reader.value("reserved") != nullptr || reader.value("spot") != nullptr;
    if (!stated)
        reader.error("", "missing", said("there is no price"), said("state on_demand, reserved or spot"));
    return entry;
}

void readCurrency(ObjectReader& document, PriceList& list)
{
    std::string currency;
    if (!document.string("currency", currency))
        return;
    if (isCurrency(currency))
        list.currency = currency;
    else
        document.error("currency", "out-of-range", say("'{}' is no currency", printable(currency)),
                       said("write its three letters: \"EUR\""));
}

void readPrices(ObjectReader& document, PriceList& list)
{
    if (!document.isObject() || !readFormat(document, priceListMarker) || !readVersion(document, newestPriceList))
        return;
    document.string("name", list.name, Presence::Required);
    readDay(document, list.date, Presence::Required);
    document.string("source", list.source, Presence::Required);
    readCurrency(document, list);
    document.objects(
        "prices", [&](ObjectReader& entry) { list.entries.push_back(readEntry(entry, list)); }, Presence::Required);
    for (std::size_t i = 0; i < list.entries.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (equalNames(list.entries[i].accelerator, list.entries[j].accelerator))
                addDiagnostic(document.diagnostics(), "duplicate-id", "/prices/" + std::to_string(i) + "/accelerator",
                              say("'{}' has prices already", printable(list.entries[i].accelerator)),
                              said("give each accelerator one entry"));
    document.finish();
}

} // namespace

Expected<PriceList> readPriceList(std::string_view text)
{
    const auto json = parseJson(text);
    if (!json)
        return tl::unexpected(json.error());
    try {
        PriceList list;
        Diagnostics problems;
        ObjectReader document(*json, "", problems);
        readPrices(document, list);
        if (!hasErrors(problems))
            return list;
        addLines(problems, text);
        return tl::unexpected(std::move(problems));
    } catch (const std::exception& error) {
        return fail("internal", "", say("the price list could not be read: {}", error.what()));
    }
}

Catalog withPrices(const Catalog& catalog, const PriceList& list, Diagnostics& problems)
{
    Catalog priced = catalog;
    std::vector<std::string> done;
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        const PriceList::Entry& entry = list.entries[i];
        const std::string path = "/prices/" + std::to_string(i) + "/accelerator";
        const auto found = catalog.accelerator(entry.accelerator);
        if (!found) {
            addDiagnostic(problems, "unknown-accelerator", path,
                          say("'{}' is not in the catalogue", printable(entry.accelerator)),
                          acceleratorHint(catalog, entry.accelerator));
            continue;
        }
        if (std::ranges::find(done, found->id) != done.end()) {
            addDiagnostic(problems, "duplicate-id", path, say("'{}' has prices already", found->id),
                          said("give each accelerator one entry"));
            continue;
        }
        done.push_back(found->id);
        Accelerator changed = *found;
        changed.listed = entry.prices;
        priced = priced.with(std::move(changed));
    }
    if (list.currency != usDollars)
        for (const auto& one : catalog.accelerators()) {
            Accelerator changed = *priced.accelerator(one->id);
            changed.otherCurrency = true;
            priced = priced.with(std::move(changed));
        }
    return priced;
}

std::optional<KnownPrice> knownPrice(const Accelerator& accelerator, PriceKind kind)
{
    if (const auto& listed = accelerator.listed; listed && listed->of(kind)) {
        KnownPrice price{*listed->of(kind), kind, {}, listed->list, listed->provider, listed->date, listed->source,
                         listed->currency};
        if (kind == PriceKind::Spot)
            price.spotMtbfHours = listed->spotMtbfHours;
        return price;
    }
    if (kind != PriceKind::OnDemand || !accelerator.price || accelerator.otherCurrency)
        return std::nullopt;
    const Price& p = *accelerator.price;
    return KnownPrice{
        p.usdPerHour, kind, {}, {}, {}, p.date, p.source, std::string(usDollars), p.basis.starts_with("blended")};
}

std::string priceKindText(PriceKind kind)
{
    switch (kind) {
    case PriceKind::OnDemand:
        return said("on demand");
    case PriceKind::Reserved:
        return said("reserved");
    case PriceKind::Spot:
        return said("spot");
    }
    return {};
}

std::string priceOrigin(const KnownPrice& price)
{
    const std::string kind =
        price.blended ? said("an average of on demand, reserved and spot") : priceKindText(price.kind);
    const std::string list = price.list.empty()       ? said("catalogue")
                             : price.provider.empty() ? say("list {}", price.list)
                                                      : say("list {}, {}", price.list, price.provider);
    const std::string date = price.date.empty() ? said("no date") : price.date;
    return price.source.empty() ? fmt::format("{}, {}, {}", kind, list, date)
                                : fmt::format("{}, {}, {} ({})", kind, list, date, price.source);
}

} // namespace headroom
