// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to key_effects.cpp: the keys of serving that may be without effect.
#pragma once

#include "core/predict/idle_key.hpp"

#include <array>
#include <cmath>

namespace headroom
{

/// Whether a model drafts that numbers its tokens in another way. Models of a family are padded to other sizes
/// (Qwen2.5: 151,936 and 152,064 rows for one tokenizer), by less than two tokenizers differ.
inline bool draftsOtherTokens(const PreparedScenario& p) noexcept
{
    if (p.inference.drafting != Drafting::Draft || !p.draft)
        return false;
    constexpr double padding = 0.005;
    const auto draft = double(p.draft->architecture.vocab), model = double(p.model->architecture.vocab);
    return std::abs(draft / model - 1) > padding;
}

/// Whether a median of lengths is stated beside what decides their spread (`spread()` of the lengths).
inline bool hasIdleMedian(const InferenceWorkload& w) noexcept
{
    return (w.promptTokensP50 && (w.promptTokensCv || w.promptTokensP95 || w.promptTokensP99)) ||
           (w.outputTokensP50 && (w.outputTokensCv || w.outputTokensP95 || w.outputTokensP99));
}

constexpr std::array idleKeysOfServing{
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.hardware.priceKind == PriceKind::Spot && p.hardware.spotMtbfHours;
            },
            [](const PreparedScenario&) {
                return said("Spot GPUs are taken back, and that is not counted in serving: requests under way are "
                            "lost, and replicas are missing until others start.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const Parallelism& sizes = p.parallelism;
                return sizes.virtualPipeline > 1 || sizes.sharding.value_or(Sharding::None) != Sharding::None ||
                       sizes.sequenceParallel;
            },
            [](const PreparedScenario& p) {
                const Parallelism& sizes = p.parallelism;
                if (sizes.virtualPipeline > 1)
                    return say("virtual_pipeline = {} has no effect in serving.", sizes.virtualPipeline);
                return sizes.sequenceParallel
                           ? said("sequence_parallel has no effect in serving.")
                           : said("sharding has no effect in serving: each replica holds whole weights.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const FlashAttention kernel = p.inference.flashAttention;
                return kernel != FlashAttention::On && kernel != FlashAttention::Off;
            },
            [](const PreparedScenario&) {
                return said("The version of flash_attention has no effect in serving: the engine chooses its kernel.");
            }},
    IdleKey{
        [](const PreparedScenario& p) noexcept {
            return p.inference.softwareVersion && p.inference.software == InferenceWorkload().software;
        },
        [](const PreparedScenario&) { return said("The version of the software has no effect: no engine is named."); }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return p.efficiency.base == EfficiencyBase::Ideal && (w.arrival == Arrival::Burst || w.admissionWait);
            },
            [](const PreparedScenario&) {
                return said("arrival and admission_wait have no effect: at the speed of light no request waits.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return hasIdleMedian(p.inference); },
            [](const PreparedScenario&) {
                return said("A 50th percentile of lengths has no effect beside a variation or a higher percentile, "
                            "which decide how lengths spread.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return w.mix && !w.outputTokensCv && (w.outputTokensP50 || w.outputTokensP95 || w.outputTokensP99);
            },
            [](const PreparedScenario&) {
                return said("Percentiles of the answers' lengths have no effect beside a mix: its classes say how long "
                            "answers are.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return hasPrefillPool(p) && p.inference.prefillPool.expert > 1 && p.model->experts <= 0;
            },
            [](const PreparedScenario& p) {
                return say("prefill_pool.parallelism.expert = {} has no effect: {} has no experts.",
                           *p.inference.prefillPool.expert, p.model->architecture.name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.inference.arrivalCv != InferenceWorkload().arrivalCv && !p.inference.requestsPerS;
            },
            [](const PreparedScenario&) {
                return said("arrival_cv has no effect without requests_per_s: as many requests as the batch are "
                            "always there.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return w.scheduling != Scheduling::Continuous ? w.arrival || w.admissionWait
                                                              : w.arrival && w.requestsPerS;
            },
            [](const PreparedScenario& p) {
                return p.inference.scheduling != Scheduling::Continuous
                           ? said("arrival and admission_wait have no effect: only with scheduling 'continuous' "
                                  "requests join others.")
                           : said("arrival has no effect beside requests_per_s: requests of a load come at random "
                                  "(arrival_cv).");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.inference.asyncScheduling && !schedulesEitherWay(p.inference);
            },
            [](const PreparedScenario&) {
                return said("async_scheduling has no effect: only vLLM from 0.7 was measured with either scheduler.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return p.inference.drafting && !speculates(p); },
            [](const PreparedScenario& p) {
                return p.inference.drafting == Drafting::Draft
                           ? said("Speculative decoding has no effect: no draft model is named.")
                           : say("Speculative decoding has no effect: {} has no layer for multi-token prediction.",
                                 p.model->architecture.name);
            }},
    IdleKey{
        [](const PreparedScenario& p) noexcept {
            const InferenceWorkload& w = p.inference;
            return !w.drafting && (w.acceptance || w.acceptanceLength || w.draftModel ||
                                   w.acceptanceDecay != InferenceWorkload().acceptanceDecay ||
                                   w.draftTokens != InferenceWorkload().draftTokens);
        },
        [](const PreparedScenario&) { return said("The keys of 'speculative' have no effect without a 'method'."); }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return w.drafting && w.acceptance && w.acceptance->stated > w.draftTokens;
            },
            [](const PreparedScenario& p) {
                return say("acceptance states {} positions, and {} are drafted: the rest has no effect.",
                           p.inference.acceptance->stated, p.inference.draftTokens);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return speculates(p) && draftsOtherTokens(p); },
            [](const PreparedScenario& p) {
                const ModelArchitecture &draft = p.draft->architecture, &model = p.model->architecture;
                return say("No engine verifies what {} drafts: its vocabulary has {} tokens, that of {} has {}.",
                           draft.name, wholeText(double(draft.vocab)), model.name, wholeText(double(model.vocab)));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.inference.drafting && p.inference.draftModel && p.inference.drafting != Drafting::Draft;
            },
            [](const PreparedScenario&) {
                return said("draft_model has no effect: only the method 'draft' runs a model of its own.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.inference.scheduling != Scheduling::Disaggregated &&
                       p.inference.prefillPool != PrefillDeployment{};
            },
            [](const PreparedScenario&) {
                return said(
                    "prefill_pool has no effect: only with scheduling 'disaggregated' other GPUs read prompts.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                constexpr InferenceWorkload usual;
                return (w.transferGbitPerS || w.transferOverlap != usual.transferOverlap ||
                        w.transferStartS != usual.transferStartS) &&
                       !hasPrefillPool(p);
            },
            [](const PreparedScenario&) {
                return said("kv_transfer has no effect: without a 'prefill_pool' no cache moves.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return !w.hostWeightsGb && (w.hostOverlap || (w.hostLinkGbPerS && !usesTiers(w)));
            },
            [](const PreparedScenario&) {
                return said("host_memory has no effect without 'weights_gb': nothing is read from there.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return (w.nvmeGbPerS && !w.tierNvmeGb && !w.tierNvmeHits) || (w.tierLayerwise && !usesTiers(w));
            },
            [](const PreparedScenario&) {
                return said("A key of 'kv_tiers' has no effect: state how much the tier holds, or its hit rate.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const InferenceWorkload& w = p.inference;
                return w.loadProfile ? !w.requestsPerS : autoscales(w);
            },
            [](const PreparedScenario& p) {
                return p.inference.loadProfile
                           ? said("load_profile has no effect without requests_per_s, the mean of the day.")
                           : said("autoscale has no effect: without 'load_profile' the load is the same all day.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const double rated = p.accelerator->hostLinkGbPerS;
                return readsFromHost(p.inference) && rated > 0 && p.inference.hostLinkGbPerS.value_or(0) > rated;
            },
            [](const PreparedScenario& p) {
                return say("host_memory.gb_per_s counts as {}: the {} has no faster link to its host.",
                           formatText(p.accelerator->hostLinkGbPerS, ValueFormat::Plain), p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.accelerator->unifiedMemory && p.inference.hostWeightsGb > 0;
            },
            [](const PreparedScenario& p) {
                return say("host_memory has no effect: the memory of the {} is that of its host.", p.accelerator->name);
            }},
    IdleKey{
        [](const PreparedScenario& p) noexcept { return p.accelerator->unifiedMemory && p.inference.tierHostGb > 0; },
        [](const PreparedScenario& p) {
            return say("The cache in host memory takes from the same memory of the {} as weights and requests: "
                       "that is not counted.",
                       p.accelerator->name);
        }},
};

} // namespace headroom
