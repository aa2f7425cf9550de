// SPDX-License-Identifier: GPL-3.0-or-later
// Inference: the constants that published runs fit (docs/method/fit.md), with what is believed without them.
#include "core/fit/fit_task.hpp"

#include "core/fit/intervals.hpp"
#include "core/predict/inference/inference_machine.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/validation/run_doubt.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom
{
namespace
{

/// Routed experts, linear attention and links without kernel tables. The rates of matmuls, attention and collectives
/// that published tables measure are not fitted, nor are their estimates for other families, nor what few models tell:
/// small kernels, quantising, shares of grouped matmuls, skewed and unbalanced routing. Fitted, those follow the models
/// at hand and miss others by more (dense sources left out: 6.2 % at the median instead of 5.3).
void addInferenceConstants(std::vector<FittedFactor>& factors)
{
    const auto add = [&factors](const char* name, double prior, double low, double high) {
        factors.push_back({fmt::format("/inference/{}", name), prior, low, high});
    };
    add("experts/start/family=hopper/start_us", 32, 15, 70);
    add("experts/start/family=blackwell/start_us", 28, 12, 60);
    add("experts/gpt_fast_start_us/value", 12, 1, 60);
    add("experts/trt_llm_blackwell_start_us/value", 18, 1, 60);
    add("experts/trt_llm_hopper_start_us/value", 32, 15, 200);
    // Of weights alone in 4 bit no kernel table is published; the priors are what 8 bit reaches, and no limit on H100.
    add("matmul/rows/family=hopper,kind=w4/memory", 0.75, 0.3, 1);
    factors.push_back({"/inference/engines/rows/engine=vllm/w4_bytes_per_clock", 16, 4, 60});
    factors.back().same = {"/inference/engines/rows/engine=vllm-sync/w4_bytes_per_clock"};
    add("linear_attention/start_us", 25, 3, 100);
    add("all_reduce/rows/family=cdna3,devices=8/gb_per_s", 150, 40, 400);
    add("all_reduce/rows/family=cdna3,devices=8/latency_us", 12, 2, 60);
    for (const char* devices : {"4", "8"})
        factors.push_back({fmt::format("/inference/links/pcie/devices={}/share_of_host_link", devices), 0.4, 0.1, 0.9});
    add("serving/wave_requests", 3, 0.1, 30);
    add("serving/burst_phi", 0.5, 0.2, 0.9);
    for (const char* engine : {"llama.cpp", "llama.cpp-2024"})
        factors.push_back({fmt::format("/inference/engines/rows/engine={}/cache_read_share", engine), 0.3, 0.05, 1});
    factors.push_back({"/inference/engines/rows/engine=llama.cpp/bytes_per_clock", 6, 2, 30});
    // Both call NCCL's ring where later engines have an all-reduce of their own.
    factors.push_back({"/inference/engines/rows/engine=fastertransformer/ring_hop_us", 3, 0.1, 30});
    factors.back().same = {"/inference/engines/rows/engine=megatron/ring_hop_us"};
}

/// Engines: what they add to their kernels. A negative prior: the engine's runs say nothing about it.
void addEngines(std::vector<FittedFactor>& factors)
{
    struct Row {
        const char *engine, *vendor;
        double stepMs, sequenceUs, promptLaunchUs, launchUs, firstTokenMs;
    };
    const Row rows[] = {{"deepspeed", "nv", 3, -1, -1, -1, -1},
                        {"exllama", "nv", 0.5, -1, -1, -1, -1},
                        {"fastertransformer", "nv", 1, -1, -1, -1, 10},
                        {"gpt-fast", "nv", 0.2, -1, -1, 10, -1},
                        {"llama.cpp-2024", "amd", 3, -1, -1, -1, -1},
                        {"llama.cpp-2024", "nv", 3, -1, -1, -1, -1},
                        {"llama.cpp", "nv", 1, -1, -1, -1, -1},
                        {"llama.cpp", "other", -1, -1, -1, -1, -1},
                        {"megatron", "nv", 5, -1, -1, -1, -1},
                        {"sglang", "nv", -1, -1, -1, -1, 20},
                        {"transformers", "nv", 10, -1, -1, -1, -1},
                        {"trt-llm-2023", "nv", 1, -1, -1, -1, 10},
                        {"trt-llm-2024", "nv", 1, -1, -1, -1, -1},
                        {"trt-llm", "nv", -1, -1, -1, -1, 20},
                        {"vllm-2024", "amd", 5, 100, -1, -1, -1},
                        {"vllm-2024", "nv", 2, 70, -1, -1, -1},
                        {"vllm", "amd", 1, 25, -1, -1, -1},
                        {"vllm", "nv", -1, -1, -1, -1, 20},
                        {"vllm-sync", "nv", 1.8, -1, -1, -1, 20}};
    // Asynchronous engines prepare the next step while the kernels of this one run: what is left of a step is one for
    // all of them. What is left of a sequence is Python's in two of them, where TensorRT-LLM has a runtime in C++.
    const auto ofEngine = [](const char* engine, const char* name) {
        return fmt::format("/inference/profiles/rows/engine={},vendor=nv/{}", engine, name);
    };
    factors.push_back({ofEngine("sglang", "step_ms"), 0.2, 0.01, 5});
    factors.back().same = {ofEngine("vllm", "step_ms"), ofEngine("trt-llm", "step_ms")};
    factors.push_back({ofEngine("sglang", "sequence_us"), 12, 0.5, 100});
    factors.back().same = {ofEngine("vllm", "sequence_us")};
    factors.push_back({ofEngine("trt-llm", "sequence_us"), 2, 0.2, 100});
    for (const Row& row : rows) {
        const std::string path = fmt::format("/inference/profiles/rows/engine={},vendor={}/", row.engine, row.vendor);
        // Kernels are those of the tables, whose times no engine shortens: only these run slower ones of their own.
        const std::string_view engine = row.engine;
        const bool hip = engine == "llama.cpp-2024" && std::string_view(row.vendor) == "amd";
        if (engine == "transformers" || hip)
            factors.push_back({path + "decode", 1, 1, 5});
        // Argonne's runs of llama.cpp read prompts a token a pass (llama-bench -b 1): the kernels of decode passes.
        if (hip)
            factors.back().same.push_back(path + "prefill");
        else if (engine != "llama.cpp-2024")
            factors.push_back({path + "prefill", 1, 0.5, 6});
        // On AMD the runs of `vllm` are of versions before 0.14: they speak for both names.
        const bool both = engine == "vllm" && std::string_view(row.vendor) == "amd";
        const auto shared = [&](const char* name) {
            if (both)
                factors.back().same.push_back(
                    fmt::format("/inference/profiles/rows/engine=vllm-sync,vendor=amd/{}", name));
        };
        shared("prefill");
        const auto add = [&](const char* name, double prior, double high) {
            if (prior <= 0)
                return;
            factors.push_back({path + name, prior, 0.01, high});
            shared(name);
        };
        add("step_ms", row.stepMs, 30);
        add("sequence_us", row.sequenceUs, 300);
        add("prompt_launch_us", row.promptLaunchUs, 1000);
        add("launch_us", row.launchUs, 500);
        add("first_token_ms", row.firstTokenMs, 400);
        // Current servers, with runs that tell first tokens from later ones.
        if (engine == "sglang" || engine == "trt-llm" || engine == "vllm" || engine == "vllm-sync")
            add("phi", 0.1, 0.5);
    }
}

std::optional<double> over(const std::optional<double>& predicted, const std::optional<double>& measured)
{
    if (!predicted || !measured || *predicted <= 0 || *measured <= 0)
        return std::nullopt;
    return *predicted / *measured;
}

std::optional<double> tpot(const PreparedScenario& prepared, const Evaluation& r)
{
    return over(r.tpotS, prepared.measured.tpotS);
}

std::optional<double> ttft(const PreparedScenario& prepared, const Evaluation& r)
{
    return over(r.ttftS, prepared.measured.ttftS);
}

std::optional<double> throughput(const PreparedScenario& prepared, const Evaluation& r)
{
    return over(r.tokensPerS, prepared.measured.tokensPerS);
}

bool credible(const PreparedScenario& prepared, const Evaluation& r)
{
    return runDoubt(prepared, r) == RunDoubt::None;
}

std::string classOf(const PreparedScenario& prepared)
{
    return std::string(toId(inference::makeMachine(prepared, false).residualClass));
}

/// What is left out together. A source that holds the runs of many teams, or all that is known of an engine, is left
/// out piece by piece, so that what remains still knows the engine: by model, accelerator and engine, or by that of
/// them which it varies.
std::string campaignOf(const std::string& origin, const PreparedScenario& prepared)
{
    const std::string& accelerator = prepared.accelerator->id;
    const std::string& model = prepared.model->architecture.name;
    if (origin == "aic-silicon")
        return fmt::format("{}: {} on {}, {}", origin, model, accelerator,
                           nameOf(names::inferenceSoftware, prepared.inference.software));
    if (origin == "argonne" || origin == "llamacpp-xiongjiedai" || origin == "exllamav2" || origin == "trtllm-v0.17")
        return fmt::format("{}: {}", origin, accelerator);
    if (origin == "fastertransformer" || origin == "gptfast" || origin == "qwen-a100")
        return fmt::format("{}: {}", origin, model);
    return origin;
}

void writeResiduals(CalibrationDocument& document, std::span<const HeldOutResidual> residuals, std::string_view how)
{
    for (const ResidualBandRow& row : residualBands(residuals)) {
        const std::string path = fmt::format("/inference/residuals/rows/class={}/", row.group);
        const std::string name = row.metric == "tokens_per_s" ? "throughput" : row.metric.substr(0, 4);
        // What is judged of cases without runs stays: a run that strays there is of another kind by the next release.
        if (row.group == toId(ResidualClass::Unfitted) || row.rows < 10 ||
            !document.setNumber(path + name + "_low", std::min(1.0, row.low)))
            continue;
        document.setNumber(path + name + "_high", std::max(1.0, row.high));
    }
    document.setText("/inference/residuals/source",
                     fmt::format("10th and 90th percentile of predicted over measured, {}, stretched where sources "
                                 "differ, so that a source finds its runs in the range of the others. Figures with "
                                 "fewer than ten runs in their class are judgement, as is the class of what no run "
                                 "covers; a class without a band of the throughput has what its times imply.",
                                 how));
}

} // namespace

FitTask inferenceFitTask()
{
    FitTask task;
    task.task = Task::Inference;
    addInferenceConstants(task.factors);
    addEngines(task.factors);
    // The first token waits for load generators and schedulers that no source describes: it teaches less.
    task.metrics = {{"tpot_s", 1, tpot}, {"tokens_per_s", 1, throughput}, {"ttft_s", 0.6, ttft}};
    task.group = classOf;
    task.campaign = campaignOf;
    task.leavesModelsOut = true;
    task.credible = credible;
    task.writeIntervals = writeResiduals;
    task.clip = 0.45;
    task.sourceExponent = 0.7; // sources differ more in size than training's, and the large ones are many campaigns
    task.pull = 0.0002;        // many factors, few runs each: the priors only break ties
    return task;
}

} // namespace headroom
