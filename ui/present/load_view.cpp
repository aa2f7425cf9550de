// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/load_view.hpp"

#include "ui/base/text.hpp"

namespace headroom::ui
{

void loadView(const StageView& view, ScenarioStore& store, Recalculator& recalculator)
{
    store.clearPins();
    for (const Scenario& pin : view.pins) {
        store.setDocument(pin, {});
        store.pinCurrent();
    }
    store.setDocument(view.scenario, {});
    recalculator.setSweepParameter(toQString(view.sweep));
    recalculator.setHeatMap(view.heatMap);
    recalculator.flush();
}

} // namespace headroom::ui
