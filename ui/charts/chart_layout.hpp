// SPDX-License-Identifier: GPL-3.0-or-later
// Chart layout: which text fits where, which way bars run, and the margins that keep labels from clipping.
#pragma once

#include "ui/charts/chart_scene.hpp"

namespace headroom::ui
{

inline constexpr int cardPadding = 12;  ///< px between the card's edge and its text
inline constexpr double inkShare = 0.8; ///< of a line's height that letters take: names of bars may stand so close

/// For a card of `size` px. At least as many lines are reserved for the sentence as scene.layout has, so that nothing
/// jumps while one chart keeps its width.
[[nodiscard]] ChartLayout layOut(const ChartScene& scene, QSize size);

/// Text broken into at most `lines` lines of `width`, the last one elided.
[[nodiscard]] QStringList wrapped(const QString& text, const QFont& font, double width, int lines);

/// The name at the end of a line: the pin's letter first, "A · MFU".
[[nodiscard]] QString endLabel(const Series& series);

} // namespace headroom::ui
