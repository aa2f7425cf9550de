// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf_quantization.hpp"
#include "core/predict/inference/inference_machine.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headroom::inference
{
namespace
{

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// What `native` means for this model: its quantization block, else its 16-bit type.
DataType nativeWeights(const ModelArchitecture& model) noexcept
{
    const DataType plain = contains(model.dataType, "float32") ? DataType::Fp32
                           : model.dataType == "float16"       ? DataType::Fp16
                                                               : DataType::Bf16;
    if (!model.quantization)
        return plain;
    const Quantization& q = *model.quantization;
    if (q.algorithm == fp4Experts) // what the rest is stored in
        return DataType::Fp8;
    const auto says = [&](std::string_view word) {
        return contains(q.method, word) || contains(q.format, word) || contains(q.algorithm, word);
    };
    if (q.method == "bitsandbytes") // its "fp4" is a table of 16 values, not the format of tensor cores
        return q.bits > 4 ? DataType::Int8 : DataType::Int4;
    if (says("mxfp4") || says("MXFP4"))
        return DataType::Mxfp4;
    if (says("nvfp4") || says("NVFP4") || says("fp4"))
        return DataType::Fp4;
    if (says("fp8") || says("FP8") || says("e4m3") || says("float-quantized"))
        return DataType::Fp8;
    if (q.bits > 0 && q.bits < 6)
        return DataType::Int4;
    return q.bits > 0 && q.bits <= 8 ? DataType::Int8 : plain;
}

/// The next wider precision for matmuls.
DataType wider(DataType type)
{
    switch (type) {
    case DataType::Int4:
        return DataType::Int8;
    case DataType::Fp4:
    case DataType::Mxfp4:
        return DataType::Fp8;
    case DataType::Fp8:
    case DataType::Mxfp8:
    case DataType::Int8:
        return DataType::Bf16;
    case DataType::Bf16:
    case DataType::Fp16:
    case DataType::Tf32:
        return DataType::Fp32;
    default:
        return DataType::Bf16;
    }
}

/// Matmul precision where the scenario leaves it to the weights. 4-bit integer checkpoints (AWQ, GPTQ, GGUF, EXL2)
/// are weight-only in every engine, also on devices that have 4-bit integer units; of others the checkpoint says it.
/// Nobody multiplies what he stores in 8 bits where that is slower than 16: Blackwell Ultra's INT8 units are a
/// fifteenth of its 16-bit ones, and vLLM has no INT8 kernels from SM100 on (vllm-project/vllm pull request 25935).
DataType defaultCompute(DataType weights, bool weightOnly, const Accelerator& accelerator) noexcept
{
    const double own = accelerator.peakFlops(weights);
    const bool slow = storedBytes(weights) < 2 && own < accelerator.peakFlops(DataType::Bf16);
    if (!weightOnly && weights != DataType::Int4 && own > 0 && !slow)
        return weights;
    const bool sixteen = accelerator.peakFlops(DataType::Bf16) > 0;
    if (isFourBit(weights) && !sixteen && accelerator.peakFlops(DataType::Int8) > 0)
        return DataType::Int8; // a device whose only fast matmul is 8 bit
    return weights == DataType::Fp32 ? DataType::Fp32 : DataType::Bf16;
}

/// What a checkpoint says of itself beyond its format.
void addCheckpoint(const ModelArchitecture& model, Precisions& p) noexcept
{
    if (!model.quantization)
        return;
    const Quantization& q = *model.quantization;
    p.smallExperts = q.algorithm == fp4Experts;
    const double bits = storedBitsPerWeight(q);
    const bool fewer = p.weights != DataType::Bf16 && p.weights != DataType::Fp16 && p.weights != DataType::Fp32;
    p.unknown = bits <= 0 && !fewer;
    if (bits > 0 && fewer && !p.smallExperts)
        p.bytes = bits / 8;
    p.mixerBytes = q.attentionBits / 8;
    p.denseBytes = q.denseBits / 8;
    p.expertBytes = p.smallExperts ? storedBytes(DataType::Mxfp4) : q.expertBits / 8;
    p.embedBytes = q.embedBits / 8;
    p.headBytes = model.tied ? p.embedBytes : q.headBits / 8;
    p.wideMixer = !q.attention;
    p.wideDense = !q.dense;
    p.wideExperts = !q.experts;
}

} // namespace

Precisions resolvePrecisions(const InferenceWorkload& workload, const ModelArchitecture& model,
                             const Accelerator& accelerator, const EngineTraits& engine) noexcept
{
    Precisions p;
    const bool native = workload.weights == DataType::Native;
    p.weights = native ? nativeWeights(model) : workload.weights;
    p.bytes = storedBytes(p.weights);
    if (native)
        addCheckpoint(model, p);
    else // 4-bit checkpoints of mixtures keep attention in 16 bit (NVFP4, MXFP4, Kimi's INT4); GPTQ's and AWQ's do not
        p.wideMixer = isFourBit(p.weights) && model.moe.experts > 0 &&
                      (p.weights != DataType::Int4 || model.attention.kind == AttentionKind::Mla);
    const bool weightOnly = native && model.quantization && model.quantization->weightOnly;
    p.compute = workload.compute.value_or(defaultCompute(p.weights, weightOnly, accelerator));
    for (int step = 0; step < 3 && accelerator.peakFlops(p.compute) <= 0; ++step) {
        p.unavailable = p.unavailable || workload.compute.has_value() || p.compute == DataType::Fp32;
        p.compute = wider(p.compute);
    }
    const bool blocks = model.quantization && !model.quantization->block.empty();
    p.blockScales = p.weights == DataType::Fp8 && (engine.blockScales || blocks) && !isFourBit(p.compute);
    return p;
}

WeightKind weightKind(const Precisions& p) noexcept
{
    const auto eight = [](DataType t) { return t == DataType::Fp8 || t == DataType::Mxfp8 || t == DataType::Int8; };
    if (isFourBit(p.compute))
        return WeightKind::Bits4;
    if (eight(p.compute))
        return isFourBit(p.weights) ? WeightKind::Only4 : p.blockScales ? WeightKind::Bits8Block : WeightKind::Bits8;
    if (isFourBit(p.weights))
        return WeightKind::Only4;
    return eight(p.weights) ? WeightKind::Only8 : WeightKind::Bits16;
}

double unitCut(const Accelerator& accelerator, double fullFlops, double peak16) noexcept
{
    const double clock = (accelerator.boostClockMhz > 0 ? accelerator.boostClockMhz : accelerator.peakClockMhz) * 1e6;
    const double rated = accelerator.matrix16FlopPerClockPerUnit;
    const double own = rated > 0 ? rated : peak16 / std::max(accelerator.computeUnits * clock, 1.0);
    return own > 0 ? fullFlops / own : 1;
}

bool hasGpuCores(const Accelerator& accelerator) noexcept
{
    const std::string& maker = accelerator.vendor;
    return maker != "Google" && maker != "AWS" && maker != "Huawei" && !accelerator.architecture.starts_with("Gaudi");
}

double wholeTiles(const ModelArchitecture& model, const EngineTraits& engine, double split) noexcept
{
    const auto filled = [](double size, double tile) {
        return size > 0 && tile > 0 ? std::ceil(size / tile) * tile / size : 1;
    };
    return filled(static_cast<double>(model.moe.latent > 0 ? model.moe.latent : model.hidden), engine.tileHidden) *
           filled(static_cast<double>(model.moe.ffn) / split, engine.tileFfn);
}

} // namespace headroom::inference
