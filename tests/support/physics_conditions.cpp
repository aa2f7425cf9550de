// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/physics_conditions.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test
{

std::optional<double> slower(const Evaluation& a, const Evaluation& b, std::optional<double> Evaluation::*time)
{
    const auto keepsUp = [](const Evaluation& e) { return !e.queue || e.queue->utilization < 1; };
    return keepsUp(a) == keepsUp(b) ? std::optional(*(b.*time) / *(a.*time)) : std::nullopt;
}

std::optional<double> laterTokens(const Evaluation& a, const Evaluation& b)
{
    return slower(a, b, &Evaluation::tpotS);
}

std::optional<double> soonerTokens(const Evaluation& a, const Evaluation& b)
{
    return slower(b, a, &Evaluation::tpotS);
}

std::optional<double> laterFirst(const Evaluation& a, const Evaluation& b)
{
    return slower(a, b, &Evaluation::ttftS);
}

std::optional<double> soonerFirst(const Evaluation& a, const Evaluation& b)
{
    return slower(b, a, &Evaluation::ttftS);
}

std::optional<double> fewerSequences(const Evaluation& a, const Evaluation& b)
{
    return *a.maxBatch > 0 ? std::optional(*a.maxBatch / std::max(1e-9, *b.maxBatch)) : std::nullopt;
}

Badness whereBothFit(const Badness& badness)
{
    return [badness](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        return a.fits && b.fits ? badness(a, b) : std::nullopt;
    };
}

Badness whereBothAreInterrupted(const Badness& badness)
{
    return [badness](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        const auto interrupted = [](const Evaluation& e) { return e.part(TimePart::PrefillInterference) > 0; };
        return interrupted(a) == interrupted(b) ? badness(a, b) : std::nullopt;
    };
}

Badness whereNoHeavier(const Badness& badness)
{
    return [badness](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        return b.part(MemoryPart::Weights) <= a.part(MemoryPart::Weights) ? badness(a, b) : std::nullopt;
    };
}

Badness atEqualBatches(const Badness& badness)
{
    return [badness](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        // Under a load also at most as many: of a replica that never holds a second request none meets another's
        // prompt.
        const bool same =
            std::abs(a.batch / b.batch - 1) < 1e-9 && (!a.queue || a.queue->mostBatch == b.queue->mostBatch);
        return same ? badness(a, b) : std::nullopt;
    };
}

Badness beyondMoreInFlight(const Badness& badness, bool inFirst)
{
    return [badness, inFirst](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        const std::optional<double> value = badness(a, b);
        return value ? std::optional(*value / std::max(1.0, inFirst ? a.batch / b.batch : b.batch / a.batch)) : value;
    };
}

} // namespace headroom::test
