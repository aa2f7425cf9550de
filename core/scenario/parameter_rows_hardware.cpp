// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

template <auto Member>
using HardwareField = access::Field<&Setup::hardware, Member>;

constexpr std::array<double, 6> networkSnaps{25, 50, 100, 200, 400, 800};
constexpr std::array<double, 8> powerSnaps{100, 200, 300, 400, 500, 700, 1000, 1400};

} // namespace

std::span<const ParameterRow> hardware()
{
    static const std::array table{
        of<HardwareField<&Hardware::count>>(
            {.id = "count",
             .path = "/hardware/count",
             .label = "GPUs",
             .symbol = "G",
             .unit = "GPUs",
             .description = "Accelerators in the whole job, each counted as its maker sells it.",
             .group = ParameterGroup::Hardware,
             .minimum = 1,
             .maximum = 1048576,
             .sliderMinimum = 1,
             .sliderMaximum = 1024,
             .snaps = powersTo1024,
             .training = true,
             .inference = true,
             .everyday = true}),
        of<HardwareField<&Hardware::perNode>>(
            {.id = "per_node",
             .path = "/hardware/per_node",
             .label = "GPUs per node",
             .unit = "GPUs",
             .description =
                 "GPUs that one scale-up domain (NVLink, Infinity Fabric, ICI) or their host joins. Automatic: "
                 "what the accelerator's own domain holds; eight PCIe cards; a chip that is a computer, "
                 "alone.",
             .group = ParameterGroup::Hardware,
             .minimum = 1,
             .maximum = 16384,
             .sliderMinimum = 1,
             .sliderMaximum = 128,
             .snaps = powersTo128,
             .training = true,
             .inference = true,
             .optional = true}),
        of<HardwareField<&Hardware::hostMemoryGb>>(
            {.id = "host_memory_gb",
             .path = "/hardware/host_memory_gb",
             .label = "Memory of a host",
             .unit = "GB",
             .description = "Memory of one host, for what all its GPUs offload. Automatic: unknown; a warning says "
                            "where more is needed than four times the memory of its GPUs.",
             .group = ParameterGroup::Hardware,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Plain,
             .minimum = 1,
             .maximum = 1e6,
             .sliderMinimum = 64,
             .sliderMaximum = 4096,
             .training = true,
             .optional = true,
             // Unsloth keeps inputs of layers there (`offloads_checkpoints` of its profile).
             .applies =
                 [](const Setup& s) {
                     const TrainingWorkload& w = s.training;
                     return w.offload != Offload::None || isRl(s) || w.software == TrainingSoftware::Unsloth;
                 }}),
        of<HardwareField<&Hardware::scaleOutGbitPerS>>(
            {.id = "scale_out_gbit_per_s",
             .path = "/hardware/scale_out_gbit_per_s",
             .label = "Network per GPU",
             .unit = "Gbit/s",
             .description = "Scale-out network per GPU, one direction. Automatic: the accelerator's usual NIC, "
                            "else 100 Gbit/s with a warning.",
             .group = ParameterGroup::Hardware,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Plain,
             .minimum = 0.1,
             .maximum = 1e5,
             .sliderMinimum = 10,
             .sliderMaximum = 1600,
             .snaps = networkSnaps,
             .training = true,
             .inference = true,
             .optional = true}),
        of<HardwareField<&Hardware::powerLimitW>>(
            {.id = "power_limit_w",
             .path = "/hardware/power_limit_w",
             .label = "Power limit per GPU",
             .unit = "W",
             .description = "What each board may draw. Less than its rating lowers the clock of large matmuls and of "
                            "attention; memory keeps its speed down to two fifths. Automatic: the board's rated power.",
             .group = ParameterGroup::Hardware,
             .minimum = 10,
             .maximum = 1e5,
             .sliderMinimum = 100,
             .sliderMaximum = 1400,
             .snaps = powerSnaps,
             .training = true,
             .inference = true,
             .optional = true}),
        of<HardwareField<&Hardware::pricePerGpuHour>>(
            {.id = "price_per_gpu_hour",
             .path = "/hardware/price_per_gpu_hour",
             .label = "Price per GPU-hour",
             .unit = "per GPU-hour",
             .description =
                 "What one GPU costs per hour, in your currency. Automatic: what your price list says or, where a kind "
                 "of price is chosen, the catalogue. Cost figures stay empty where neither does.",
             .group = ParameterGroup::Hardware,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Money,
             .minimum = 0.0001,
             .maximum = 1e6,
             .sliderMinimum = 0.1,
             .sliderMaximum = 20,
             .training = true,
             .inference = true,
             .optional = true}),
    };
    return table;
}

