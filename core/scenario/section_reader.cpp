// SPDX-License-Identifier: GPL-3.0-or-later
// The sections of a scenario file that both tasks share (scenario.md 1.5 to 1.7).
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/scenario/scenario_reader.hpp"
#include "core/support/say.hpp"

#include <unordered_map>

namespace headroom
{

const NumberRange* rangeOfKey(std::string_view path)
{
    static const std::unordered_map<std::string_view, NumberRange> ranges = [] {
        // The registry writes "greater than 0" as a very small minimum.
        constexpr double practicallyZero = 1e-9;
        std::unordered_map<std::string_view, NumberRange> table;
        for (const ParameterRow& row : parameterRegistry()) {
            const bool positive = row.minimum > 0 && row.minimum < practicallyZero;
            table.emplace(row.path, NumberRange{positive ? 0 : row.minimum, row.maximum, positive});
        }
        return table;
    }();
    // The settings of a measurement are read as the scenario's own are.
    if (path.starts_with(measuredWithPath))
        path.remove_prefix(measuredWithPath.size());
    const auto found = ranges.find(path);
    return found == ranges.end() ? nullptr : &found->second;
}

void readParallelism(ObjectReader& reader, Parallelism& parallelism)
{
    readWhole(reader, "tensor", parallelism.tensor);
    readWhole(reader, "pipeline", parallelism.pipeline);
    readWhole(reader, "virtual_pipeline", parallelism.virtualPipeline);
    readWhole(reader, "context", parallelism.context);
    readWhole(reader, "expert", parallelism.expert);
    readWhole(reader, "attention_data", parallelism.attentionData);
    reader.choice("sharding", parallelism.sharding, names::sharding);
    readWhole(reader, "replicas", parallelism.replicas);
    reader.boolean("sequence_parallel", parallelism.sequenceParallel);
}

void readEfficiency(ObjectReader& document, Efficiency& efficiency)
{
    const Json* value = document.value("efficiency");
    if (value == nullptr)
        return;
    if (value->is_string()) {
        document.choice("efficiency", efficiency.base, names::efficiencyBases);
        return;
    }
    if (!value->is_object()) {
        document.wrongType("efficiency", *value, said("\"expected\", \"ideal\" or an object of multipliers"));
        return;
    }
    document.object("efficiency", [&efficiency](ObjectReader& reader) {
        reader.choice("base", efficiency.base, names::efficiencyBases);
        readReal(reader, "matmul", efficiency.matmul);
        readReal(reader, "attention", efficiency.attention);
        readReal(reader, "memory_bandwidth", efficiency.memoryBandwidth);
        readReal(reader, "scale_up", efficiency.scaleUp);
        readReal(reader, "scale_out", efficiency.scaleOut);
        readReal(reader, "host", efficiency.host);
        readReal(reader, "prefill", efficiency.prefill);
        readReal(reader, "decode", efficiency.decode);
    });
}

void readMeasured(ObjectReader& reader, Task task, Measured& measured)
{
    readReal(reader, "step_time_s", measured.stepTimeS);
    readReal(reader, "tokens_per_s", measured.tokensPerS);
    readReal(reader, "tokens_per_s_per_gpu", measured.tokensPerSPerGpu);
    readReal(reader, "model_tflops_per_gpu", measured.modelTflopsPerGpu);
    readReal(reader, "hardware_tflops_per_gpu", measured.hardwareTflopsPerGpu);
    readReal(reader, "mfu", measured.mfu);
    readReal(reader, "hfu", measured.hfu);
    readReal(reader, "peak_tflops", measured.peakTflops);
    readReal(reader, "tpot_s", measured.tpotS);
    readReal(reader, "ttft_s", measured.ttftS);
    readReal(reader, "achieved_bandwidth_gb_per_s", measured.achievedBandwidthGbPerS);
    reader.choice("bandwidth_count", measured.bandwidthCount, names::bandwidthCounts);
    readReal(reader, "mbu", measured.mbu);
    reader.number("max_batch", measured.maxBatch, NumberRange::positive(1e12));
    reader.number("kv_cache_tokens", measured.kvCacheTokens, NumberRange::positive(1e15));
    readReal(reader, "peak_memory_bytes", measured.peakMemoryBytes);
    reader.choice("peak_memory_kind", measured.peakMemoryKind, names::peakMemoryKinds);
    reader.boolean("out_of_memory", measured.outOfMemory);

    const auto unused = [&reader](std::string_view task_, std::initializer_list<std::string_view> keys) {
        for (const std::string_view key : keys) {
            if (reader.value(key) != nullptr)
                addDiagnostic(reader.diagnostics(), "not-used", reader.pathOf(key),
                              say("this figure belongs to {} and is not used here", say(task_)),
                              said("leave it out, or change the task"), Severity::Warning);
        }
    };
    if (task == Task::Inference)
        unused(phrase("training"), {"step_time_s", "tokens_per_s_per_gpu", "model_tflops_per_gpu",
                                    "hardware_tflops_per_gpu", "mfu", "hfu"});
    else
        unused(phrase("inference"), {"tpot_s", "ttft_s", "achieved_bandwidth_gb_per_s", "bandwidth_count", "mbu",
                                     "max_batch", "kv_cache_tokens"});
}

} // namespace headroom
