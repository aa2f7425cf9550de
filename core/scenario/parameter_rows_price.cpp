// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

/// In the order of PriceKind.
constexpr std::array<double, 6> spotSnaps{10, 50, 100, 500, 1000, 5000};

template <auto Member>
using HardwareField = access::Field<&Setup::hardware, Member>;

} // namespace

std::span<const ParameterRow> prices()
{
    static const std::array table{
        choice<names::priceKinds, &Setup::hardware, &Hardware::priceKind>(
            {.id = "price_kind",
             .path = "/hardware/price_kind",
             .label = "Kind of price",
             .description = "Which price of your price list counts where none is stated: on demand, "
                            "reserved or spot. Without a list there is the catalogue's price on demand.",
             .group = ParameterGroup::Hardware,
             .training = true,
             .inference = true,
             .optional = true}),
        of<HardwareField<&Hardware::spotMtbfHours>>(
            {.id = "spot_mtbf_hours",
             .path = "/hardware/spot_mtbf_hours",
             .label = "GPU-hours per spot interruption",
             .symbol = "Hₛ",
             .unit = "h",
             .description = "Hours that one spot GPU runs until its owner takes it back. They add to the failures of "
                            "the job where failures are counted. Automatic: what your price list says.",
             .group = ParameterGroup::Hardware,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Plain,
             .minimum = 0.01,
             .maximum = 1e7,
             .sliderMinimum = 1,
             .sliderMaximum = 1e5,
             .snaps = spotSnaps,
             .training = true,
             .optional = true,
             .applies = [](const Setup& s) { return countsSpotInterruptions(s); }}),
    };
    return table;
}

} // namespace headroom::rows
