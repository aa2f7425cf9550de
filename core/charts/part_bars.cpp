// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/part_bars.hpp"

#include "core/support/say.hpp"

#include <utility>

namespace headroom::charts
{

PartBars::PartBars(std::string id, std::string label, std::string_view metric)
{
    m_bars.id = std::move(id);
    m_bars.label = std::move(label);
    m_bars.kind = SeriesKind::Bar;
    m_marks.id = "measured";
    m_marks.label = said("measured");
    m_marks.role = SeriesRole::Measured;
    m_marks.kind = SeriesKind::Points;
    m_bars.metric = m_marks.metric = metric;
}

void PartBars::add(std::string name, std::string text, std::optional<double> predictedS,
                   std::optional<double> measuredS, std::string cause)
{
    const auto x = static_cast<double>(m_names.size());
    m_bars.points.push_back({.x = x, .y = predictedS.value_or(0), .label = std::move(text), .base = 0.0});
    if (measuredS)
        m_marks.points.push_back({.x = x, .y = *measuredS, .detail = std::move(cause)});
    m_names.push_back(std::move(name));
}

DataRange PartBars::into(ChartSpec& spec) &&
{
    DataRange range;
    range.add(m_bars);
    spec.series.push_back(std::move(m_bars));
    if (!m_marks.points.empty()) {
        range.add(m_marks);
        spec.series.push_back(std::move(m_marks));
    }
    return range;
}

} // namespace headroom::charts
