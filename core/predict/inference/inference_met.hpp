// SPDX-License-Identifier: GPL-3.0-or-later
// What a request under a load meets: the others that are in hand as it is served (docs/method/load.md, private to
// core/predict).
#pragma once

#include "core/predict/inference/inference_carry.hpp"

#include <algorithm>

namespace headroom::inference
{

/// Whether a request finds others in hand as they come, and is one more. The bound leaves others out, of a static batch
/// all begin together, and what other devices have read comes evenly.
[[nodiscard]] bool meetsOthers(const PreparedScenario& prepared, const Machine& machine) noexcept;

/// What a request meets of the answers in hand: all but its own where whoever sends it waits for it before he asks
/// again, of a replica that has its share of these people.
[[nodiscard]] inline double othersMet(const PreparedScenario& prepared, const Machine& machine) noexcept
{
    return prepared.users > 0 ? std::max(0.0, 1 - machine.sizes.replicas / prepared.users) : 1;
}

/// Answers in hand in the mean, by Little's law, where `tokensPerS` are served as by `serving`.
[[nodiscard]] inline double answersInHand(const Serving& serving, double tokensPerS) noexcept
{
    return serving.batch * tokensPerS / serving.tokensPerS;
}

/// Prompts that are read, or wait to be, in the mean.
[[nodiscard]] inline double promptsInHand(const Serving& serving, double requestsPerS) noexcept
{
    return requestsPerS * (serving.delay.beforeS + serving.work.wholeS);
}

/// What is asked of a replica.
struct AskedOf {
    double tokensPerS = 0;
    double requestsPerS = 0; ///< of requests that come when they come
};
/// The batch that a request meets, itself in it, how long the replica is busy, and the batch of its passes: `serving`
/// has the full one, and serves more than is asked. Places that are hardly ever all taken change nothing.
void meetLoad(const PreparedScenario& prepared, const Machine& machine, const Engine& engine, Serving& serving,
              const AskedOf& asked, ServeCurve* curve) noexcept;

} // namespace headroom::inference
