// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/accelerator_json.hpp"

#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"

namespace headroom
{
namespace
{

constexpr std::int64_t mostDevices = 1'000'000;
constexpr NumberRange positive = NumberRange::positive(1e12); ///< far above any device, far below overflow

struct RateKey {
    const char* key;
    double PeakRates::*rate;
};
constexpr std::array<RateKey, 10> rateKeys{{{"fp64", &PeakRates::fp64},
                                            {"fp32", &PeakRates::fp32},
                                            {"tf32", &PeakRates::tf32},
                                            {"fp16", &PeakRates::fp16},
                                            {"bf16", &PeakRates::bf16},
                                            {"fp8", &PeakRates::fp8},
                                            {"int8", &PeakRates::int8},
                                            {"int4", &PeakRates::int4},
                                            {"fp6", &PeakRates::fp6},
                                            {"fp4", &PeakRates::fp4}}};

void readIdentity(ObjectReader& r, Accelerator& a)
{
    r.string("vendor", a.vendor);
    r.string("name", a.name);
    r.strings("aliases", a.aliases);
    r.string("architecture", a.architecture);
    std::string family;
    if (r.string("family", family)) {
        if (const auto known = acceleratorFamilyFromId(family))
            a.family = *known;
        else
            r.unknownName("family", family, acceleratorFamilyIds);
    }
    r.string("form_factor", a.formFactor);
    r.integer("release_year", a.releaseYear, 1990, 2200);
    r.string("status", a.status);
    r.string("accounting_unit", a.accountingUnit);
    r.string("confidence", a.confidence);
    r.strings("notes", a.notes);
    r.strings("sources", a.sources);
}

void readMemory(ObjectReader& r, Accelerator& a)
{
    const bool size = r.number("memory_gb", a.memoryGb, positive);
    if (!r.number("memory_usable_gib", a.memoryUsableGib, positive) && size)
        a.memoryUsableGib.reset();
    r.string("memory_type", a.memoryType);
    r.number("memory_bandwidth_gbps_bytes", a.memoryBandwidthGbPerS, positive);
    r.number("l2_cache_mb", a.l2CacheMb, positive);
}

void readPeaks(ObjectReader& r, Accelerator& a)
{
    r.object("peak_tflops", [&](ObjectReader& child) {
        for (const RateKey& row : rateKeys)
            child.number(row.key, a.peak.*row.rate, positive);
    });
    r.object("peak_fp16_accumulate_tflops", [&](ObjectReader& child) {
        child.number("fp16", a.peak.fp16Accumulate16, positive);
        child.ignore({"fp8"});
    });
    r.string("peak_basis", a.peakBasis);
    std::vector<PeakAlternate> alternates;
    if (r.objects("peak_bf16_alternates", [&](ObjectReader& child) {
            PeakAlternate alternate;
            child.number("value", alternate.tflops, positive, Presence::Required);
            child.string("why", alternate.why);
            child.string("source", alternate.source);
            alternates.push_back(std::move(alternate));
        }))
        a.peakAlternates = std::move(alternates);
    r.integer("compute_units", a.computeUnits, 1, mostDevices);
    r.number("peak_clock_mhz", a.peakClockMhz, positive);
    r.number("boost_clock_mhz", a.boostClockMhz, positive);
    r.number("matrix16_flops_per_clock_per_unit", a.matrix16FlopPerClockPerUnit, positive);
}

void readLinks(ObjectReader& r, Accelerator& a)
{
    r.string("scaleup_interconnect", a.scaleUpInterconnect);
    r.string("scaleup_topology", a.scaleUpTopology);
    double both = 0;
    const bool bidirectional = r.number("scaleup_bandwidth_bidir_gbps_bytes", both, positive);
    const bool oneWay = r.number("scaleup_bandwidth_unidir_gbps_bytes", a.scaleUpGbPerS, positive);
    if (bidirectional && !oneWay)
        a.scaleUpGbPerS = both / 2;
    if (!r.number("scaleup_peer_unidir_gbps_bytes", a.scaleUpPeerGbPerS, positive) && (bidirectional || oneWay))
        a.scaleUpPeerGbPerS = a.scaleUpGbPerS;
    r.integer("scaleup_domain_size", a.scaleUpDomain, 1, mostDevices);
    r.number("host_link_unidir_gbps_bytes", a.hostLinkGbPerS, positive);
    r.number("scaleout_nic_gbps_bits", a.scaleOutGbitPerS, positive);
    r.number("tdp_w", a.tdpWatts, positive);
}

void readPrice(ObjectReader& r, Accelerator& a)
{
    r.object("cloud_price_usd_per_hour", [&](ObjectReader& child) {
        Price price;
        child.number("value", price.usdPerHour, positive, Presence::Required);
        child.number("low", price.low, positive);
        child.number("high", price.high, positive);
        child.string("date", price.date);
        child.string("basis", price.basis);
        child.string("source", price.source);
        a.price = std::move(price);
    });
}

void readMeasured(ObjectReader& r, Accelerator& a)
{
    std::vector<MeasuredRate> rates;
    if (r.objects("measured", [&](ObjectReader& child) {
            MeasuredRate rate;
            child.string("quantity", rate.quantity, Presence::Required);
            child.string("dtype", rate.dataType);
            child.string("operation", rate.operation);
            child.number("value", rate.value, positive, Presence::Required);
            child.string("unit", rate.unit, Presence::Required);
            child.number("fraction_of_peak", rate.fractionOfPeak, positive);
            child.string("source", rate.source);
            child.string("note", rate.note);
            rates.push_back(std::move(rate));
        }))
        a.measured = std::move(rates);
}

void readFieldSources(ObjectReader& r, Accelerator& a)
{
    const Json* sources = r.value("field_sources");
    if (sources == nullptr)
        return;
    if (!sources->is_object()) {
        r.wrongType("field_sources", *sources, said("an object of texts"));
        return;
    }
    for (const auto& entry : sources->items()) {
        if (entry.value().is_string())
            a.fieldSources[entry.key()] = entry.value().get_ref<const std::string&>();
        else
            r.wrongType("field_sources", entry.value(), said("an object of texts"));
    }
}

void readFields(ObjectReader& r, Accelerator& a)
{
    readIdentity(r, a);
    readMemory(r, a);
    readPeaks(r, a);
    readLinks(r, a);
    readPrice(r, a);
    readMeasured(r, a);
    readFieldSources(r, a);
    // Facts of accelerators.json that nothing here depends on.
    r.ignore({"memory_label_note", "peak_fp64_matrix_tflops", "vendor_sparse_tflops", "last_level_cache_mb",
              "compute_unit_kind", "pcie_generation", "pcie_lanes"});
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

using Ordered = nlohmann::ordered_json;

void put(Ordered& o, const char* key, const std::string& value)
{
    if (!value.empty())
        o[key] = value;
}

void put(Ordered& o, const char* key, double value)
{
    if (value != 0)
        o[key] = value;
}

void put(Ordered& o, const char* key, const std::optional<double>& value)
{
    if (value)
        o[key] = *value;
}

void put(Ordered& o, const char* key, const std::vector<std::string>& values)
{
    if (!values.empty())
        o[key] = values;
}

void writePeaks(Ordered& o, const Accelerator& a)
{
    for (const RateKey& row : rateKeys)
        put(o["peak_tflops"], row.key, a.peak.*row.rate);
    if (a.peak.fp16Accumulate16 > 0)
        o["peak_fp16_accumulate_tflops"]["fp16"] = a.peak.fp16Accumulate16;
    put(o, "peak_basis", a.peakBasis);
    for (const PeakAlternate& alternate : a.peakAlternates) {
        Ordered entry{{"value", alternate.tflops}};
        put(entry, "why", alternate.why);
        put(entry, "source", alternate.source);
        o["peak_bf16_alternates"].push_back(std::move(entry));
    }
    put(o, "l2_cache_mb", a.l2CacheMb);
    put(o, "compute_units", double(a.computeUnits));
    put(o, "peak_clock_mhz", a.peakClockMhz);
    put(o, "boost_clock_mhz", a.boostClockMhz);
    put(o, "matrix16_flops_per_clock_per_unit", a.matrix16FlopPerClockPerUnit);
}

void writeLinks(Ordered& o, const Accelerator& a)
{
    put(o, "scaleup_interconnect", a.scaleUpInterconnect);
    put(o, "scaleup_topology", a.scaleUpTopology);
    put(o, "scaleup_bandwidth_unidir_gbps_bytes", a.scaleUpGbPerS);
    put(o, "scaleup_peer_unidir_gbps_bytes", a.scaleUpPeerGbPerS);
    o["scaleup_domain_size"] = a.scaleUpDomain;
    put(o, "host_link_unidir_gbps_bytes", a.hostLinkGbPerS);
    put(o, "scaleout_nic_gbps_bits", a.scaleOutGbitPerS);
    put(o, "tdp_w", a.tdpWatts);
}

void writeEvidence(Ordered& o, const Accelerator& a)
{
    if (a.price) {
        Ordered& price = o["cloud_price_usd_per_hour"];
        price["value"] = a.price->usdPerHour;
        put(price, "low", a.price->low);
        put(price, "high", a.price->high);
        put(price, "date", a.price->date);
        put(price, "basis", a.price->basis);
        put(price, "source", a.price->source);
    }
    for (const MeasuredRate& rate : a.measured) {
        Ordered entry{{"quantity", rate.quantity}};
        put(entry, "dtype", rate.dataType);
        put(entry, "operation", rate.operation);
        entry["value"] = rate.value;
        entry["unit"] = rate.unit;
        put(entry, "fraction_of_peak", rate.fractionOfPeak);
        put(entry, "source", rate.source);
        put(entry, "note", rate.note);
        o["measured"].push_back(std::move(entry));
    }
    if (!a.fieldSources.empty())
        o["field_sources"] = a.fieldSources;
    put(o, "confidence", a.confidence);
    put(o, "notes", a.notes);
    put(o, "sources", a.sources);
}

} // namespace

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
    Ordered o = Ordered::object();
    put(o, "id", a.id);
    put(o, "vendor", a.vendor);
    put(o, "name", a.name);
    put(o, "aliases", a.aliases);
    put(o, "architecture", a.architecture);
    o["family"] = toId(a.family);
    put(o, "form_factor", a.formFactor);
    put(o, "release_year", double(a.releaseYear));
    put(o, "status", a.status);
    put(o, "accounting_unit", a.accountingUnit);
    put(o, "memory_gb", a.memoryGb);
    put(o, "memory_usable_gib", a.memoryUsableGib);
    put(o, "memory_type", a.memoryType);
    put(o, "memory_bandwidth_gbps_bytes", a.memoryBandwidthGbPerS);
    writePeaks(o, a);
    writeLinks(o, a);
    writeEvidence(o, a);
    return o;
}

} // namespace headroom
