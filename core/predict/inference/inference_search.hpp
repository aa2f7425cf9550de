// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Search: the way to the batch that keeps up with a load (private to core/predict).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace headroom::inference
{

/// A batch that was tried, and what it lacks: what there is to serve less that batch.
struct Trial {
    double batch = 0, lacks = 0;
};

/// Where the straight line through both lacks nothing; not finite where there is no such place.
inline double zeroOf(const Trial& a, const Trial& b)
{
    return b.batch + (b.batch - a.batch) * b.lacks / (a.lacks - b.lacks);
}

/// The same of the parabola through all three, batch over lack.
inline double zeroOf(const Trial& a, const Trial& b, const Trial& c)
{
    const double ab = a.lacks - b.lacks, ac = a.lacks - c.lacks, bc = b.lacks - c.lacks;
    return a.batch * (b.lacks / ab) * (c.lacks / ac) - b.batch * (a.lacks / ab) * (c.lacks / bc) +
           c.batch * (a.lacks / ac) * (b.lacks / bc);
}

/// What the time of a request does as more are in flight. Where several batches can carry one load the search comes
/// from below, as a replica does that begins empty.
enum class Growth : std::uint8_t {
    Straight, ///< nearly in a straight line: one batch carries a load
    Smooth,   ///< without steps, but others' prompts may share passes: now and then several do
    Steps     ///< a chunk of its prompts each: several do
};

/// The search for the batch that lacks nothing: its ends, of which the lower lacks something and the upper nothing, and
/// the trials that came nearest, the nearest first. Where the time grows by steps the full batch says nothing of the
/// way before it is near, so that which of several batches is found does not depend on how many more the replica could
/// hold. Where it grows smoothly the full batch bends the first guesses, and those of many thousand scenarios led to
/// the same batch with it and without.
struct Search {
    Trial low, high;
    std::array<Trial, 3> nearest;
    bool isBounded; ///< `high` was tried, or is near, or tells of the way there

    Search(const Trial& least, const Trial& most, Growth growth)
        : low(least), high(most), nearest{tells(most, growth) ? most : least, least, least},
          isBounded(growth == Growth::Straight)
    {
    }
    [[nodiscard]] bool isInside(double batch) const { return batch > low.batch && batch < high.batch; }
    /// The middle; before there is one, what the load would keep in flight if a request took no longer there, at least
    /// twice the batch.
    [[nodiscard]] double step()
    {
        if (!isBounded) {
            const double further = low.batch + std::max(low.lacks, low.batch);
            if (further < high.batch)
                return further;
            take(high);
        }
        return low.batch + (high.batch - low.batch) / 2;
    }
    /// Where the nearest say that nothing is lacking; a step where they say nothing of use.
    [[nodiscard]] double guess()
    {
        const auto& [a, b, c] = nearest;
        for (const double batch : {zeroOf(a, b, c), zeroOf(b, a)})
            if (isInside(batch))
                return batch;
        return step();
    }
    void take(const Trial& t)
    {
        narrow(t);
        if (std::abs(t.lacks) < std::abs(nearest.back().lacks))
            nearest.back() = t;
        order();
    }

private:
    /// A full batch that is more than enough bends the line to the one that is looked for.
    static bool tells(const Trial& most, Growth growth)
    {
        return growth == Growth::Straight || (growth == Growth::Smooth && most.lacks < 0);
    }
    void narrow(const Trial& t)
    {
        isBounded = isBounded || !(t.lacks > 0);
        if (t.lacks > 0 ? t.batch > low.batch : t.batch < high.batch)
            (t.lacks > 0 ? low : high) = t;
    }
    /// Puts the last in its place among the others.
    void order()
    {
        for (std::size_t i = nearest.size() - 1; i > 0; --i)
            if (std::abs(nearest[i].lacks) < std::abs(nearest[i - 1].lacks))
                std::swap(nearest[i], nearest[i - 1]);
    }
};

} // namespace headroom::inference
