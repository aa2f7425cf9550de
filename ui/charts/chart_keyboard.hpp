// SPDX-License-Identifier: GPL-3.0-or-later
// Chart keyboard: where the cursor goes on an arrow key.
#pragma once

#include "ui/charts/chart_scene.hpp"

namespace headroom::ui
{

[[nodiscard]] bool isPoint(const ChartSpec& spec, const ChartHit& hit);

/// The point after `key` (arrows, Home, End, Page Up and Down by ten): left and right along a series, up and down to
/// the next one at the nearest x; without a cursor the point at the current value. Empty = the key is not for a chart.
[[nodiscard]] std::optional<ChartHit> cursorAfter(const ChartSpec& spec, const std::optional<ChartHit>& cursor,
                                                  int key);

} // namespace headroom::ui
