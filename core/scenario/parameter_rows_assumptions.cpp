// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

constexpr std::array<ParameterChoice, 6> flashAttentions{
    {{"false", "off"}, {"true", "on"}, {"1", "version 1"}, {"2", "version 2"}, {"3", "version 3"}, {"cudnn", "cuDNN"}}};

template <auto Member>
ParameterRow multiplier(std::string_view id, std::string_view path, std::string_view label,
                        std::string_view description)
{
    return of<access::Field<&Setup::efficiency, Member>>(asReal({.id = id,
                                                                 .path = path,
                                                                 .label = label,
                                                                 .unit = "×",
                                                                 .description = description,
                                                                 .group = ParameterGroup::Assumptions,
                                                                 .format = ValueFormat::Plain,
                                                                 .training = true,
                                                                 .inference = true},
                                                                1e-3, 1e3, 0.25, 2));
}

template <auto Member>
ParameterRow measurement(std::string_view id, std::string_view path, std::string_view label, std::string_view unit,
                         std::string_view description, ValueFormat format, double sliderMinimum, double sliderMaximum,
                         bool training, bool inference)
{
    ParameterRow row{.id = id,
                     .path = path,
                     .label = label,
                     .unit = unit,
                     .description = description,
                     .group = ParameterGroup::Measured,
                     .kind = ParameterKind::Real,
                     .format = format,
                     .minimum = 1e-12,
                     .maximum = 1e18,
                     .sliderMinimum = sliderMinimum,
                     .sliderMaximum = sliderMaximum,
                     .training = training,
                     .inference = inference,
                     .optional = true};
    if (format == ValueFormat::Bytes)
        row.minimum = 1;
    if (format == ValueFormat::Percent)
        row.maximum = 2; // published figures over 100 % exist (unhalved attention); twice the peak does not
    return of<access::Field<&Setup::measured, Member>>(row);
}

} // namespace

std::span<const ParameterRow> assumptions()
{
    using Flash = access::TaskField<&TrainingWorkload::flashAttention, &InferenceWorkload::flashAttention>;
    using Imbalance = access::TaskField<&TrainingWorkload::expertImbalance, &InferenceWorkload::expertImbalance>;
    static const std::array table{
        of<Flash>(withChoices(
            {.id = "flash_attention",
             .path = "/workload/flash_attention",
             .label = "FlashAttention",
             .description =
                 "Tiled attention that never writes the s×s scores to memory. Off: they are written and read. cuDNN: "
                 "the fused attention that Transformer Engine calls.",
             .group = ParameterGroup::Memory,
             .training = true,
             .inference = true,
             .everyday = true},
            flashAttentions)),
        of<Imbalance>(asReal({.id = "expert_imbalance",
                              .path = "/workload/expert_imbalance",
                              .label = "Expert imbalance",
                              .unit = "×",
                              .description = "Load of the busiest expert group over the mean; 1 is even routing.",
                              .group = ParameterGroup::Assumptions,
                              .format = ValueFormat::Plain,
                              .training = true,
                              .inference = true},
                             1, 1000, 1, 4)),
        choice<names::conventions, &Setup::accounting>(
            {.id = "accounting",
             .path = "/accounting",
             .label = "FLOP convention",
             .description = "How model FLOP are counted for MFU and HFU. The same run reads several points apart.",
             .group = ParameterGroup::Assumptions,
             .training = true,
             .inference = true,
             .everyday = true}),
        choice<names::efficiencyBases, &Setup::efficiency, &Efficiency::base>(
            {.id = "efficiency",
             .path = "/efficiency",
             .label = "Efficiency",
             .description = "Expected: calibrated on published runs. Speed of light: every kernel at "
                            "its peak, all communication hidden where it can be.",
             .group = ParameterGroup::Assumptions,
             .training = true,
             .inference = true,
             .everyday = true}),
        multiplier<&Efficiency::matmul>("efficiency_matmul", "/efficiency/matmul", "Matmul efficiency",
                                        "Multiplier on the calibrated matmul efficiency."),
        multiplier<&Efficiency::attention>("efficiency_attention", "/efficiency/attention", "Attention efficiency",
                                           "Multiplier on the calibrated attention efficiency."),
        multiplier<&Efficiency::memoryBandwidth>("efficiency_memory_bandwidth", "/efficiency/memory_bandwidth",
                                                 "Memory efficiency",
                                                 "Multiplier on the calibrated share of the memory bandwidth."),
        multiplier<&Efficiency::scaleUp>("efficiency_scale_up", "/efficiency/scale_up", "Scale-up efficiency",
                                         "Multiplier on the calibrated share of the scale-up link."),
        multiplier<&Efficiency::scaleOut>("efficiency_scale_out", "/efficiency/scale_out", "Scale-out efficiency",
                                          "Multiplier on the calibrated share of the network."),
        multiplier<&Efficiency::host>("efficiency_host", "/efficiency/host", "Host time",
                                      "Multiplier on the time the host needs; above 1 is slower."),
        multiplier<&Efficiency::prefill>("efficiency_prefill", "/efficiency/prefill", "Prefill efficiency",
                                         "Multiplier on the speed of prefill passes."),
        multiplier<&Efficiency::decode>("efficiency_decode", "/efficiency/decode", "Decode efficiency",
                                        "Multiplier on the speed of decode passes."),
    };
    return table;
}