std::span<const ParameterRow> parallelism()
{
    constexpr auto degree = [](std::string_view id, std::string_view path, std::string_view label,
                               std::string_view symbol, std::string_view description, bool everyday) {
        ParameterRow row;
        row.id = id;
        row.path = path;
        row.label = label;
        row.symbol = symbol;
        row.description = description;
        row.group = ParameterGroup::Parallelism;
        row.minimum = 1;
        row.maximum = 1048576;
        row.sliderMaximum = 64;
        row.snaps = powersTo64;
        row.training = row.inference = true;
        row.everyday = everyday;
        return row;
    };

    static const std::array table{
        of<access::Field<&Setup::parallelism, &Parallelism::tensor>>(degree(
            "tensor", "/parallelism/tensor", "Tensor parallel", "TP",
            "GPUs that split every matrix of a layer between them; they exchange activations twice a layer.", true)),
        of<access::Field<&Setup::parallelism, &Parallelism::pipeline>>(
            degree("pipeline", "/parallelism/pipeline", "Pipeline parallel", "PP",
                   "Stages that each hold a share of the layers; micro-batches flow through them.", true)),
        [&] {
            ParameterRow row = degree(
                "virtual_pipeline", "/parallelism/virtual_pipeline", "Virtual pipeline stages", "VP",
                "Pieces of the model each pipeline stage holds (interleaved schedule): a smaller bubble, more sends.",
                false);
            row.inference = false;
            row.applies = [](const Setup& s) { return s.parallelism.pipeline > 1; };
            return of<access::Field<&Setup::parallelism, &Parallelism::virtualPipeline>>(row);
        }(),
        of<access::Field<&Setup::parallelism, &Parallelism::context>>(
            degree("context", "/parallelism/context", "Context parallel", "CP",
                   "GPUs that split each sequence; keys and values travel around a ring.", false)),
        of<access::Field<&Setup::parallelism, &Parallelism::expert>>(degree(
            "expert", "/parallelism/expert", "Expert parallel", "EP",
            "Ranks over which the experts of a mixture model are divided; tokens travel to their experts.", false)),
        [&] {
            ParameterRow row = degree(
                "attention_data", "/parallelism/attention_data", "Attention data parallel", "ADP",
                "Groups that each run attention for their own sequences while the experts are spread over all of them.",
                false);
            row.training = false;
            return of<access::Field<&Setup::parallelism, &Parallelism::attentionData>>(row);
        }(),
        choice<names::sharding, &Setup::parallelism, &Parallelism::sharding>(
            {.id = "sharding",
             .path = "/parallelism/sharding",
             .label = "Sharding",
             .description =
                 "What data-parallel ranks divide instead of repeating: optimizer states (ZeRO-1), gradients too "
                 "(ZeRO-2), parameters too (FSDP, ZeRO-3). Automatic: FSDP on more than one GPU, where the software "
                 "has "
                 "it.",
             .group = ParameterGroup::Parallelism,
             .training = true,
             .everyday = true,
             .optional = true,
             .get = [](const Setup& s) { return double(placeOf(names::sharding, effectiveSharding(s))); }}),
        [&] {
            ParameterRow row = degree("replicas", "/parallelism/replicas", "Replicas", "R",
                                      "Serving: independent copies of the model. Training: groups that each hold one "
                                      "full copy of what is sharded.",
                                      false);
            row.optional = true;
            row.sliderMaximum = 1024;
            row.snaps = powersTo1024;
            row.get = [](const Setup& s) {
                return static_cast<double>(s.task == Task::Training ? shardingReplicas(s) : servingReplicas(s));
            };
            return of<access::Field<&Setup::parallelism, &Parallelism::replicas>>(row);
        }(),
        of<access::Field<&Setup::parallelism, &Parallelism::sequenceParallel>>(asToggle(
            {.id = "sequence_parallel",
             .path = "/parallelism/sequence_parallel",
             .label = "Sequence parallel",
             .description =
                 "Norms and dropouts split along the sequence within a tensor-parallel group. Automatic: on when "
                 "tensor parallel is.",
             .group = ParameterGroup::Parallelism,
             .training = true,
             .optional = true,
             .applies = [](const Setup& s) { return s.parallelism.tensor > 1; },
             .get = [](const Setup& s) { return effectiveSequenceParallel(s) ? 1.0 : 0.0; }})),
    };
    return table;
}

} // namespace headroom::rows
