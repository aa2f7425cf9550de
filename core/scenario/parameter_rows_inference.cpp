// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

template <auto Member>
using InferenceField = access::Field<&Setup::inference, Member>;

constexpr std::array<double, 3> latencySnaps{0.01, 0.03, 0.1};

ParameterRow tokens(std::string_view id, std::string_view path, std::string_view label, std::string_view description)
{
    return {.id = id,
            .path = path,
            .label = label,
            .unit = "tokens",
            .description = description,
            .group = ParameterGroup::Workload,
            .minimum = 1,
            .maximum = 16777216,
            .sliderMinimum = 64,
            .sliderMaximum = 131072,
            .snaps = tokenSnaps,
            .inference = true};
}

ParameterRow latencyTarget(std::string_view id, std::string_view path, std::string_view label,
                           std::string_view description)
{
    return {.id = id,
            .path = path,
            .label = label,
            .description = description,
            .group = ParameterGroup::Load,
            .kind = ParameterKind::Real,
            .format = ValueFormat::Seconds,
            .minimum = 1e-6,
            .maximum = 1e6,
            .sliderMinimum = 0.001,
            .sliderMaximum = 10,
            .snaps = latencySnaps,
            .inference = true,
            .optional = true};
}

} // namespace

std::span<const ParameterRow> inference()
{
    static const std::array table{
        of<InferenceField<&InferenceWorkload::batch>>(
            {.id = "batch",
             .path = "/workload/batch",
             .label = "Batch",
             .symbol = "B",
             .unit = "sequences",
             .description = "Sequences that one replica decodes together; under a load the most.",
             .group = ParameterGroup::Workload,
             .minimum = 1,
             .maximum = 1048576,
             .sliderMaximum = 1024,
             .snaps = powersTo1024,
             .inference = true,
             .everyday = true,
             .set =
                 [](Setup& s, double v) {
                     s.inference.batch = std::llround(v);
                     s.inference.batchMax = false; // a number replaces "max"
                 },
             .overruled = [](const Setup& s) { return s.inference.batchMax; }}),
        of<InferenceField<&InferenceWorkload::batchMax>>(
            asToggle({.id = "batch_max",
                      .path = "/workload/batch",
                      .label = "As many as fit",
                      .description = "Batch \"max\": as many sequences as the memory holds, at most 2048.",
                      .group = ParameterGroup::Workload,
                      .inference = true})),
        [] {
            ParameterRow row =
                tokens("prompt_tokens", "/workload/prompt_tokens", "Prompt", "Mean prompt tokens per request.");
            row.everyday = true;
            row.set = [](Setup& s, double v) {
                s.inference.promptTokens = std::llround(v);
                s.inference.mix.reset(); // its means are what it says
            };
            return of<InferenceField<&InferenceWorkload::promptTokens>>(row);
        }(),
        [] {
            ParameterRow row =
                tokens("output_tokens", "/workload/output_tokens", "Output", "Mean generated tokens per request.");
            row.everyday = true;
            row.set = [](Setup& s, double v) {
                s.inference.outputTokens = std::llround(v);
                s.inference.mix.reset();
            };
            row.sliderMinimum = 1;
            return of<InferenceField<&InferenceWorkload::outputTokens>>(row);
        }(),
        [] {
            ParameterRow row = tokens("prompt_tokens_p95", "/workload/prompt_tokens_p95", "Prompt, 95th percentile",
                                      "How far prompt lengths spread.");
            row.optional = true;
            return of<InferenceField<&InferenceWorkload::promptTokensP95>>(row);
        }(),
        [] {
            ParameterRow row = tokens("output_tokens_p95", "/workload/output_tokens_p95", "Output, 95th percentile",
                                      "How far output lengths spread.");
            row.optional = true;
            return of<InferenceField<&InferenceWorkload::outputTokensP95>>(row);
        }(),
        [] {
            ParameterRow row = tokens("prefix_cached_tokens", "/workload/prefix_cached_tokens", "Cached prefix",
                                      "Prompt tokens whose keys and values are already in the cache.");
            row.kind = ParameterKind::Integer;
            row.scale = ParameterScale::Linear;
            row.minimum = row.sliderMinimum = 0;
            row.sliderMaximum = 32768;
            row.set = [](Setup& s, double v) {
                s.inference.prefixCachedTokens = std::llround(v);
                s.inference.prefixHitRate.reset(); // one of the two says it
            };
            return of<InferenceField<&InferenceWorkload::prefixCachedTokens>>(row);
        }(),
        choice<names::weightPrecisions, &Setup::inference, &InferenceWorkload::weights>(
            {.id = "weights",
             .path = "/workload/weights",
             .label = "Weights",
             .description = "Number format the weights are stored in: what a decode step must read.",
             .group = ParameterGroup::Precision,
             .inference = true,
             .everyday = true}),
        of<InferenceField<&InferenceWorkload::weightBits>>(asReal(
            {.id = "weight_bits",
             .path = "/workload/weight_bits",
             .label = "Bits per weight",
             .unit = "bits",
             .description = "Bits per stored weight with scales (GGUF, EXL2, "
                            "GPTQ); overrides the size, not the kind.",
             .group = ParameterGroup::Precision,
             .format = ValueFormat::Plain,
             .inference = true,
             .optional = true,
             .get =
                 [](const Setup& s) { return s.inference.weightBits.value_or(8 * storedBytes(s.inference.weights)); }},
            0.5, 64, 1, 16)),
        choice<names::computePrecisions, &Setup::inference, &InferenceWorkload::compute>(
            {.id = "compute",
             .path = "/workload/compute",
             .label = "Matmul precision",
             .description = "Number format of the matmuls. Automatic: that of the weights where "
                            "the GPU has it, else bf16.",
             .group = ParameterGroup::Precision,
             .inference = true,
             .optional = true,
             .decidedElsewhere = true,
             .get =
                 [](const Setup& s) {
                     return double(placeOf(names::computePrecisions, s.inference.compute.value_or(DataType::Bf16)));
                 }}),
        choice<names::cachePrecisions, &Setup::inference, &InferenceWorkload::kvCache>(
            {.id = "kv_cache",
             .path = "/workload/kv_cache",
             .label = "KV cache",
             .description = "Number format of the cached keys and values.",
             .group = ParameterGroup::Precision,
             .inference = true,
             .everyday = true}),
        of<InferenceField<&InferenceWorkload::memoryUtilization>>(asReal(
            {.id = "memory_utilization",
             .path = "/workload/memory_utilization",
             .label = "Memory the engine may fill",
             .description = "Share of device memory the engine may fill; SGLang's is of weights and cache alone. "
                            "Automatic: the engine's own rule, else 90 %.",
             .group = ParameterGroup::Memory,
             .format = ValueFormat::Percent,
             .inference = true,
             .optional = true,
             .decidedElsewhere = true,
             .get = [](const Setup& s) { return s.inference.memoryUtilization.value_or(0.9); }},
            0.01, 1, 0.5, 1)),
        of<InferenceField<&InferenceWorkload::requestsPerS>>(
            {.id = "requests_per_s",
             .path = "/workload/requests_per_s",
             .label = "Offered load",
             .symbol = "λ",
             .unit = "requests/s",
             .description = "Requests per second on all replicas: decides how many sequences are in flight, and with "
                            "them latency, cost and waiting.",
             .group = ParameterGroup::Load,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Plain,
             .minimum = 1e-6,
             .maximum = 1e9,
             .sliderMinimum = 0.01,
             .sliderMaximum = 1000,
             .inference = true,
             .optional = true}),
        of<InferenceField<&InferenceWorkload::ttftTargetS>>(
            latencyTarget("ttft_target_s", "/workload/latency_targets/ttft_s", "TTFT target",
                          "Longest time to first token you accept.")),
        of<InferenceField<&InferenceWorkload::tpotTargetS>>(
            latencyTarget("tpot_target_s", "/workload/latency_targets/tpot_s", "TPOT target",
                          "Longest time per output token you accept; people read about 5.5 tokens a second (180 ms).")),
        choice<names::scheduling, &Setup::inference, &InferenceWorkload::scheduling>(
            {.id = "scheduling",
             .path = "/workload/scheduling",
             .label = "Scheduling",
             .description = "Static: prefilled and decoded together. Continuous: requests join and "
                            "leave. Disaggregated: prefill runs elsewhere.",
             .group = ParameterGroup::Software,
             .inference = true}),
        choice<names::arrival, &Setup::inference, &InferenceWorkload::arrival>(
            {.id = "arrival",
             .path = "/workload/arrival",
             .label = "Arrival",
             .description = "Whether requests come evenly or in waves of equal requests.",
             .group = ParameterGroup::Load,
             .inference = true,
             .optional = true}),
        choice<names::inferenceSoftware, &Setup::inference, &InferenceWorkload::software>(
            {.id = "engine",
             .path = "/workload/software",
             .label = "Serving engine",
             .description = "Software whose overheads the prediction assumes, as fitted to its published runs where "
                            "there are any.",
             .group = ParameterGroup::Software,
             .inference = true,
             .everyday = true}),
        of<InferenceField<&InferenceWorkload::admissionWait>>(
            asReal({.id = "admission_wait",
                    .path = "/workload/admission_wait",
                    .label = "Wait for admission",
                    .unit = "passes",
                    .description =
                        "Passes that the engine lets go by before it takes a request, in the mean: half of SGLang's "
                        "scheduler-recv-interval, or TensorRT-LLM's batch_wait_timeout_iters. Automatic: half a "
                        "pass.",
                    .group = ParameterGroup::Software,
                    .format = ValueFormat::Plain,
                    .inference = true,
                    .optional = true,
                    .applies = [](const Setup& s) { return s.inference.scheduling == Scheduling::Continuous; },
                    .get = [](const Setup& s) { return s.inference.admissionWait.value_or(0.5); }},
                   0, 1000, 0, 50)),
        of<InferenceField<&InferenceWorkload::asyncScheduling>>(asToggle(
            {.id = "async_scheduling",
             .path = "/workload/async_scheduling",
             .label = "Asynchronous scheduling",
             .description = "Whether vLLM plans the next step while the kernels of this one run. Automatic: from 0.14 "
                            "on.",
             .group = ParameterGroup::Software,
             .inference = true,
             .optional = true,
             .applies = [](const Setup& s) { return schedulesEitherWay(s.inference); },
             .get =
                 [](const Setup& s) {
                     return s.inference.asyncScheduling.value_or(effectiveSoftware(s.inference) ==
                                                                 InferenceSoftware::Vllm)
                                ? 1.0
                                : 0.0;
                 }})),
    };
    return table;
}

} // namespace headroom::rows
