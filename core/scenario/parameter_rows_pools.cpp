// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

using W = InferenceWorkload;
using P = PrefillDeployment;

bool disaggregated(const Setup& setup)
{
    return setup.inference.scheduling == Scheduling::Disaggregated;
}

template <auto... Member>
ParameterRow poolRow(ParameterRow row)
{
    row.inference = true;
    row.applies = row.applies ? row.applies : hasPrefillPool;
    return of<access::Field<&Setup::inference, Member...>>(row);
}

/// One size of an instance's layout; automatic: as in decode.
template <auto Member, auto InDecode>
ParameterRow layoutRow(std::string_view id, std::string_view path, std::string_view label, std::string_view description)
{
    return poolRow<&W::prefillPool, Member>(
        {.id = id,
         .path = path,
         .label = label,
         .unit = "GPUs",
         .description = description,
         .group = ParameterGroup::Parallelism,
         .minimum = 1,
         .maximum = 1048576,
         .sliderMaximum = 64,
         .snaps = powersTo64,
         .optional = true,
         .get = [](const Setup& s) {
             return static_cast<double>((s.inference.prefillPool.*Member).value_or(s.parallelism.*InDecode));
         }});
}

} // namespace

std::span<const ParameterRow> pools()
{
    static const std::array table{
        poolRow<&W::prefillPool, &P::count>(
            {.id = "prefill_count",
             .path = "/workload/prefill_pool/count",
             .label = "Prefill GPUs",
             .symbol = "G_p",
             .unit = "GPUs",
             .description = "GPUs that read the prompts, beside those that decode. Automatic: all GPUs share both, or, "
                            "where another key of the pool is set, as many as the decoding ones need.",
             .group = ParameterGroup::Hardware,
             .minimum = 1,
             .maximum = 1048576,
             .sliderMaximum = 1024,
             .snaps = powersTo1024,
             .optional = true,
             .applies = disaggregated,
             .get =
                 [](const Setup& s) {
                     return static_cast<double>(s.inference.prefillPool.count.value_or(s.hardware.count));
                 }}),
        poolRow<&W::prefillPool, &P::pricePerGpuHour>(
            {.id = "prefill_price_per_gpu_hour",
             .path = "/workload/prefill_pool/price_per_gpu_hour",
             .label = "Price of a prefill GPU",
             .unit = "per GPU-hour",
             .description = "What a GPU-hour of the prefill pool costs. Automatic: what your price list or the "
                            "catalogue says of its accelerator, else as a decoding one's.",
             .group = ParameterGroup::Hardware,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Money,
             .minimum = 1e-4,
             .maximum = 1e6,
             .sliderMinimum = 0.1,
             .sliderMaximum = 20,
             .optional = true,
             .get =
                 [](const Setup& s) {
                     return s.inference.prefillPool.pricePerGpuHour.value_or(s.hardware.pricePerGpuHour.value_or(0));
                 }}),
        poolRow<&W::prefillPool, &P::batch>(
            {.id = "prefill_batch",
             .path = "/workload/prefill_pool/batch",
             .label = "Prompts read together",
             .unit = "prompts",
             .description = "Prompts that an instance of the prefill pool reads in one pass. Automatic: one on each "
                            "attention-data rank; short prompts share passes where they queue.",
             .group = ParameterGroup::Workload,
             .minimum = 1,
             .maximum = 65536,
             .sliderMaximum = 64,
             .snaps = powersTo64,
             .optional = true,
             .get =
                 [](const Setup& s) {
                     const auto ranks = prefillLayout(s).attentionData;
                     return static_cast<double>(s.inference.prefillPool.batch.value_or(ranks));
                 }}),
        layoutRow<&P::tensor, &Parallelism::tensor>(
            "prefill_tensor", "/workload/prefill_pool/parallelism/tensor", "Tensor parallel, prefill",
            "GPUs of a prefill instance that split every matrix. Automatic: as in decode."),
        layoutRow<&P::pipeline, &Parallelism::pipeline>(
            "prefill_pipeline", "/workload/prefill_pool/parallelism/pipeline", "Pipeline stages, prefill",
            "Stages of a prefill instance that each hold a share of the layers. Automatic: as in decode."),
        layoutRow<&P::context, &Parallelism::context>(
            "prefill_context", "/workload/prefill_pool/parallelism/context", "Context parallel, prefill",
            "GPUs of a prefill instance that share each prompt. Automatic: as in decode."),
        layoutRow<&P::expert, &Parallelism::expert>(
            "prefill_expert", "/workload/prefill_pool/parallelism/expert", "Expert parallel, prefill",
            "GPUs of a prefill instance that the experts are divided over. Automatic: as in decode."),
        layoutRow<&P::attentionData, &Parallelism::attentionData>(
            "prefill_attention_data", "/workload/prefill_pool/parallelism/attention_data", "Attention data, prefill",
            "Copies of the attention in a prefill instance that meet in the experts. Automatic: as in decode."),
        poolRow<&W::transferGbitPerS>({.id = "transfer_gbit_per_s",
                                       .path = "/workload/kv_transfer/gbit_per_s",
                                       .label = "Cache transfer",
                                       .unit = "Gbit/s",
                                       .description =
                                           "Sustained rate from an instance that prefills to one that decodes, all "
                                           "their links together. Automatic: three quarters of the network's.",
                                       .group = ParameterGroup::Hardware,
                                       .kind = ParameterKind::Real,
                                       .format = ValueFormat::Plain,
                                       .minimum = 1e-3,
                                       .maximum = 1e7,
                                       .sliderMinimum = 10,
                                       .sliderMaximum = 10000,
                                       .optional = true}),
        poolRow<&W::transferOverlap>(
            asReal({.id = "transfer_overlap",
                    .path = "/workload/kv_transfer/overlap",
                    .label = "Transfer overlap",
                    .description = "Share of the cache's transfer that hides behind prefill: layers that are read "
                                   "already travel while the next ones are.",
                    .group = ParameterGroup::Hardware,
                    .format = ValueFormat::Percent},
                   0, 1, 0, 1)),
        poolRow<&W::transferStartS>({.id = "transfer_start_s",
                                     .path = "/workload/kv_transfer/start_s",
                                     .label = "Transfer start",
                                     .description = "Time before the first byte of a prompt's cache moves.",
                                     .group = ParameterGroup::Hardware,
                                     .kind = ParameterKind::Real,
                                     .scale = ParameterScale::Linear,
                                     .format = ValueFormat::Seconds,
                                     .minimum = 0,
                                     .maximum = 10,
                                     .sliderMinimum = 0,
                                     .sliderMaximum = 0.01}),
    };
    return table;
}

} // namespace headroom::rows
