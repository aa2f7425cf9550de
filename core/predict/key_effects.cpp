// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/key_effects.hpp"

#include "core/catalog/price_list.hpp"
#include "core/hardware/power.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/phases.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headroom
{
namespace
{

/// Tasks in which a key is looked at.
struct Whose {
    bool training, serving;
    [[nodiscard]] constexpr bool has(Task task) const noexcept { return task == Task::Training ? training : serving; }
};
constexpr Whose anybody{true, true}, training{true, false}, serving{false, true};

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

/// Whether a model drafts that numbers its tokens in another way. Models of a family are padded to other sizes
/// (Qwen2.5: 151,936 and 152,064 rows for one tokenizer), by less than two tokenizers differ.
bool draftsOtherTokens(const PreparedScenario& p) noexcept
{
    if (p.inference.drafting != Drafting::Draft || !p.draft)
        return false;
    constexpr double padding = 0.005;
    const auto draft = double(p.draft->architecture.vocab), model = double(p.model->architecture.vocab);
    return std::abs(draft / model - 1) > padding;
}

/// A key that may be without effect: when, and the sentence that says so.
struct IdleKey {
    Whose whose;
    bool (*idle)(const PreparedScenario& p) noexcept;
    std::string (*text)(const PreparedScenario& p);
    [[nodiscard]] bool isIdle(const PreparedScenario& p) const noexcept { return whose.has(p.task) && idle(p); }
};

constexpr std::array table{
    IdleKey{training, [](const PreparedScenario& p) noexcept { return p.parallelism.attentionData > 1; },
            [](const PreparedScenario& p) {
                return say("attention_data = {} has no effect in training.", p.parallelism.attentionData);
            }},
    IdleKey{serving, [](const PreparedScenario& p) noexcept { return p.parallelism.virtualPipeline > 1; },
            [](const PreparedScenario& p) {
                return say("virtual_pipeline = {} has no effect in serving.", p.parallelism.virtualPipeline);
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                return p.parallelism.virtualPipeline > 1 && p.parallelism.pipeline == 1;
            },
            [](const PreparedScenario& p) {
                return say("virtual_pipeline = {} has no effect: there is one pipeline stage.",
                           p.parallelism.virtualPipeline);
            }},
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept { return p.parallelism.expert > 1 && p.model->experts <= 0; },
            [](const PreparedScenario& p) {
                return say("expert = {} has no effect: {} has no experts.", p.parallelism.expert,
                           p.model->architecture.name);
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                return hasPrefillPool(p) && p.inference.prefillPool.expert > 1 && p.model->experts <= 0;
            },
            [](const PreparedScenario& p) {
                return say("prefill_pool.parallelism.expert = {} has no effect: {} has no experts.",
                           *p.inference.prefillPool.expert, p.model->architecture.name);
            }},
    IdleKey{anybody, [](const PreparedScenario& p) noexcept { return statedImbalance(p) > imbalanceGroups(p); },
            [](const PreparedScenario& p) {
                return say("expert_imbalance = {} counts as {}: that is the number of groups of experts.",
                           formatText(statedImbalance(p), ValueFormat::Plain),
                           formatText(imbalanceGroups(p), ValueFormat::Plain));
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                return shardingReplicas(p) > 1 && effectiveSharding(p) == Sharding::None;
            },
            [](const PreparedScenario& p) {
                return say("replicas = {} has no effect without sharding: no states are divided.",
                           *p.parallelism.replicas);
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
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
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept {
                return p.hardware.priceKind && p.hardware.pricePerGpuHour && !p.price && !p.prefillPrice;
            },
            [](const PreparedScenario&) {
                return said("price_kind looks nothing up: price_per_gpu_hour states the price itself.");
            }},
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept { return p.hardware.priceKind && !p.hardware.pricePerGpuHour; },
            [](const PreparedScenario& p) {
                if (p.prefillAccelerator && knownPrice(*p.accelerator, *p.hardware.priceKind))
                    return say("price_kind has no effect: no such price of the {}, which reads prompts, is known. "
                               "State prefill_pool.price_per_gpu_hour.",
                               p.prefillAccelerator->name);
                return say("price_kind has no effect: no such price of the {} is known. Load a price list, or state "
                           "price_per_gpu_hour.",
                           p.accelerator->name);
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                return p.hardware.priceKind == PriceKind::Spot && !countsFailures(p.training);
            },
            [](const PreparedScenario&) {
                return said("Spot GPUs are taken back, and that is not counted: state 'reliability'.");
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                return p.hardware.spotMtbfHours && p.hardware.priceKind != PriceKind::Spot;
            },
            [](const PreparedScenario&) {
                return said("spot_mtbf_hours has no effect: GPUs are taken back where price_kind is 'spot'.");
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                constexpr TrainingWorkload usual;
                const TrainingWorkload& w = p.training;
                return w.method == Method::Full && (w.loraRank != usual.loraRank || w.loraTargets != usual.loraTargets);
            },
            [](const PreparedScenario&) {
                return said("lora has no effect: all weights are trained, unless 'method' is lora or qlora.");
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                return p.inference.arrivalCv != InferenceWorkload().arrivalCv && !p.inference.requestsPerS;
            },
            [](const PreparedScenario&) {
                return said("arrival_cv has no effect without requests_per_s: as many requests as the batch are "
                            "always there.");
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                return p.inference.scheduling != Scheduling::Continuous &&
                       (p.inference.arrival || p.inference.admissionWait);
            },
            [](const PreparedScenario&) {
                return said("arrival and admission_wait have no effect: only with scheduling 'continuous' requests "
                            "join others.");
            }},
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept { return countsSpotInterruptions(p) && !p.hardware.spotMtbfHours; },
            [](const PreparedScenario&) {
                return said("How often spot GPUs are taken back is not known: state spot_mtbf_hours.");
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                const RlWorkload& w = p.training.rl;
                return !w.generatesApart() && (w.staleness > 0 || w.rolloutCount);
            },
            [](const PreparedScenario&) {
                return said("staleness and rollout_pool.count have no effect: answers are generated on the GPUs that "
                            "train, in turn with the update.");
            }},
    IdleKey{training, [](const PreparedScenario& p) noexcept { return p.phases && isRl(p); },
            [](const PreparedScenario&) {
                return said("phases have no effect: they are of a training without reinforcement learning.");
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                constexpr double rounding = 1e-9; // of adding the phases' tokens up
                return inPhases(p) && p.training.trainingTokens &&
                       std::abs(phasesTokens(p) / *p.training.trainingTokens - 1) > rounding;
            },
            [](const PreparedScenario& p) {
                return say("training_tokens = {} has no effect: the phases process {} tokens.",
                           wholeText(*p.training.trainingTokens), wholeText(phasesTokens(p)));
            }},
    IdleKey{anybody, [](const PreparedScenario& p) noexcept { return isRl(p) && countsSiteEnergy(p.hardware); },
            [](const PreparedScenario&) {
                return said("power has no effect: power is not predicted while answers are generated.");
            }},
    IdleKey{
        anybody,
        [](const PreparedScenario& p) noexcept { return countsSiteEnergy(p.hardware) && p.accelerator->tdpWatts <= 0; },
        [](const PreparedScenario& p) {
            return say("power has no effect: no rated power of the {} is published.", p.accelerator->name);
        }},
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept { return p.hardware.powerLimitW && p.accelerator->tdpWatts <= 0; },
            [](const PreparedScenario& p) {
                return say("The power limit has no effect: the rated power of the {} is not known.",
                           p.accelerator->name);
            }},
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept {
                return p.accelerator->tdpWatts > 0 && p.hardware.powerLimitW > p.accelerator->tdpWatts;
            },
            [](const PreparedScenario& p) {
                return say("The power limit has no effect: the {} is rated at {} W.", p.accelerator->name,
                           formatText(p.accelerator->tdpWatts, ValueFormat::Plain));
            }},
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept {
                return p.hardware.powerLimitW < lowestLimitShare * p.accelerator->tdpWatts && p.hardware.powerLimitW;
            },
            [](const PreparedScenario& p) {
                return say("The power limit counts as {} W: boards take none far below a quarter of their rated power.",
                           formatText(boardWatts(p.hardware, *p.accelerator), ValueFormat::Plain));
            }},
    IdleKey{anybody,
            [](const PreparedScenario& p) noexcept {
                constexpr double rounding = 1 + 1e-9;
                return p.hardware.power.idleW && p.accelerator->tdpWatts > 0 &&
                       *p.hardware.power.idleW > rounding * idleWatts(p);
            },
            [](const PreparedScenario& p) {
                return say("idle_w counts as {} W: a board that runs kernels takes that before they do anything.",
                           formatText(idleWatts(p), ValueFormat::Plain));
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                return p.inference.asyncScheduling && !schedulesEitherWay(p.inference);
            },
            [](const PreparedScenario&) {
                return said("async_scheduling has no effect: only vLLM from 0.7 was measured with either scheduler.");
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept { return p.training.compile && !mayCompile(p.training.software); },
            [](const PreparedScenario&) {
                return said("compile has no effect: the stack is not PyTorch's own, or fuses its kernels anyway.");
            }},
    IdleKey{serving, [](const PreparedScenario& p) noexcept { return p.inference.drafting && !speculates(p); },
            [](const PreparedScenario& p) {
                return p.inference.drafting == Drafting::Draft
                           ? said("Speculative decoding has no effect: no draft model is named.")
                           : say("Speculative decoding has no effect: {} has no layer for multi-token prediction.",
                                 p.model->architecture.name);
            }},
    IdleKey{
        serving,
        [](const PreparedScenario& p) noexcept {
            const InferenceWorkload& w = p.inference;
            return !w.drafting && (w.acceptance || w.acceptanceLength || w.draftModel ||
                                   w.draftTokens != InferenceWorkload().draftTokens);
        },
        [](const PreparedScenario&) { return said("The keys of 'speculative' have no effect without a 'method'."); }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return w.drafting && w.acceptance && w.acceptance->stated > w.draftTokens;
            },
            [](const PreparedScenario& p) {
                return say("acceptance states {} positions, and {} are drafted: the rest has no effect.",
                           p.inference.acceptance->stated, p.inference.draftTokens);
            }},
    IdleKey{serving, [](const PreparedScenario& p) noexcept { return speculates(p) && draftsOtherTokens(p); },
            [](const PreparedScenario& p) {
                const ModelArchitecture &draft = p.draft->architecture, &model = p.model->architecture;
                return say("No engine verifies what {} drafts: its vocabulary has {} tokens, that of {} has {}.",
                           draft.name, wholeText(double(draft.vocab)), model.name, wholeText(double(model.vocab)));
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                return p.inference.drafting && p.inference.draftModel && p.inference.drafting != Drafting::Draft;
            },
            [](const PreparedScenario&) {
                return said("draft_model has no effect: only the method 'draft' runs a model of its own.");
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                return p.inference.scheduling != Scheduling::Disaggregated &&
                       p.inference.prefillPool != PrefillDeployment{};
            },
            [](const PreparedScenario&) {
                return said(
                    "prefill_pool has no effect: only with scheduling 'disaggregated' other GPUs read prompts.");
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                constexpr InferenceWorkload usual;
                return (w.transferGbitPerS || w.transferOverlap != usual.transferOverlap ||
                        w.transferStartS != usual.transferStartS) &&
                       !hasPrefillPool(p);
            },
            [](const PreparedScenario&) {
                return said("kv_transfer has no effect: without a 'prefill_pool' no cache moves.");
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return !w.hostWeightsGb && (w.hostOverlap || (w.hostLinkGbPerS && !usesTiers(w)));
            },
            [](const PreparedScenario&) {
                return said("host_memory has no effect without 'weights_gb': nothing is read from there.");
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return (w.nvmeGbPerS && !w.tierNvmeGb && !w.tierNvmeHits) || (w.tierLayerwise && !usesTiers(w));
            },
            [](const PreparedScenario&) {
                return said("A key of 'kv_tiers' has no effect: state how much the tier holds, or its hit rate.");
            }},
    IdleKey{serving,
            [](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return w.loadProfile ? !w.requestsPerS : autoscales(w);
            },
            [](const PreparedScenario& p) {
                return p.inference.loadProfile
                           ? said("load_profile has no effect without requests_per_s, the mean of the day.")
                           : said("autoscale has no effect: without 'load_profile' the load is the same all day.");
            }},
    IdleKey{training,
            [](const PreparedScenario& p) noexcept {
                return p.training.reliability.checkpointS && p.training.reliability.checkpointGbPerS;
            },
            [](const PreparedScenario&) {
                return said("checkpoint_gb_per_s has no effect: checkpoint_s states the time itself.");
            }},
};

/// Of the table's keys at `i`, whether any is idle in a scenario of that task. No loop: every evaluation asks, and so
/// the questions of the other task fall away and the rest are inlined.
template <Task task, std::size_t... i>
bool anyIdle(const PreparedScenario& p, std::index_sequence<i...>) noexcept
{
    return ((table[i].whose.has(task) && table[i].idle(p)) || ...);
}

} // namespace

bool hasKeyWithoutEffect(const PreparedScenario& prepared) noexcept
{
    constexpr auto all = std::make_index_sequence<table.size()>();
    return prepared.task == Task::Training ? anyIdle<Task::Training>(prepared, all)
                                           : anyIdle<Task::Inference>(prepared, all);
}

std::string keysWithoutEffectText(const PreparedScenario& prepared)
{
    std::string text;
    for (const IdleKey& key : table)
        if (key.isIdle(prepared))
            text += (text.empty() ? "" : " ") + key.text(prepared);
    return text;
}

} // namespace headroom
