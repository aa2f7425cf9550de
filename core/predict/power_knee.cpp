// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/power_knee.hpp"

#include "core/hardware/power.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/language.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

constexpr int steps = 75; ///< a hundredth of the rated power each

/// Empty where a limit leaves no throughput to divide by.
std::optional<LimitPoint> at(PreparedScenario& scratch, double limitW)
{
    scratch.hardware.powerLimitW = limitW;
    const Evaluation e = evaluateStep(scratch);
    if (!e.watts || !e.joulesPerToken || !e.tokensPerS || *e.joulesPerToken <= 0)
        return std::nullopt;
    return LimitPoint{limitW, *e.tokensPerS, *e.watts, *e.joulesPerToken};
}

void add(std::vector<LimitPoint>& points, PreparedScenario& scratch, double limitW)
{
    if (const auto point = at(scratch, limitW))
        points.push_back(*point);
}

/// The highest of those that take the least: a limit that changes nothing saves nothing.
const LimitPoint& leastOf(const std::vector<LimitPoint>& points)
{
    constexpr double noise = 1e-9;
    const LimitPoint* best = &points.back();
    for (auto point = points.rbegin(); point != points.rend(); ++point)
        if (point->joulesPerToken < best->joulesPerToken * (1 - noise))
            best = &*point;
    return *best;
}

} // namespace

std::string_view noKneeReason(const PreparedScenario& prepared) noexcept
{
    if (isRl(prepared))
        return phrase("Power is not predicted while answers are generated.");
    if (!(prepared.accelerator->tdpWatts > 0))
        return phrase("The maker does not publish the power of this accelerator.");
    if (prepared.task == Task::Inference && prepared.inference.requestsPerS)
        return phrase("Under a load a limit makes answers slower, not fewer: leave the load out for that of the full "
                      "batch.");
    return {};
}

std::optional<PowerKnee> powerKnee(const PreparedScenario& prepared)
{
    const double rated = prepared.accelerator->tdpWatts;
    if (!noKneeReason(prepared).empty())
        return std::nullopt;
    PreparedScenario scratch = prepared;
    scratch.measured = {};
    PowerKnee knee;
    knee.ratedW = rated;
    for (int i = 0; i < steps; ++i)
        add(knee.points, scratch, std::ceil(rated * std::lerp(lowestAdvisedShare, 1, i / static_cast<double>(steps))));
    add(knee.points, scratch, rated);
    if (knee.points.empty() || knee.points.back().limitW != rated)
        return std::nullopt;
    const double coarse = leastOf(knee.points).limitW, width = std::ceil(rated / 100);
    if (coarse < rated) { // to the watt, as far as the next of the steps
        for (double w = coarse - width + 1; w < coarse + width; ++w)
            if (w >= knee.points.front().limitW && w < rated)
                add(knee.points, scratch, w);
        std::ranges::stable_sort(knee.points, {}, &LimitPoint::limitW);
    }
    knee.rated = knee.points.back();
    knee.best = leastOf(knee.points);
    knee.bestW = knee.best.limitW;
    knee.atLowest = knee.bestW <= knee.points.front().limitW;
    knee.freeW = rated;
    for (auto point = knee.points.rbegin(); point != knee.points.rend(); ++point) {
        if (point->tokensPerS < knee.rated.tokensPerS * (1 - feltShare))
            break;
        knee.freeW = point->limitW;
    }
    return knee;
}

} // namespace headroom
