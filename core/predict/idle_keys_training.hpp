// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to key_effects.cpp: the keys of training that may be without effect.
#pragma once

#include "core/predict/idle_key.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/training/training_plan.hpp"
#include "core/scenario/scenario_names.hpp"

#include <array>
#include <cmath>

namespace headroom
{

/// Of all phases. Precondition: there are some.
inline double phasesTokens(const PreparedScenario& p) noexcept
{
    double all = 0;
    for (const TrainingPhase& phase : *p.phases)
        all += phase.tokens;
    return all;
}

/// Ranks that add their gradients up: those of data and of context.
inline std::int64_t gradientRanks(const PreparedScenario& p) noexcept
{
    return dataParallelRanks(p) * p.parallelism.context;
}

/// Whether no token travels to an expert of another rank.
inline bool exchangesNoExperts(const PreparedScenario& p) noexcept
{
    return p.model->moeLayers <= 0 || p.parallelism.expert <= 1;
}

/// Whether `sharding` changes what one gradient rank holds. FSDP and ZeRO-2 have their gradients leave for the host
/// layer by layer (gradientsLeave()); ZeRO has buffers for all, which stay; FSDP keeps inputs' gradients and 32-bit
/// sums.
inline bool actsOnOneRank(const PreparedScenario& p, Sharding sharding) noexcept
{
    if (sharding == Sharding::None)
        return false;
    const TrainingProfile& profile = p.calibration->training.profile(p.training.software);
    const bool several = p.hardware.count > 1;
    if (sharding == Sharding::Fsdp && several && (profile.keepsInputGradients || profile.savesToFit))
        return true;
    if (sharding != Sharding::Fsdp && !profile.gradientBuffers &&
        (several || p.training.optimizerInBackward.value_or(false)))
        return true;
    return sharding != Sharding::Zero1 && p.parallelism.pipeline == 1 &&
           effectiveOffload(p, *p.accelerator) != Offload::None;
}

/// The same of what is stated: neither it nor what would be taken without it acts.
inline bool shardingActsOnOneRank(const PreparedScenario& p) noexcept
{
    return actsOnOneRank(p, effectiveSharding(p)) || actsOnOneRank(p, automaticSharding(p));
}

constexpr std::array idleKeysOfTraining{
    IdleKey{[](const PreparedScenario& p) noexcept { return p.parallelism.attentionData > 1; },
            [](const PreparedScenario& p) {
                return say("attention_data = {} has no effect in training.", p.parallelism.attentionData);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.parallelism.virtualPipeline > 1 && p.parallelism.pipeline == 1;
            },
            [](const PreparedScenario& p) {
                return say("virtual_pipeline = {} has no effect: there is one pipeline stage.",
                           p.parallelism.virtualPipeline);
            }},
    IdleKey{
        [](const PreparedScenario& p) noexcept { return p.parallelism.sequenceParallel && p.parallelism.tensor == 1; },
        [](const PreparedScenario&) { return said("sequence_parallel has no effect: there is one tensor rank."); }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.parallelism.sharding.value_or(Sharding::None) != Sharding::None && gradientRanks(p) == 1 &&
                       !shardingActsOnOneRank(p);
            },
            [](const PreparedScenario& p) {
                return say("sharding = {} has no effect: there is one data-parallel rank.",
                           nameOf(names::sharding, *p.parallelism.sharding));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return shardingReplicas(p) > 1 && effectiveSharding(p) == Sharding::None;
            },
            [](const PreparedScenario& p) {
                return say("replicas = {} has no effect without sharding: no states are divided.",
                           *p.parallelism.replicas);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const TrainingWorkload& w = p.training;
                return (w.gradients || w.masterWeights == MasterWeights::None) &&
                       (w.method != Method::Full || storedBytes(w.precision) > 2);
            },
            [](const PreparedScenario& p) {
                return p.training.method != Method::Full
                           ? said("gradients and master_weights have no effect: adapters are trained in 32 bits.")
                           : say("gradients and master_weights have no effect: with {}, all states have 32 bits.",
                                 toId(p.training.precision));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.hardware.priceKind == PriceKind::Spot && !countsFailures(p.training);
            },
            [](const PreparedScenario&) {
                return said("Spot GPUs are taken back, and that is not counted: state 'reliability'.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                constexpr TrainingWorkload usual;
                const TrainingWorkload& w = p.training;
                return w.method == Method::Full && (w.loraRank != usual.loraRank || w.loraTargets != usual.loraTargets);
            },
            [](const PreparedScenario&) {
                return said("lora has no effect: all weights are trained, unless 'method' is 'lora' or 'qlora'.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const RlWorkload& w = p.training.rl;
                return !w.generatesApart() && (w.staleness > 0 || w.rolloutCount);
            },
            [](const PreparedScenario&) {
                return said("staleness and rollout_pool.count have no effect: answers are generated on the GPUs that "
                            "train, in turn with the update.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.training.multiTokenPrediction.value_or(false) && !trainsPrediction(p);
            },
            [](const PreparedScenario& p) {
                if (!p.model->predicting)
                    return say("multi_token_prediction has no effect: {} has no layer for it.",
                               p.model->architecture.name);
                return isRl(p) ? said("multi_token_prediction has no effect: reinforcement learning leaves it out.")
                               : said("multi_token_prediction has no effect: adapters alone are trained.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return p.phases && isRl(p); },
            [](const PreparedScenario&) {
                return said("phases have no effect: they are of a training without reinforcement learning.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                constexpr double rounding = 1e-9; // of adding the phases' tokens up
                return inPhases(p) && p.training.trainingTokens &&
                       std::abs(phasesTokens(p) / *p.training.trainingTokens - 1) > rounding;
            },
            [](const PreparedScenario& p) {
                return say("training_tokens = {} has no effect: the phases process {} tokens.",
                           wholeText(*p.training.trainingTokens), wholeText(phasesTokens(p)));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const FlashAttention kernel = p.training.flashAttention;
                const bool later = kernel == FlashAttention::V3 && p.accelerator->family != AcceleratorFamily::Hopper;
                return p.model->attentionLayers > 0 && (kernel == FlashAttention::V1 || later);
            },
            [](const PreparedScenario& p) {
                return p.training.flashAttention == FlashAttention::V1
                           ? said("flash_attention = 1 counts as 2: how much slower the first version is, is not "
                                  "predicted.")
                           : say("flash_attention = 3 has no effect: its kernel is for Hopper, and the {} is none.",
                                 p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.training.flashAttention == FlashAttention::Cudnn && p.accelerator->vendor != "NVIDIA";
            },
            [](const PreparedScenario& p) {
                return say("flash_attention = cudnn has no effect: cuDNN is NVIDIA's, and so is not the {}.",
                           p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                // Kernels that take tokens to experts of the own rank are fused, too.
                return exchangesNoExperts(p) && (p.training.overlapExpert ||
                                                 (p.training.fusedDispatch.value_or(false) && p.model->moeLayers <= 0));
            },
            [](const PreparedScenario& p) {
                return p.model->moeLayers > 0
                           ? said("overlap.expert has no effect: all experts lie on each GPU.")
                           : say("overlap.expert and fused_dispatch have no effect: {} has no experts.",
                                 p.model->architecture.name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return p.training.overlapTensor && p.parallelism.tensor == 1; },
            [](const PreparedScenario&) { return said("overlap.tensor has no effect: there is one tensor rank."); }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.training.overlapDataParallel && p.parallelism.pipeline == 1 && gradientRanks(p) == 1;
            },
            [](const PreparedScenario&) {
                return said("overlap.data_parallel has no effect: there is one data-parallel rank.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const TrainingWorkload& w = p.training;
                return p.efficiency.base == EfficiencyBase::Ideal &&
                       (w.overlapTensor || w.overlapDataParallel || w.overlapExpert);
            },
            [](const PreparedScenario&) {
                return said("Stated overlaps have no effect: at the speed of light, all that can be hidden is.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.model->attentionLayers <= 0 && p.training.flashAttention != FlashAttention::On;
            },
            [](const PreparedScenario& p) {
                return say("flash_attention has no effect: {} has no attention.", p.model->architecture.name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.model->attentionLayers <= 0 && p.training.checkpointing == Checkpointing::AttentionOnly;
            },
            [](const PreparedScenario& p) {
                return say("checkpointing has no effect: {} has no attention that it could run again.",
                           p.model->architecture.name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return p.training.packedSampleTokens && isRl(p); },
            [](const PreparedScenario&) {
                return said("packed_sample_tokens changes no step of reinforcement learning: its answers have lengths "
                            "of their own.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.training.packedSampleTokens.value_or(0) > p.training.sequenceLength && !isRl(p);
            },
            [](const PreparedScenario& p) {
                return say("packed_sample_tokens = {} counts as {}: that is the whole sequence.",
                           wholeText(double(*p.training.packedSampleTokens)),
                           wholeText(double(p.training.sequenceLength)));
            }},
    IdleKey{
        [](const PreparedScenario& p) noexcept {
            return p.training.softwareVersion && p.training.software == TrainingWorkload().software;
        },
        [](const PreparedScenario&) { return said("The version of the software has no effect: no stack is named."); }},
    IdleKey{[](const PreparedScenario& p) noexcept { return p.training.compile && !mayCompile(p.training.software); },
            [](const PreparedScenario&) {
                return said("compile has no effect: the stack is not PyTorch's own, or fuses its kernels anyway.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.training.optimizerInBackward.value_or(false) && !updatesInBackward(p);
            },
            [](const PreparedScenario& p) {
                if (isRl(p))
                    return said("optimizer_in_backward has no effect: the gradients of several micro-batches are added "
                                "up to learn from answers.");
                return p.training.method != Method::Full
                           ? said("optimizer_in_backward has no effect: the gradients of adapters are few.")
                           : said("optimizer_in_backward has no effect: this stack, or its sharding, has buffers for "
                                  "all gradients.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.training.reliability.checkpointS && p.training.reliability.checkpointGbPerS;
            },
            [](const PreparedScenario&) {
                return said("checkpoint_gb_per_s has no effect: checkpoint_s states the time itself.");
            }},
    IdleKey{
        [](const PreparedScenario& p) noexcept { return p.training.offload != effectiveOffload(p, *p.accelerator); },
        [](const PreparedScenario& p) {
            return say("offload has no effect: the memory of the {} is that of its host.", p.accelerator->name);
        }},
};

} // namespace headroom
