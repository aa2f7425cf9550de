// SPDX-License-Identifier: GPL-3.0-or-later
// Names of bars: below them or beside them, in as many lines and in such type as they fit.
#pragma once

#include "ui/charts/chart_scene.hpp"

#include <QFont>
#include <vector>

namespace headroom::ui
{

/// Breaks the names of standing bars into at most two lines of `room` px; false = some name does not fit.
[[nodiscard]] bool wrapCategories(std::vector<Tick>& ticks, const QFont& font, double room);

/// Puts the names beside lying bars, which are `apart` px from one to the next: first wider, then in smaller type
/// (`font`), before one is cut or left out. False = one is.
[[nodiscard]] bool nameBars(QFont& font, std::vector<Tick>& ticks, const QFont& usual, double cardWidth, double apart);

/// Where not every lying bar can be named: one line each, elided, as many as there is room for.
void shortenNames(std::vector<Tick>& ticks, const QFont& font, double cardWidth, double apart);

} // namespace headroom::ui
