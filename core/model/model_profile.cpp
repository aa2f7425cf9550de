// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_profile.hpp"

#include "core/model/layer_kinds.hpp"
#include "core/model/parameter_count.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headroom
{
namespace
{

/// Parameters of one layer by component of ParameterCounts.
struct LayerParts {
    double attention = 0, linear = 0, stateSpace = 0, dense = 0, moe = 0, moeActive = 0, norms = 0, indexer = 0,
           other = 0;
    [[nodiscard]] double total() const
    {
        return attention + linear + stateSpace + dense + moe + norms + indexer + other;
    }
};

struct CompiledLayer {
    LayerKind kind;
    LayerParts parts;
};

/// One entry of the schedule, with the width of its dense feed-forward.
struct LayerPlan {
    std::string_view mixer;
    MlpKind mlp = MlpKind::None;
    double ffn = 0;
    double norms = 0;
};

AttentionShape attentionOf(const ModelArchitecture& a, std::string_view mixer)
{
    AttentionShape shape = a.attention;
    const auto prefer = [](std::int64_t top, std::int64_t own) { return top > 0 ? top : own; };
    shape.heads = prefer(a.heads, shape.heads);
    shape.kvHeads = prefer(a.kvHeads, prefer(shape.kvHeads, shape.heads));
    shape.headDim = prefer(a.headDim, shape.headDim);
    shape.vHeadDim = prefer(a.vHeadDim, shape.vHeadDim);
    const auto variant = a.attentionVariants.find(std::string(mixer));
    if (variant == a.attentionVariants.end())
        return shape;
    const AttentionVariant& v = variant->second;
    shape.heads = v.heads.value_or(shape.heads);
    shape.kvHeads = v.kvHeads.value_or(shape.kvHeads);
    shape.headDim = v.headDim.value_or(shape.headDim);
    shape.vHeadDim = v.vHeadDim.value_or(shape.vHeadDim);
    shape.compress = v.compress.value_or(shape.compress);
    shape.qkNorm = v.qkNorm.value_or(shape.qkNorm);
    shape.sinks = v.sinks.value_or(shape.sinks);
    shape.kvShared = v.kvShared.value_or(shape.kvShared);
    shape.kEqV = v.kEqV.value_or(shape.kEqV);
    return shape;
}

std::optional<IndexerShape> indexerOf(const ModelArchitecture& a, const AttentionShape& shape, std::string_view mixer)
{
    if (shape.kind == AttentionKind::Dsv4 && shape.compress == 4) {
        IndexerShape own;
        own.heads = shape.dsv4.indexHeads;
        own.headDim = shape.dsv4.indexHeadDim;
        own.topk = shape.dsv4.indexTopk;
        own.qLoraRank = shape.dsv4.qLoraRank;
        return own;
    }
    if (!a.indexer || mixer.ends_with("_no_index"))
        return std::nullopt;
    IndexerShape shapeOfLayer = *a.indexer;
    if (mixer.ends_with("_shared_index"))
        shapeOfLayer.heads = shapeOfLayer.headDim = shapeOfLayer.qLoraRank = 0;
    return shapeOfLayer;
}

void addAttention(CompiledLayer& layer, const ModelArchitecture& a, std::string_view mixer)
{
    LayerKind& kind = layer.kind;
    kind.mixer = MixerKind::Attention;
    kind.attention = attentionOf(a, mixer);
    kind.chunked = mixer.starts_with("chunked");
    kind.cross = mixer.starts_with("cross");
    if (kind.chunked || mixer.starts_with("sliding"))
        kind.window = double(a.sliding.window);
    kind.indexer = indexerOf(a, kind.attention, mixer);

    const BlockSize attention = attentionSize(double(a.hidden), kind.attention);
    layer.parts.attention = attention.parameters;
    kind.mixerWeights = attention.weights;
    if (kind.attention.kind == AttentionKind::Dsv4) { // its indexer is already in
        kind.indexerWeights = dsv4IndexerSize(double(a.hidden), kind.attention).weights;
    } else if (kind.indexer) {
        const BlockSize indexer = indexerSize(double(a.hidden), *kind.indexer);
        layer.parts.indexer = indexer.parameters;
        kind.indexerWeights = indexer.weights;
        kind.mixerWeights += indexer.weights;
    }
}

void addMixer(CompiledLayer& layer, const ModelArchitecture& a, std::string_view mixer)
{
    LayerKind& kind = layer.kind;
    if (mixer == "none")
        return;
    if (mixer == "linear") {
        kind.mixer = MixerKind::Linear;
        kind.linear = a.linear;
        const BlockSize size = linearSize(double(a.hidden), a.linear);
        layer.parts.linear = size.parameters;
        kind.mixerWeights = size.weights;
    } else if (mixer == "mamba") {
        kind.mixer = MixerKind::StateSpace;
        kind.mamba = a.mamba;
        const BlockSize size = mambaSize(double(a.hidden), a.mamba);
        layer.parts.stateSpace = size.parameters;
        kind.mixerWeights = size.weights;
    } else {
        addAttention(layer, a, mixer);
    }
}

void addMoe(CompiledLayer& layer, const ModelArchitecture& a)
{
    LayerKind& kind = layer.kind;
    kind.hasMoe = true;
    kind.moe = a.moe;
    kind.missLog = expertMissLog(double(a.moe.experts), double(a.moe.topK));
    const MoeSize size = moeSize(double(a.hidden), a.moe);
    layer.parts.moe = size.parameters(double(a.moe.experts));
    layer.parts.moeActive = size.parameters(double(a.moe.topK));
    kind.routerWeights = size.router.weights;
    kind.sharedWeights = size.shared.weights;
    kind.expertWeights = size.expert.weights;
}

CompiledLayer compileLayer(const ModelArchitecture& a, const LayerPlan& plan)
{
    CompiledLayer layer;
    addMixer(layer, a, plan.mixer);
    layer.kind.gated = a.gated;
    if (plan.ffn > 0) {
        const BlockSize dense = denseSize(double(a.hidden), plan.ffn, a.gated, a.mlpBias);
        layer.kind.ffn = plan.ffn;
        layer.parts.dense = dense.parameters;
        layer.kind.denseWeights = dense.weights;
    }
    if (plan.mlp == MlpKind::Moe || plan.mlp == MlpKind::DenseAndMoe)
        addMoe(layer, a);
    layer.parts.norms = plan.norms * normSize(a.norm, double(a.hidden));
    layer.parts.other = double(a.extraPerLayer);
    // What stands before the layers makes the input of each of them (Gemma's per-layer vectors): a layer has its part.
    layer.kind.extraWeights = double(a.extraMatricesPerLayer) + double(a.extraMatrices) / double(a.layers);
    layer.kind.parameters = layer.parts.total();
    layer.kind.activeParameters = layer.kind.parameters - layer.parts.moe + layer.parts.moeActive;
    return layer;
}

LayerPlan planOf(const ModelArchitecture& a, std::string_view mixer, MlpKind mlp)
{
    double ffn = 0;
    if (mlp == MlpKind::Dense || mlp == MlpKind::DenseAndMoe)
        ffn = double(a.ffn);
    else if (mlp == MlpKind::DenseDouble)
        ffn = 2 * double(a.ffn);
    return {mixer, mlp, ffn, double(a.normsPerLayer)};
}

/// The kinds of layer, and of each layer in turn the index of its kind.
struct CompiledLayers {
    std::vector<CompiledLayer> kinds;
    std::vector<std::uint32_t> order;

    /// Index of the kind of `layer`, which is added where it is new.
    std::uint32_t kindOf(const CompiledLayer& layer)
    {
        const auto same =
            std::ranges::find_if(kinds, [&](const CompiledLayer& other) { return alike(other.kind, layer.kind); });
        const auto index = std::uint32_t(same - kinds.begin());
        if (same == kinds.end())
            kinds.push_back(layer);
        return index;
    }
    void add(std::uint32_t kind, std::int64_t count)
    {
        kinds[kind].kind.count += double(count);
        order.insert(order.end(), std::size_t(count), kind);
    }
};

CompiledLayers compileLayers(const ModelArchitecture& a)
{
    CompiledLayers layers;
    for (const auto& [mixer, width] : a.customBlocks) {
        const double norms = (mixer == "none" ? 0 : 1) + (width == 0 ? 0 : 1); // a missing branch has no norm
        layers.add(layers.kindOf(compileLayer(a, {mixer, MlpKind::None, double(width), norms})), 1);
    }
    if (!a.customBlocks.empty())
        return layers;
    for (const LayerRun& run : a.schedule) {
        std::vector<std::uint32_t> segments;
        for (const LayerSegment& segment : run.segments)
            segments.push_back(layers.kindOf(compileLayer(a, planOf(a, segment.mixer, segment.mlp))));
        for (std::int64_t i = 0; i < run.repeat; ++i)
            for (std::size_t s = 0; s < segments.size(); ++s)
                layers.add(segments[s], run.segments[s].count);
    }
    return layers;
}

MlpKind lastMlp(const ModelArchitecture& a)
{
    return a.schedule.empty() || a.schedule.back().segments.empty() ? MlpKind::Dense
                                                                    : a.schedule.back().segments.back().mlp;
}

/// The blocks of a Nemotron 3 MTP module count as one layer: an attention and an expert block, each with its norm.
CompiledLayer compilePattern(const ModelArchitecture& a, const MtpShape& mtp)
{
    CompiledLayer all;
    for (const auto& [mixer, mlp] : mtp.pattern) {
        addMixer(all, a, mixer);
        const CompiledLayer block = compileLayer(a, planOf(a, mixer, mlp));
        if (block.kind.ffn > 0) {
            all.kind.ffn = block.kind.ffn;
            all.kind.denseWeights += block.kind.denseWeights;
        }
        if (block.kind.hasMoe)
            addMoe(all, a);
        all.kind.gated = a.gated;
        all.kind.parameters +=
            block.parts.attention + block.parts.stateSpace + block.parts.dense + block.parts.moe + block.parts.norms;
        all.parts.moeActive += block.parts.moeActive - block.parts.moe;
    }
    const double h = double(a.hidden);
    all.kind.joinWeights = 2 * h * h;
    all.kind.parameters += all.kind.joinWeights + 3 * h;
    all.kind.activeParameters = all.kind.parameters + all.parts.moeActive;
    return all;
}

std::optional<LayerKind> compileMtp(const ModelArchitecture& a)
{
    if (!a.mtp || a.mtp->layers <= 0)
        return std::nullopt;
    const MtpShape& mtp = *a.mtp;
    CompiledLayer layer;
    if (!mtp.pattern.empty()) {
        layer = compilePattern(a, mtp);
    } else {
        const double h = double(a.hidden);
        layer = compileLayer(a, planOf(a, mtp.mixer.empty() ? "full" : mtp.mixer, mtp.mlp.value_or(lastMlp(a))));
        layer.kind.joinWeights = mtp.ehProjection ? 2 * h * h : 0;
        const double added = layer.kind.joinWeights + double(mtp.norms) * normSize(a.norm, h) + double(mtp.extra);
        layer.kind.parameters += added;
        layer.kind.activeParameters += added;
    }
    layer.kind.count = double(mtp.layers);
    return layer.kind;
}

/// Weights of a layer that multiply a token which meets so many of its routed experts.
double matmulWeights(const LayerKind& kind, double experts)
{
    return kind.mixerWeights + kind.denseWeights + kind.routerWeights + kind.sharedWeights + kind.joinWeights +
           experts * kind.expertWeights;
}

ParameterCounts countAll(const ModelArchitecture& a, const std::vector<CompiledLayer>& layers,
                         const std::optional<LayerKind>& mtp)
{
    const double h = double(a.hidden), v = double(a.vocab), e = a.embedDim > 0 ? double(a.embedDim) : h;
    ParameterCounts c;
    c.embedding = (v + double(a.embeddingRowsExtra)) * e;
    if (a.position == PositionKind::Learned && a.maxContext > 0)
        c.position = double(a.maxContext + a.positionOffset) * h;
    c.embedProjection = e != h ? 2 * e * h : 0;
    c.embedNorm = a.embedNorm ? normSize(a.norm, h) : 0;
    c.lmHead = (a.tied ? 0 : v * e) + (a.lmHeadBias ? v : 0);
    c.finalNorm = a.finalNorm ? normSize(a.norm, h) : 0;
    c.other = double(a.extra);
    c.tables = double(a.extraTables);
    c.matmul = c.matmulActive = v * e + c.embedProjection + double(a.extraMatrices);
    double moeActive = 0;
    for (const CompiledLayer& layer : layers) {
        const LayerKind& kind = layer.kind;
        const LayerParts& parts = layer.parts;
        const double n = kind.count;
        c.attention += n * parts.attention;
        c.linear += n * parts.linear;
        c.stateSpace += n * parts.stateSpace;
        c.dense += n * parts.dense;
        c.moe += n * parts.moe;
        c.norms += n * parts.norms;
        c.indexer += n * parts.indexer;
        c.other += n * parts.other;
        c.router += n * kind.routerWeights;
        moeActive += n * parts.moeActive;
        const auto further = double(a.extraMatricesPerLayer);
        c.matmul += n * (matmulWeights(kind, double(kind.moe.experts)) + further);
        c.matmulActive += n * (matmulWeights(kind, double(kind.moe.topK)) + further);
    }
    c.total = c.embedding + c.position + c.embedProjection + c.embedNorm + c.lmHead + c.attention + c.linear +
              c.stateSpace + c.dense + c.moe + c.norms + c.indexer + c.other + c.finalNorm;
    c.active = c.total - c.moe + moeActive;
    c.activeNoInputEmbedding = c.active - c.position - c.tables - (a.tied ? 0 : c.embedding);
    c.nonEmbedding = c.total - c.embedding - c.position - c.tables - c.lmHead;
    if (mtp) {
        c.mtp = mtp->count * mtp->parameters;
        c.mtpCopies = a.mtp->storesEmbedAndHead ? mtp->count * 2 * v * h : 0;
    }
    return c;
}

/// Adds layers that predict to what a model without them has. The head is the model's own: nothing is stored twice.
void addPrediction(ParameterCounts& c, const LayerKind& mtp)
{
    const double n = mtp.count, active = n * mtp.activeParameters, stored = n * mtp.parameters;
    c.total += stored;
    c.nonEmbedding += stored;
    c.active += active;
    c.activeNoInputEmbedding += active;
    c.matmul += n * matmulWeights(mtp, double(mtp.moe.experts));
    c.matmulActive += n * matmulWeights(mtp, double(mtp.moe.topK));
    c.router += n * mtp.routerWeights;
}

ModelProfile withPrediction(const ModelProfile& model)
{
    ModelProfile p = model;
    const LayerKind& mtp = *model.mtp;
    const auto kind = std::uint32_t(p.kinds.size());
    p.kinds.push_back(mtp);
    findSharedBlocks(p.kinds);
    p.order.insert(p.order.end(), std::size_t(mtp.count), kind);
    p.predictionLayers = mtp.count;
    p.layers += mtp.count;
    p.moeLayers += mtp.hasMoe ? mtp.count : 0;
    p.attentionLayers += mtp.mixer == MixerKind::Attention ? mtp.count : 0;
    addPrediction(p.parameters, mtp);
    return p;
}

} // namespace

double expertMissLog(double experts, double topK) noexcept
{
    return std::log1p(-std::min(1.0, topK / experts));
}

ModelProfile compileModel(ModelArchitecture architecture)
{
    ModelProfile p;
    CompiledLayers layers = compileLayers(architecture);
    p.mtp = compileMtp(architecture);
    p.parameters = countAll(architecture, layers.kinds, p.mtp);
    p.order = std::move(layers.order);
    p.layers = double(architecture.layers);
    p.hidden = double(architecture.hidden);
    p.vocab = double(architecture.vocab);
    p.headWeights = p.vocab * (architecture.embedDim > 0 ? double(architecture.embedDim) : p.hidden);
    p.embeddingParameters = p.parameters.embedding + p.parameters.position + p.parameters.tables;
    p.untiedHeadParameters = architecture.tied ? 0 : p.parameters.lmHead;
    double inside = (p.untiedHeadParameters > 0 ? 2 : 1) * p.headWeights;
    p.kinds.reserve(layers.kinds.size());
    for (const CompiledLayer& layer : layers.kinds) {
        p.kinds.push_back(layer.kind);
        inside += layer.kind.count * layer.kind.parameters;
        p.moeLayers += layer.kind.hasMoe ? layer.kind.count : 0;
        p.attentionLayers += layer.kind.mixer == MixerKind::Attention ? layer.kind.count : 0;
    }
    findSharedBlocks(p.kinds);
    p.outsideParameters = std::max(0.0, p.parameters.total - inside);
    if (p.moeLayers > 0) {
        p.experts = double(architecture.moe.experts);
        p.topK = double(architecture.moe.topK);
    }
    p.architecture = std::move(architecture);
    if (p.mtp)
        p.predicting = std::make_shared<const ModelProfile>(withPrediction(p));
    return p;
}

ParameterCounts countParameters(const ModelArchitecture& architecture)
{
    return countAll(architecture, compileLayers(architecture).kinds, compileMtp(architecture));
}

} // namespace headroom
