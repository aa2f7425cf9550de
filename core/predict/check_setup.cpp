// SPDX-License-Identifier: GPL-3.0-or-later
// What is refused although each value by itself is fine.
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_traits.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>

namespace headroom
{
namespace
{

/// Products of sizes stay exact and cannot overflow: no job has this many ranks.
constexpr std::int64_t manyRanks = std::int64_t{1} << 50;

std::int64_t product(std::initializer_list<std::int64_t> sizes)
{
    std::int64_t result = 1;
    for (const std::int64_t size : sizes)
        result = size > manyRanks / result ? manyRanks : result * size;
    return result;
}

std::string gpus(std::int64_t count)
{
    return count == 1 ? said("1 GPU") : say("{} GPUs", count);
}

void refuse(Diagnostics& problems, std::string code, std::string path, std::string message, std::string hint)
{
    problems.push_back(fail(std::move(code), std::move(path), std::move(message), std::move(hint)).value().front());
}

/// Sizes that everything below divides by.
void checkSizes(const Setup& setup, Diagnostics& problems)
{
    struct Size {
        const char* path;
        std::int64_t value;
    };
    const Parallelism& p = setup.parallelism;
    const std::array sizes{Size{"/hardware/count", setup.hardware.count},
                           Size{"/hardware/per_node", setup.hardware.perNode.value_or(1)},
                           Size{"/parallelism/tensor", p.tensor},
                           Size{"/parallelism/pipeline", p.pipeline},
                           Size{"/parallelism/virtual_pipeline", p.virtualPipeline},
                           Size{"/parallelism/context", p.context},
                           Size{"/parallelism/expert", p.expert},
                           Size{"/parallelism/attention_data", p.attentionData},
                           Size{"/parallelism/replicas", p.replicas.value_or(1)},
                           Size{"/workload/micro_batch", setup.training.microBatch},
                           Size{"/workload/global_batch", setup.training.globalBatch.value_or(1)},
                           Size{"/workload/sequence_length", setup.training.sequenceLength},
                           Size{"/workload/batch", setup.inference.batch}};
    for (const Size& size : sizes) {
        if (size.value < 1)
            refuse(problems, "out-of-range", size.path, say("must be at least 1 (found {})", size.value), "");
    }
}

/// One request in `share` that is so long makes the mean alone: no percentile lies beyond (Markov).
void checkFar(const std::string& key, std::int64_t mean, const std::optional<std::int64_t>& percentile,
              std::int64_t share, Diagnostics& problems, std::string_view folder = "/workload/")
{
    if (percentile && double(*percentile) > double(share) * double(mean))
        refuse(problems, "out-of-range", std::string(folder) + key,
               say("{} is more than {} times the mean of {}, which one request in {} of that length would exceed alone",
                   *percentile, share, mean, share),
               say("use at most {}, or a larger mean", share * mean));
}

/// A step of reinforcement learning: lengths in their order, whole copies of the model on the GPUs that generate.
void checkRl(const Setup& setup, Diagnostics& problems)
{
    if (!isRl(setup))
        return;
    const RlWorkload& w = setup.training.rl;
    struct Size {
        const char* path;
        std::int64_t value;
    };
    const std::array sizes{Size{"/workload/rl/prompts", w.prompts.value_or(1)},
                           Size{"/workload/rl/samples", w.samples},
                           Size{"/workload/rl/prompt_tokens", w.promptTokens},
                           Size{"/workload/rl/output_tokens", w.outputTokens},
                           Size{"/workload/rl/epochs", w.epochs},
                           Size{"/workload/rl/rollout_pool/count", w.rolloutCount.value_or(1)},
                           Size{"/workload/rl/rollout_pool/tensor", w.rolloutTensor.value_or(1)},
                           Size{"/workload/rl/rollout_pool/batch", w.rolloutBatch.value_or(1)}};
    for (const Size& size : sizes)
        if (size.value < 1)
            return refuse(problems, "out-of-range", size.path, say("must be at least 1 (found {})", size.value), "");
    if (w.outputTokensP99 && *w.outputTokensP99 < w.outputTokens)
        refuse(
            problems, "out-of-range", "/workload/rl/output_tokens_p99",
            say("the 99th percentile, {}, is below the mean, output_tokens = {}", *w.outputTokensP99, w.outputTokens),
            say("use at least {}, or leave it out", w.outputTokens));
    checkFar("output_tokens_p99", w.outputTokens, w.outputTokensP99, 100, problems, "/workload/rl/");
    if (const std::int64_t least = std::max(w.outputTokens, w.outputTokensP99.value_or(1));
        w.maxOutputTokens && *w.maxOutputTokens < least)
        refuse(problems, "out-of-range", "/workload/rl/max_output_tokens",
               say("the longest answer, {}, is below the mean or the 99th percentile, {}", *w.maxOutputTokens, least),
               say("use at least {}, or leave it out", least));
    const std::int64_t count = rolloutGpus(setup), copy = rolloutTensor(setup);
    if (count % copy != 0) {
        const bool apart = w.generatesApart() && w.rolloutCount;
        refuse(problems, "not-divisible",
               apart ? "/workload/rl/rollout_pool/count" : "/workload/rl/rollout_pool/tensor",
               count == 1 ? say("{} does not divide into copies of the model on {} each", gpus(count), gpus(copy))
                          : say("{} do not divide into copies of the model on {} each", gpus(count), gpus(copy)),
               apart ? say("use a multiple of {}, or another rollout_pool.tensor", copy)
                     : say("use a size that divides {}", count));
    }
}

void checkTraining(const Setup& setup, Diagnostics& problems)
{
    checkRl(setup, problems);
    const Parallelism& p = setup.parallelism;
    const std::int64_t count = setup.hardware.count;
    const std::int64_t ranks = product({p.tensor, p.pipeline, p.context});
    if (count % ranks != 0) {
        const std::string sizes =
            say("tensor × pipeline × context = {} × {} × {} = {}", p.tensor, p.pipeline, p.context, ranks);
        refuse(problems, "not-divisible", "/hardware/count",
               count == 1 ? say("{} does not divide into groups of {}", gpus(count), sizes)
                          : say("{} do not divide into groups of {}", gpus(count), sizes),
               say("use a multiple of {}, or smaller parallel sizes", ranks));
        return; // data follows from this division
    }
    if (const std::int64_t tokens = setup.training.sequenceLength; p.context > tokens && !isRl(setup))
        refuse(problems, "out-of-range", "/parallelism/context",
               say("{} ranks share a sequence of {} tokens: some would hold none", p.context, tokens),
               say("use at most {}, or a longer sequence", tokens));
    const std::int64_t data = count / ranks;
    if (const std::int64_t replicas = p.replicas.value_or(1); data % replicas != 0) {
        refuse(problems, "not-divisible", "/parallelism/replicas",
               data == 1 ? say("{} replicas do not divide the 1 data-parallel rank", replicas)
                         : say("{} replicas do not divide the {} data-parallel ranks", replicas, data),
               say("use a divisor of {}", data));
    }
    const std::int64_t perPass = product({setup.training.microBatch, data});
    if (const auto globalBatch = setup.training.globalBatch; globalBatch && *globalBatch % perPass != 0) {
        refuse(problems, "not-divisible", "/workload/global_batch",
               say("{} is not a multiple of micro_batch × data = {} × {} = {}", *globalBatch, setup.training.microBatch,
                   data, perPass),
               say("use a multiple of {}, or leave it out", perPass));
    } else if (globalBatch && *globalBatch > perPass && setup.training.optimizerInBackward.value_or(false) &&
               !isRl(setup)) {
        refuse(problems, "out-of-range", "/workload/optimizer_in_backward",
               say("a step of {} sequences has {} micro-batches, and a gradient is freed before the next adds to it",
                   *globalBatch, *globalBatch / perPass),
               say("use a global_batch of {}, or a larger micro_batch, or leave this out", perPass));
    }
}

/// Lengths of requests have a long tail to the right: their far percentiles lie above the mean, and in their order.
void checkLengths(const std::string& key, std::int64_t mean, const std::array<std::optional<std::int64_t>, 3>& lengths,
                  Diagnostics& problems)
{
    const auto& [p50, p95, p99] = lengths;
    checkFar(key + "_p95", mean, p95, 20, problems);
    checkFar(key + "_p99", mean, p99, 100, problems);
    if (p95 && *p95 < mean)
        refuse(problems, "out-of-range", "/workload/" + key + "_p95",
               say("the 95th percentile, {}, is below the mean, {} = {}", *p95, key, mean),
               say("use at least {}, or leave it out", mean));
    if (p99 && *p99 < std::max(mean, p95.value_or(mean)))
        refuse(
            problems, "out-of-range", "/workload/" + key + "_p99",
            say("the 99th percentile, {}, is below the mean or the 95th, {}", *p99, std::max(mean, p95.value_or(mean))),
            say("use at least {}, or leave it out", std::max(mean, p95.value_or(mean))));
    if (const std::int64_t next = p95 ? *p95 : p99.value_or(0); p50 && next > 0 && *p50 > next)
        refuse(problems, "out-of-range", "/workload/" + key + "_p50",
               say("the median, {}, is above a higher percentile, {}", *p50, next),
               say("use at most {}, or leave it out", next));
}

/// What a cycle can yield, and who drafts.
void checkDrafting(const InferenceWorkload& w, Diagnostics& problems)
{
    if (!w.drafting)
        return;
    if (w.acceptance && w.acceptanceLength)
        refuse(problems, "out-of-range", "/workload/speculative/acceptance_length",
               said("'acceptance' says how many drafts are accepted already"), said("leave one of them out"));
    if (const double most = double(w.draftTokens) + 1; w.acceptanceLength && *w.acceptanceLength > most)
        refuse(
            problems, "out-of-range", "/workload/speculative/acceptance_length",
            say("{} tokens a cycle from {} drafts", formatText(*w.acceptanceLength, ValueFormat::Plain), w.draftTokens),
            say("use at most {:.0f}: the verified token counts; where an engine's figure leaves it out, add 1", most));
    if (w.drafting == Drafting::Draft && !w.draftModel)
        refuse(problems, "missing-key", "/workload/speculative/draft_model", said("no draft model is named"),
               said("name a smaller model of the catalogue with the same vocabulary"));
}

/// The pool that reads prompts holds whole instances.
void checkPrefillPool(const Setup& setup, Diagnostics& problems)
{
    if (!hasPrefillPool(setup))
        return;
    const Parallelism p = prefillLayout(setup);
    struct Size {
        const char* path;
        std::int64_t value;
    };
    const std::array sizes{Size{"/workload/prefill_pool/parallelism/tensor", p.tensor},
                           Size{"/workload/prefill_pool/parallelism/pipeline", p.pipeline},
                           Size{"/workload/prefill_pool/parallelism/context", p.context},
                           Size{"/workload/prefill_pool/parallelism/attention_data", p.attentionData},
                           Size{"/workload/prefill_pool/batch", setup.inference.prefillPool.batch.value_or(1)},
                           Size{"/workload/prefill_pool/count", setup.inference.prefillPool.count.value_or(1)}};
    for (const Size& size : sizes) {
        if (size.value < 1)
            return refuse(problems, "out-of-range", size.path, say("must be at least 1 (found {})", size.value), "");
    }
    const std::int64_t ranks = product({p.tensor, p.pipeline, p.context, p.attentionData});
    if (const auto count = setup.inference.prefillPool.count; count && *count % ranks != 0) {
        const std::string instance = say("tensor × pipeline × context × attention_data = {} × {} × {} × {} = {}",
                                         p.tensor, p.pipeline, p.context, p.attentionData, ranks);
        refuse(problems, "not-divisible", "/workload/prefill_pool/count",
               *count == 1 ? say("{} does not divide into instances of {}", gpus(*count), instance)
                           : say("{} do not divide into instances of {}", gpus(*count), instance),
               say("use a multiple of {}, or smaller sizes in prefill_pool.parallelism", ranks));
    }
}

void checkInference(const Setup& setup, Diagnostics& problems)
{
    const Parallelism& p = setup.parallelism;
    const std::int64_t count = setup.hardware.count;
    const std::int64_t ranks = product({p.tensor, p.pipeline, p.context, p.attentionData});
    const auto sizes = [&] { // only where something is wrong: sweeps check every point
        return say("tensor × pipeline × context × attention_data = {} × {} × {} × {} = {}", p.tensor, p.pipeline,
                   p.context, p.attentionData, ranks);
    };
    if (p.replicas) {
        const std::int64_t needed = product({ranks, *p.replicas});
        if (count != needed) {
            const std::string replicas = *p.replicas == 1 ? said("1 replica") : say("{} replicas", *p.replicas);
            refuse(problems, "not-divisible", "/hardware/count",
                   count == 1 ? say("{} is not {} of {}", gpus(count), replicas, sizes())
                              : say("{} are not {} of {}", gpus(count), replicas, sizes()),
                   say("use a count of {}, or leave 'replicas' out", needed));
        }
    } else if (count % ranks != 0) {
        refuse(problems, "not-divisible", "/hardware/count",
               count == 1 ? say("{} does not divide into replicas of {}", gpus(count), sizes())
                          : say("{} do not divide into replicas of {}", gpus(count), sizes()),
               say("use a multiple of {}, or smaller parallel sizes", ranks));
    }
    if (const InferenceWorkload& load = setup.inference; load.prefixCachedTokens > load.promptTokens) {
        refuse(problems, "out-of-range", "/workload/prefix_cached_tokens",
               say("{} cached tokens are more than the prompt's {}", load.prefixCachedTokens, load.promptTokens),
               said("use at most prompt_tokens"));
    }
    const InferenceWorkload& w = setup.inference;
    checkLengths("prompt_tokens", w.promptTokens, {w.promptTokensP50, w.promptTokensP95, w.promptTokensP99}, problems);
    checkLengths("output_tokens", w.outputTokens, {w.outputTokensP50, w.outputTokensP95, w.outputTokensP99}, problems);
    if (w.prefixHitRate && w.prefixCachedTokens > 0)
        refuse(problems, "out-of-range", "/workload/prefix_hit_rate",
               said("'prefix_cached_tokens' says what the cache holds already"), said("leave one of them out"));
    if (usesTiers(w)) {
        const double own = w.prefixHitRate.value_or(double(w.prefixCachedTokens) / double(w.promptTokens));
        const double below = w.tierHostHits.value_or(0) + w.tierNvmeHits.value_or(0);
        if (constexpr double rounding = 1e-9; own + below > 1 + rounding)
            refuse(problems, "out-of-range",
                   w.tierHostHits ? "/workload/kv_tiers/host_hit_rate" : "/workload/kv_tiers/nvme_hit_rate",
                   say("{} of the prompts' tokens lie in a cache", formatText(own + below, ValueFormat::Percent)),
                   said("each token is found in one place: GPU, host and NVMe share at most 100 %"));
    }
    // Each rank's share of the batch, all tokens that it verifies, leaves room for a prompt's in the same pass.
    const std::int64_t verified = w.drafting ? w.draftTokens + 1 : 1;
    const std::int64_t rank = w.batchMax ? 1 : (w.batch + p.attentionData - 1) / p.attentionData;
    if (const std::int64_t answers = product({rank, verified});
        w.maxTokensPerPass && w.scheduling == Scheduling::Continuous && *w.maxTokensPerPass <= answers &&
        inference::mixesPrompts(Calibration::builtIn()->inference, w)) // a fact of the engine, no fit
        refuse(problems, "out-of-range", "/workload/max_tokens_per_pass",
               say("{} tokens a pass leave no room for prompts beside {} of answers", *w.maxTokensPerPass, answers),
               say("use more than {}, or a smaller batch", answers));
    if (w.autoscale.min && w.autoscale.max && *w.autoscale.min > *w.autoscale.max)
        refuse(problems, "out-of-range", "/workload/autoscale/min",
               say("at least {} replicas are more than at most {}", *w.autoscale.min, *w.autoscale.max),
               say("use at most {}, or a larger max", *w.autoscale.max));
    checkDrafting(setup.inference, problems);
    checkPrefillPool(setup, problems);
}

} // namespace

Diagnostics checkSetup(const Setup& setup)
{
    Diagnostics problems;
    checkSizes(setup, problems);
    if (!problems.empty())
        return problems;
    setup.task == Task::Training ? checkTraining(setup, problems) : checkInference(setup, problems);
    return problems;
}

} // namespace headroom
