// SPDX-License-Identifier: GPL-3.0-or-later
// Whose residuals an interval of serving takes (docs/method/fit.md).
#include "core/predict/device_domain.hpp"
#include "core/predict/inference/inference_machine.hpp"

#include <algorithm>

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

bool exceedsFittedBatches(const PreparedScenario& p, const Machine& m) noexcept
{
    return p.model->experts > mostFittedExperts || m.sizes.attentionData > 1;
}

/// Whether ranks that share a layer meet over the network. Of today's engines no fitted run has such.
bool crossesNodes(const PreparedScenario& p, const Machine& m) noexcept
{
    const double ranks = m.sizes.devices() / m.sizes.pipeline;
    return ranks > 1 && ranks > domainOf(p, ranks).size;
}

/// Whether any layer mixes tokens by a state-space block (Mamba). Of today's engines no fitted run has such a model.
bool hasStateSpace(const ModelProfile& model) noexcept
{
    return model.attentionLayers < model.layers &&
           std::ranges::any_of(model.kinds, [](const LayerKind& k) { return k.mixer == MixerKind::StateSpace; });
}

/// How ReplicaBeyondRuns words it: 2 across nodes, 1 with an exchange between experts.
double beyondRunsNumber(const PreparedScenario& p, const Machine& m) noexcept
{
    return m.sizes.devices() <= mostFittedDevices && crossesNodes(p, m) ? 2 : m.sizes.expert > 1 ? 1 : 0;
}

/// The runs whose residuals count; where none are like the scenario, the note that says why.
struct Verdict {
    ResidualClass residuals = ResidualClass::Unfitted;
    std::optional<WarningCode> why;
};

Verdict verdictOf(const PreparedScenario& p, InferenceSoftware s, const Machine& m) noexcept
{
    using enum InferenceSoftware;
    using enum ResidualClass;
    const VendorGroup vendor = m.vendor;
    const bool tables = hasKernelConstants(p.accelerator->family), fitted = m.profile.rows > 0;
    Verdict none;
    if (!tables)
        none.why = WarningCode::FamilyWithoutFit;
    const auto beyond = [&](WarningCode why) { return Verdict{Unfitted, none.why.value_or(why)}; };
    // Runs without kernel tables of their family: older engines on MI250 and Gaudi 2, llama.cpp on Apple's chips.
    if (isOldEngine(s))
        return fitted && (tables || vendor != VendorGroup::Nvidia) ? Verdict{OldStack, {}} : none;
    if (m.sizes.devices() > mostFittedDevices || crossesNodes(p, m))
        return beyond(WarningCode::ReplicaBeyondRuns);
    if (hasStateSpace(*p.model))
        return beyond(WarningCode::MixerWithoutRuns);
    if (s == LlamaCpp || s == Exllama)
        return fitted && (tables || p.accelerator->vendor == "Apple") ? Verdict{Consumer, {}} : none;
    if (!tables)
        return none;
    if (vendor == VendorGroup::Amd)
        return s == Vllm || s == VllmSync ? Verdict{TunedRocm, {}} : none;
    if (vendor != VendorGroup::Nvidia)
        return none;
    if (const auto& release = p.inference.softwareVersion;
        s == InferenceSoftware::Sglang && release && release->before(oldestFittedSglang))
        return beyond(WarningCode::RunsOfLaterReleases);
    if (m.family == KernelFamily::Ada)
        return {Consumer, {}};
    const bool full = p.inference.batchMax && !p.inference.requestsPerS; // a load decides what is in flight
    if (p.model->moeLayers <= 0)
        return {full ? SaturatedDense : ModernDense, {}};
    if (!full)
        return {ModernMoe, {}};
    return exceedsFittedBatches(p, m) ? beyond(WarningCode::FullBatchBeyondRuns) : Verdict{SaturatedMoe, {}};
}

} // namespace

VendorGroup vendorGroup(const Accelerator& a) noexcept
{
    return a.vendor == "NVIDIA" ? VendorGroup::Nvidia : a.vendor == "AMD" ? VendorGroup::Amd : VendorGroup::Other;
}

void judgeByRuns(const PreparedScenario& prepared, InferenceSoftware s, Machine& m)
{
    const Verdict verdict = verdictOf(prepared, s, m);
    m.residualClass = verdict.residuals;
    m.newerReleases = verdict.residuals == ResidualClass::Consumer ? m.engine.newerReleases : 1;
    if (m.ideal)
        return;
    if (prepared.inference.requestsPerS && m.fewestInFlight > 2) { // a load does not begin with all requests at once
        m.burstS = std::max(0.0, m.profile.firstTokenS - prepared.calibration->inference.serving.lonelyFirstTokenS);
        m.profile.firstTokenS -= m.burstS;
    }
    if (verdict.why)
        m.warnings.add(*verdict.why, verdict.why == WarningCode::ReplicaBeyondRuns ? beyondRunsNumber(prepared, m) : 0);
    if (m.newerReleases > 1)
        m.warnings.add(WarningCode::RunsOfOlderReleases);
}

} // namespace headroom::inference
