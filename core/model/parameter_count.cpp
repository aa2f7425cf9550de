// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas follow the papers and reference implementations of each family; names as in the papers' configs.
#include "core/model/parameter_count.hpp"

#include <cmath>

namespace headroom
{
namespace
{

BlockSize mlaSize(double h, const AttentionShape& a)
{
    const double nh = double(a.heads), nope = double(a.mla.qkNope), rope = double(a.mla.qkRope);
    const double v = double(a.mla.vHeadDim), kvRank = double(a.mla.kvLoraRank), qRank = double(a.mla.qLoraRank);
    const double query = qRank > 0 ? h * qRank + qRank * nh * (nope + rope) : h * nh * (nope + rope);
    const double keyValue = h * (kvRank + rope) + kvRank * nh * (nope + v);
    const double gate = a.gate == OutputGate::Element ? h * nh * v : 0;
    const double weights = query + keyValue + nh * v * h + gate;
    const double latentNorms = qRank + kvRank;
    const double biases = (a.qkvBias ? qRank + kvRank + rope : 0) + (a.outBias ? h : 0);
    return {weights + latentNorms + biases, weights};
}

/// DeepSeek V4: one head is key and value of every query; the output projection is low-rank in groups.
BlockSize dsv4Size(double h, const AttentionShape& a)
{
    const double nh = double(a.heads), d = double(a.headDim);
    const double qRank = double(a.dsv4.qLoraRank), oRank = double(a.dsv4.oLoraRank), groups = double(a.dsv4.oGroups);
    const double perGroup = groups > 0 ? std::floor(nh * d / groups) : 0;
    double weights = h * qRank + qRank * nh * d + h * d + groups * oRank * perGroup + h * groups * oRank;
    double rest = qRank + d + nh; // two norms and the sinks
    if (a.compress == 4) {        // two overlapping streams of compressed entries, chosen by an indexer
        const BlockSize indexer = dsv4IndexerSize(h, a);
        weights += 4 * d * h + indexer.weights;
        rest += 9 * d + (indexer.parameters - indexer.weights);
    } else if (a.compress > 0) {
        weights += 2 * d * h;
        rest += double(a.compress) * d + d;
    }
    return {weights + rest, weights};
}

} // namespace

double normSize(NormKind kind, double width)
{
    switch (kind) {
    case NormKind::LayerNorm:
        return 2 * width;
    case NormKind::RmsNorm:
    case NormKind::LayerNormNoBias:
        return width;
    case NormKind::NonParametric:
        break;
    }
    return 0;
}

BlockSize attentionSize(double h, const AttentionShape& a)
{
    if (a.kind == AttentionKind::None)
        return {};
    if (a.kind == AttentionKind::Mla)
        return mlaSize(h, a);
    if (a.kind == AttentionKind::Dsv4)
        return dsv4Size(h, a);
    const double nh = double(a.heads), nkv = double(a.kvHeads), d = double(a.headDim), dv = double(a.valueDim());
    const double queryWidth = nh * d * (a.gate == OutputGate::Element ? 2 : 1); // the gate comes with the query
    const double keyWidth = a.kvShared ? 0 : nkv * d;
    const double valueWidth = a.kvShared || a.kEqV ? 0 : nkv * dv;
    double weights = h * (queryWidth + keyWidth + valueWidth) + nh * dv * h;
    if (a.gate == OutputGate::Head)
        weights += h * nh;
    if (a.relativePosition) // Transformer-XL's projection of relative positions
        weights += h * nh * d;
    double rest = (a.qkvBias ? queryWidth + keyWidth + valueWidth : 0) + (a.outBias ? h : 0) + (a.sinks ? nh : 0);
    if (a.qkNorm == QkNorm::Head)
        rest += a.kvShared ? d : 2 * d;
    else if (a.qkNorm == QkNorm::Full)
        rest += (nh + nkv) * d;
    return {weights + rest, weights};
}

BlockSize dsv4IndexerSize(double h, const AttentionShape& a)
{
    if (a.kind != AttentionKind::Dsv4 || a.compress != 4)
        return {};
    const double heads = double(a.dsv4.indexHeads), d = double(a.dsv4.indexHeadDim);
    const double weights = 4 * d * h + heads * d * double(a.dsv4.qLoraRank) + heads * h;
    return {weights + 9 * d, weights};
}

BlockSize indexerSize(double h, const IndexerShape& x)
{
    if (x.heads == 0)
        return {};
    const double heads = double(x.heads), d = double(x.headDim);
    const double weights = x.msa ? h * heads * d + h * d : double(x.qLoraRank) * heads * d + h * d + h * heads;
    return {weights + 2 * d, weights}; // the key norm: one with bias (DeepSeek), or one each for query and key
}

BlockSize linearSize(double h, const LinearShape& l)
{
    const double n = double(l.heads) * double(l.headDim), d = double(l.headDim), conv = double(l.conv);
    switch (l.kind) {
    case LinearKind::GatedDeltaNet: {
        const double keys = double(l.keyHeads) * double(l.keyDim), heads = double(l.valueHeads);
        const double values = heads * double(l.valueDim);
        const double weights = h * (2 * keys + 2 * values) + 2 * h * heads + values * h;
        return {weights + (2 * keys + values) * conv + 2 * heads + double(l.valueDim), weights};
    }
    case LinearKind::Lightning: {
        const double weights = 5 * h * n;
        return {weights + n, weights};
    }
    case LinearKind::Kda: {
        const double lowRank = h * d + d * n;
        const double weights = 4 * h * n + lowRank + h * double(l.heads) + (l.fullRankGate ? h * n : lowRank);
        return {weights + 3 * n * conv + double(l.heads) + n + d, weights};
    }
    }
    return {};
}

BlockSize mambaSize(double h, const MambaShape& m)
{
    const double inner = double(m.inner), state = double(m.state), conv = double(m.conv), rank = double(m.dtRank);
    if (m.version == 1) {
        const double weights = 2 * h * inner + inner * (rank + 2 * state) + rank * inner + inner * h;
        const double rest = inner * conv + (m.convBias ? inner : 0) + inner + inner * state + inner +
                            (m.projBias ? 2 * inner + h : 0) + (m.innerNorms ? rank + 2 * state : 0);
        return {weights + rest, weights};
    }
    const double heads = double(m.heads), channels = inner + 2 * double(m.groups) * state;
    const double weights = h * (inner + channels + heads) + inner * h;
    const double rest = channels * conv + (m.convBias ? channels : 0) + 3 * heads + inner +
                        (m.projBias ? inner + channels + heads + h : 0);
    return {weights + rest, weights};
}

BlockSize denseSize(double h, double width, bool gated, bool bias)
{
    const double weights = (gated ? 3 : 2) * h * width;
    return {weights + (bias ? (gated ? 2 : 1) * width + h : 0), weights};
}

MoeSize moeSize(double h, const MoeShape& m)
{
    MoeSize size;
    const double experts = double(m.experts), latent = double(m.latent);
    size.router = {h * experts, h * experts};
    size.expert = denseSize(latent > 0 ? latent : h, double(m.ffn), m.gated, m.expertBias);
    if (m.sharedFfn > 0)
        size.shared = denseSize(h, double(m.sharedFfn), m.gated, m.expertBias);
    const double projections = 2 * h * latent + (m.sharedFfn > 0 && m.sharedGate ? h : 0);
    size.shared.parameters += projections;
    size.shared.weights += projections;
    size.other = (m.routerBias ? experts : 0) + double(m.extra);
    return size;
}

} // namespace headroom
