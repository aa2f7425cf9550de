// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_observed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom
{

std::optional<double> observedStepTime(const Measured& m, const StepFigures& f, double& disagreement) noexcept
{
    const auto over = [](double amount, const std::optional<double>& rate) -> std::optional<double> {
        if (!rate || *rate <= 0)
            return std::nullopt;
        return amount / *rate;
    };
    const std::array<std::optional<double>, 7> implied{
        m.stepTimeS,
        over(f.tokens, m.tokensPerS),
        over(f.tokens / f.gpus, m.tokensPerSPerGpu),
        over(f.modelFlop / f.gpus / 1e12, m.modelTflopsPerGpu),
        over(f.hardwareFlop / f.gpus / 1e12, m.hardwareTflopsPerGpu),
        over(f.modelFlop / f.gpus / f.peak, m.mfu),
        over(f.hardwareFlop / f.gpus / f.peak, m.hfu),
    };
    std::optional<double> deciding;
    disagreement = 0;
    for (const std::optional<double>& seconds : implied) {
        if (!seconds)
            continue;
        if (!deciding)
            deciding = seconds;
        disagreement = std::max(disagreement, std::abs(*seconds / *deciding - 1));
    }
    return deciding;
}

} // namespace headroom
