// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Kernel: one kernel or collective of a pass, as the layers hand it to a sink (private to core).
#pragma once

#include "core/predict/inference/inference_machine.hpp"

#include <cmath>
#include <optional>
#include <string_view>

namespace headroom::inference
{

/// One kernel or collective on one device.
struct Kernel {
    std::string_view name;
    TimePart part = TimePart::Matmul;
    double flop = 0;
    double bytes = 0;                      ///< that must move: weights, cache, state (or, of a collective, its message)
    std::optional<double> lightBytes = {}; ///< that the bound counts, where routing is not even
    double activations = 0;                ///< bytes of inputs and outputs, which fused kernels could keep on the chip
    double padding = 1;                    ///< executed over useful FLOP
    double starts = 1;                     ///< start times that are exposed
    DataType precision = DataType::Bf16;
};

/// Seconds before a message flows: a start, and a bump that grows in with the message over `bumpBytes`.
[[nodiscard]] inline double linkStart(const LinkRate& rate, double bytes, double bumpBytes) noexcept
{
    return rate.startS + (rate.bumpS > 0 ? rate.bumpS * -std::expm1(-bytes / bumpBytes) : 0);
}

/// Small kernels of a layer, besides those that every layer has: norms of queries and keys; latent attention's two
/// norms, the split and the rotation of its parts; of routing by biased scores in groups, choosing the groups and the
/// weights.
[[nodiscard]] inline double smallKernels(const LayerKind& k) noexcept
{
    constexpr std::int64_t grouped = 256; // experts from which models choose groups of them first
    double count = 0;
    if (k.mixer == MixerKind::Attention && k.attention.kind == AttentionKind::Mla)
        count += 4;
    else if (k.mixer == MixerKind::Attention && k.attention.qkNorm != QkNorm::None)
        count += 2;
    if (k.hasMoe && k.moe.routerBias && k.moe.experts >= grouped)
        count += 2;
    return count;
}

} // namespace headroom::inference
