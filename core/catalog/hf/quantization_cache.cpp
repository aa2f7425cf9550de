// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/quantization_cache.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::hf
{
namespace
{

/// As people write it, "FP8"; empty where the key asks for nothing.
std::string formatOf(const nlohmann::json& value)
{
    if (const auto* word = value.get_ptr<const std::string*>()) // ModelOpt: "FP8"; Grok 1: "static", scales of FP8
        return *word == "static" || *word == "dynamic" ? "FP8" : *word == "none" || *word == "None" ? "" : *word;
    if (!value.is_object()) // compressed-tensors: {"num_bits": 8, "type": "float"}
        return {};
    const auto bits = value.find("num_bits");
    if (bits == value.end() || !bits->is_number_integer())
        return {};
    const auto type = value.find("type");
    return (type != value.end() && *type == "int" ? "INT" : "FP") + bits->dump();
}

} // namespace

void noteCacheFormat(const ConfigKeys& keys, Diagnostics& warnings)
{
    for (const char* key : {"kv_cache_quant_algo", "kv_cache_scheme"}) {
        const auto* value = keys.find(key);
        const std::string format = value == nullptr ? std::string() : formatOf(*value);
        if (format.empty())
            continue;
        warnings.push_back(
            {Severity::Warning,
             "assumed",
             fmt::format("{}/{}", keys.path(), key),
             say("the checkpoint keeps its KV cache in {}: a scenario does not take that over", printable(format, 20)),
             said("choose the number format of the KV cache yourself (kv_cache in a scenario)"),
             {},
             0});
        return;
    }
}

} // namespace headroom::hf
