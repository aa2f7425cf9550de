// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_bound.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace headroom::inference
{
namespace
{

constexpr std::array<BoundBy, 4> resources{BoundBy::Compute, BoundBy::MemoryBandwidth, BoundBy::Communication,
                                           BoundBy::Latency};
using ResourceSums = std::array<double, resources.size()>; // s

} // namespace

BoundBy boundOf(const Machine& m, const Serving& v, const PromptPasses& prompts) noexcept
{
    const auto part = [&v](TimePart which) { return v.time[static_cast<std::size_t>(which)]; };
    const PassCost &decode = v.decode, &read = prompts.lone;
    ResourceSums sums{decode.computeS, decode.memoryS, decode.linkS + decode.hostS,
                      decode.fixedS * m.profile.decode + part(TimePart::Host)};
    const ResourceSums reading{read.computeS, read.memoryS, read.linkS, read.fixedS};
    const double all = std::accumulate(reading.begin(), reading.end(), 0.0);
    for (std::size_t i = 0; all > 0 && i < sums.size(); ++i)
        sums[i] += part(TimePart::PrefillInterference) * reading[i] / all;
    return resources[static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin())];
}

} // namespace headroom::inference
