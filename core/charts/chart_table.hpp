// SPDX-License-Identifier: GPL-3.0-or-later
// ChartTable: the numbers of a chart as a table, as they are read on the screen, or in full for copying and CSV.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom
{

/// A chart's numbers as text: one row per x where all series are lines over the same x, otherwise one row per point.
struct ChartTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};

/// How numbers stand in a table. Exact: in full precision, of the base unit that the heading names, with decimal
/// points. Shown: with their unit and no more digits than are known, as everywhere in the window.
enum class Figures : std::uint8_t { Exact, Shown };

/// Headings in the language in force.
[[nodiscard]] ChartTable chartTable(const ChartSpec& spec, Figures figures = Figures::Exact);

/// RFC 4180 with line feeds, decimal points and a header row; English where `spec` is. Words that a spreadsheet would
/// run as a formula are quoted (csvCell()).
[[nodiscard]] std::string csvText(const ChartSpec& spec);

} // namespace headroom
