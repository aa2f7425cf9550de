// SPDX-License-Identifier: GPL-3.0-or-later
// PriceList: prices of accelerators in a file that a company shares, with their date and source (docs/prices.md).
#pragma once

#include "core/catalog/catalog.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

struct PriceList {
    struct Entry {
        std::string accelerator; ///< id or alias in the catalogue
        ListedPrices prices;     ///< complete: date and source are the list's where the entry has none
    };
    std::string name, date, source;
    std::string currency = "USD"; ///< of all its prices
    std::vector<Entry> entries;
};

/// Reads a price list: the markers "headroom-prices" and version 1, its date and source, at least one price. Comments
/// are allowed. Errors carry path and line.
[[nodiscard]] Expected<PriceList> readPriceList(std::string_view text);

/// The catalogue with the list's prices at its accelerators. Beside a list in another currency the catalogue's own
/// prices, which are in US dollars, do not count (Accelerator::otherCurrency). What the catalogue does not know, or the
/// list names twice by two names, is left out and said so in `problems`, with its path.
[[nodiscard]] Catalog withPrices(const Catalog& catalog, const PriceList& list, Diagnostics& problems);

/// A price and what a person needs to judge it.
struct KnownPrice {
    double perHour = 0; ///< in `currency`, per accelerator
    PriceKind kind = PriceKind::OnDemand;
    std::optional<double> spotMtbfHours; ///< with the kind Spot alone
    std::string list;                    ///< name of the own list; empty: the catalogue's
    std::string provider, date, source;
    std::string currency = "USD"; ///< the catalogue's
    bool blended = false;         ///< the catalogue's, where it knows an average of all kinds alone
    bool operator==(const KnownPrice&) const = default;
};

/// The own list's price; for OnDemand, where the list has none, the catalogue's. Empty where neither has one.
[[nodiscard]] std::optional<KnownPrice> knownPrice(const Accelerator& accelerator, PriceKind kind);

/// "on demand", for people.
[[nodiscard]] std::string priceKindText(PriceKind kind);
/// "reserved, list Contract 17, 2026-11-01 (purchasing)": what stands wherever such a price appears.
[[nodiscard]] std::string priceOrigin(const KnownPrice& price);

} // namespace headroom
