// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of one training: torchtitan ("step: 10 … tps: 2,904 …"), Megatron-LM ("iteration 10/ 100 | elapsed …") and
// Megatron Bridge, which prints Megatron-LM's lines and some of its own.
#include "core/runs/log_sections.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::logs
{
namespace
{

constexpr double mebibyte = 1024.0 * 1024, gibibyte = 1024.0 * mebibyte;

/// What a log says beside its times, where it says it.
void keepPositive(const Lines& lines, std::string_view key, std::vector<double>& values)
{
    if (const auto value = numberAfter(lines.text(), key); value && *value > 0)
        values.push_back(*value);
}

/// A number that must be there and positive once the line has its key.
Expected<std::optional<double>> positiveAfter(const Lines& lines, std::string_view key)
{
    if (lines.text().find(key) == std::string::npos)
        return std::optional<double>();
    const auto value = numberAfter(lines.text(), key);
    if (!value || *value <= 0)
        return refuse(lines.number(), "not-a-number", say("no positive number follows \"{}\"", key),
                      said("is the line complete?"));
    return value;
}

constexpr std::string_view batches = "with local batch size", mesh = "device mesh with parallelism:";
/// "… is initialized with local batch size 1, global batch size 8, …, sequence length 8192" and "Building device mesh
/// with parallelism: pp=1, dp_replicate=1, dp_shard=8, cp=1, tp=1, ep=1, etp=1".
constexpr FactRow titanFacts[] = {
    {batches, "local batch size", "micro_batch"},
    {batches, "global batch size", "global_batch"},
    {batches, "sequence length", "sequence_length"},
    {mesh, " pp=", "pipeline"},
    {mesh, "dp_replicate=", "dp_replicate"},
    {mesh, "dp_shard=", "dp_shard"},
    {mesh, " cp=", "context"},
    {mesh, " tp=", "tensor"},
    {mesh, " ep=", "expert"},
    {"total parameters", "size:", "parameters"},
};

/// Megatron-LM lists its arguments: "  micro_batch_size ................................ 1".
constexpr FactRow megatronFacts[] = {
    {" world_size ..", "world_size", "count"},
    {" seq_length ..", "seq_length", "sequence_length"},
    {" micro_batch_size ..", "micro_batch_size", "micro_batch"},
    {" tensor_model_parallel_size ..", "tensor_model_parallel_size", "tensor"},
    {" pipeline_model_parallel_size ..", "pipeline_model_parallel_size", "pipeline"},
    {" context_parallel_size ..", "context_parallel_size", "context"},
    {" expert_model_parallel_size ..", "expert_model_parallel_size", "expert"},
};

/// Megatron Bridge prints its configuration as YAML: "  tensor_model_parallel_size: 2".
constexpr FactRow bridgeFacts[] = {
    {" seq_length: ", "seq_length:", "sequence_length"},
    {" micro_batch_size: ", "micro_batch_size:", "micro_batch"},
    {" tensor_model_parallel_size: ", "tensor_model_parallel_size:", "tensor"},
    {" pipeline_model_parallel_size: ", "pipeline_model_parallel_size:", "pipeline"},
    {" context_parallel_size: ", "context_parallel_size:", "context"},
    {" expert_model_parallel_size: ", "expert_model_parallel_size:", "expert"},
};

/// The ranks multiply to the whole job; data-parallel ones say how the model is sharded.
void addMesh(JobFacts& facts, Scenario& run)
{
    const auto shard = facts.value("dp_shard");
    if (!shard)
        return;
    const double copies = facts.value("dp_replicate").value_or(1);
    double count = *shard * copies;
    for (const char* size : {"pipeline", "context", "tensor"})
        count *= facts.value(size).value_or(1);
    facts.set("count", count);
    run.parallelism.sharding = *shard > 1 ? Sharding::Fsdp : Sharding::None;
    run.parallelism.replicas = *shard > 1 && copies > 1 ? std::optional(std::llround(copies)) : std::nullopt;
}

/// "Applied full activation checkpointing to the model"; newer releases write "FullAC".
void setCheckpointing(const std::string& line, Scenario& run)
{
    if (line.find("Applied ") == std::string::npos || line.find("activation checkpointing") == std::string::npos)
        return;
    Checkpointing& mode = run.training.checkpointing;
    if (line.find("full") != std::string::npos || line.find("Full") != std::string::npos)
        mode = Checkpointing::Full;
    else if (mode != Checkpointing::SelectiveLayer)
        mode = Checkpointing::SelectiveOp; // by operator or by layer: the log does not say
}

/// "  use_distributed_optimizer ....................... True": optimizer states shared by the data-parallel ranks.
void setSharding(const std::string& line, Scenario& run)
{
    if (line.find(" use_distributed_optimizer ..") == std::string::npos)
        return;
    run.parallelism.sharding = line.find("True") != std::string::npos ? Sharding::Zero1 : Sharding::None;
}

/// "NVIDIA H100" of "CUDA capacity: NVIDIA H100 with 94.99GiB memory".
std::string deviceOf(const std::string& line)
{
    constexpr std::string_view key = "capacity: ";
    const std::size_t begin = line.find(key), end = line.find(" with ", begin);
    return begin == std::string::npos || end == std::string::npos
               ? std::string()
               : line.substr(begin + key.size(), end - begin - key.size());
}

/// The fullest rank, bytes. Megatron-LM: "[Rank 0] (after 10 iterations) memory (MB) | allocated: 24761.0 | max
/// allocated: 65203.9 | …", in MiB; Megatron Bridge: "memory (GB) | … | mem-max-allocated-gigabytes: 78.383 | …".
double megatronMemory(const std::string& line)
{
    if (line.find("memory (MB) |") != std::string::npos)
        return mebibyte * numberAfter(line, "max allocated:").value_or(0);
    constexpr double gigabyte = 1e9;
    return gigabyte * numberAfter(line, "mem-max-allocated-gigabytes:").value_or(0);
}

/// Lines of Megatron's iterations. Bridge says some figures on a line of their own before it: "Step Time : 9.09s GPU
/// utilization: 663.5MODEL_TFLOP/s/GPU".
Expected<LogReading> readIterations(const LogInput& input, std::string_view what, std::span<const FactRow> rows)
{
    std::vector<double> times, coarse, flops;
    double batch = 0, memory = 0;
    Scenario run = runFrom(input, what);
    JobFacts facts(rows);
    Lines lines(input.text);
    while (lines.next()) {
        facts.read(lines);
        setSharding(lines.text(), run);
        memory = std::max(memory, megatronMemory(lines.text()));
        const auto time = positiveAfter(lines, "elapsed time per iteration (ms):");
        const auto step = positiveAfter(lines, "Step Time :");
        const auto size = positiveAfter(lines, "global batch size:");
        for (const auto* number : {&time, &step, &size})
            if (!*number)
                return tl::unexpected(number->error());
        if (*time && *size && **size != batch) { // the batch ramps up: what came before was another workload
            if (batch > 0) {                     // what stands before the first such line is of its iteration
                coarse.clear();
                flops.clear();
            }
            batch = **size;
            times.clear();
        }
        if (*time)
            times.push_back(**time / 1e3);
        if (*step)
            coarse.push_back(**step);
        keepPositive(lines, "(TFLOP/s/GPU):", flops);
        keepPositive(lines, "GPU utilization:", flops);
    }
    if (times.empty() && coarse.empty())
        return refuse(0, "no-steps", said("holds no line with \"elapsed time per iteration (ms):\""),
                      said("log at least one iteration"));
    run.measured.stepTimeS = steadyMedian(times.empty() ? std::move(coarse) : std::move(times));
    if (!flops.empty())
        run.measured.modelTflopsPerGpu = steadyMedian(std::move(flops));
    return oneRun(std::move(run), std::move(facts), memory, batch);
}

/// A training step's line of torchtitan. "validate step: 10 … tps: …" is of an evaluation, which has no backward pass.
bool isTitanStep(const std::string& line)
{
    return line.find("step:") != std::string::npos && line.find("validate step:") == std::string::npos;
}

std::optional<double> titanStep(const std::string& line)
{
    return isTitanStep(line) && line.find("tps:") != std::string::npos ? numberAfter(line, "step:") : std::nullopt;
}

/// "iteration       10/     100 | …", behind a time of day or not.
std::optional<double> megatronStep(const std::string& line)
{
    return line.find("elapsed time per iteration (ms):") == std::string::npos ? std::nullopt
                                                                              : numberAfter(line, "iteration ");
}

Expected<LogReading> readOneTorchtitan(const LogInput& input)
{
    std::vector<double> rates, flops, utilisation;
    double memory = 0;
    LogReading reading;
    Scenario run = runFrom(input, "torchtitan log");
    JobFacts facts(titanFacts);
    std::string device;
    int deviceLine = 0, modelLine = 0;
    Lines lines(input.text);
    while (lines.next()) {
        facts.read(lines);
        setCheckpointing(lines.text(), run);
        if (modelLine == 0 && facts.value("parameters"))
            modelLine = lines.number();
        if (device.empty() && !(device = deviceOf(lines.text())).empty())
            deviceLine = lines.number();
        if (!isTitanStep(lines.text()))
            continue;
        const auto rate = positiveAfter(lines, "tps:");
        if (!rate)
            return tl::unexpected(rate.error());
        if (*rate)
            rates.push_back(**rate);
        memory = std::max(memory, numberAfter(lines.text(), "memory:").value_or(0));
        keepPositive(lines, "tflops:", flops);
        keepPositive(lines, "mfu:", utilisation);
    }
    if (rates.empty())
        return refuse(0, "no-steps", said("holds no line with \"step:\" and \"tps:\""), said("log at least one step"));
    if (const auto parameters = facts.value("parameters"))
        if (auto wrong = wrongModel(input, *parameters, modelLine))
            return tl::unexpected(Diagnostics{*std::move(wrong)});
    addMesh(facts, run);
    if (auto wrong = facts.apply(run, reading.warnings))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    if (auto other = otherDevice(input, device, deviceLine))
        reading.warnings.push_back(*std::move(other));
    run.measured.tokensPerSPerGpu = steadyMedian(std::move(rates)); // torchtitan counts tokens per device
    // What it says of itself, by its own count and peak: held against ours, never instead of it.
    if (!flops.empty())
        run.measured.modelTflopsPerGpu = steadyMedian(std::move(flops));
    if (!utilisation.empty())
        run.measured.mfu = steadyMedian(std::move(utilisation)) / 100;
    if (memory > 0) {
        run.measured.peakMemoryBytes = memory * gibibyte;
        run.measured.peakMemoryKind = PeakMemoryKind::Reserved;
    }
    reading.runs.push_back(std::move(run));
    return reading;
}

Expected<LogReading> readOneMegatron(const LogInput& input)
{
    return readIterations(input, "Megatron-LM log", megatronFacts);
}

Expected<LogReading> readOneBridge(const LogInput& input)
{
    return readIterations(input, "Megatron Bridge log", bridgeFacts);
}

} // namespace

Expected<LogReading> readTorchtitan(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    return readEachTraining(input, {titanFacts, titanStep}, readOneTorchtitan);
}

Expected<LogReading> readMegatron(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    return readEachTraining(input, {megatronFacts, megatronStep}, readOneMegatron);
}

Expected<LogReading> readMegatronBridge(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    return readEachTraining(input, {bridgeFacts, megatronStep}, readOneBridge);
}

} // namespace headroom::logs
