// SPDX-License-Identifier: GPL-3.0-or-later
// loadView(): a view into a store and its recalculator, evaluated: scenario, pins, axis and heat map.
#pragma once

#include "core/present/stage_view.hpp"
#include "ui/document/recalculator.hpp"

namespace headroom::ui
{

/// The store's undo history begins anew.
void loadView(const StageView& view, ScenarioStore& store, Recalculator& recalculator);

} // namespace headroom::ui
