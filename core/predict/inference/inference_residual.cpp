// SPDX-License-Identifier: GPL-3.0-or-later
// Whose residuals an interval of serving takes (docs/method/fit.md).
#include "core/predict/inference/inference_residual.hpp"
#include "core/predict/device_domain.hpp"
#include "core/predict/inference/inference_machine.hpp"
#include "core/scenario/effective.hpp"

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

/// How ReplicaBeyondRuns words it.
double beyondRunsNumber(const PreparedScenario& p, const Machine& m) noexcept
{
    if (m.sizes.devices() > mostFittedDevices)
        return m.sizes.expert > 1 ? beyondRunsExchange : 0;
    return crossesNodes(p, m) ? beyondRunsNetwork : beyondRunsPipeline;
}

/// Whether a card of Ada's constants is unlike those whose runs of today's engines went into the calibration: L40S, of
/// FP8 (and one RTX 4090 in 16 bit). Ampere's have no FP8, Blackwell's have FP4 and other kernels.
bool exceedsFittedCards(const PreparedScenario& p, const Machine& m) noexcept
{
    const Accelerator& a = *p.accelerator;
    if (!(a.peakFlops(DataType::Fp8) > 0) || a.peakFlops(DataType::Fp4) > 0 || m.sizes.attentionData > 1)
        return true;
    const Precisions precisions = resolvePrecisions(p.inference, p.model->architecture, a, m.engine);
    return isFourBit(precisions.weights) || precisions.smallExperts;
}

/// The release from which on no run of the engine went into the calibration: of vLLM those are of 0.12 to 0.19 and, on
/// AMD, of 0.6 to 0.9, of SGLang up to 0.5.10, of TensorRT-LLM up to 1.2.
std::string_view newestRelease(InferenceSoftware s, VendorGroup vendor) noexcept
{
    using enum InferenceSoftware;
    const bool vllm = s == Vllm || s == VllmSync;
    if (vendor == VendorGroup::Amd)
        return vllm ? "0.10" : "";
    if (vendor != VendorGroup::Nvidia)
        return "";
    return vllm ? "0.20" : s == Sglang ? "0.5.11" : s == TrtLlm ? "1.3" : "";
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
    if (m.sizes.pipeline > 1)
        return beyond(WarningCode::ReplicaBeyondRuns);
    if (vendor == VendorGroup::Amd)
        return s == Vllm || s == VllmSync ? Verdict{TunedRocm, {}} : none;
    if (vendor != VendorGroup::Nvidia ||
        (!fitted && s != Tuned)) // SoftwareWithoutFit is said where profiles are chosen
        return none;
    if (const auto& release = p.inference.softwareVersion;
        s == InferenceSoftware::Sglang && release && release->before(oldestFittedSglang))
        return beyond(WarningCode::RunsOfLaterReleases);
    const bool full = p.inference.batchMax && !p.inference.requestsPerS; // a load decides what is in flight
    const bool beyondBatches = full && p.model->moeLayers > 0 && exceedsFittedBatches(p, m);
    if (m.family == KernelFamily::Ada) {
        if (exceedsFittedCards(p, m))
            return beyond(WarningCode::SoftwareWithoutFit);
        return beyondBatches ? beyond(WarningCode::FullBatchBeyondRuns) : Verdict{Consumer, {}};
    }
    if (p.model->moeLayers <= 0)
        return {full ? SaturatedDense : ModernDense, {}};
    if (!full)
        return {ModernMoe, {}};
    return beyondBatches ? beyond(WarningCode::FullBatchBeyondRuns) : Verdict{SaturatedMoe, {}};
}

double numberOf(WarningCode why, const PreparedScenario& p, const Machine& m) noexcept
{
    return why == WarningCode::ReplicaBeyondRuns    ? beyondRunsNumber(p, m)
           : why == WarningCode::SoftwareWithoutFit ? cardWithoutRuns
                                                    : 0;
}

} // namespace

std::string_view beyondNewestRelease(const PreparedScenario& p) noexcept
{
    const std::string_view newest = newestRelease(effectiveSoftware(p.inference), vendorGroup(*p.accelerator));
    const auto& stated = p.inference.softwareVersion;
    return !newest.empty() && stated && !stated->before(newest) ? newest : std::string_view();
}

VendorGroup vendorGroup(const Accelerator& a) noexcept
{
    return a.vendor == "NVIDIA" ? VendorGroup::Nvidia : a.vendor == "AMD" ? VendorGroup::Amd : VendorGroup::Other;
}

void judgeByRuns(const PreparedScenario& prepared, InferenceSoftware s, Machine& m)
{
    const Verdict verdict = verdictOf(prepared, s, m);
    m.residualClass = verdict.residuals;
    // Wide as judged: releases are the least of it. Of llama.cpp every release of today is newer than its runs.
    const bool newer = newestRelease(s, m.vendor).empty() || !beyondNewestRelease(prepared).empty();
    m.newerReleases = newer && verdict.residuals != ResidualClass::Unfitted ? m.engine.newerReleases : 1;
    if (m.ideal)
        return;
    if (prepared.inference.requestsPerS && m.fewestInFlight > 2) { // a load does not begin with all requests at once
        m.burstS = std::max(0.0, m.profile.firstTokenS - prepared.calibration->inference.serving.lonelyFirstTokenS);
        m.profile.firstTokenS -= m.burstS;
    }
    if (verdict.why)
        m.warnings.add(*verdict.why, numberOf(*verdict.why, prepared, m));
    if (m.newerReleases > 1)
        m.warnings.add(WarningCode::RunsOfOlderReleases);
}

} // namespace headroom::inference
