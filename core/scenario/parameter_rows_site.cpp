// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

constexpr std::array<double, 6> pueSnaps{1, 1.1, 1.2, 1.3, 1.56, 2};
constexpr std::array<double, 7> carbonSnaps{20, 50, 100, 200, 300, 400, 700};

template <auto Member>
ParameterRow siteRow(ParameterRow row)
{
    row.group = ParameterGroup::Hardware;
    row.kind = ParameterKind::Real;
    row.training = row.inference = true;
    row.optional = true;
    return of<access::Field<&Setup::hardware, &Hardware::power, Member>>(row);
}

} // namespace

std::span<const ParameterRow> site()
{
    static const std::array table{
        siteRow<&SitePower::idleW>(
            {.id = "idle_w",
             .path = "/hardware/power/idle_w",
             .label = "Idle power per GPU",
             .unit = "W",
             .description = "Power that an idle board draws. Automatic: a fifth of its rated power.",
             .scale = ParameterScale::Linear,
             .format = ValueFormat::Plain,
             .minimum = 0,
             .maximum = 1e5,
             .sliderMinimum = 0,
             .sliderMaximum = 300}),
        siteRow<&SitePower::hostShare>(
            asReal({.id = "host_share",
                    .path = "/hardware/power/host_share",
                    .label = "Power of hosts",
                    .description = "What hosts, network and conversion draw for each watt of the boards. Automatic: "
                                   "15 %.",
                    .format = ValueFormat::Percent},
                   0, 5, 0, 1)),
        siteRow<&SitePower::pue>(
            {.id = "pue",
             .path = "/hardware/power/pue",
             .label = "PUE",
             .description = "Power usage effectiveness: what the whole site draws for each watt of its machines, "
                            "cooling included. Automatic: 1.2, where another key of power is stated.",
             .scale = ParameterScale::Linear,
             .format = ValueFormat::Plain,
             .minimum = 1,
             .maximum = 3,
             .sliderMinimum = 1,
             .sliderMaximum = 2,
             .snaps = pueSnaps,
             .get = [](const Setup& s) { return s.hardware.power.pue.value_or(usualPue); }}),
        siteRow<&SitePower::electricityPerKwh>(
            {.id = "electricity_per_kwh",
             .path = "/hardware/power/electricity_per_kwh",
             .label = "Price of electricity",
             .unit = "per kWh",
             .description = "What a kilowatt-hour costs, in your currency. It stands beside the price of a GPU-hour, "
                            "which may contain it.",
             .format = ValueFormat::Money,
             .minimum = 0.0001,
             .maximum = 1e4,
             .sliderMinimum = 0.01,
             .sliderMaximum = 1}),
        siteRow<&SitePower::carbonGPerKwh>(
            {.id = "carbon_g_per_kwh",
             .path = "/hardware/power/carbon_g_per_kwh",
             .label = "Carbon intensity",
             .unit = "g/kWh",
             .description = "Grams of CO₂ equivalent for each kilowatt-hour of the grid.",
             .format = ValueFormat::Plain,
             .minimum = 0.1,
             .maximum = 5000,
             .sliderMinimum = 10,
             .sliderMaximum = 1000,
             .snaps = carbonSnaps}),
    };
    return table;
}

} // namespace headroom::rows
