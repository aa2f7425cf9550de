// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to metric_registry.cpp: the rows of what serving keeps below the accelerators' memory.
#pragma once

#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/metric_values.hpp"

namespace headroom::metric_values
{

/// Of a prompt that finds something in the tiers.
template <auto Member>
Value loaded(const Evaluation& e)
{
    return e.tiers && e.tiers->loadBytes > 0 ? Value((*e.tiers).*Member) : std::nullopt;
}
inline Value breakEven(const Evaluation& e)
{
    return e.tiers && e.tiers->breakEvenBytesPerS > 0 ? Value(e.tiers->breakEvenBytesPerS) : std::nullopt;
}
template <auto Tier>
Value tierTokens(const Evaluation& e)
{
    return e.tiers && ((*e.tiers).*Tier).bytes > 0 ? Value(((*e.tiers).*Tier).tokens) : std::nullopt;
}
template <auto Member>
constexpr auto hostWeights = partial<&Evaluation::hostWeights, Member>;

inline constexpr MetricRow hostRows[] = {
    {"kv_tiers.saved_s", "Saved by the tiers", "TTFT that the cache tiers save",
     "What the first token would come later if the tokens found in host memory and on NVMe were computed again. Below "
     "0 "
     "they cost time.",
     "prefill of those tokens − loading that shows", ValueFormat::Seconds, Better::Higher, false, true, true,
     loaded<&TiersResult::savedS>, none, derivations::tiersSaved, MethodChapter::Tiers, true},
    {"kv_tiers.load_s", "Cache load", "Time to load a prompt's cache",
     "From the drives and over the host link, from the first byte to the last.",
     "NVMe bytes ÷ NVMe rate + bytes ÷ host link", ValueFormat::Seconds, Better::Lower, false, true, false,
     loaded<&TiersResult::loadS>, none, derivations::tiersLoad, MethodChapter::Tiers},
    {"kv_tiers.break_even_bytes_per_s", "Break-even rate", "Rate from which loading a cache pays",
     "The rate of each GPU at which loading takes as long as computing the same tokens again.",
     "cache bytes ÷ time to compute them", ValueFormat::BytesPerS, Better::Lower, false, true, true, breakEven, none,
     derivations::tiersBreakEven, MethodChapter::Tiers, true},
    {"kv_tiers.host.tokens", "Tokens in host memory", "Tokens that host memory holds",
     "Cache of past prompts in the host memory of a replica's GPUs.", "bytes ÷ cache of a token on a GPU × ranks",
     ValueFormat::Parameters, Better::Higher, false, true, true, tierTokens<&TiersResult::host>, none,
     derivations::tierTokens, MethodChapter::Tiers, true},
    {"kv_tiers.nvme.tokens", "Tokens on NVMe", "Tokens that the drives hold",
     "Cache of past prompts on the drives of a replica's GPUs.", "bytes ÷ cache of a token on a GPU × ranks",
     ValueFormat::Parameters, Better::Higher, false, true, true, tierTokens<&TiersResult::nvme>, none,
     derivations::tierTokens, MethodChapter::Tiers, true},
    {"host_weights.read_s", "Weights over the link", "Time to read weights from host memory",
     "What the host link takes in a decode step. No step is shorter where the reading hides, and all of it adds where "
     "it does not.",
     "bytes read ÷ host link", ValueFormat::Seconds, Better::Lower, false, true, true,
     hostWeights<&HostWeightsResult::readS>, none, derivations::hostRead, MethodChapter::Tiers, true},
    {"host_weights.bytes", "Weights on the host", "Weights of a GPU that lie in host memory",
     "As stated, at most all that the GPU would hold.", "min(stated, weights of a GPU)", ValueFormat::Bytes,
     Better::Neither, false, true, false, hostWeights<&HostWeightsResult::bytes>, none, derivations::hostBytes,
     MethodChapter::Tiers},
};

} // namespace headroom::metric_values
