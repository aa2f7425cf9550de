// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_features.hpp"

#include "core/catalog/data_type.hpp"
#include "core/hardware/power.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

void set(RunFeatures& features, RunSize which, double value)
{
    features.log2[static_cast<std::size_t>(which)] = std::log2(std::max(value, 1e-9));
}

/// 1 where nothing is stated, or nothing known to hold it against.
template <typename Number>
double overRated(const std::optional<Number>& stated, double rated)
{
    return stated && rated > 0 ? double(*stated) / rated : 1;
}

AttentionKind attentionOf(const ModelProfile& model)
{
    const auto attends = std::ranges::find(model.kinds, MixerKind::Attention, &LayerKind::mixer);
    return attends == model.kinds.end() ? AttentionKind::None : attends->attention.kind;
}

void addTraining(RunFeatures& f, const PreparedScenario& p, const Evaluation& e)
{
    f.method = p.training.method;
    f.checkpointing = p.training.checkpointing;
    f.software = static_cast<int>(p.training.software);
    f.version = p.training.softwareVersion;
    f.flash = p.training.flashAttention != FlashAttention::Off;
    set(f, RunSize::Sequence, double(p.training.sequenceLength));
    set(f, RunSize::MicroBatch, double(p.training.microBatch));
    set(f, RunSize::MicroBatches, e.microBatches);
    set(f, RunSize::PackedSamples, double(p.training.sequenceLength) / double(effectiveSampleTokens(p.training)));
    f.offload = effectiveOffload(p, *p.accelerator);
    f.precision = p.training.precision;
    set(f, RunSize::PrecisionBits, 8 * storedBytes(f.precision));
}

void addInference(RunFeatures& f, const PreparedScenario& p, const Evaluation& e)
{
    f.scheduling = p.inference.scheduling;
    f.software = static_cast<int>(effectiveSoftware(p.inference));
    f.version = p.inference.softwareVersion;
    f.flash = p.inference.flashAttention != FlashAttention::Off;
    if (speculates(p)) {
        f.drafting = static_cast<int>(*p.inference.drafting);
        f.draftTokens = static_cast<double>(p.inference.draftTokens);
    }
    f.hostWeights = p.inference.hostWeightsGb.value_or(0) > 0;
    const double tokens = std::max(1.0, double(p.inference.promptTokens));
    f.cachedPrompt = std::min(1.0, p.inference.prefixHitRate.value_or(double(p.inference.prefixCachedTokens) / tokens) +
                                       tierHits(p.inference));
    set(f, RunSize::Batch, e.batch);
    set(f, RunSize::Prompt, double(p.inference.promptTokens));
    set(f, RunSize::Output, double(p.inference.outputTokens));
    f.precision = p.inference.weights;
    f.cache = p.inference.kvCache;
    set(f, RunSize::PrecisionBits, p.inference.weightBits.value_or(8 * storedBytes(f.precision)));
    set(f, RunSize::CacheBits, 8 * storedBytes(f.cache));
}

} // namespace

RunFeatures runFeatures(const PreparedScenario& prepared, const Evaluation& evaluation)
{
    const ModelArchitecture& architecture = prepared.model->architecture;
    const Accelerator& accelerator = *prepared.accelerator;
    RunFeatures f;
    f.task = prepared.task;
    f.model = architecture.id.empty() || architecture.custom ? architecture.name : architecture.id;
    f.modelName = architecture.name;
    f.modelFamily = architecture.family;
    f.accelerator = accelerator.id;
    f.acceleratorName = accelerator.name;
    f.acceleratorFamily = accelerator.family;
    f.moe = prepared.model->moeLayers > 0;
    f.attention = attentionOf(*prepared.model);
    f.sharding = effectiveSharding(prepared);
    set(f, RunSize::Parameters, evaluation.totalParameters);
    set(f, RunSize::ActiveParameters, evaluation.activeParameters);
    set(f, RunSize::Peak, accelerator.peakFlops(DataType::Bf16));
    set(f, RunSize::MemoryBandwidth, accelerator.memoryBandwidth());
    set(f, RunSize::Accelerators, double(prepared.hardware.count));
    set(f, RunSize::PowerLimit, powerLimitShare(prepared.hardware, accelerator));
    set(f, RunSize::Network, overRated(prepared.hardware.scaleOutGbitPerS, accelerator.scaleOutGbitPerS));
    set(f, RunSize::Node, overRated(prepared.hardware.perNode, double(accelerator.scaleUpDomain)));
    set(f, RunSize::Tensor, double(prepared.parallelism.tensor));
    set(f, RunSize::Pipeline, double(prepared.parallelism.pipeline));
    set(f, RunSize::Context, double(prepared.parallelism.context));
    set(f, RunSize::Expert, double(prepared.parallelism.expert));
    if (prepared.task == Task::Training)
        addTraining(f, prepared, evaluation);
    else
        addInference(f, prepared, evaluation);
    return f;
}

} // namespace headroom
