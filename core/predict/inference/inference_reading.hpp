// SPDX-License-Identifier: GPL-3.0-or-later
// inference::ReadingQueue: prompts that come when they come, and the passes that read them (docs/method/load.md).
#pragma once

#include <limits>

namespace headroom::inference
{

/// Passes follow one another; each reads what has come until it begins, at most so many prompts.
struct ReadingQueue {
    double requestsPerS = 0; ///< of a replica
    double emptyPassS = 0;   ///< of a pass that reads nothing; 0: none begins before a prompt has come
    double basePassS = 0;    ///< of a pass that reads, what does not grow with the prompts
    double promptS = 0;      ///< what each prompt adds
    double most = 1;         ///< prompts of a pass
    double arrivals = 1;     ///< squared variation of the times between arrivals; 1: Poisson
    double lengths = 0;      ///< squared variation of the prompts' time
    [[nodiscard]] double fullPassS() const noexcept { return basePassS + most * promptS; }
    /// The most that full passes read.
    [[nodiscard]] double capacityPerS() const noexcept { return most / fullPassS(); }
};

/// What a prompt meets in a ReadingQueue.
struct ReadingWait {
    double meanS = 0;      ///< until the pass that reads it begins
    double beside = 0;     ///< other prompts in that pass
    double readers = 1;    ///< prompts of a pass that reads any, in the mean over passes
    double variation = 0;  ///< squared, of meanS and the prompts beside it together
    double ownPassS = 0;   ///< the pass that reads it
    double leftBehind = 0; ///< prompts that have come and are not read when that pass ends
    [[nodiscard]] bool ends() const noexcept { return meanS < std::numeric_limits<double>::infinity(); }
};

/// Mean wait, company and spread: within a fifth of a simulation, late waits within a quarter
/// (core.test_reading_queue). Endless where prompts come faster than full passes read them.
[[nodiscard]] ReadingWait waitToBeRead(const ReadingQueue& queue) noexcept;

} // namespace headroom::inference
