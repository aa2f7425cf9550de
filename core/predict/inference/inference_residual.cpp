// SPDX-License-Identifier: GPL-3.0-or-later
// Whose residuals an interval of serving takes (docs/method/fit.md).
#include "core/predict/inference/inference_machine.hpp"

namespace headroom::inference
{
namespace
{

bool isOldEngine(InferenceSoftware s) noexcept
{
    using enum InferenceSoftware;
    return s == Vllm2024 || s == TrtLlm2024 || s == TrtLlm2023 || s == LlamaCpp2024 || s == DeepSpeed ||
           s == FasterTransformer || s == Megatron || s == Transformers;
}

bool exceedsFittedReplicas(InferenceSoftware s, const Machine& m) noexcept
{
    return !isOldEngine(s) && m.sizes.devices() > mostFittedDevices;
}

bool exceedsFittedBatches(const PreparedScenario& p, const Machine& m) noexcept
{
    return p.inference.batchMax && p.model->moeLayers > 0 &&
           (p.model->experts > mostFittedExperts || m.sizes.attentionData > 1);
}

} // namespace

VendorGroup vendorGroup(const Accelerator& a) noexcept
{
    return a.vendor == "NVIDIA" ? VendorGroup::Nvidia : a.vendor == "AMD" ? VendorGroup::Amd : VendorGroup::Other;
}

ResidualClass residualClassOf(const PreparedScenario& prepared, InferenceSoftware s, const Machine& m) noexcept
{
    using enum InferenceSoftware;
    const Accelerator& a = *prepared.accelerator;
    const VendorGroup vendor = vendorGroup(a);
    const bool tables = hasKernelConstants(a.family);
    // Runs without kernel tables of their family: older engines on MI250 and Gaudi 2, llama.cpp on Apple's chips.
    if (isOldEngine(s))
        return m.profile.rows > 0 && (tables || vendor != VendorGroup::Nvidia) ? ResidualClass::OldStack
                                                                               : ResidualClass::Unfitted;
    if (exceedsFittedReplicas(s, m))
        return ResidualClass::Unfitted;
    if (s == LlamaCpp || s == Exllama)
        return m.profile.rows > 0 && (tables || a.vendor == "Apple") ? ResidualClass::Consumer
                                                                     : ResidualClass::Unfitted;
    if (vendor == VendorGroup::Amd)
        return (s == Vllm || s == VllmSync) && tables ? ResidualClass::TunedRocm : ResidualClass::Unfitted;
    if (vendor != VendorGroup::Nvidia || !tables)
        return ResidualClass::Unfitted;
    if (m.family == KernelFamily::Ada)
        return ResidualClass::Consumer;
    const bool moe = prepared.model->moeLayers > 0;
    if (exceedsFittedBatches(prepared, m))
        return ResidualClass::Unfitted;
    if (prepared.inference.batchMax)
        return moe ? ResidualClass::SaturatedMoe : ResidualClass::SaturatedDense;
    return moe ? ResidualClass::ModernMoe : ResidualClass::ModernDense;
}

void judgeByRuns(const PreparedScenario& prepared, InferenceSoftware s, Machine& m)
{
    m.residualClass = residualClassOf(prepared, s, m);
    if (m.residualClass == ResidualClass::Unfitted && !hasKernelConstants(prepared.accelerator->family))
        m.warnings.add(WarningCode::FamilyWithoutFit);
    if (!m.ideal && exceedsFittedReplicas(s, m))
        m.warnings.add(WarningCode::ReplicaBeyondRuns, m.sizes.expert > 1 ? 1 : 0);
    const bool modern = !isOldEngine(s) && s != InferenceSoftware::LlamaCpp && s != InferenceSoftware::Exllama;
    if (!m.ideal && modern && vendorGroup(*prepared.accelerator) == VendorGroup::Nvidia &&
        m.family != KernelFamily::Ada && exceedsFittedBatches(prepared, m))
        m.warnings.add(WarningCode::FullBatchBeyondRuns);
    if (!m.ideal && m.engine.newerReleases > 1 && m.residualClass == ResidualClass::Consumer)
        m.warnings.add(WarningCode::RunsOfOlderReleases);
}

} // namespace headroom::inference
