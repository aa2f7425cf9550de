// SPDX-License-Identifier: GPL-3.0-or-later
// ListedPrices: what a price list of the user's own says of one accelerator; PriceKind: how it is rented.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace headroom
{

/// On demand: by the hour. Reserved: for months or years. Spot: cheap, and taken back at any time.
enum class PriceKind : std::uint8_t { OnDemand, Reserved, Spot };

/// Of an own price list (core/catalog/price_list.hpp), in its currency per accelerator and hour. One price at least is
/// there.
struct ListedPrices {
    std::optional<double> onDemand, reserved, spot;
    /// Hours that one accelerator at the spot price runs between two interruptions.
    std::optional<double> spotMtbfHours;
    std::string currency = "USD";
    std::string list, provider, date, source; ///< name of the list; "" or whose offer; ISO 8601; where it was read
    bool operator==(const ListedPrices&) const = default;

    [[nodiscard]] const std::optional<double>& of(PriceKind kind) const
    {
        return kind == PriceKind::Spot ? spot : kind == PriceKind::Reserved ? reserved : onDemand;
    }
};

} // namespace headroom
