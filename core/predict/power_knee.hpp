// SPDX-License-Identifier: GPL-3.0-or-later
// PowerKnee: the power limit at which a token takes the least energy, and the one that is felt (docs/method).
#pragma once

#include "core/predict/evaluate.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace headroom
{

/// One power limit and what it leaves. Watts and joules are the job's, its hosts included.
struct LimitPoint {
    double limitW = 0;
    double tokensPerS = 0, watts = 0, joulesPerToken = 0;
};

/// Below bestW a further cut takes more of the throughput, in percent, than of the power: there a token takes the
/// least energy. Above freeW no limit takes more than a hundredth of the throughput.
struct PowerKnee {
    double ratedW = 0, bestW = 0, freeW = 0;
    LimitPoint rated, best;
    /// Whether energy still falls at the lowest limit that boards take, so that bestW is that limit.
    bool atLowest = false;
    std::vector<LimitPoint> points; ///< ascending, from the lowest limit that boards take to the rated power
};

/// What a limit may take of the throughput and still count as not felt.
inline constexpr double feltShare = 0.01;

/// Why a scenario has none; empty where it may have one.
[[nodiscard]] std::string_view noKneeReason(const PreparedScenario& prepared) noexcept;

/// The scenario at each limit, its own left out; about 90 evaluations. Empty where there is a reason
/// (noKneeReason()), and where the rated power leaves no throughput.
[[nodiscard]] std::optional<PowerKnee> powerKnee(const PreparedScenario& prepared);

} // namespace headroom
