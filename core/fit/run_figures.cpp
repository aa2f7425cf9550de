// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/run_figures.hpp"

#include "core/profile/profile_comparison.hpp"
#include "core/support/language.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace headroom
{
namespace
{

std::optional<double> logRatio(std::optional<double> predicted, std::optional<double> measured)
{
    if (!predicted || !measured || *predicted <= 0 || *measured <= 0)
        return std::nullopt;
    return std::log(*predicted / *measured);
}

/// Parts of a profiled training step, predicted ÷ measured. Parts that are hardly there say nothing of a machine.
std::optional<double> partResidual(const PreparedScenario& p, const Evaluation& e,
                                   std::initializer_list<std::string_view> ids)
{
    constexpr double hardlyThere = 0.02, least = 1e-6; // a share of the measured part: its logarithm is finite
    if (p.task != Task::Training || !p.measured.profile.any())
        return std::nullopt;
    double predicted = 0, measured = 0;
    const auto comparison = profile::compareProfile(p.measured.profile, p, e);
    for (const profile::ProfilePart& part : comparison.parts)
        if (std::ranges::find(ids, part.id) != ids.end()) {
            predicted += part.predictedS.value_or(0);
            measured += part.measuredS.value_or(0);
        }
    if (measured < hardlyThere * comparison.measuredS)
        return std::nullopt;
    return logRatio(std::max(predicted, least * measured), measured);
}

std::optional<double> matmulResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"matmul"});
}

std::optional<double> attentionResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"attention"});
}

std::optional<double> memoryResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"memory_bound", "optimizer"});
}

} // namespace

std::optional<double> stepResidual(const PreparedScenario& p, const Evaluation& e)
{
    return p.task == Task::Training && e.observed ? logRatio(e.stepTimeS, e.observed->stepTimeS) : std::nullopt;
}

std::optional<double> decodeResidual(const PreparedScenario& p, const Evaluation& e)
{
    if (p.task != Task::Inference)
        return std::nullopt;
    if (p.measured.tpotS)
        return logRatio(e.tpotS, p.measured.tpotS);
    const auto rate = logRatio(e.tokensPerS, p.measured.tokensPerS);
    return rate ? std::optional(-*rate) : std::nullopt;
}

std::optional<double> prefillResidual(const PreparedScenario& p, const Evaluation& e)
{
    return p.task == Task::Inference ? logRatio(e.ttftS, p.measured.ttftS) : std::nullopt;
}

std::optional<double> profiledStepResidual(const PreparedScenario& p, const Evaluation& e)
{
    if (p.task != Task::Training || !p.measured.profile.any() || stepResidual(p, e))
        return std::nullopt;
    const auto comparison = profile::compareProfile(p.measured.profile, p, e);
    return logRatio(comparison.predictedS, comparison.measuredS);
}

std::optional<double> exchangeResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"sharding_communication", "expert_communication", "sends"});
}

const Knob computeKnob{phrase("compute"), [](Efficiency& e, const Efficiency& parts, double factor) {
                           e.matmul = parts.matmul * factor;
                           e.attention = parts.attention * factor;
                           e.memoryBandwidth = parts.memoryBandwidth * factor;
                       }};
const Knob linkKnob{phrase("scale-up link"),
                    [](Efficiency& e, const Efficiency&, double factor) { e.scaleUp = factor; }};
const Knob networkKnob{phrase("network"), [](Efficiency& e, const Efficiency&, double factor) { e.scaleOut = factor; }};
const Knob decodeKnob{phrase("decode"), [](Efficiency& e, const Efficiency&, double factor) { e.decode = factor; }};
const Knob prefillKnob{phrase("prefill"), [](Efficiency& e, const Efficiency&, double factor) { e.prefill = factor; }};

const std::array<PartKnob, 3> partKnobs{
    PartKnob{{phrase("matmuls"), [](Efficiency& e, const Efficiency&, double factor) { e.matmul = factor; }},
             matmulResidual},
    PartKnob{{phrase("attention core"), [](Efficiency& e, const Efficiency&, double factor) { e.attention = factor; }},
             attentionResidual},
    PartKnob{{phrase("memory-bound operators"),
              [](Efficiency& e, const Efficiency&, double factor) { e.memoryBandwidth = factor; }},
             memoryResidual},
};

} // namespace headroom
