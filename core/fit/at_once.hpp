// SPDX-License-Identifier: GPL-3.0-or-later
// atOnce(): two pieces of work beside each other.
#pragma once

#include <future>
#include <utility>

namespace headroom
{

/// Runs `one` on a thread of its own and `other` on this one, and returns when both have ended. What either throws is
/// thrown here; of two, what `other` throws.
template <typename One, typename Other>
void atOnce(One&& one, Other&& other)
{
    std::future<void> running = std::async(std::launch::async, std::forward<One>(one)); // its destructor waits
    std::forward<Other>(other)();
    running.get();
}

} // namespace headroom
