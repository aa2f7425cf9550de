// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/evaluation_json.hpp"

#include "core/predict/day_json.hpp"
#include "core/predict/host_json.hpp"
#include "core/predict/long_run_json.hpp"
#include "core/predict/power_knee.hpp"
#include "core/predict/prices.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/json_text.hpp"
#include "core/support/json_writer.hpp"

#include <array>

namespace headroom
{
namespace
{

constexpr std::array<std::string_view, timePartCount> timePartIds{"matmul",
                                                                  "attention",
                                                                  "memory_bound",
                                                                  "recompute",
                                                                  "experts",
                                                                  "tensor_parallel_exposed",
                                                                  "context_parallel_exposed",
                                                                  "expert_parallel_exposed",
                                                                  "data_parallel_exposed",
                                                                  "pipeline_bubble",
                                                                  "pipeline_send_exposed",
                                                                  "optimizer_step",
                                                                  "host",
                                                                  "prefill_interference",
                                                                  "draft",
                                                                  "host_link_exposed"};
constexpr std::array<std::string_view, memoryPartCount> memoryPartIds{
    "weights", "gradients", "optimizer", "activations", "logits", "kv_cache", "overhead"};
constexpr std::array<std::string_view, 5> boundIds{"compute", "memory_bandwidth", "communication", "latency",
                                                   "capacity"};

void appendRange(JsonText& json, std::string_view name, const std::optional<Interval>& interval)
{
    interval ? json.pair(name, interval->low, interval->high) : json.undefined(name);
}

void appendUtilization(JsonText& json, const Evaluation& e)
{
    json.number("mfu", e.mfu);
    json.number("hfu", e.hfu);
    json.number("mbu", e.mbu);
    if (e.prefill) {
        json.open("prefill");
        json.number("mfu", e.prefill->mfu);
        json.number("time_s", e.prefill->timeS);
        json.close();
    } else {
        json.undefined("prefill");
    }
    if (e.observed) {
        json.open("observed");
        json.number("mfu", e.observed->mfu);
        json.number("hfu", e.observed->hfu);
        json.number("mbu", e.observed->mbu);
        json.number("step_time_s", e.observed->stepTimeS);
        json.number("achieved_bandwidth_gb_per_s", e.observed->achievedBandwidthGbPerS);
        json.number("ttft_s", e.observed->ttftS);
        json.number("tokens_per_s", e.observed->tokensPerS);
        json.number("peak_memory_bytes", e.observed->peakMemoryBytes);
        json.boolean("impossible", e.observed->impossible);
        json.close();
    } else {
        json.undefined("observed");
    }
    json.open("conventions");
    for (const auto& convention : names::conventions)
        json.number(convention.id, e.conventions[static_cast<std::size_t>(convention.value)]);
    json.close();
}

void appendTail(JsonText& json, const std::optional<TailResult>& tail)
{
    if (!tail)
        return json.undefined("tail");
    json.open("tail");
    json.number("share", tail->share);
    json.number("prompt_tokens", tail->promptTokens);
    json.number("wait_s", tail->waitS);
    json.number("ttft_s", tail->ttftS);
    json.close();
}

void appendMix(JsonText& json, const std::optional<MixResult>& mix)
{
    if (!mix)
        return json.undefined("mix");
    json.open("mix");
    json.number("ttft_s", mix->ttftS);
    json.number("latency_s", mix->latencyS);
    json.openArray("classes");
    for (const ClassResult& c : mix->classes()) {
        json.element();
        json.number("share", c.share);
        json.number("prompt_tokens", c.promptTokens);
        json.number("output_tokens", c.outputTokens);
        json.number("ttft_s", c.ttftS);
        json.number("request_latency_s", c.latencyS);
        json.number("requests_per_s", c.requestsPerS);
        json.number("tokens_per_s", c.tokensPerS);
        json.number("in_flight", c.inFlight);
        json.close();
    }
    json.closeArray();
    json.close();
}

void appendSpeculation(JsonText& json, const std::optional<SpeculationResult>& s)
{
    if (!s)
        return json.undefined("speculation");
    json.open("speculation");
    json.number("tokens_per_cycle", s->tokensPerCycle);
    json.number("tokens_added", s->tokensAdded);
    json.number("cycle_s", s->cycleS);
    json.number("verify_s", s->verifyS);
    json.number("draft_s", s->draftS);
    json.number("host_s", s->hostS);
    json.number("plain_tpot_s", s->plainTpotS);
    json.number("speedup", s->speedup);
    json.close();
}

void appendPool(JsonText& json, const char* name, const PoolResult& pool)
{
    json.open(name);
    using Member = double PoolResult::*;
    constexpr std::array<std::pair<const char*, Member>, 7> figures{{{"gpus", &PoolResult::devices},
                                                                     {"instances", &PoolResult::instances},
                                                                     {"instances_needed", &PoolResult::needed},
                                                                     {"requests_per_s", &PoolResult::requestsPerS},
                                                                     {"utilization", &PoolResult::utilization},
                                                                     {"used_bytes", &PoolResult::usedBytes},
                                                                     {"capacity_bytes", &PoolResult::capacityBytes}}};
    for (const auto& [id, member] : figures)
        json.number(id, pool.*member);
    json.boolean("fits", pool.fits);
    json.number("mfu", pool.mfu);
    json.number("mbu", pool.mbu);
    json.number("watts", pool.watts);
    json.number("cost_per_hour", pool.costPerHour);
    json.close();
}

void appendPools(JsonText& json, const Evaluation& e)
{
    const std::optional<PoolsResult>& pools = e.pools;
    if (!pools)
        return json.undefined("pools");
    json.open("pools");
    appendPool(json, "prefill", pools->prefill);
    appendPool(json, "decode", pools->decode);
    json.plain("limit", pools->prefill.requestsPerS < pools->decode.requestsPerS ? "prefill" : "decode");
    using Member = double PoolsResult::*;
    constexpr std::array<std::pair<const char*, Member>, 10> figures{{{"ratio", &PoolsResult::ratio},
                                                                      {"prompts_per_pass", &PoolsResult::prompts},
                                                                      {"pass_s", &PoolsResult::passS},
                                                                      {"request_s", &PoolsResult::requestS},
                                                                      {"wait_s", &PoolsResult::waitS},
                                                                      {"p95_wait_s", &PoolsResult::p95WaitS},
                                                                      {"p99_wait_s", &PoolsResult::p99WaitS},
                                                                      {"transfer_bytes", &PoolsResult::transferBytes},
                                                                      {"transfer_s", &PoolsResult::transferS},
                                                                      {"transfer_shown_s", &PoolsResult::shownS}}};
    const bool endless = e.queue && pools->prefill.utilization >= 1; // the queue grows without bound
    for (const auto& figure : figures) {
        const bool waits = std::string_view(figure.first).ends_with("wait_s");
        json.number(figure.first, waits && endless ? std::nullopt : std::optional((*pools).*figure.second));
    }
    json.close();
}

void appendRates(JsonText& json, const PreparedScenario& prepared, const Evaluation& e)
{
    json.number("step_time_s", e.stepTimeS);
    json.number("tokens_per_s", e.tokensPerS);
    json.number("tokens_per_s_per_gpu", e.tokensPerSPerGpu);
    json.number("model_tflops_per_gpu", e.modelTflopsPerGpu);
    json.number("hardware_tflops_per_gpu", e.hardwareTflopsPerGpu);
    json.number("ttft_s", e.ttftS);
    json.number("ttft_alone_s", e.ttftAloneS);
    json.number("tpot_s", e.tpotS);
    json.number("request_latency_s", e.requestLatencyS);
    json.number("requests_per_s", e.requestsPerS);
    json.number("max_batch", e.maxBatch);
    json.number("batch", e.task == Task::Inference ? std::optional(e.batch) : std::nullopt);
    if (e.queue) {
        json.open("queue");
        json.number("utilization", e.queue->utilization);
        json.number("mean_wait_s", e.queue->meanWaitS);
        json.number("p95_wait_s", e.queue->p95WaitS);
        json.number("p99_wait_s", e.queue->p99WaitS);
        json.number("capacity_requests_per_s", e.queue->capacityRequestsPerS);
        json.close();
    } else {
        json.undefined("queue");
    }
    appendTail(json, e.tail);
    appendMix(json, e.mix);
    appendSpeculation(json, e.speculation);
    appendPools(json, e);
    appendDay(json, prepared, e);
    appendTiers(json, e);
    appendHostWeights(json, e);
    appendHostStates(json, e);
    json.open("interval");
    appendRange(json, "step_time_s", e.stepTimeInterval);
    appendRange(json, "tpot_s", e.tpotInterval);
    appendRange(json, "ttft_s", e.ttftInterval);
    appendRange(json, "tokens_per_s", e.tokensPerSInterval);
    json.open("memory");
    appendRange(json, "used_bytes", e.usedBytesInterval);
    json.close();
    json.close();
}

void appendFlops(JsonText& json, const FlopCounts& flops)
{
    json.open("flops");
    json.number("model", flops.model);
    json.number("hardware", flops.hardware);
    json.number("forward", flops.forward);
    json.number("backward_activation", flops.backwardActivation);
    json.number("backward_weight", flops.backwardWeight);
    json.number("recompute", flops.recompute);
    json.number("attention", flops.attention);
    json.number("router", flops.router);
    json.number("lm_head", flops.lmHead);
    json.close();
}

void appendTime(JsonText& json, const Evaluation& e)
{
    json.openArray("time");
    for (int i = 0; i < timePartCount; ++i) {
        const auto part = static_cast<TimePart>(i);
        json.element();
        json.plain("what", timePartId(part));
        json.number("s", e.part(part));
        json.close();
    }
    json.closeArray();
}

void appendMemory(JsonText& json, const Evaluation& e)
{
    json.open("memory");
    json.number("capacity_bytes", e.capacityBytes);
    json.number("used_bytes", e.usedBytes);
    for (int i = 0; i < memoryPartCount; ++i)
        json.number(memoryPartId(static_cast<MemoryPart>(i)), e.part(static_cast<MemoryPart>(i)));
    json.close();
    json.open("memory_kinds");
    json.number("allocated", e.allocatedBytes);
    json.number("reserved", e.reservedBytes);
    json.number("device", e.deviceBytes);
    json.close();
}

/// `taken`: how often spot GPUs are taken back, as it counts, h: not the list's where the scenario states another.
void appendPrice(JsonText& json, std::string_view key, const KnownPrice* price, const std::optional<double>& taken)
{
    if (!price)
        return;
    json.open(key);
    json.number("per_gpu_hour", price->perHour);
    json.plain("kind", nameOf(names::priceKinds, price->kind));
    json.string("currency", price->currency);
    json.string("list", price->list);
    json.string("provider", price->provider);
    json.string("date", price->date);
    json.string("source", price->source);
    json.number("spot_mtbf_hours", price->spotMtbfHours == taken ? taken : std::nullopt);
    json.close();
}

void appendCost(JsonText& json, const PreparedScenario& p, const Evaluation& e)
{
    json.open("cost");
    json.number("per_hour", e.costPerHour);
    json.number("per_million_tokens", e.costPerMillionTokens);
    json.number("to_train", e.costToTrain);
    appendPrice(json, "price", lookedUpPrice(p), p.hardware.spotMtbfHours);
    const KnownPrice* const prefill = lookedUpPrefillPrice(p);
    appendPrice(json, "prefill_price", prefill, prefill ? prefill->spotMtbfHours : std::nullopt);
    json.close();
    json.open("energy");
    json.number("watts", e.watts);
    json.number("joules_per_token", e.joulesPerToken);
    if (e.site) {
        json.number("site_watts", e.site->watts);
        json.number("kwh_per_million_tokens", e.site->kwhPerMillionTokens);
        json.number("run_kwh", e.site->runKwh);
        json.number("electricity_per_hour", e.site->electricityPerHour);
        json.number("electricity_per_million_tokens", e.site->electricityPerMillionTokens);
        json.number("carbon_g_per_million_tokens", e.site->carbonGPerMillionTokens);
        json.number("run_carbon_kg", e.site->runCarbonKg);
        const auto knee = powerKnee(p);
        json.number("best_limit_w", knee ? std::optional(knee->bestW) : std::nullopt);
        json.number("free_limit_w", knee ? std::optional(knee->freeW) : std::nullopt);
    }
    json.close();
}

void appendWarnings(JsonText& json, const PreparedScenario& prepared, const WarningSet& warnings)
{
    json.openArray("warnings");
    warnings.forEach([&](WarningCode code, double number) {
        json.element();
        json.plain("code", warningId(code));
        json.string("text", warningText(code, number, prepared));
        json.close();
    });
    json.closeArray();
}

} // namespace

std::string_view timePartId(TimePart part)
{
    return timePartIds[static_cast<std::size_t>(part)];
}
std::string_view memoryPartId(MemoryPart part)
{
    return memoryPartIds[static_cast<std::size_t>(part)];
}
std::string_view toId(BoundBy bound)
{
    return boundIds[static_cast<std::size_t>(bound)];
}

void appendEvaluationJson(std::string& text, std::string_view name, const PreparedScenario& prepared,
                          const Evaluation& e, std::string_view otherMeasurement)
{
    JsonText json(text);
    json.element();
    json.nameOrNull("name", name);
    json.boolean("fits", allFits(e));
    json.boolean("step_fits", e.fits);
    json.open("parameters");
    json.number("total", e.totalParameters);
    json.number("active", e.activeParameters);
    json.number("trainable", e.trainableParameters);
    json.close();
    appendUtilization(json, e);
    appendRates(json, prepared, e);
    appendFlops(json, e.flops);
    appendTime(json, e);
    appendMemory(json, e);
    json.plain("bound_by", toId(e.boundBy));
    appendCost(json, prepared, e);
    appendGoodput(json, e);
    appendPhases(json, prepared, e);
    appendRl(json, prepared, e);
    if (!otherMeasurement.empty())
        json.nameOrNull("other_measurement", otherMeasurement);
    appendWarnings(json, prepared, e.warnings);
    json.close();
}

std::string evaluationJson(std::string_view name, const PreparedScenario& prepared, const Evaluation& evaluation,
                           int indent, std::string_view otherMeasurement)
{
    std::string text;
    appendEvaluationJson(text, name, prepared, evaluation, otherMeasurement);
    return indent < 0 ? text : indentedJson(text, indent);
}

std::string errorJson(std::string_view name, const Diagnostics& diagnostics)
{
    const Diagnostic first = diagnostics.empty() ? Diagnostic{} : diagnostics.front();
    std::string text;
    {
        JsonText json(text);
        json.element();
        json.nameOrNull("name", name);
        json.open("error");
        json.string("code", first.code);
        json.string("path", first.path);
        json.string("message", first.message);
        json.string("hint", first.hint);
        json.close();
        json.close();
    }
    return text;
}

} // namespace headroom
