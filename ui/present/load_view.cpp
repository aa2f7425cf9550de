// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/load_view.hpp"

#include "ui/base/text.hpp"

namespace headroom::ui
{

void loadView(const StageView& view, ScenarioStore& store, Recalculator& recalculator)
{
    store.setDocument(view.scenario, {});
    store.setPins(view.pins);
    recalculator.setSweepParameter(toQString(view.sweep));
    recalculator.setHeatMap(view.heatMap);
    recalculator.flush();
}

} // namespace headroom::ui
