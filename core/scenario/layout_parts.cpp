// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/layout_parts.hpp"

#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/say.hpp"

#include <array>

namespace headroom
{
namespace
{

struct PartName {
    std::string_view parameter;
    std::string_view words;
};

/// In the order of LayoutPart.
constexpr std::array<PartName, layoutPartCount> partNames{{{"tensor", phrase("tensor parallelism")},
                                                           {"pipeline", phrase("pipeline stages")},
                                                           {"virtual_pipeline", phrase("interleaved pipelines")},
                                                           {"context", phrase("context parallelism")},
                                                           {"expert", phrase("expert parallelism")},
                                                           {"attention_data", phrase("data-parallel attention")},
                                                           {"sharding", "ZeRO-1"},
                                                           {"sharding", "ZeRO-2"},
                                                           {"sharding", "FSDP"}}};

/// What is named here is known to be missing; of the rest nobody is warned.
LayoutParts missingOf(TrainingSoftware software, bool pipelined) noexcept
{
    using enum LayoutPart;
    switch (software) {
    case TrainingSoftware::TorchDdp: // a whole model a rank; ZeroRedundancyOptimizer divides its states
        return {Tensor, Pipeline, Interleaving, Context, Expert, Zero2, Fsdp};
    case TrainingSoftware::Megatron2021: // arXiv:2104.04473 has tensor, pipeline and data parallelism
        return {Context, Expert};
    case TrainingSoftware::Composer: // ParallelismConfig: FSDP and tensor parallelism
        return {Pipeline, Interleaving};
    case TrainingSoftware::DeepSpeed: // TrainSchedule is 1F1B; PipelineEngine (deepspeed/runtime/pipe/engine.py):
                                      // "ZeRO-2 and ZeRO-3 are incompatible with pipeline parallelism"
        return pipelined ? LayoutParts{Interleaving, Zero2, Fsdp} : LayoutParts{Interleaving};
    case TrainingSoftware::Transformers: // Trainer: tensor and context by Accelerate, no pipelines
        return {Pipeline, Interleaving};
    case TrainingSoftware::Unsloth: // DDP, and FSDP by Accelerate ("Multi-GPU Fine-tuning with Unsloth")
    case TrainingSoftware::LitGpt:  // litgpt/pretrain.py: FSDPStrategy
        return {Tensor, Pipeline, Interleaving, Context, Expert};
    case TrainingSoftware::Nanotron: // its README: ZeRO-3 and interleaved 1F1B are on the roadmap
        return {Interleaving, Zero2, Fsdp};
    default:
        return {};
    }
}

LayoutParts missingOf(InferenceSoftware software) noexcept
{
    using enum LayoutPart;
    switch (software) {
    case InferenceSoftware::LlamaCpp: // --split-mode: none, layer, row
    case InferenceSoftware::LlamaCpp2024:
    case InferenceSoftware::Exllama:
    case InferenceSoftware::Mlc: // tensor_parallel_shards, pipeline_parallel_stages
        return {Context, Expert, AttentionData};
    case InferenceSoftware::GptFast: // tp.py
    case InferenceSoftware::Tgi:     // --num-shard
        return {Pipeline, Context, Expert, AttentionData};
    case InferenceSoftware::Vllm2024: // --enable-expert-parallel and --data-parallel-size came in 2025
        return {Context, Expert, AttentionData};
    case InferenceSoftware::TrtLlm2023:
    case InferenceSoftware::FasterTransformer:
    case InferenceSoftware::DeepSpeed:
    case InferenceSoftware::Megatron:
    case InferenceSoftware::Transformers:
        return {Context, AttentionData};
    case InferenceSoftware::TrtLlm2024: // enable_attention_dp came with the PyTorch backend of 2025
        return {AttentionData};
    default:
        return {};
    }
}

/// What a layout is made of; sharding counts where there are ranks to divide among.
LayoutParts partsOf(const Setup& setup) noexcept
{
    const Parallelism& p = setup.parallelism;
    LayoutParts parts;
    const auto addIf = [&](bool there, LayoutPart part) {
        if (there)
            parts.add(part);
    };
    addIf(p.tensor > 1, LayoutPart::Tensor);
    addIf(p.pipeline > 1, LayoutPart::Pipeline);
    addIf(p.context > 1, LayoutPart::Context);
    addIf(p.expert > 1, LayoutPart::Expert);
    if (setup.task == Task::Inference) {
        addIf(p.attentionData > 1, LayoutPart::AttentionData);
        return parts;
    }
    addIf(p.pipeline > 1 && p.virtualPipeline > 1, LayoutPart::Interleaving);
    if (dataParallelRanks(setup) * p.context <= shardingReplicas(setup))
        return parts;
    const Sharding sharding = effectiveSharding(setup);
    addIf(sharding == Sharding::Zero1, LayoutPart::Zero1);
    addIf(sharding == Sharding::Zero2, LayoutPart::Zero2);
    addIf(sharding == Sharding::Fsdp, LayoutPart::Fsdp);
    return parts;
}

} // namespace

LayoutParts missingParts(const Setup& setup, std::int64_t pipeline) noexcept
{
    return setup.task == Task::Training ? missingOf(setup.training.software, pipeline > 1)
                                        : missingOf(effectiveSoftware(setup.inference));
}

LayoutParts lackedParts(const Setup& setup) noexcept
{
    const LayoutParts missing = missingParts(setup, setup.parallelism.pipeline);
    return missing.any() ? missing.both(partsOf(setup)) : missing;
}

bool pipelinesRefuseSharding(const Setup& setup) noexcept
{
    return lackedParts(setup).without(missingParts(setup, 1)).any();
}

std::string_view parameterOf(LayoutPart part) noexcept
{
    return partNames[static_cast<std::size_t>(part)].parameter;
}

std::string partsText(LayoutParts parts)
{
    std::string text;
    for (std::size_t i = 0; i < layoutPartCount; ++i)
        if (parts.has(static_cast<LayoutPart>(i)))
            text.append(text.empty() ? "" : ", ").append(say(partNames[i].words));
    return text;
}

std::string softwareName(const Setup& setup)
{
    const auto name = [](const auto& names, auto value) {
        const auto& row = names[placeOf(names, value)];
        return said(row.label.empty() ? row.id : row.label);
    };
    return setup.task == Task::Training ? name(names::trainingSoftware, setup.training.software)
                                        : name(names::inferenceSoftware, effectiveSoftware(setup.inference));
}

} // namespace headroom
