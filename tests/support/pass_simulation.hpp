// SPDX-License-Identifier: GPL-3.0-or-later
// PassSimulation: an engine whose passes follow one another, each as long as the predictor's own pass with so many
// answers and prompts.
#pragma once

#include "core/predict/evaluate.hpp"
#include "tests/support/serving_simulation.hpp"

#include <functional>
#include <map>
#include <vector>

namespace headroom::test
{

/// Prompt and answer of a request, tokens.
struct RequestSize {
    double prompt = 1, output = 1;
};

/// Who asks: either so many requests a second, or people who wait for their answers and pause.
struct Asking {
    double requestsPerS = 0;
    int users = 0;
    double thinkS = 0; ///< mean of a pause, exponential
};

struct SimulatedPasses {
    double ttftS = 0, tpotS = 0; ///< means; the engine's constant first-token time is in none of them
    double latencyS = 0;         ///< from arrival to the last token
    double requestsPerS = 0;
    double answers = 0;              ///< in hand, in the mean over the time
    std::vector<double> ttft;        ///< of each request, the shortest first
    std::map<double, double> ttftOf; ///< mean of the requests with the same prompt
    [[nodiscard]] double late(double share) const
    {
        return ttft[static_cast<std::size_t>(share * static_cast<double>(ttft.size() - 1))];
    }
};

/// One replica that mixes prompts into the passes of answers, at most `together_tokens` of the calibration or one
/// prompt a pass. Where its engine reads prompts in passes of their own those come first, and all have the scenario's
/// mean prompt. `sizes` is called once a request.
[[nodiscard]] SimulatedPasses simulatePasses(const PreparedScenario& scenario, const Asking& asking, int requests,
                                             const std::function<RequestSize()>& sizes);
/// All of the scenario's mean size.
[[nodiscard]] SimulatedPasses simulatePasses(const PreparedScenario& scenario, const Asking& asking, int requests);

} // namespace headroom::test
