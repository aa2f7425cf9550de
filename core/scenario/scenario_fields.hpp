// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/scenario (it includes nlohmann/json): the keys of a scenario file, section by section, in the order
// in which they are written. Each is declared here once: what walks a list reads it (field_reader.hpp), writes it
// (scenario_writer.cpp) or tells people of it (scenario_keys.cpp). A new key is a member of scenario.hpp, a line here
// and, where a person can adjust it, a row of the parameter registry, which gives its range.
#pragma once

#include "core/scenario/plan_rows.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/json_reader.hpp"

namespace headroom::fields
{

/// The object whose presence alone says that failures count.
inline constexpr const char* reliability = "reliability";
/// The same for a step of reinforcement learning.
inline constexpr const char* rlKey = "rl";

/// The object whose presence alone says that replicas follow the load.
inline constexpr const char* autoscale = "autoscale";

/// What the text fields and the year of a document are; model, hardware and the other sections follow them.
template <typename Keys>
void document(Keys& keys)
{
    keys.key("name", &Scenario::name);
    keys.key("notes", &Scenario::notes);
    keys.key("source", &Scenario::source);
    keys.key("year", &Scenario::year, NumberRange{1900, 2200});
}

template <typename Keys>
void hardware(Keys& keys)
{
    keys.key("count", &Hardware::count);
    keys.key("per_node", &Hardware::perNode);
    keys.key("host_memory_gb", &Hardware::hostMemoryGb);
    keys.key("scale_out_gbit_per_s", &Hardware::scaleOutGbitPerS);
    keys.key("power_limit_w", &Hardware::powerLimitW);
    keys.key("price_per_gpu_hour", &Hardware::pricePerGpuHour);
    keys.key("price_kind", &Hardware::priceKind, names::priceKinds);
    keys.key("spot_mtbf_hours", &Hardware::spotMtbfHours);
    keys.part("power", &Hardware::power, [](auto& of) {
        of.key("idle_w", &SitePower::idleW);
        of.key("host_share", &SitePower::hostShare);
        of.key("pue", &SitePower::pue);
        of.key("electricity_per_kwh", &SitePower::electricityPerKwh);
        of.key("carbon_g_per_kwh", &SitePower::carbonGPerKwh);
    });
}

template <typename Keys>
void reinforcement(Keys& keys)
{
    using R = RlWorkload;
    keys.key("prompts", &R::prompts);
    keys.key("samples", &R::samples);
    keys.key("prompt_tokens", &R::promptTokens);
    keys.key("output_tokens", &R::outputTokens);
    keys.key("output_tokens_p99", &R::outputTokensP99);
    keys.key("max_output_tokens", &R::maxOutputTokens);
    keys.key("placement", &R::placement, names::rlPlacements);
    keys.key("staleness", &R::staleness);
    keys.key("epochs", &R::epochs);
    keys.key("old_log_prob", &R::oldLogProb);
    keys.key("reference", &R::reference);
    keys.key("critic", &R::critic);
    keys.key("reward_model", &R::rewardModel);
    keys.key("reward_s", &R::rewardS);
    keys.object("rollout_pool", [](auto& pool) {
        pool.key("count", &R::rolloutCount);
        pool.key("tensor", &R::rolloutTensor);
        pool.key("batch", &R::rolloutBatch);
        pool.key("software", &R::rolloutEngine, names::rolloutEngines);
    });
}

template <typename Keys>
void training(Keys& keys)
{
    using W = TrainingWorkload;
    keys.key("sequence_length", &W::sequenceLength);
    keys.key("micro_batch", &W::microBatch);
    keys.key("global_batch", &W::globalBatch);
    keys.key("method", &W::method, names::methods);
    keys.object("lora", [](auto& lora) {
        lora.key("rank", &W::loraRank);
        lora.key("targets", &W::loraTargets);
    });
    keys.key("checkpointing", &W::checkpointing, &W::checkpointEvery);
    keys.key("precision", &W::precision, names::trainingPrecisions);
    keys.key("master_weights", &W::masterWeights, names::masterWeights);
    keys.key("gradients", &W::gradients, names::gradients);
    keys.key("optimizer", &W::optimizer, names::optimizers);
    keys.key("optimizer_in_backward", &W::optimizerInBackward);
    keys.key("flash_attention", &W::flashAttention);
    keys.key("packed_sample_tokens", &W::packedSampleTokens);
    keys.key("chunked_loss", &W::chunkedLoss);
    keys.key("offload", &W::offload, names::offload);
    keys.key("expert_imbalance", &W::expertImbalance);
    keys.object("overlap", [](auto& overlap) {
        overlap.key("data_parallel", &W::overlapDataParallel);
        overlap.key("tensor", &W::overlapTensor);
        overlap.key("expert", &W::overlapExpert);
    });
    keys.key("software", &W::software, names::trainingSoftware);
    keys.key("software_version", &W::softwareVersion);
    keys.key("compile", &W::compile);
    keys.key("fused_dispatch", &W::fusedDispatch);
    keys.key("multi_token_prediction", &W::multiTokenPrediction);
    keys.key("training_tokens", &W::trainingTokens);
    keys.part(reliability, &W::reliability, [](auto& of) {
        using R = Reliability;
        of.key("gpu_mtbf_hours", &R::gpuMtbfHours);
        of.key("checkpoint_s", &R::checkpointS);
        of.key("checkpoint_gb_per_s", &R::checkpointGbPerS);
        of.key("checkpoint_interval_s", &R::checkpointIntervalS);
        of.key("restart_s", &R::restartS);
        of.key("spares", &R::spares);
        of.key("maintenance", &R::maintenance);
        of.key("straggler_sigma", &R::stragglerSigma);
    });
    keys.part(rlKey, &W::rl, [](auto& of) { reinforcement(of); });
}

template <typename Keys>
void inference(Keys& keys)
{
    using W = InferenceWorkload;
    keys.key("batch", &W::batch, &W::batchMax);
    keys.key("prompt_tokens", &W::promptTokens);
    keys.key("output_tokens", &W::outputTokens);
    keys.key("prompt_tokens_p50", &W::promptTokensP50);
    keys.key("prompt_tokens_p95", &W::promptTokensP95);
    keys.key("prompt_tokens_p99", &W::promptTokensP99);
    keys.key("prompt_tokens_cv", &W::promptTokensCv);
    keys.key("output_tokens_p50", &W::outputTokensP50);
    keys.key("output_tokens_p95", &W::outputTokensP95);
    keys.key("output_tokens_p99", &W::outputTokensP99);
    keys.key("output_tokens_cv", &W::outputTokensCv);
    keys.key("mix", &W::mix);
    keys.key("requests_per_s", &W::requestsPerS);
    keys.key("load_profile", &W::loadProfile);
    keys.part(autoscale, &W::autoscale, [](auto& of) {
        of.key("min", &Autoscale::min);
        of.key("max", &Autoscale::max);
        of.key("target_utilization", &Autoscale::target);
        of.key("lag_s", &Autoscale::lagS);
    });
    keys.key("weights", &W::weights, names::weightPrecisions);
    keys.key("weight_bits", &W::weightBits);
    keys.key("compute", &W::compute, names::computePrecisions);
    keys.key("kv_cache", &W::kvCache, names::cachePrecisions);
    keys.key("scheduling", &W::scheduling, names::scheduling);
    keys.key("arrival", &W::arrival, names::arrival);
    keys.key("arrival_cv", &W::arrivalCv);
    keys.key("prefix_cached_tokens", &W::prefixCachedTokens);
    keys.key("prefix_hit_rate", &W::prefixHitRate);
    keys.key("max_tokens_per_pass", &W::maxTokensPerPass);
    keys.key("admission_wait", &W::admissionWait);
    keys.key("memory_utilization", &W::memoryUtilization);
    keys.object("latency_targets", [](auto& targets) {
        targets.key("ttft_s", &W::ttftTargetS);
        targets.key("tpot_s", &W::tpotTargetS);
        targets.key("percentile", &W::targetPercentile, names::targetPercentiles);
    });
    keys.key("flash_attention", &W::flashAttention);
    keys.key("expert_imbalance", &W::expertImbalance);
    keys.key("software", &W::software, names::inferenceSoftware);
    keys.key("software_version", &W::softwareVersion);
    keys.key("async_scheduling", &W::asyncScheduling);
    keys.object("speculative", [](auto& speculative) {
        speculative.key("method", &W::drafting, names::drafting);
        speculative.key("draft_tokens", &W::draftTokens);
        speculative.key("acceptance", &W::acceptance);
        speculative.key("acceptance_length", &W::acceptanceLength);
        speculative.key("acceptance_decay", &W::acceptanceDecay);
        speculative.key("draft_model", &W::draftModel);
    });
    keys.part("prefill_pool", &W::prefillPool, [](auto& pool) {
        using P = PrefillDeployment;
        pool.key("count", &P::count);
        pool.key("accelerator", &P::accelerator);
        pool.key("price_per_gpu_hour", &P::pricePerGpuHour);
        pool.key("batch", &P::batch);
        pool.object("parallelism", [](auto& layout) {
            layout.key("tensor", &P::tensor);
            layout.key("pipeline", &P::pipeline);
            layout.key("context", &P::context);
            layout.key("expert", &P::expert);
            layout.key("attention_data", &P::attentionData);
        });
    });
    keys.object("kv_transfer", [](auto& transfer) {
        transfer.key("gbit_per_s", &W::transferGbitPerS);
        transfer.key("overlap", &W::transferOverlap);
        transfer.key("start_s", &W::transferStartS);
    });
    keys.object("host_memory", [](auto& host) {
        host.key("weights_gb", &W::hostWeightsGb);
        host.key("gb_per_s", &W::hostLinkGbPerS);
        host.key("overlap", &W::hostOverlap);
    });
    keys.object("kv_tiers", [](auto& tiers) {
        tiers.key("host_gb", &W::tierHostGb);
        tiers.key("host_hit_rate", &W::tierHostHits);
        tiers.key("nvme_gb", &W::tierNvmeGb);
        tiers.key("nvme_hit_rate", &W::tierNvmeHits);
        tiers.key("nvme_gb_per_s", &W::nvmeGbPerS);
        tiers.key("layerwise", &W::tierLayerwise);
    });
}

template <typename Keys>
void parallelism(Keys& keys)
{
    using P = Parallelism;
    keys.key("tensor", &P::tensor);
    keys.key("pipeline", &P::pipeline);
    keys.key("virtual_pipeline", &P::virtualPipeline);
    keys.key("context", &P::context);
    keys.key("expert", &P::expert);
    keys.key("attention_data", &P::attentionData);
    keys.key("sharding", &P::sharding, names::sharding);
    keys.key("replicas", &P::replicas);
    keys.key("sequence_parallel", &P::sequenceParallel);
}

template <typename Keys>
void efficiency(Keys& keys)
{
    using E = Efficiency;
    keys.key("base", &E::base, names::efficiencyBases);
    keys.key("matmul", &E::matmul);
    keys.key("attention", &E::attention);
    keys.key("memory_bandwidth", &E::memoryBandwidth);
    keys.key("scale_up", &E::scaleUp);
    keys.key("scale_out", &E::scaleOut);
    keys.key("host", &E::host);
    keys.key("prefill", &E::prefill);
    keys.key("decode", &E::decode);
}

/// What of a training differs in one of its phases; ranges are those of the scenario's own keys.
template <typename Keys>
void phase(Keys& keys)
{
    using T = TrainingPhase;
    keys.key("name", &T::name);
    keys.like("tokens", &T::tokens, "/workload/training_tokens");
    keys.like("sequence_length", &T::sequenceLength, "/workload/sequence_length");
    keys.like("micro_batch", &T::microBatch, "/workload/micro_batch");
    keys.like("global_batch", &T::globalBatch, "/workload/global_batch");
    keys.like("count", &T::count, "/hardware/count");
    keys.like("tensor", &T::tensor, "/parallelism/tensor");
    keys.like("pipeline", &T::pipeline, "/parallelism/pipeline");
    keys.like("context", &T::context, "/parallelism/context");
    keys.like("expert", &T::expert, "/parallelism/expert");
}

/// What is asked of the planner, but for the accelerators to compare. Its rows have the words of the form, too.
template <typename Keys>
void plan(Keys& keys)
{
    for (const PlanRow& row : planRows())
        std::visit(
            [&keys, &row](auto member) {
                using Member = decltype(member);
                if constexpr (std::is_same_v<Member, PlanRow::Goal>)
                    keys.key(row.key, member, names::planGoals);
                else if constexpr (std::is_same_v<Member, PlanRow::Choice>)
                    keys.key(row.key, member);
                else if constexpr (std::is_same_v<Member, PlanRow::Count>)
                    keys.key(row.key, member, NumberRange{row.minimum, row.maximum});
                else
                    keys.key(row.key, member, NumberRange::positive());
            },
            row.member);
}

/// One of those accelerators; its id is needed.
template <typename Keys>
void planDevice(Keys& keys)
{
    keys.key("id", &PlanDevice::id);
    keys.key("price_per_gpu_hour", &PlanDevice::pricePerGpuHour, NumberRange::positive());
}

/// Where the time of a profiled step went (import-profile).
template <typename Keys>
void profile(Keys& keys)
{
    using P = MeasuredProfile;
    constexpr NumberRange seconds{0, 1e9}, count{0, 1e9}, flop{0, 1e30};
    keys.key("step_s", &P::stepS, seconds);
    keys.key("matmul_s", &P::matmulS, seconds);
    keys.key("attention_s", &P::attentionS, seconds);
    keys.key("router_s", &P::routerS, seconds);
    keys.key("norm_s", &P::normS, seconds);
    keys.key("quantise_s", &P::quantiseS, seconds);
    keys.key("elementwise_s", &P::elementwiseS, seconds);
    keys.key("optimizer_s", &P::optimizerS, seconds);
    keys.key("copy_s", &P::copyS, seconds);
    keys.key("other_s", &P::otherS, seconds);
    keys.key("all_reduce_s", &P::allReduceS, seconds);
    keys.key("all_gather_s", &P::allGatherS, seconds);
    keys.key("reduce_scatter_s", &P::reduceScatterS, seconds);
    keys.key("all_to_all_s", &P::allToAllS, seconds);
    keys.key("send_recv_s", &P::sendRecvS, seconds);
    keys.key("other_communication_s", &P::otherCommunicationS, seconds);
    keys.key("waiting_for_rank_s", &P::waitingForRankS, seconds);
    keys.key("launch_bound_s", &P::launchBoundS, seconds);
    keys.key("waiting_for_data_s", &P::waitingForDataS, seconds);
    keys.key("queued_s", &P::queuedS, seconds);
    keys.key("unexplained_s", &P::unexplainedS, seconds);
    keys.key("communication_s", &P::communicationS, seconds);
    keys.key("matmul_flop", &P::matmulFlop, flop);
    keys.key("shaped_matmul_s", &P::shapedMatmulS, seconds);
    keys.key("allowed_matmul_s", &P::allowedMatmulS, seconds);
    keys.key("steps", &P::steps, count);
    keys.key("ranks", &P::ranks, count);
    keys.key("shapes", &P::shapes);
}

/// Figures within only() are measured in that task alone: in the other they are read, kept and warned of.
template <typename Keys>
void measured(Keys& keys)
{
    using M = Measured;
    keys.only(Task::Training, [](auto& of) { of.key("step_time_s", &M::stepTimeS); });
    keys.key("tokens_per_s", &M::tokensPerS);
    keys.only(Task::Training, [](auto& of) {
        of.key("tokens_per_s_per_gpu", &M::tokensPerSPerGpu);
        of.key("model_tflops_per_gpu", &M::modelTflopsPerGpu);
        of.key("hardware_tflops_per_gpu", &M::hardwareTflopsPerGpu);
        of.key("mfu", &M::mfu);
        of.key("hfu", &M::hfu);
    });
    keys.key("peak_tflops", &M::peakTflops);
    keys.only(Task::Inference, [](auto& of) {
        of.key("tpot_s", &M::tpotS);
        of.key("ttft_s", &M::ttftS);
        of.key("achieved_bandwidth_gb_per_s", &M::achievedBandwidthGbPerS);
        of.key("bandwidth_count", &M::bandwidthCount, names::bandwidthCounts);
        of.key("mbu", &M::mbu);
        of.key("max_batch", &M::maxBatch, NumberRange::positive(1e12));
        of.key("kv_cache_tokens", &M::kvCacheTokens, NumberRange::positive(1e15));
    });
    keys.key("peak_memory_bytes", &M::peakMemoryBytes);
    keys.key("peak_memory_kind", &M::peakMemoryKind, names::peakMemoryKinds);
    keys.key("out_of_memory", &M::outOfMemory);
    keys.part("profile", &M::profile, [](auto& of) { profile(of); });
}

} // namespace headroom::fields
