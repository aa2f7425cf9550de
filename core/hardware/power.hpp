// SPDX-License-Identifier: GPL-3.0-or-later
// What a board's power leaves of its matrix units' peak (docs/method/matmul.md).
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/scenario/scenario.hpp"

namespace headroom
{

/// Boards take no limit far below this share of their rated power: 100 W of 400 (A100 SXM), 200 W of 700 (H100 SXM).
inline constexpr double lowestLimitShare = 0.25;
/// A limit that both of them take: no lower one is advised.
inline constexpr double lowestAdvisedShare = 2.0 / 7;

/// What the board may draw, W: the scenario's power limit, at least lowestLimitShare and at most all of the rated
/// power; 0 where no rated power is known.
[[nodiscard]] double boardWatts(const Hardware& hardware, const Accelerator& accelerator) noexcept;
/// boardWatts() over the rated power, in (0, 1]; 1 without a limit.
[[nodiscard]] double powerLimitShare(const Hardware& hardware, const Accelerator& accelerator) noexcept;

/// Share of the peak that long matmuls keep up on a board with `wattsPerTflops` W for each TFLOP/s of its 16-bit peak,
/// where a board with `fittedWattsPerTflops` keeps up `share`. Either is 0 where power is no limit.
[[nodiscard]] double sustainedShare(double share, double fittedWattsPerTflops, double wattsPerTflops) noexcept;

/// What a limit of `limit` (0…1 of the rated power) leaves of the `share` that the board keeps up without it.
[[nodiscard]] double shareUnderLimit(double share, double limit) noexcept;
/// What the same limit leaves of the memory's rate.
[[nodiscard]] double memoryUnderLimit(double limit) noexcept;

} // namespace headroom
