// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"

#include "core/scenario/layout_parts.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace headroom
{

std::int64_t modelParallelRanks(const Parallelism& parallelism)
{
    return parallelism.tensor * parallelism.pipeline * parallelism.context;
}

std::int64_t dataParallelRanks(const Setup& setup)
{
    return std::max<std::int64_t>(1, setup.hardware.count / modelParallelRanks(setup.parallelism));
}

std::int64_t servingReplicas(const Setup& setup)
{
    if (setup.parallelism.replicas)
        return *setup.parallelism.replicas;
    const std::int64_t ranks = modelParallelRanks(setup.parallelism) * setup.parallelism.attentionData;
    return std::max<std::int64_t>(1, setup.hardware.count / ranks);
}

std::int64_t shardingReplicas(const Setup& setup)
{
    return setup.task == Task::Training ? setup.parallelism.replicas.value_or(1) : 1;
}

bool hasPrefillPool(const Setup& setup)
{
    return setup.inference.scheduling == Scheduling::Disaggregated && setup.task == Task::Inference &&
           setup.inference.prefillPool != PrefillDeployment{};
}

Parallelism prefillLayout(const Setup& setup)
{
    const PrefillDeployment& pool = setup.inference.prefillPool;
    Parallelism p = setup.parallelism;
    p.tensor = pool.tensor.value_or(p.tensor);
    p.pipeline = pool.pipeline.value_or(p.pipeline);
    p.context = pool.context.value_or(p.context);
    p.expert = pool.expert.value_or(p.expert);
    p.attentionData = pool.attentionData.value_or(p.attentionData);
    p.replicas.reset();
    return p;
}

bool countsFailures(const TrainingWorkload& t)
{
    return t.reliability != Reliability{};
}

bool countsLateRequests(const InferenceWorkload& w)
{
    return w.targetPercentile || (w.ttftTargetS && w.requestsPerS);
}

bool autoscales(const InferenceWorkload& w)
{
    return w.autoscale != Autoscale{};
}

double busiestRequestsPerS(const InferenceWorkload& w)
{
    const LoadProfile& profile = *w.loadProfile;
    return *w.requestsPerS * *std::ranges::max_element(profile.factors) / profile.mean();
}

void takeDay(InferenceWorkload& w, const InferenceWorkload& from)
{
    w.loadProfile = from.loadProfile;
    w.autoscale = from.autoscale;
}

bool isRl(const Setup& setup)
{
    static constexpr RlWorkload usual; // every evaluation asks
    return setup.task == Task::Training && setup.training.rl != usual;
}

std::int64_t rolloutGpus(const Setup& setup)
{
    const RlWorkload& rl = setup.training.rl;
    return rl.generatesApart() ? rl.rolloutCount.value_or(setup.hardware.count) : setup.hardware.count;
}

std::int64_t rolloutTensor(const Setup& setup)
{
    return setup.training.rl.rolloutTensor.value_or(setup.parallelism.tensor);
}

bool countsSiteEnergy(const Hardware& h)
{
    return h.power != SitePower{};
}

bool countsSpotInterruptions(const Setup& setup)
{
    return setup.task == Task::Training && setup.hardware.priceKind == PriceKind::Spot &&
           countsFailures(setup.training);
}

std::int64_t effectiveGlobalBatch(const Setup& setup)
{
    return setup.training.globalBatch.value_or(setup.training.microBatch * dataParallelRanks(setup));
}

Sharding automaticSharding(const Setup& setup)
{
    if (setup.task != Task::Training || setup.hardware.count <= 1)
        return Sharding::None;
    if (!missingParts(setup, setup.parallelism.pipeline).has(LayoutPart::Fsdp))
        return Sharding::Fsdp;
    return setup.training.software == TrainingSoftware::TorchDdp ? Sharding::None : Sharding::Zero1;
}

Sharding effectiveSharding(const Setup& setup)
{
    return setup.parallelism.sharding ? *setup.parallelism.sharding : automaticSharding(setup);
}

bool effectiveSequenceParallel(const Setup& setup)
{
    return setup.parallelism.sequenceParallel.value_or(setup.parallelism.tensor > 1);
}

namespace
{

/// Profiles of one engine by release: the first whose `before` the version comes before, else the last.
struct Release {
    InferenceSoftware profile;
    std::string_view before; ///< empty: every later one
};
// vLLM's scheduler runs beside the kernels from 0.14 (vllm-project/vllm pull request 27614); the runs of 2024 are of
// 0.4 to 0.6. TensorRT-LLM: the runs of 2023 are of 0.5 and 0.6, those of today of 0.17 and later.
constexpr std::array vllmReleases{Release{InferenceSoftware::Vllm2024, "0.7"},
                                  Release{InferenceSoftware::VllmSync, "0.14"}, Release{InferenceSoftware::Vllm, {}}};
constexpr std::array trtLlmReleases{Release{InferenceSoftware::TrtLlm2023, "0.7"},
                                    Release{InferenceSoftware::TrtLlm2024, "0.17"},
                                    Release{InferenceSoftware::TrtLlm, {}}};

std::span<const Release> releasesOf(InferenceSoftware software)
{
    for (const std::span<const Release> engine : {std::span<const Release>{vllmReleases}, {trtLlmReleases}})
        if (std::ranges::find(engine, software, &Release::profile) != engine.end())
            return engine;
    return {};
}

InferenceSoftware ofRelease(const InferenceWorkload& inference)
{
    if (inference.softwareVersion)
        for (const Release& release : releasesOf(inference.software))
            if (release.before.empty() || inference.softwareVersion->before(release.before))
                return release.profile;
    return inference.software;
}

} // namespace

InferenceSoftware effectiveSoftware(const InferenceWorkload& inference)
{
    const InferenceSoftware release = ofRelease(inference);
    if (!inference.asyncScheduling || !schedulesEitherWay(inference))
        return release;
    return *inference.asyncScheduling ? InferenceSoftware::Vllm : InferenceSoftware::VllmSync;
}

bool schedulesEitherWay(const InferenceWorkload& inference)
{
    const InferenceSoftware release = ofRelease(inference);
    return release == InferenceSoftware::Vllm || release == InferenceSoftware::VllmSync;
}

namespace
{

bool isVllm(const InferenceWorkload& inference)
{
    using enum InferenceSoftware;
    const InferenceSoftware profile = effectiveSoftware(inference);
    return profile == Vllm || profile == VllmSync || profile == Vllm2024;
}

} // namespace

double tierHits(const InferenceWorkload& w)
{
    return std::min(1.0, w.tierHostHits.value_or(0) + w.tierNvmeHits.value_or(0));
}

bool effectiveLayerwise(const InferenceWorkload& w)
{
    return w.tierLayerwise.value_or(!isVllm(w));
}

double effectiveHostOverlap(const InferenceWorkload& w)
{
    return w.hostOverlap.value_or(isVllm(w) ? 0 : 1);
}

bool mayCompile(TrainingSoftware software)
{
    using enum TrainingSoftware;
    return software == TorchFsdp || software == TorchDdp || software == Transformers || software == LitGpt;
}

bool fusesExperts(const TrainingWorkload& training)
{
    // NVIDIA-NeMo/Megatron-Bridge, performance summaries: DeepSeek-V3 and Qwen3 30B-A3B in MXFP8 take a third less time
    // in container 26.06 than in 26.04.01; Nemotron 3, whose experts have no gate, takes the same, and so does FP8.
    return training.software == TrainingSoftware::Megatron && training.precision == DataType::Mxfp8 &&
           training.softwareVersion && !training.softwareVersion->before("26.06");
}

Gradients effectiveGradients(const Setup& setup)
{
    const TrainingWorkload& training = setup.training;
    if (training.gradients)
        return *training.gradients;
    const bool sixteenBit = training.software == TrainingSoftware::Megatron2021 ||
                            training.software == TrainingSoftware::InternEvo ||
                            training.masterWeights == MasterWeights::None;
    return sixteenBit ? Gradients::Bf16 : Gradients::Fp32;
}

std::int64_t effectiveSampleTokens(const TrainingWorkload& training)
{
    return std::min(training.packedSampleTokens.value_or(training.sequenceLength), training.sequenceLength);
}

} // namespace headroom
