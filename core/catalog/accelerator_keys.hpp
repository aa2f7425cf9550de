// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog: the keys of an accelerator's record, in the order in which they are written. Each is
// declared here once, for reading, writing, the forms and docs/catalog_format.md (key_walkers.hpp).
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/catalog/key_walkers.hpp"

namespace headroom::fields
{

inline constexpr NumberRange rate = NumberRange::positive(1e12); ///< far above any device, far below overflow
inline constexpr NumberRange devices{1, 1e6};

inline constexpr std::array acceleratorFamilies = [] {
    std::array<NamedValue<AcceleratorFamily>, acceleratorFamilyIds.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = {acceleratorFamilyIds[i], static_cast<AcceleratorFamily>(i)};
    return names;
}();

/// An object of texts: group of facts → source.
void readFieldSources(ObjectReader& reader, std::string_view key, std::map<std::string, std::string>& sources);

template <typename Keys>
void peakRates(Keys& keys)
{
    using P = PeakRates;
    keys.key("fp64", &P::fp64, rate);
    keys.key("fp32", &P::fp32, rate);
    keys.key("tf32", &P::tf32, rate);
    keys.key("fp16", &P::fp16, rate);
    keys.key("bf16", &P::bf16, rate);
    keys.key("fp8", &P::fp8, rate);
    keys.key("int8", &P::int8, rate);
    keys.key("int4", &P::int4, rate);
    keys.key("fp6", &P::fp6, rate);
    keys.key("fp4", &P::fp4, rate);
}

template <typename Keys>
void price(Keys& keys)
{
    keys.needed("value", &Price::usdPerHour, rate);
    keys.key("low", &Price::low, rate);
    keys.key("high", &Price::high, rate);
    keys.key("date", &Price::date);
    keys.key("basis", &Price::basis);
    keys.key("source", &Price::source);
}

template <typename Keys>
void measuredRate(Keys& keys)
{
    using M = MeasuredRate;
    keys.needed("quantity", &M::quantity);
    keys.key("dtype", &M::dataType);
    keys.key("operation", &M::operation);
    keys.needed("value", &M::value, rate);
    keys.needed("unit", &M::unit);
    keys.key("fraction_of_peak", &M::fractionOfPeak, rate);
    keys.key("source", &M::source);
    keys.key("note", &M::note);
}

/// Beside these a record may give scaleup_bandwidth_bidir_gbps_bytes, both directions together, in place of one.
template <typename Keys>
void accelerator(Keys& keys)
{
    using A = Accelerator;
    keys.key("vendor", &A::vendor);
    keys.key("name", &A::name);
    keys.key("aliases", &A::aliases);
    keys.key("architecture", &A::architecture);
    keys.always("family", &A::family, acceleratorFamilies);
    keys.key("form_factor", &A::formFactor);
    keys.key("release_year", &A::releaseYear, NumberRange{1990, 2200});
    keys.key("status", &A::status);
    keys.key("accounting_unit", &A::accountingUnit);
    keys.key("memory_gb", &A::memoryGb, rate);
    keys.key("memory_usable_gib", &A::memoryUsableGib, rate);
    keys.key("memory_type", &A::memoryType);
    keys.key("unified_memory", &A::unifiedMemory);
    keys.key("memory_bandwidth_gbps_bytes", &A::memoryBandwidthGbPerS, rate);
    keys.part("peak_tflops", &A::peak, [](auto& of) { peakRates(of); });
    keys.part("peak_fp16_accumulate_tflops", &A::peak, [](auto& of) {
        of.key("fp16", &PeakRates::fp16Accumulate16, rate);
        of.ignored({"fp8"});
    });
    keys.key("peak_basis", &A::peakBasis);
    keys.parts("peak_bf16_alternates", &A::peakAlternates, [](auto& of) {
        of.needed("value", &PeakAlternate::tflops, rate);
        of.key("why", &PeakAlternate::why);
        of.key("source", &PeakAlternate::source);
    });
    keys.key("l2_cache_mb", &A::l2CacheMb, rate);
    keys.key("compute_units", &A::computeUnits, devices);
    keys.key("peak_clock_mhz", &A::peakClockMhz, rate);
    keys.key("boost_clock_mhz", &A::boostClockMhz, rate);
    keys.key("matrix16_flops_per_clock_per_unit", &A::matrix16FlopPerClockPerUnit, rate);
    keys.key("exponentials_per_clock_per_unit", &A::exponentialsPerClockPerUnit, rate);
    keys.key("scaleup_interconnect", &A::scaleUpInterconnect);
    keys.key("scaleup_topology", &A::scaleUpTopology);
    keys.key("scaleup_bandwidth_unidir_gbps_bytes", &A::scaleUpGbPerS, rate);
    keys.key("scaleup_peer_unidir_gbps_bytes", &A::scaleUpPeerGbPerS, rate);
    keys.always("scaleup_domain_size", &A::scaleUpDomain, devices);
    keys.key("host_link_unidir_gbps_bytes", &A::hostLinkGbPerS, rate);
    keys.key("scaleout_nic_gbps_bits", &A::scaleOutGbitPerS, rate);
    keys.key("tdp_w", &A::tdpWatts, rate);
    keys.whole("cloud_price_usd_per_hour", &A::price, [](auto& of) { price(of); });
    keys.parts("measured", &A::measured, [](auto& of) { measuredRate(of); });
    keys.own("field_sources", &A::fieldSources, readFieldSources);
    keys.key("confidence", &A::confidence);
    keys.key("notes", &A::notes);
    keys.key("sources", &A::sources);
    // Facts of accelerators.json that nothing here depends on.
    keys.ignored({"memory_label_note", "peak_fp64_matrix_tflops", "vendor_sparse_tflops", "last_level_cache_mb",
                  "compute_unit_kind", "pcie_generation", "pcie_lanes"});
}

} // namespace headroom::fields
