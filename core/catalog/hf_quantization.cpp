// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf_quantization.hpp"

#include <string_view>

namespace headroom
{
namespace
{

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// A scale of `scaleBits` for every `group` weights.
double withScale(double bits, double scaleBits, double group)
{
    return group > 0 ? bits + scaleBits / group : bits;
}

double blockOf(const Quantization& q)
{
    double block = q.block.empty() ? 0 : 1;
    for (const std::int64_t side : q.block)
        block *= double(side);
    return block;
}

/// AWQ, GPTQ and kin: a 16-bit scale and a zero point as wide as a weight for every group.
double integerGroups(const Quantization& q)
{
    return withScale(q.bits, 16 + q.bits, double(q.group));
}

double bitsAndBytes(const Quantization& q)
{
    if (q.bits > 4)
        return q.bits;
    // Blocks of 64 with a 32-bit scale; double quantisation keeps 8 bits of it and one more scale for 256 blocks.
    return q.format == "double-quant" ? 4 + 8.0 / 64 + 32.0 / (64 * 256) : withScale(4, 32, 64);
}

/// compressed-tensors and ModelOpt: the width of the scale follows from the format.
double namedFormat(const Quantization& q)
{
    const bool nvfp4 = contains(q.algorithm, "NVFP4") || contains(q.format, "nvfp4");
    const bool mx = contains(q.algorithm, "MXFP") || contains(q.format, "mxfp");
    if (nvfp4)
        return withScale(4, 8, 16);
    if (mx)
        return withScale(q.bits, 8, 32);
    if (!q.block.empty())
        return withScale(q.bits, 32, blockOf(q));
    return withScale(q.bits, 16, double(q.group));
}

} // namespace

double storedBitsPerWeight(const Quantization& q)
{
    if (q.bits <= 0)
        return 0;
    if (q.algorithm == fp4Experts) // DeepSeek V4: almost all weights are experts; 32 share an 8-bit exponent
        return withScale(4, 8, 32);
    if (q.method == "fp8")
        return withScale(8, q.algorithm == "ue8m0 scales" ? 8 : 32, blockOf(q));
    if (q.method == "mlx" && !q.format.empty()) // mxfp4, nvfp4, mxfp8: an 8-bit scale alone
        return withScale(q.bits, 8, double(q.group));
    if (q.method == "mlx" || q.method == "hqq" || q.method == "quanto" || q.method == "torchao")
        return withScale(q.bits, 32, double(q.group)); // a 16-bit scale and a 16-bit offset
    if (q.method == "quark" && contains(q.algorithm, "e8m0"))
        return withScale(q.bits, 8, double(q.group));
    if (q.method == "awq" || q.method == "gptq" || contains(q.method, "auto-round"))
        return integerGroups(q);
    if (q.method == "bitsandbytes")
        return bitsAndBytes(q);
    if (q.method == "compressed-tensors" || q.method.starts_with("modelopt"))
        return namedFormat(q);
    return q.bits; // mxfp4 states its scales in the bits; others are not known closer
}

} // namespace headroom