std::span<const ParameterRow> measured()
{
    using F = ValueFormat;
    static const std::array table{
        measurement<&Measured::stepTimeS>("measured_step_time_s", "/measured/step_time_s", "Measured step time", "",
                                          "Seconds per optimizer step that you measured.", F::Seconds, 0.01, 1000, true,
                                          false),
        measurement<&Measured::tokensPerS>(
            "measured_tokens_per_s", "/measured/tokens_per_s", "Measured tokens/s", "tokens/s",
            "Training: processed by the whole job. Serving: output tokens over all GPUs.", F::Plain, 1, 1e7, true,
            true),
        measurement<&Measured::tokensPerSPerGpu>("measured_tokens_per_s_per_gpu", "/measured/tokens_per_s_per_gpu",
                                                 "Measured tokens/s/GPU", "tokens/s",
                                                 "Tokens one GPU processed per second.", F::Plain, 1, 1e6, true, false),
        measurement<&Measured::modelTflopsPerGpu>(
            "measured_model_tflops_per_gpu", "/measured/model_tflops_per_gpu", "Measured model TFLOP/s", "TFLOP/s/GPU",
            "Model FLOP per second and GPU as published.", F::Plain, 1, 1e4, true, false),
        measurement<&Measured::hardwareTflopsPerGpu>(
            "measured_hardware_tflops_per_gpu", "/measured/hardware_tflops_per_gpu", "Measured hardware TFLOP/s",
            "TFLOP/s/GPU", "The same with recomputation counted.", F::Plain, 1, 1e4, true, false),
        measurement<&Measured::mfu>("measured_mfu", "/measured/mfu", "Published MFU", "", "MFU as published.",
                                    F::Percent, 0.001, 1, true, false),
        measurement<&Measured::hfu>("measured_hfu", "/measured/hfu", "Published HFU", "", "HFU as published.",
                                    F::Percent, 0.001, 1, true, false),
        measurement<&Measured::peakTflops>("measured_peak_tflops", "/measured/peak_tflops", "Peak the source used",
                                           "TFLOP/s",
                                           "The denominator of the published figure, where it is not the catalogue's.",
                                           F::Plain, 10, 10000, true, true),
        measurement<&Measured::tpotS>("measured_tpot_s", "/measured/tpot_s", "Measured TPOT", "",
                                      "Mean seconds per output token after the first.", F::Seconds, 0.001, 1, false,
                                      true),
        measurement<&Measured::ttftS>("measured_ttft_s", "/measured/ttft_s", "Measured TTFT", "",
                                      "Mean seconds from request to first token.", F::Seconds, 0.001, 100, false, true),
        measurement<&Measured::achievedBandwidthGbPerS>(
            "measured_achieved_bandwidth_gb_per_s", "/measured/achieved_bandwidth_gb_per_s", "Achieved bandwidth",
            "GB/s", "Bandwidth per GPU as published.", F::Plain, 10, 10000, false, true),
        measurement<&Measured::mbu>("measured_mbu", "/measured/mbu", "Published MBU", "", "MBU as published.",
                                    F::Percent, 0.001, 1, false, true),
        measurement<&Measured::peakMemoryBytes>("measured_peak_memory_bytes", "/measured/peak_memory_bytes",
                                                "Measured peak memory", "", "Peak memory of the fullest GPU.", F::Bytes,
                                                1e9, 1e12, true, true),
    };
    return table;
}

} // namespace headroom::rows
