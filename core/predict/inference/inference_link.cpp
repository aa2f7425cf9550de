// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/bound.hpp"
#include "core/hardware/collective.hpp"
#include "core/predict/device_domain.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_machine.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

constexpr double leastShare = 0.1; ///< an extended bandwidth never falls below a tenth of the last one of the table

/// Value at 2^x ranks of a table over 2, 4 and 8: linear in x, the last step extended beyond 8.
double interpolate(double at2, double at4, double at8, double x)
{
    return x < 2 ? at2 + (at4 - at2) * (x - 1) : at4 + (at8 - at4) * (x - 2);
}

using Table = std::array<AllReduceConstants, 3>;

AllReduceConstants interpolate(const Table& t, double ranks)
{
    const double x = std::log2(std::max(2.0, ranks));
    AllReduceConstants r;
    r.latencyS = std::max(0.0, interpolate(t[0].latencyS, t[1].latencyS, t[2].latencyS, x));
    r.bandwidth = std::max(leastShare * t[2].bandwidth, interpolate(t[0].bandwidth, t[1].bandwidth, t[2].bandwidth, x));
    r.bumpS = std::max(0.0, interpolate(t[0].bumpS, t[1].bumpS, t[2].bumpS, x));
    return r;
}

/// The family's table; the host link's on PCIe; an estimate from the link where the family has none.
Table tableOf(const InferenceCalibration& c, const Accelerator& a, const DeviceDomain& d)
{
    Table t = c.allReduce[static_cast<std::size_t>(kernelFamily(a.family))];
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (d.pcie) {
            t[i] = {c.links.pcieLatencyS[i], c.links.pcieShare[i] * d.link, 0};
        } else if (t[i].bandwidth <= 0) {
            const double n = std::exp2(static_cast<double>(i + 1));
            t[i] = {c.links.otherLatencyS[i], c.links.otherShare * d.link * n / (2 * (n - 1)), 0};
        }
    }
    return t;
}

} // namespace

bool countsHostLink(const PreparedScenario& p, double devices) noexcept
{
    const DeviceDomain d = domainOf(p, devices);
    const bool reads = (usesTiers(p.inference) || keepsWeightsOnHost(p)) && !p.inference.hostLinkGbPerS;
    return reads || (devices > 1 && d.pcie && d.size > 1);
}

ExchangeLinks::Way ExchangeLinks::oneWay(double topK) const noexcept
{
    // Every rank that holds a part of an expert needs the token.
    const double here = group.ranksPerNode, sharing = group.ranks / experts;
    const double groups = once ? experts * (1 - std::pow(1 - 1 / experts, topK)) : std::min(topK, experts);
    const double copies = groups * sharing * (here - 1) / here;
    const double crossing = remoteCopies(group.nodes, std::min(group.nodes, experts), topK, mostCopies);
    const bool leaves = crossing * across.perByte > copies * inside.perByte;
    Way way{leaves ? crossing : copies, leaves ? across : inside};
    // At its rated speed the other link may be the slower: the bound is of both.
    if (way.copies > 0)
        way.link.lightPerByte = std::max(crossing * across.lightPerByte, copies * inside.lightPerByte) / way.copies;
    return way;
}

LinkRate allReduceRate(const PreparedScenario& prepared, double ranks, double hopS, bool ideal, WarningSet& warnings,
                       double stride) noexcept
{
    if (ranks <= 1)
        return {};
    const InferenceCalibration& c = prepared.calibration->inference;
    const Accelerator& a = *prepared.accelerator;
    const DeviceDomain d = domainOf(prepared, ranks * stride);
    const GroupShape group = groupShape(ranks, stride, d.size);
    const double inside = group.ranksPerNode, nodes = group.nodes;
    LinkRate r;
    if (inside > 1) {
        const AllReduceConstants k = interpolate(tableOf(c, a, d), inside);
        const double multiplier = prepared.efficiency.scaleUp;
        // The bound of any algorithm: each device must receive what the others hold, (n − 1)/n of the sum.
        const double least = (inside - 1) / inside / d.link;
        r = ideal ? LinkRate{0, least / boundedShare(multiplier), 0, least}
                  : LinkRate{k.latencyS + 2 * (inside - 1) * hopS, boundedTime(1 / (k.bandwidth * multiplier), least),
                             k.bumpS, least};
    }
    if (group.crossesNodes()) {
        const double gbit = prepared.hardware.scaleOutGbitPerS.value_or(a.scaleOutGbitPerS);
        if (gbit <= 0)
            warnings.add(WarningCode::NicAssumed, c.links.assumedNic * 8 / giga);
        const double nic = gbit > 0 ? gbit * giga / 8 : c.links.assumedNic;
        const double share = boundedShare((ideal ? 1 : c.links.scaleOutShare) * prepared.efficiency.scaleOut);
        r.startS += ideal ? 0 : c.links.scaleOutStartS;
        const double least = (nodes - 1) / nodes / inside / nic;
        // The bound has both kinds of links work at once, on pieces of the sum.
        r.perByte = ideal ? std::max(r.perByte, least / share) : r.perByte + 2 * least / share;
        r.lightPerByte = std::max(r.lightPerByte, least);
    }
    return r;
}

bool sumsBlocksOnce(const ModelArchitecture& model, InferenceSoftware software, bool ideal) noexcept
{
    if (!model.parallelBlock || ideal)
        return true;
    const bool falcon = model.family == "Falcon", neox = model.family == "GPT-NeoX" || model.family == "Pythia";
    switch (software) {
    case InferenceSoftware::Tuned:
    case InferenceSoftware::DeepSpeed: // ops/transformer/inference/ds_attention.py: none where not mlp_after_attn
        return true;
    case InferenceSoftware::Vllm: // model_executor/models/falcon.py; cohere, gpt_j, gpt_neox and phi sum twice
    case InferenceSoftware::VllmSync:
    case InferenceSoftware::Vllm2024:
        return falcon;
    case InferenceSoftware::Tgi: // flash_rw_modeling.py, flash_neox_modeling.py
        return falcon || neox;
    case InferenceSoftware::FasterTransformer: // models/gptneox; gptj sums twice
        return neox;
    default: // TensorRT-LLM and SGLang: each block's output projection ends in a sum of its own
        return false;
    }
}

LinkRate gatherRate(LinkRate allReduce, double ranks, bool ideal) noexcept
{
    if (ranks <= 1)
        return {};
    LinkRate r = allReduce;
    const double whole = ranks / (ranks - 1);
    r.lightPerByte *= whole;
    r.perByte = ideal ? whole * r.perByte : boundedTime(whole * r.perByte / 2, r.lightPerByte);
    return r;
}

} // namespace headroom::inference
