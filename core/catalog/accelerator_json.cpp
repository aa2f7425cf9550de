// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/accelerator_json.hpp"

#include "core/catalog/accelerator_keys.hpp"
#include "core/support/say.hpp"

namespace headroom
{
namespace
{

/// A key that this object gives, rightly or not: what is wrong has been said.
bool given(ObjectReader& r, std::string_view key)
{
    return r.value(key) != nullptr;
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
    if (r.number(bothWays, both, fields::rate) && !oneWay)
        a.scaleUpGbPerS = both / 2;
    if ((oneWay || given(r, bothWays)) && !given(r, "scaleup_peer_unidir_gbps_bytes"))
        a.scaleUpPeerGbPerS = a.scaleUpGbPerS;
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
