// SPDX-License-Identifier: GPL-3.0-or-later
// Whose residuals an interval of serving takes (docs/method/fit.md).
#include "core/predict/inference/inference_machine.hpp"

namespace headroom::inference
{

VendorGroup vendorGroup(const Accelerator& a) noexcept
{
    return a.vendor == "NVIDIA" ? VendorGroup::Nvidia : a.vendor == "AMD" ? VendorGroup::Amd : VendorGroup::Other;
}

ResidualClass residualClassOf(const PreparedScenario& prepared, InferenceSoftware s, const Machine& m) noexcept
{
    using enum InferenceSoftware;
    const Accelerator& a = *prepared.accelerator;
    const VendorGroup vendor = vendorGroup(a);
    if (s == Vllm2024 || s == TrtLlm2024 || s == TrtLlm2023 || s == LlamaCpp2024 || s == DeepSpeed ||
        s == FasterTransformer || s == Megatron || s == Transformers)
        return m.profile.rows > 0 ? ResidualClass::OldStack : ResidualClass::Unfitted;
    if (s == LlamaCpp || s == Exllama)
        return m.profile.rows > 0 ? ResidualClass::Consumer : ResidualClass::Unfitted;
    if (vendor == VendorGroup::Amd)
        return (s == Vllm || s == VllmSync) && hasKernelConstants(a.family) ? ResidualClass::TunedRocm
                                                                            : ResidualClass::Unfitted;
    if (vendor != VendorGroup::Nvidia || !hasKernelConstants(a.family))
        return ResidualClass::Unfitted;
    if (m.family == KernelFamily::Ada)
        return ResidualClass::Consumer;
    const bool moe = prepared.model->moeLayers > 0;
    if (prepared.inference.batchMax)
        return moe ? ResidualClass::SaturatedMoe : ResidualClass::SaturatedDense;
    return moe ? ResidualClass::ModernMoe : ResidualClass::ModernDense;
}

} // namespace headroom::inference
