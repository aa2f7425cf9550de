// SPDX-License-Identifier: GPL-3.0-or-later
// inference::UserWait: the wait for a place of people who are more than the places (docs/method/load.md).
#pragma once

#include "core/predict/inference/inference_queue.hpp"

namespace headroom::inference
{

/// The wait for a place of users who are more than the places. Whoever asks finds what one user less leaves there
/// (arrival theorem; Reiser and Lavenberg 1980), and waits as long as those before him take: never less than what
/// Little's law leaves of users ÷ capacity beside service and pause.
struct UserWait {
    double share = 0;   ///< of the requests, that wait at all
    double meanS = 0;   ///< of all requests
    double spreadS = 0; ///< standard deviation of those that wait
    /// What all but `late` of the requests wait less than, s.
    [[nodiscard]] double quantile(double late) const noexcept;
};
/// None where each has a place, or where the pause is left out.
[[nodiscard]] UserWait waitOfUsers(const QueueInput& input) noexcept;

/// The same mean of a replica's scenario that serves as `full` when kept full, s; `requestsPerS` as for
/// Engine::serve().
[[nodiscard]] double userWaitS(const PreparedScenario& prepared, const Replica& replica, const Serving& full,
                               double requestsPerS) noexcept;

} // namespace headroom::inference
