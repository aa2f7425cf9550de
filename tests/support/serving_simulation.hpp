// SPDX-License-Identifier: GPL-3.0-or-later
// ServingSimulation: an engine that takes requests one by one, event after event, to hold the closed forms against.
#pragma once

#include "core/predict/evaluate.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace headroom::test
{

/// Means over the requests that were finished.
struct SimulatedServing {
    double inFlight = 0; ///< over the time, sequences of one replica
    double tpotS = 0;
    double waitS = 0;    ///< from arrival until a place is free
    double latencyS = 0; ///< from arrival to the last token, without the engine's constant first-token time
    double requestsPerS = 0;
    double ttftP50S = 0, ttftP95S = 0, ttftP99S = 0; ///< from arrival to the first token, as latencyS
    std::map<double, double> latencyOf; ///< latencyS of requests with the same prompt, over the mean prompt
};

/// A random number of mean 1 at each call.
using Draw = std::function<double()>;
/// Prompt and answer of a request over the means.
using Lengths = std::function<std::pair<double, double>()>;
/// Equal prompts.
[[nodiscard]] Lengths answers(const Draw& outputs);
/// The classes of a mix.
[[nodiscard]] Lengths classes(std::uint64_t seed, const RequestMix& mix);

/// Always 1; exponential; a mixture of two exponentials with equal loads, whose coefficient of variation is `cv` > 1.
[[nodiscard]] Draw constant();
[[nodiscard]] Draw exponential(std::uint64_t seed);
[[nodiscard]] Draw mixture(std::uint64_t seed, double cv);

/// One replica with continuous scheduling, served for `requests` requests. Each step decodes all in flight once and
/// reads the prompts of those who join; its times are those that the scenario has at that many in flight without a
/// load. A pass takes at most `promptsPerPass` prompts of mean length; of less than one, so much of a prompt, the first
/// to come first. Precondition: a batch is stated, and one replica.
[[nodiscard]] SimulatedServing simulateServing(const PreparedScenario& scenario, double requestsPerS, int requests,
                                               const Draw& between, const Lengths& lengths,
                                               double promptsPerPass = std::numeric_limits<double>::infinity());

/// Mean wait in a queue with `servers` servers, first come first served.
[[nodiscard]] double simulateWait(double requestsPerS, double serviceS, int servers, int requests, const Draw& between,
                                  const Draw& services);

} // namespace headroom::test
