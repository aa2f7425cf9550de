// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/facts/catalog_facts.hpp"

#include "core/support/say.hpp"
#include "core/units/currency.hpp"
#include "core/units/format.hpp"

#include <array>
#include <fmt/format.h>

namespace headroom
{
namespace
{

using AcceleratorRow = FactRow<Accelerator>;
using Number = std::optional<double>;

constexpr std::string_view ofDevice = "Accelerator", memory = "Memory", peaks = "Dense peak", links = "Links",
                           running = "Power and price";

std::string cents(double dollars)
{
    return withLocalMark(fmt::format("{:.2f}", dollars));
}

/// Of the own list, in its currency, as formatText() writes money.
std::string listedText(const Accelerator& a, PriceKind kind)
{
    if (!a.listed || !a.listed->of(kind))
        return {};
    const std::string price = cents(*a.listed->of(kind));
    return a.listed->currency == usDollars ? "$" + price : price + "\u202F" + a.listed->currency;
}

Number known(double value)
{
    return value > 0 ? Number(value) : std::nullopt;
}

template <double PeakRates::*Rate>
Number peak(const Accelerator& a)
{
    return known((a.peak.*Rate) * 1e12);
}

Number ridge(double flops, const Accelerator& a)
{
    return flops > 0 && a.memoryBandwidthGbPerS > 0 ? Number(flops / a.memoryBandwidth()) : std::nullopt;
}

const std::vector<AcceleratorRow>& acceleratorRows()
{
    static const std::vector<AcceleratorRow> rows{
        AcceleratorRow::words("vendor", ofDevice, "Vendor", "Vendor", "",
                              [](const Accelerator& a) { return a.vendor; }),
        AcceleratorRow::words("architecture", ofDevice, "Architecture", "", "",
                              [](const Accelerator& a) { return a.architecture; }),
        AcceleratorRow::words("form", ofDevice, "Form factor", "", "",
                              [](const Accelerator& a) { return a.formFactor; })
            .said(),
        AcceleratorRow::words("unit", ofDevice, "Counted as", "", "",
                              [](const Accelerator& a) { return a.accountingUnit; })
            .said(),
        AcceleratorRow::words("status", ofDevice, "Status", "", "release",
                              [](const Accelerator& a) { return a.status; })
            .said(),
        AcceleratorRow::words(
            "year", ofDevice, "Released", "Year", "release",
            [](const Accelerator& a) { return a.releaseYear > 0 ? std::to_string(a.releaseYear) : std::string(); }),
        // What decides whether something fits. "80GB" on a label are GiB: as bytes they would be a second amount.
        {"memory", memory, "Memory", "Memory", "usable memory", ValueFormat::Bytes, FactOrder::More,
         [](const Accelerator& a) { return known(a.usableMemoryBytes()); }},
        AcceleratorRow::words("sold", memory, "Sold as", "", "memory",
                              [](const Accelerator& a) {
                                  return a.memoryGb > 0 ? withLocalMark(exactNumber(a.memoryGb)) + "\u202FGB"
                                                        : std::string();
                              }),
        {"usable", memory, "Usable by software", "", "usable", ValueFormat::Bytes, FactOrder::More,
         [](const Accelerator& a) { return a.memoryUsableGib ? Number(a.usableMemoryBytes()) : std::nullopt; },
         [](const Accelerator& a) { // the unit that software reports, as the label means it too
             return a.memoryUsableGib
                        ? fmt::format("{} GiB ({})", withLocalMark(fmt::format("{:.4g}", *a.memoryUsableGib)),
                                      formatText(a.usableMemoryBytes(), ValueFormat::Bytes))
                        : std::string();
         }},
        AcceleratorRow::words("memory-type", memory, "Memory type", "", "memory",
                              [](const Accelerator& a) { return a.memoryType; })
            .said(),
        {"bandwidth", memory, "Memory bandwidth", "Bandwidth", "bandwidth", ValueFormat::BytesPerS, FactOrder::More,
         [](const Accelerator& a) { return known(a.memoryBandwidth()); }},
        {"sweep", memory, "Reading all of it takes", "", "", ValueFormat::Seconds, FactOrder::Less,
         [](const Accelerator& a) {
             return a.memoryBandwidthGbPerS > 0 ? Number(a.usableMemoryBytes() / a.memoryBandwidth()) : std::nullopt;
         }},
        {"cache", memory, "Last-level cache", "", "cache", ValueFormat::Bytes, FactOrder::More,
         [](const Accelerator& a) { return known(a.l2CacheMb * 1e6); }},
        {"fp64", peaks, "FP64", "", "peak.fp64 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::fp64>},
        {"fp32", peaks, "FP32", "", "peak.fp32 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::fp32>},
        {"tf32", peaks, "TF32", "", "peak.tf32 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::tf32>},
        {"fp16", peaks, "FP16", "", "peak.fp16 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::fp16>},
        {"fp16-accumulate", peaks, "FP16, 16-bit sums", "", "peak.fp16 peak", ValueFormat::FlopPerS, FactOrder::More,
         peak<&PeakRates::fp16Accumulate16>},
        {"bf16", peaks, "BF16", "BF16", "peak.bf16 peak", ValueFormat::FlopPerS, FactOrder::More,
         peak<&PeakRates::bf16>},
        {"fp8", peaks, "FP8", "FP8", "peak.fp8 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::fp8>},
        {"fp6", peaks, "FP6", "", "peak.fp6 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::fp6>},
        {"fp4", peaks, "FP4", "FP4", "peak.fp4 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::fp4>},
        {"int8", peaks, "INT8", "", "peak.int8 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::int8>},
        {"int4", peaks, "INT4", "", "peak.int4 peak", ValueFormat::FlopPerS, FactOrder::More, peak<&PeakRates::int4>},
        {"ridge", peaks, "Ridge, 16 bit", "Ridge", "", ValueFormat::FlopPerByte, FactOrder::None,
         [](const Accelerator& a) { return ridge(a.peakFlops(DataType::Bf16), a); }},
        {"ridge-fp8", peaks, "Ridge, FP8", "", "", ValueFormat::FlopPerByte, FactOrder::None,
         [](const Accelerator& a) { return ridge(a.peakFlops(DataType::Fp8), a); }},
        AcceleratorRow::words("basis", peaks, "Basis", "", "", [](const Accelerator& a) { return a.peakBasis; }).said(),
        {"units", peaks, "Compute units", "", "units", ValueFormat::Integer, FactOrder::None,
         [](const Accelerator& a) { return known(a.computeUnits); }},
        AcceleratorRow::words("clock", peaks, "Clock of the peak", "", "clock",
                              [](const Accelerator& a) {
                                  return a.peakClockMhz > 0 ? withLocalMark(fmt::format("{:g} MHz", a.peakClockMhz))
                                                            : std::string();
                              }),
        {"scale-up", links, "Scale-up link, one way", "Scale-up", "scaleup", ValueFormat::BytesPerS, FactOrder::More,
         [](const Accelerator& a) { return known(a.scaleUpGbPerS * 1e9); }},
        {"domain", links, "Scale-up domain", "Domain", "scaleup", ValueFormat::Integer, FactOrder::More,
         [](const Accelerator& a) { return known(a.scaleUpDomain); }},
        AcceleratorRow::words("interconnect", links, "Kind", "", "scaleup",
                              [](const Accelerator& a) { return a.scaleUpInterconnect; })
            .said(),
        AcceleratorRow::words("topology", links, "Topology", "", "scaleup",
                              [](const Accelerator& a) { return a.scaleUpTopology; })
            .said(),
        {"host", links, "Host link, one way", "", "pcie", ValueFormat::BytesPerS, FactOrder::More,
         [](const Accelerator& a) { return known(a.hostLinkGbPerS * 1e9); }},
        AcceleratorRow::words("scale-out", links, "Network per device", "", "nic",
                              [](const Accelerator& a) {
                                  return a.scaleOutGbitPerS > 0
                                             ? withLocalMark(fmt::format("{:g} Gbit/s", a.scaleOutGbitPerS))
                                             : std::string();
                              }),
        {"power", running, "Power limit", "Power", "tdp", ValueFormat::Watts, FactOrder::Less,
         [](const Accelerator& a) { return known(a.tdpWatts); }},
        {"efficiency",
         running,
         "BF16 TFLOP/s per watt",
         "",
         "",
         {},
         FactOrder::More,
         [](const Accelerator& a) {
             return a.tdpWatts > 0 && a.peak.bf16 > 0 ? Number(a.peak.bf16 / a.tdpWatts) : std::nullopt;
         }},
        {"price", running, "Price per hour, USD", "$/h", "price", ValueFormat::Money, FactOrder::Less,
         [](const Accelerator& a) { return a.price ? known(a.price->usdPerHour) : std::nullopt; },
         [](const Accelerator& a) { return a.price ? cents(a.price->usdPerHour) : std::string(); }},
        AcceleratorRow::words("price-range", running, "Prices range", "", "price",
                              [](const Accelerator& a) {
                                  return a.price && a.price->low && a.price->high
                                             ? say("{} to {} USD", cents(*a.price->low), cents(*a.price->high))
                                             : std::string();
                              }),
        AcceleratorRow::words("price-basis", running, "Price is", "", "price",
                              [](const Accelerator& a) { return a.price ? a.price->basis : std::string(); })
            .said(),
        AcceleratorRow::words("price-date", running, "Price of", "", "price",
                              [](const Accelerator& a) { return a.price ? a.price->date : std::string(); })
            .said(),
        {"listed-on-demand", running, "Your list, on demand", "", "listed", ValueFormat::Money, FactOrder::Less,
         [](const Accelerator& a) { return a.listed ? a.listed->onDemand : std::nullopt; },
         [](const Accelerator& a) { return listedText(a, PriceKind::OnDemand); }},
        {"listed-reserved", running, "Your list, reserved", "", "listed", ValueFormat::Money, FactOrder::Less,
         [](const Accelerator& a) { return a.listed ? a.listed->reserved : std::nullopt; },
         [](const Accelerator& a) { return listedText(a, PriceKind::Reserved); }},
        {"listed-spot", running, "Your list, spot", "", "listed", ValueFormat::Money, FactOrder::Less,
         [](const Accelerator& a) { return a.listed ? a.listed->spot : std::nullopt; },
         [](const Accelerator& a) { return listedText(a, PriceKind::Spot); }},
        {"listed-mtbf", running, "Spot interruptions, every", "", "listed", ValueFormat::Plain, FactOrder::More,
         [](const Accelerator& a) { return a.listed ? a.listed->spotMtbfHours : std::nullopt; },
         [](const Accelerator& a) {
             return a.listed && a.listed->spotMtbfHours
                        ? say("{} GPU-hours", formatText(*a.listed->spotMtbfHours, ValueFormat::Plain))
                        : std::string();
         }},
        AcceleratorRow::words("listed-date", running, "Your list of", "", "listed",
                              [](const Accelerator& a) {
                                  return a.listed ? a.listed->date +
                                                        (a.listed->provider.empty() ? "" : ", " + a.listed->provider)
                                                  : std::string();
                              }),
        AcceleratorRow::words("confidence", running, "Confidence", "Confidence", "",
                              [](const Accelerator& a) { return a.confidence; })
            .said(),
    };
    return rows;
}

} // namespace

std::span<const FactRow<Accelerator>> acceleratorFacts()
{
    return acceleratorRows();
}

std::string factSource(const FactRow<Accelerator>& row, const Accelerator& accelerator)
{
    if (row.source == "price")
        return accelerator.price ? accelerator.price->source : std::string();
    if (row.source == "listed")
        return accelerator.listed ? accelerator.listed->source : std::string();
    std::string_view rest = row.source;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const auto found = accelerator.fieldSources.find(std::string(rest.substr(0, end)));
        if (found != accelerator.fieldSources.end())
            return found->second;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

} // namespace headroom
