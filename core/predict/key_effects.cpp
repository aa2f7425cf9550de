// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/key_effects.hpp"

#include "core/catalog/price_list.hpp"
#include "core/hardware/power.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/idle_keys_serving.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/training/training_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headroom
{
namespace
{

double statedImbalance(const PreparedScenario& p) noexcept
{
    return p.task == Task::Training ? p.training.expertImbalance : p.inference.expertImbalance;
}

/// Groups that the experts are spread over; 1 without experts. One group has all of the load.
double imbalanceGroups(const PreparedScenario& p) noexcept
{
    return p.model->experts > 0 ? static_cast<double>(std::max<std::int64_t>(1, p.parallelism.expert)) : 1;
}

/// Of all phases. Precondition: there are some.
double phasesTokens(const PreparedScenario& p) noexcept
{
    double all = 0;
    for (const TrainingPhase& phase : *p.phases)
        all += phase.tokens;
    return all;
}

/// What `idle_w` counts as.
double idleWatts(const PreparedScenario& p) noexcept
{
    return idlePowerShare(p) * p.accelerator->tdpWatts;
}

constexpr std::array idleKeys{
    IdleKey{[](const PreparedScenario& p) noexcept { return p.parallelism.expert > 1 && p.model->experts <= 0; },
            [](const PreparedScenario& p) {
                return say("expert = {} has no effect: {} has no experts.", p.parallelism.expert,
                           p.model->architecture.name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return statedImbalance(p) > imbalanceGroups(p); },
            [](const PreparedScenario& p) {
                return say("expert_imbalance = {} counts as {}: that is the number of groups of experts.",
                           formatText(statedImbalance(p), ValueFormat::Plain),
                           formatText(imbalanceGroups(p), ValueFormat::Plain));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.hardware.priceKind && !(p.hardware.pricePerGpuHour && (p.price || p.prefillPrice));
            },
            [](const PreparedScenario& p) {
                if (p.hardware.pricePerGpuHour)
                    return said("price_kind looks nothing up: price_per_gpu_hour states the price itself.");
                if (p.prefillAccelerator && knownPrice(*p.accelerator, *p.hardware.priceKind))
                    return say("price_kind has no effect: no such price of the {}, which reads prompts, is known. "
                               "State prefill_pool.price_per_gpu_hour.",
                               p.prefillAccelerator->name);
                return say("price_kind has no effect: no such price of the {} is known. Load a price list, or state "
                           "price_per_gpu_hour.",
                           p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.hardware.spotMtbfHours && p.hardware.priceKind != PriceKind::Spot;
            },
            [](const PreparedScenario&) {
                return said("spot_mtbf_hours has no effect: GPUs are taken back where price_kind is 'spot'.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return countsSpotInterruptions(p) && !p.hardware.spotMtbfHours; },
            [](const PreparedScenario&) {
                return said("How often spot GPUs are taken back is not known: state spot_mtbf_hours.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return countsSiteEnergy(p.hardware) && (isRl(p) || p.accelerator->tdpWatts <= 0);
            },
            [](const PreparedScenario& p) {
                return isRl(p)
                           ? said("power has no effect: power is not predicted while answers are generated.")
                           : say("power has no effect: no rated power of the {} is published.", p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const double rated = p.accelerator->tdpWatts;
                const auto& limit = p.hardware.powerLimitW;
                return limit && (rated <= 0 || *limit > rated || *limit < lowestLimitShare * rated);
            },
            [](const PreparedScenario& p) {
                const double rated = p.accelerator->tdpWatts;
                if (rated <= 0)
                    return say("The power limit has no effect: the rated power of the {} is not known.",
                               p.accelerator->name);
                if (*p.hardware.powerLimitW > rated)
                    return say("The power limit has no effect: the {} is rated at {} W.", p.accelerator->name,
                               formatText(rated, ValueFormat::Plain));
                return say("The power limit counts as {} W: boards take none far below a quarter of their rated power.",
                           formatText(boardWatts(p.hardware, *p.accelerator), ValueFormat::Plain));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                constexpr double rounding = 1 + 1e-9;
                return p.hardware.power.idleW && p.accelerator->tdpWatts > 0 &&
                       *p.hardware.power.idleW > rounding * idleWatts(p);
            },
            [](const PreparedScenario& p) {
                return say("idle_w counts as {} W: a board that runs kernels takes that before they do anything.",
                           formatText(idleWatts(p), ValueFormat::Plain));
            }},
};

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
                return kernel == FlashAttention::V1 ||
                       (kernel == FlashAttention::V3 && p.accelerator->family != AcceleratorFamily::Hopper);
            },
            [](const PreparedScenario& p) {
                return p.training.flashAttention == FlashAttention::V1
                           ? said("flash_attention = 1 counts as 2: how much slower the first version is, is not "
                                  "predicted.")
                           : say("flash_attention = 3 has no effect: its kernel is for Hopper, and the {} is none.",
                                 p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.model->moeLayers <= 0 && (p.training.overlapExpert || p.training.fusedDispatch);
            },
            [](const PreparedScenario& p) {
                return say("overlap.expert and fused_dispatch have no effect: {} has no experts.",
                           p.model->architecture.name);
            }},
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

/// Whether one key of a table is idle. The question is a constant, which can be inlined; read from the table it is a
/// pointer to call.
template <const auto& table, std::size_t i>
bool isIdle(const PreparedScenario& p) noexcept
{
    constexpr auto question = table[i].idle;
    return question(p);
}

/// Whether any key of a table is idle. No loop: every evaluation asks.
template <const auto& table>
[[gnu::flatten]] bool anyIdle(const PreparedScenario& p) noexcept
{
    return [&]<std::size_t... i>(std::index_sequence<i...>)
    {
        return (isIdle<table, i>(p) || ...);
    }
    (std::make_index_sequence<table.size()>());
}

/// A sentence for each idle key of a table, behind `text`.
template <const auto& table>
void addIdle(const PreparedScenario& p, std::string& text)
{
    for (const IdleKey& key : table)
        if (key.idle(p))
            text += (text.empty() ? "" : " ") + key.text(p);
}

} // namespace

bool hasKeyWithoutEffect(const PreparedScenario& prepared) noexcept
{
    if (anyIdle<idleKeys>(prepared))
        return true;
    return prepared.task == Task::Training ? anyIdle<idleKeysOfTraining>(prepared)
                                           : anyIdle<idleKeysOfServing>(prepared);
}

std::string keysWithoutEffectText(const PreparedScenario& prepared)
{
    std::string text;
    addIdle<idleKeys>(prepared, text);
    if (prepared.task == Task::Training)
        addIdle<idleKeysOfTraining>(prepared, text);
    else
        addIdle<idleKeysOfServing>(prepared, text);
    return text;
}

} // namespace headroom
