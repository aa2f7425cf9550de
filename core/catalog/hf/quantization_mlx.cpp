// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/quantization_mlx.hpp"

#include "core/catalog/hf/quantization_exceptions.hpp"
#include "core/catalog/hf/quantization_widths.hpp"
#include "core/catalog/hf_quantization.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::hf
{
namespace
{

struct Mode {
    std::string_view name;
    std::int64_t group, bits; ///< where the file leaves them out
};
// _defaults_for_mode() of mlx.nn.quantize.
constexpr Mode modes[] = {{"affine", 64, 4}, {"mxfp4", 32, 4}, {"nvfp4", 16, 4}, {"mxfp8", 32, 8}};

/// The way that one object states; what it leaves out is as in `usual`.
Quantization wayOf(const ConfigKeys& keys, const Quantization& usual)
{
    constexpr Bounds bits{1, 2 * unquantisedBits};
    Quantization way = usual;
    if (const std::string name = keys.text({"mode"}); !name.empty()) {
        way.format = name == "affine" ? "" : name;
        if (const auto* const mode = std::ranges::find(modes, name, &Mode::name); mode != std::end(modes)) {
            way.bits = double(mode->bits);
            way.group = mode->group;
        }
    }
    way.bits = double(keys.whole({"bits"}, bits).value_or(std::int64_t(way.bits)));
    way.group = keys.whole({"group_size"}, sizes).value_or(way.group);
    return way;
}

/// Bits of a weight with its scales of the modules whose names hold one of `names`; 0 is 16 bit.
double bitsOf(const ConfigKeys& keys, std::initializer_list<std::string_view> names, const Quantization& usual)
{
    for (const std::string& module : keys.names()) {
        const auto in = [&module](std::string_view name) { return module.find(name) != std::string::npos; };
        const nlohmann::json* const entry = keys.find(module);
        if (entry == nullptr || isBesideLanguage(module) || std::ranges::none_of(names, in))
            continue;
        if (entry->is_boolean() && !entry->get<bool>())
            return 0;
        if (entry->is_object())
            return storedBitsPerWeight(wayOf(keys.object(module), usual));
    }
    return storedBitsPerWeight(usual);
}

} // namespace

void readMlx(const ConfigKeys& keys, const ModelParts& model, Quantization& result)
{
    Quantization usual;
    usual.method = result.method;
    usual.group = modes[0].group;
    usual.weightOnly = true; // its kernels multiply in 16 bit
    result = wayOf(keys, usual);
    if (result.bits <= 0 || result.bits >= unquantisedBits)
        return;
    result.embedBits = bitsOf(keys, {"embed_tokens", "wte", "word_embeddings"}, result);
    result.headBits = model.head > 0 ? bitsOf(keys, {"lm_head"}, result) : 0;
}

} // namespace headroom::hf
