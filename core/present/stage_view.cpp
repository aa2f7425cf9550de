// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stage_view.hpp"

#include <algorithm>

namespace headroom
{

StageView usualView(const Scenario& scenario, const std::vector<std::string>& charts, std::string_view sweep)
{
    StageView view;
    view.scenario = scenario;
    const auto take = [](std::vector<std::string>& list, std::string_view id, std::size_t most) {
        if (list.size() < most && std::ranges::find(list, id) == list.end())
            list.emplace_back(id);
    };
    for (const std::string& id : charts)
        if (const ChartRow* row = chartRow(id); row && suits(*row, scenario.task))
            take(view.charts, id, StageView::mostCharts);
    for (const ChartRow& row : chartRegistry())
        if (view.charts.empty() && suits(row, scenario.task))
            take(view.charts, row.id, StageView::mostCharts);
    const ParameterRow* axis = parameterRow(sweep);
    if (axis && suits(*axis, scenario.task))
        view.sweep = axis->id;
    for (const std::string_view id :
         {std::string_view(view.sweep), defaultSweepParameter(scenario.task), std::string_view("sequence_length"),
          std::string_view("prompt_tokens"), std::string_view("count")})
        if (const ParameterRow* row = parameterRow(id); row && suits(*row, scenario.task))
            take(view.sliders, row->id, StageView::mostSliders);
    return view;
}

} // namespace headroom
