// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/runs: what the benchmarks of serving programs state alike, and how it becomes runs.
#pragma once

#include "core/runs/log_facts.hpp"

#include <array>

namespace headroom::logs
{

/// Milliseconds, tokens/s and counts.
enum Figure { Ttft, Tpot, OutputRate, Concurrency, Completed, InputTokens, OutputTokens, figureCount };

/// How a program calls them, and what a reader is told where it does not say how many requests ran at once.
struct ServingFormat {
    std::string_view name; ///< "vLLM benchmark", in sources
    std::array<std::string_view, figureCount> figures;
    std::string_view noLimit, noLimitHint; ///< phrases
};

/// One result. Input and output tokens are of all completed requests.
struct ServingResult {
    int line = 0;
    std::array<std::optional<double>, figureCount> figures{};
    std::optional<JobFacts> facts{};           ///< parallelism and the like, where it is stated
    std::optional<double> offered{}, served{}; ///< requests a second: as they were sent, where that was limited; done
    std::optional<double> sent{};              ///< requests in all, failed ones too
    std::optional<double> meanInFlight{};      ///< requests in flight on average, where it is stated
    std::optional<double> gapMs{};             ///< mean time between tokens, where it may stand in for TPOT
    std::string model{};                       ///< whose name it states
};

/// A run for each result. Refused are results without a time or a rate, and figures that are not above 0.
[[nodiscard]] Expected<LogReading> servingReading(const LogInput& input, const ServingFormat& format,
                                                  std::vector<ServingResult> results);

/// Python writes Infinity and NaN, which JSON has not: null instead of them, on the same lines.
[[nodiscard]] std::string withoutInfinities(std::string_view json);

} // namespace headroom::logs
