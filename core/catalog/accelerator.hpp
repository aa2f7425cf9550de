// SPDX-License-Identifier: GPL-3.0-or-later
// Accelerator: one GPU, TPU chip or other device, as its maker rates it, with the source of each fact.
#pragma once

#include "core/catalog/data_type.hpp"
#include "core/catalog/price_kind.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom
{

/// Which row of constants in resources/calibration.json describes this device. One explicit field of its file.
enum class AcceleratorFamily : std::uint8_t { V100, A100, Hopper, Blackwell, Ada, Cdna3, Cdna4, Tpu, Other };

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 9> acceleratorFamilyIds{
    {"v100", "a100", "hopper", "blackwell", "ada", "cdna3", "cdna4", "tpu", "other"}};

/// The family's name in files, and back; empty where no family is called so.
[[nodiscard]] std::string_view toId(AcceleratorFamily family);

struct Accelerator;
/// The family of a device that names none, from its vendor and architecture ("Ampere", "CDNA 3"); Other where they say
/// nothing. Card and server parts of one architecture differ in their memory: its type decides, else its bandwidth.
[[nodiscard]] AcceleratorFamily familyFromArchitecture(const Accelerator& accelerator);

/// Dense rates in TFLOP/s (TOP/s for integers); 0 = the device has no such mode or none is published.
struct PeakRates {
    double fp64 = 0, fp32 = 0, tf32 = 0, fp16 = 0, bf16 = 0, fp8 = 0, int8 = 0, int4 = 0, fp6 = 0, fp4 = 0;
    double fp16Accumulate16 = 0; ///< FP16 with 16-bit accumulation (GeForce cards: twice fp16)

    bool operator==(const PeakRates&) const = default;
};

/// Another value of the bf16 peak seen in print, so that a published MFU can be reproduced.
struct PeakAlternate {
    double tflops = 0;
    std::string why, source;
    bool operator==(const PeakAlternate&) const = default;
};

/// What renting one accelerator costs, with its date: prices age.
struct Price {
    double usdPerHour = 0; ///< per accelerator
    std::optional<double> low, high;
    std::string date, basis, source;
    bool operator==(const Price&) const = default;
};

/// A measured rate of this device (matmul, memory bandwidth, link), for display beside the rated one.
struct MeasuredRate {
    std::string quantity, dataType, operation, unit, source, note;
    double value = 0;
    std::optional<double> fractionOfPeak;
    bool operator==(const MeasuredRate&) const = default;
};

/// A device as its maker rates it. Units in the names; decimal (10^9, 10^12) except memoryUsableGib.
struct Accelerator {
    std::string id, vendor, name, architecture, formFactor, status, accountingUnit;
    std::vector<std::string> aliases; ///< exact names only, matched whole, never by substring
    int releaseYear = 0;              ///< 0 = not published
    AcceleratorFamily family = AcceleratorFamily::Other;

    double memoryGb = 0;                   ///< the label
    std::optional<double> memoryUsableGib; ///< what software sees
    std::string memoryType;
    bool unifiedMemory = false;       ///< it is the host's memory too: nothing moves out of it to there
    double memoryBandwidthGbPerS = 0; ///< nominal, GB/s
    PeakRates peak;
    std::string peakBasis;
    std::vector<PeakAlternate> peakAlternates;

    double l2CacheMb = 0;
    int computeUnits = 0;
    double peakClockMhz = 0, boostClockMhz = 0;
    double matrix16FlopPerClockPerUnit = 0;
    double exponentialsPerClockPerUnit = 0; ///< of the special function units; 0 = as many as its family's others

    std::string scaleUpInterconnect, scaleUpTopology;
    double scaleUpGbPerS = 0;     ///< per device, one direction, all links; 0 = none (PCIe only)
    double scaleUpPeerGbPerS = 0; ///< what one pair can use, one direction; the whole where nothing else is known
    int scaleUpDomain = 1;        ///< devices in one scale-up domain
    double hostLinkGbPerS = 0;    ///< PCIe or C2C, one direction; 0 = unknown
    double scaleOutGbitPerS = 0;  ///< NIC per device, one direction; 0 = none known
    double tdpWatts = 0;          ///< 0 = not published
    std::optional<Price> price;
    std::optional<ListedPrices> listed; ///< of the user's own price list; in no file of the catalogue
    bool otherCurrency = false; ///< that list is not in US dollars: `price` does not count beside it; in no file either

    std::vector<MeasuredRate> measured;
    std::map<std::string, std::string> fieldSources; ///< group of facts ("memory", "peak.fp8") → source
    std::string confidence;                          ///< high, medium, low
    std::vector<std::string> notes;
    std::vector<std::string> sources; ///< further ones, not named above

    bool custom = false; ///< from a scenario object or the user's catalogue, not built in

    bool operator==(const Accelerator&) const = default;

    /// Bytes that software can use: memoryUsableGib·2^30, else memoryGb·10^9.
    [[nodiscard]] double usableMemoryBytes() const;
    /// Nominal bytes/s.
    [[nodiscard]] double memoryBandwidth() const { return memoryBandwidthGbPerS * 1e9; }
    /// JSON keys of facts without which nothing can be evaluated (the catalogue knows two parts whose bandwidth or
    /// peak nobody published); empty for all others. An override that supplies them makes the device usable.
    [[nodiscard]] std::vector<std::string> missingFacts() const;
    /// Dense FLOP/s of a matmul in `type`, 0 where the device has no such mode. fp16 and bf16 stand in for each
    /// other where only one is published (V100, Apple); mxfp8 is fp8, mxfp4 is fp4.
    [[nodiscard]] double peakFlops(DataType type) const;
};

} // namespace headroom
