// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/accelerator_json.hpp"

#include "core/catalog/accelerator_keys.hpp"
#include "core/support/say.hpp"

#include <cmath>

namespace headroom
{
namespace
{

/// A key that this object gives, rightly or not: what is wrong has been said.
bool given(ObjectReader& r, std::string_view key)
{
    return r.value(key) != nullptr;
}

/// A figure below or above what any device has, and the unit that it is likeliest in: 0 for none on that side.
struct UnitRow {
    std::string_view key;
    double Accelerator::*value;
    double least, most;
    std::string_view unit, small, large; ///< phrases: of the key, and of a figure that is too small or too large
    double smallFactor, largeFactor;     ///< how many of the key's unit they are
};
constexpr double mebibyteInGb = 1.048576e-3;
// Least and most: a chip without DRAM has 0.2 GB, a whole server of them some TB; DDR3 gives 10 GB/s.
constexpr UnitRow unitRows[] = {
    {"memory_gb", &Accelerator::memoryGb, 0.1, 1e4, "GB", "TB", "MiB", 1e3, mebibyteInGb},
    {"memory_bandwidth_gbps_bytes", &Accelerator::memoryBandwidthGbPerS, 5, 0, "GB/s", "TB/s", "", 1e3, 0},
    {"scaleup_bandwidth_unidir_gbps_bytes", &Accelerator::scaleUpGbPerS, 0.05, 0, "GB/s", "TB/s", "", 1e3, 0},
    {"scaleup_peer_unidir_gbps_bytes", &Accelerator::scaleUpPeerGbPerS, 0.05, 0, "GB/s", "TB/s", "", 1e3, 0},
    {"host_link_unidir_gbps_bytes", &Accelerator::hostLinkGbPerS, 0.05, 0, "GB/s", "TB/s", "", 1e3, 0},
    {"tdp_w", &Accelerator::tdpWatts, 1, 1e5, "W", "kW", "mW", 1e3, 1e-3},
    {"peak_clock_mhz", &Accelerator::peakClockMhz, 50, 2e4, "MHz", "GHz", "kHz", 1e3, 1e-3},
    {"boost_clock_mhz", &Accelerator::boostClockMhz, 50, 2e4, "MHz", "GHz", "kHz", 1e3, 1e-3}};

void checkUnits(ObjectReader& r, const Accelerator& a)
{
    constexpr double bytes = 1e9;
    for (const UnitRow& row : unitRows) {
        const double value = a.*row.value;
        const bool small = value < row.least;
        const bool large = row.most > 0 && value > row.most;
        if (!given(r, row.key) || !(small || large))
            continue;
        const bool inBytes = large && row.unit == "GB" && value >= bytes;
        const std::string_view unit = small ? row.small : inBytes ? std::string_view("B") : row.large;
        const double factor = small ? row.smallFactor : inBytes ? 1 / bytes : row.largeFactor;
        const double meant = value * factor;
        const bool likely = meant >= row.least && (row.most <= 0 || meant <= row.most);
        r.error(row.key, "out-of-range",
                small ? say("{:.6g} {} is less than any device has", value, row.unit)
                      : say("{:.6g} {} is more than any device has", value, row.unit),
                likely ? say("the key is in {}; {:.6g} {} are {:.4g} {}", row.unit, value, unit, meant, row.unit)
                       : say("the key is in {}", row.unit));
    }
}

/// Rates of a device that multiplies at all, TFLOP/s, and narrower formats that are no slower than 16 bit.
void checkPeaks(ObjectReader& r, const Accelerator& a)
{
    constexpr double least = 1e-3;
    r.object("peak_tflops", [&](ObjectReader& peaks) {
        for (const auto& [key, value] : {std::pair{"fp64", a.peak.fp64},
                                         {"fp32", a.peak.fp32},
                                         {"tf32", a.peak.tf32},
                                         {"fp16", a.peak.fp16},
                                         {"bf16", a.peak.bf16},
                                         {"fp8", a.peak.fp8},
                                         {"int8", a.peak.int8},
                                         {"int4", a.peak.int4},
                                         {"fp6", a.peak.fp6},
                                         {"fp4", a.peak.fp4}})
            if (given(peaks, key) && value < least)
                peaks.error(key, "out-of-range", say("{:.6g} {} is less than any device has", value, "TFLOP/s"),
                            say("the key is in {}", "TFLOP/s"));
        if ((given(peaks, "fp8") || given(peaks, "bf16")) && a.peak.fp8 > 0 && a.peak.fp8 < a.peak.bf16)
            peaks.error("fp8", "contradiction",
                        say("{:.4g} TFLOP/s is below the {:.4g} in bf16", a.peak.fp8, a.peak.bf16),
                        said("leave it out where the device has no fp8"));
    });
}

void checkFigures(ObjectReader& r, const Accelerator& a)
{
    checkUnits(r, a);
    if (given(r, "peak_tflops"))
        checkPeaks(r, a);
    const auto& price = a.price;
    if (given(r, "cloud_price_usd_per_hour") && price && price->low && price->high && *price->low > *price->high)
        r.error("cloud_price_usd_per_hour", "contradiction",
                say("low, {:.4g}, is above high, {:.4g}", *price->low, *price->high),
                said("low is the lowest price that was seen, high the highest"));
}

void readFields(ObjectReader& r, Accelerator& a)
{
    constexpr std::string_view bothWays = "scaleup_bandwidth_bidir_gbps_bytes";
    KeyReader keys(r, a);
    fields::accelerator(keys);
    if (given(r, "memory_gb") && !given(r, "memory_usable_gib"))
        a.memoryUsableGib.reset(); // said of another memory
    double both = 0;
    const bool oneWay = given(r, "scaleup_bandwidth_unidir_gbps_bytes");
    constexpr double rounded = 0.01;
    if (r.number(bothWays, both, fields::rate) && !oneWay)
        a.scaleUpGbPerS = both / 2;
    else if (both > 0 && std::abs(both - 2 * a.scaleUpGbPerS) > rounded * both)
        r.error(bothWays, "contradiction",
                say("is {:.4g}, and twice the one direction is {:.4g}", both, 2 * a.scaleUpGbPerS),
                said("give one of the two keys"));
    if ((oneWay || given(r, bothWays)) && !given(r, "scaleup_peer_unidir_gbps_bytes"))
        a.scaleUpPeerGbPerS = a.scaleUpGbPerS;
    if (!hasErrors(r.diagnostics()))
        checkFigures(r, a);
}

void requireFacts(const Accelerator& a, const std::string& path, Diagnostics& diagnostics)
{
    for (const std::string& key : a.missingFacts()) {
        const bool peak = key == "peak_tflops";
        addDiagnostic(diagnostics, "missing-key", path, say("the key '{}' is missing", key),
                      peak ? say("give at least one 16-bit or 32-bit rate, {}", R"({"bf16": 989.4})") : std::string());
    }
}

Expected<Accelerator> finished(Accelerator a, const std::string& path, Diagnostics diagnostics, AcceleratorFacts facts)
{
    if (!hasErrors(diagnostics) && facts == AcceleratorFacts::Complete)
        requireFacts(a, path, diagnostics);
    if (!hasErrors(diagnostics) && a.memoryUsableGib && a.usableMemoryBytes() > a.memoryGb * 1.1e9)
        addDiagnostic(diagnostics, "out-of-range", childPath(path, "memory_usable_gib"),
                      say("{} GiB do not fit in {} GB", *a.memoryUsableGib, a.memoryGb));
    if (hasErrors(diagnostics))
        return tl::unexpected(std::move(diagnostics));
    return a;
}

} // namespace

void fields::readFieldSources(ObjectReader& reader, std::string_view key, std::map<std::string, std::string>& sources)
{
    const Json& value = *reader.value(key);
    if (!value.is_object()) {
        reader.wrongType(key, value, said("an object of texts"));
        return;
    }
    for (const auto& entry : value.items()) {
        if (entry.value().is_string())
            sources[entry.key()] = entry.value().get_ref<const std::string&>();
        else
            reader.wrongType(key, entry.value(), said("an object of texts"));
    }
}

Expected<Accelerator> readAccelerator(const nlohmann::json& object, const std::string& path, AcceleratorFacts facts)
{
    Diagnostics diagnostics;
    Accelerator a;
    a.custom = facts == AcceleratorFacts::Complete;
    ObjectReader r(object, path, diagnostics, Nulls::Absent);
    r.string("id", a.id);
    readFields(r, a);
    if (!object.is_object() || !object.contains("family"))
        a.family = familyFromArchitecture(a);
    // NVIDIA halves the 32-bit-accumulate rate of these cards; a record that gives only that one means the other too.
    if (a.peak.fp16Accumulate16 == 0 && a.family == AcceleratorFamily::Ada &&
        a.name.find("GeForce") != std::string::npos)
        a.peak.fp16Accumulate16 = 2 * a.peakFlops(DataType::Fp16) / 1e12;
    r.finish();
    if (a.name.empty())
        a.name = a.id.empty() ? "custom" : a.id;
    return finished(std::move(a), path, std::move(diagnostics), facts);
}

Expected<Accelerator> readAcceleratorOverride(const Accelerator& base, const nlohmann::json& object,
                                              const std::string& path)
{
    Diagnostics diagnostics;
    Accelerator a = base;
    a.custom = true;
    ObjectReader r(object, path, diagnostics, Nulls::Absent);
    r.ignore({"id"});
    readFields(r, a);
    r.finish();
    return finished(std::move(a), path, std::move(diagnostics), AcceleratorFacts::Complete);
}

nlohmann::ordered_json writeAccelerator(const Accelerator& a)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!a.id.empty())
        json["id"] = a.id;
    KeyWriter keys(json, a);
    fields::accelerator(keys);
    return json;
}

} // namespace headroom
