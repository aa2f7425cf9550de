// SPDX-License-Identifier: GPL-3.0-or-later
// Writing scenario files: known key order, defaults left out.
#include "core/scenario/scenario_json.hpp"
#include "core/scenario/scenario_names.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace headroom
{
namespace
{

using OrderedJson = nlohmann::ordered_json;

/// Doubles that are whole are written without a point: people read these files.
OrderedJson numberJson(double value)
{
    constexpr double exactWhole = 9007199254740992.0; // 2^53
    if (std::trunc(value) == value && std::fabs(value) < exactWhole)
        return static_cast<std::int64_t>(value);
    return value;
}

/// An object that takes only what differs from its default.
class Section final
{
public:
    template <typename Value>
    void put(const char* key, const Value& value, const Value& usual)
    {
        if (value != usual)
            set(key, value);
    }
    template <typename Value>
    void put(const char* key, const std::optional<Value>& value)
    {
        if (value)
            set(key, *value);
    }
    template <typename Names, typename Enum>
    void name(const char* key, const Names& names, Enum value, Enum usual)
    {
        if (value != usual)
            m_json[key] = nameOf(names, value);
    }
    template <typename Names, typename Enum>
    void name(const char* key, const Names& names, const std::optional<Enum>& value)
    {
        if (value)
            m_json[key] = nameOf(names, *value);
    }
    void section(const char* key, Section&& inner)
    {
        if (!inner.m_json.empty())
            m_json[key] = std::move(inner.m_json);
    }
    void json(const char* key, OrderedJson value) { m_json[key] = std::move(value); }
    [[nodiscard]] const OrderedJson& json() const { return m_json; }

private:
    template <typename Value>
    void set(const char* key, const Value& value)
    {
        if constexpr (std::is_same_v<Value, double>)
            m_json[key] = numberJson(value);
        else
            m_json[key] = value;
    }

    OrderedJson m_json = OrderedJson::object();
};

OrderedJson flashAttentionJson(FlashAttention value)
{
    switch (value) {
    case FlashAttention::Off:
        return false;
    case FlashAttention::On:
        return true;
    case FlashAttention::V1:
        return 1;
    case FlashAttention::V2:
        return 2;
    case FlashAttention::V3:
        return 3;
    }
    return true;
}

OrderedJson loraTargetsJson(LoraTargets targets)
{
    if (const std::string_view set = nameOf(names::loraTargetSets, targets.bits); !set.empty())
        return set;
    OrderedJson list = OrderedJson::array();
    for (const auto& name : names::loraTargets) {
        if (targets.has(name.bit))
            list.push_back(name.id);
    }
    return list;
}

Section trainingSection(const TrainingWorkload& w)
{
    const TrainingWorkload usual;
    Section section;
    section.json("task", "training");
    section.put("sequence_length", w.sequenceLength, usual.sequenceLength);
    section.put("micro_batch", w.microBatch, usual.microBatch);
    section.put("global_batch", w.globalBatch);
    section.name("method", names::methods, w.method, usual.method);
    Section lora;
    lora.put("rank", w.loraRank, usual.loraRank);
    if (w.loraTargets != usual.loraTargets)
        lora.json("targets", loraTargetsJson(w.loraTargets));
    section.section("lora", std::move(lora));
    if (w.checkpointEvery != usual.checkpointEvery)
        section.json("checkpointing",
                     {{"mode", nameOf(names::checkpointing, w.checkpointing)}, {"every", w.checkpointEvery}});
    else
        section.name("checkpointing", names::checkpointing, w.checkpointing, usual.checkpointing);
    section.name("precision", names::trainingPrecisions, w.precision, usual.precision);
    section.name("master_weights", names::masterWeights, w.masterWeights, usual.masterWeights);
    section.name("gradients", names::gradients, w.gradients);
    section.name("optimizer", names::optimizers, w.optimizer, usual.optimizer);
    if (w.flashAttention != usual.flashAttention)
        section.json("flash_attention", flashAttentionJson(w.flashAttention));
    section.put("packed_sample_tokens", w.packedSampleTokens);
    section.put("chunked_loss", w.chunkedLoss);
    section.name("offload", names::offload, w.offload, usual.offload);
    section.put("expert_imbalance", w.expertImbalance, usual.expertImbalance);
    Section overlap;
    overlap.put("data_parallel", w.overlapDataParallel);
    overlap.put("tensor", w.overlapTensor);
    section.section("overlap", std::move(overlap));
    section.name("software", names::trainingSoftware, w.software, usual.software);
    section.put("training_tokens", w.trainingTokens);
    return section;
}

Section inferenceSection(const InferenceWorkload& w)
{
    const InferenceWorkload usual;
    Section section;
    section.json("task", "inference");
    if (w.batchMax)
        section.json("batch", "max");
    else
        section.put("batch", w.batch, usual.batch);
    section.put("prompt_tokens", w.promptTokens, usual.promptTokens);
    section.put("output_tokens", w.outputTokens, usual.outputTokens);
    section.put("prompt_tokens_p95", w.promptTokensP95);
    section.put("output_tokens_p95", w.outputTokensP95);
    section.put("requests_per_s", w.requestsPerS);
    section.name("weights", names::weightPrecisions, w.weights, usual.weights);
    section.put("weight_bits", w.weightBits);
    section.name("compute", names::computePrecisions, w.compute);
    section.name("kv_cache", names::cachePrecisions, w.kvCache, usual.kvCache);
    section.name("scheduling", names::scheduling, w.scheduling, usual.scheduling);
    section.name("arrival", names::arrival, w.arrival);
    section.put("prefix_cached_tokens", w.prefixCachedTokens, usual.prefixCachedTokens);
    section.put("memory_utilization", w.memoryUtilization);
    Section targets;
    targets.put("ttft_s", w.ttftTargetS);
    targets.put("tpot_s", w.tpotTargetS);
    section.section("latency_targets", std::move(targets));
    if (w.flashAttention != usual.flashAttention)
        section.json("flash_attention", flashAttentionJson(w.flashAttention));
    section.put("expert_imbalance", w.expertImbalance, usual.expertImbalance);
    section.name("software", names::inferenceSoftware, w.software, usual.software);
    return section;
}

Section parallelismSection(const Parallelism& p)
{
    const Parallelism usual;
    Section section;
    section.put("tensor", p.tensor, usual.tensor);
    section.put("pipeline", p.pipeline, usual.pipeline);
    section.put("virtual_pipeline", p.virtualPipeline, usual.virtualPipeline);
    section.put("context", p.context, usual.context);
    section.put("expert", p.expert, usual.expert);
    section.put("attention_data", p.attentionData, usual.attentionData);
    section.name("sharding", names::sharding, p.sharding);
    section.put("replicas", p.replicas);
    section.put("sequence_parallel", p.sequenceParallel);
    return section;
}

Section efficiencySection(const Efficiency& e)
{
    const Efficiency usual;
    Section section;
    section.name("base", names::efficiencyBases, e.base, usual.base);
    section.put("matmul", e.matmul, usual.matmul);
    section.put("attention", e.attention, usual.attention);
    section.put("memory_bandwidth", e.memoryBandwidth, usual.memoryBandwidth);
    section.put("scale_up", e.scaleUp, usual.scaleUp);
    section.put("scale_out", e.scaleOut, usual.scaleOut);
    section.put("host", e.host, usual.host);
    section.put("prefill", e.prefill, usual.prefill);
    section.put("decode", e.decode, usual.decode);
    return section;
}

Section measuredSection(const Measured& m)
{
    Section section;
    section.put("step_time_s", m.stepTimeS);
    section.put("tokens_per_s", m.tokensPerS);
    section.put("tokens_per_s_per_gpu", m.tokensPerSPerGpu);
    section.put("model_tflops_per_gpu", m.modelTflopsPerGpu);
    section.put("hardware_tflops_per_gpu", m.hardwareTflopsPerGpu);
    section.put("mfu", m.mfu);
    section.put("hfu", m.hfu);
    section.put("peak_tflops", m.peakTflops);
    section.put("tpot_s", m.tpotS);
    section.put("ttft_s", m.ttftS);
    section.put("achieved_bandwidth_gb_per_s", m.achievedBandwidthGbPerS);
    section.name("bandwidth_count", names::bandwidthCounts, m.bandwidthCount, BandwidthCount::Unstated);
    section.put("mbu", m.mbu);
    section.put("max_batch", m.maxBatch);
    section.put("kv_cache_tokens", m.kvCacheTokens);
    section.put("peak_memory_bytes", m.peakMemoryBytes);
    section.name("peak_memory_kind", names::peakMemoryKinds, m.peakMemoryKind);
    section.put("out_of_memory", m.outOfMemory);
    return section;
}

/// The id, or the object form, whose text readScenario() or a dialog made.
OrderedJson choiceJson(const std::string& id, const std::string& object)
{
    if (object.empty())
        return id;
    OrderedJson parsed = OrderedJson::parse(object, nullptr, false);
    return parsed.is_discarded() ? OrderedJson(id) : parsed;
}

/// Model, hardware, workload and parallelism: of the scenario, or of the run that was measured.
void putSettings(Section& document, const Setup& s, const ModelChoice& model, const AcceleratorChoice& accelerator)
{
    const Hardware usual;
    Section hardware;
    hardware.json("accelerator", choiceJson(accelerator.id, accelerator.object));
    hardware.put("count", s.hardware.count, usual.count);
    hardware.put("per_node", s.hardware.perNode);
    hardware.put("scale_out_gbit_per_s", s.hardware.scaleOutGbitPerS);
    hardware.put("price_per_gpu_hour", s.hardware.pricePerGpuHour);
    document.json("model", choiceJson(model.id, model.object));
    document.section("hardware", std::move(hardware));
    document.section("workload",
                     s.task == Task::Training ? trainingSection(s.training) : inferenceSection(s.inference));
    document.section("parallelism", parallelismSection(s.parallelism));
}

OrderedJson scenarioJson(const Scenario& s)
{
    Section document;
    document.json("format", "headroom-scenario");
    document.json("version", 1);
    document.put("name", s.name, std::string());
    document.put("notes", s.notes, std::string());
    document.put("source", s.source, std::string());
    document.put("year", s.year);
    putSettings(document, s, s.model, s.accelerator);
    if (s.efficiency.isPlain())
        document.name("efficiency", names::efficiencyBases, s.efficiency.base, EfficiencyBase::Expected);
    else
        document.section("efficiency", efficiencySection(s.efficiency));
    document.name("accounting", names::conventions, s.accounting, Convention::Standard);
    document.section("measured", measuredSection(s.measured));
    if (s.measuredWith && s.measured.any()) {
        Section run;
        putSettings(run, s.measuredWith->setup, s.measuredWith->model, s.measuredWith->accelerator);
        run.name("accounting", names::conventions, s.measuredWith->setup.accounting, Convention::Standard);
        document.section("measured_with", std::move(run));
    }
    return document.json();
}

std::string text(const Scenario& scenario, int indent)
{
    // A name from a dialog may hold anything: what is not UTF-8 is replaced.
    return scenarioJson(scenario).dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace

std::string writeScenario(const Scenario& scenario)
{
    return text(scenario, 2) + '\n';
}

std::string writeScenarioLine(const Scenario& scenario)
{
    return text(scenario, -1);
}

} // namespace headroom
