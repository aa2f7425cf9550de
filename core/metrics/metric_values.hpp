// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to metric_registry.cpp: what a row's value is read from, each a function of the evaluation.
#pragma once

#include "core/predict/evaluation.hpp"

#include <optional>

namespace headroom::metric_values
{

using Value = std::optional<double>;

/// A member of Evaluation as it stands.
template <auto Member>
Value field(const Evaluation& e)
{
    return e.*Member;
}

template <MemoryPart Part>
Value memory(const Evaluation& e)
{
    return e.part(Part);
}

template <auto Member>
Value observed(const Evaluation& e)
{
    return e.credible() ? (*e.observed).*Member : std::nullopt;
}

/// A member of a part that not every result has.
template <auto Part, auto Member>
Value partial(const Evaluation& e)
{
    return e.*Part ? Value((*(e.*Part)).*Member) : std::nullopt;
}
template <auto Member>
constexpr auto queue = partial<&Evaluation::queue, Member>;
template <auto Member>
constexpr auto speculation = partial<&Evaluation::speculation, Member>;
template <auto Member>
constexpr auto goodput = partial<&Evaluation::goodput, Member>;
template <auto Member>
constexpr auto phases = partial<&Evaluation::phases, Member>;
template <auto Member>
constexpr auto site = partial<&Evaluation::site, Member>;
template <auto Member>
constexpr auto pools = partial<&Evaluation::pools, Member>;
template <auto Member>
constexpr auto tail = partial<&Evaluation::tail, Member>;
template <auto Member>
constexpr auto mix = partial<&Evaluation::mix, Member>;
template <auto Member>
constexpr auto day = partial<&Evaluation::day, Member>;

template <auto Which, auto Member>
Value pool(const Evaluation& e)
{
    return e.pools ? Value((*e.pools).*Which.*Member) : std::nullopt;
}

template <auto Member>
Value flops(const Evaluation& e)
{
    return e.flops.*Member;
}

// What a tile's bar is full at.
inline Value none(const Setup&, const Evaluation&)
{
    return std::nullopt;
}
inline Value whole(const Setup&, const Evaluation&)
{
    return 1.0;
}
inline Value capacity(const Setup&, const Evaluation& e)
{
    return e.capacityBytes;
}
inline Value peakTflops(const Setup&, const Evaluation& e)
{
    return e.peakFlops / 1e12;
}
inline Value bandwidth(const Setup&, const Evaluation& e)
{
    return e.memoryBandwidth / 1e9;
}
inline Value ttftTarget(const Setup& s, const Evaluation&)
{
    return s.inference.ttftTargetS;
}
/// A target is of late requests where they are counted: the mean meets it long before they do.
inline Value meanTtftTarget(const Setup& s, const Evaluation& e)
{
    return e.tail ? std::nullopt : s.inference.ttftTargetS;
}
inline Value tpotTarget(const Setup& s, const Evaluation&)
{
    return s.inference.tpotTargetS;
}

inline Value prefillMfu(const Evaluation& e)
{
    return e.prefill ? e.prefill->mfu : std::nullopt;
}
inline Value prefillTime(const Evaluation& e)
{
    return e.prefill ? Value(e.prefill->timeS) : std::nullopt;
}
inline Value freeBytes(const Evaluation& e)
{
    return e.capacityBytes - e.usedBytes;
}

inline Value memoryShare(const Evaluation& e)
{
    return e.capacityBytes > 0 ? Value(e.usedBytes / e.capacityBytes) : std::nullopt;
}

inline Value tokensPerSPerUser(const Evaluation& e)
{
    return e.tpotS && *e.tpotS > 0 ? Value(1 / *e.tpotS) : std::nullopt;
}

} // namespace headroom::metric_values
