// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/quantization_widths.hpp"

#include "core/catalog/hf_quantization.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace headroom::hf
{

double quarkBits(const std::string& type)
{
    for (const int bits : {4, 8})
        if (type.find(std::to_string(bits)) < 5)
            return bits;
    return 0;
}

namespace
{

/// Bits of a module that an entry describes, {"bits": 8} or Quark's {"weight": {"dtype": "fp8_e4m3"}}, whose weight is
/// null where it stays as it was.
std::optional<double> bitsOfEntry(const nlohmann::json& entry)
{
    if (!entry.is_object())
        return std::nullopt;
    if (const auto bits = entry.find("bits"); bits != entry.end() && bits->is_number())
        return bits->get<double>();
    const auto weight = entry.find("weight");
    if (weight == entry.end())
        return std::nullopt;
    const auto type = weight->find("dtype");
    return type != weight->end() && type->is_string() ? quarkBits(type->get<std::string>()) : double(unquantisedBits);
}

} // namespace

double headBits(const ConfigKeys& keys, const Quantization& usual)
{
    constexpr std::int64_t most = 32, wholeRow = -1;
    Quantization head = usual;
    bool stored = keys.flag({"lm_head"}, false);
    for (const char* key : {"dynamic", "extra_config"}) {
        const ConfigKeys modules = keys.object(key);
        for (const std::string& module : modules.names()) {
            const nlohmann::json* const entry = modules.find(module);
            const bool named = module.find("lm_head") != std::string::npos && !module.starts_with("-:");
            if (!named || entry == nullptr || !entry->is_object() || !entry->contains("bits"))
                continue;
            const ConfigKeys own = modules.object(module);
            head.bits = double(own.whole({"bits"}, {1, most}).value_or(unquantisedBits));
            head.group =
                std::max<std::int64_t>(own.whole({"group_size"}, {wholeRow, sizes.high}).value_or(head.group), 0);
            stored = head.bits < unquantisedBits;
        }
    }
    return stored ? storedBitsPerWeight(head) : 0;
}

std::set<double> otherWidths(const ConfigKeys& keys, bool byName)
{
    std::set<double> widths;
    const auto note = [&widths](const std::string& module, const nlohmann::json& entry) {
        const bool apart = module.find("lm_head") != std::string::npos || module.find("embed") != std::string::npos;
        if (const auto bits = apart ? std::nullopt : bitsOfEntry(entry))
            widths.insert(*bits);
    };
    for (const char* key : {"dynamic", "extra_config", "layer_quant_config", "layer_type_quant_config"})
        if (const nlohmann::json* modules = keys.find(key); modules && modules->is_object())
            for (const auto& [module, entry] : modules->items())
                note(module, entry);
    if (byName)
        for (const std::string& module : keys.names())
            if (const nlohmann::json* entry = keys.find(module))
                note(module, *entry);
    return widths;
}

} // namespace headroom::hf
