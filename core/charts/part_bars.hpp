// SPDX-License-Identifier: GPL-3.0-or-later
// PartBars: parts of a time, predicted as bars and, where a profile tells, measured as marks (private to core).
#pragma once

#include "core/charts/axis.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::charts
{

/// One bar a part, in the order in which they are added.
class PartBars final
{
public:
    /// Of the bars: their id, what the legend calls them, and the metric that they and the marks are parts of.
    PartBars(std::string id, std::string label, std::string_view metric);
    /// `text` stands at the bar's end and has both figures, s: a mark's own would lie on it.
    void add(std::string name, std::string text, std::optional<double> predictedS, std::optional<double> measuredS,
             std::string cause);
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
    /// Hands the series over, without marks where none was added; returns what their axis must show.
    DataRange into(ChartSpec& spec) &&;

private:
    Series m_bars, m_marks;
    std::vector<std::string> m_names;
};

} // namespace headroom::charts
