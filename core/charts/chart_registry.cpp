// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/chart_registry.hpp"
// PLACEHOLDER, replaced by the charts work.
namespace headroom {
namespace {
ChartSpec demo(const ChartContext& c)
{
    ChartSpec s;
    s.id = "demo"; s.title = "Utilisation over batch"; s.reading = "Placeholder."; s.summary = "Placeholder.";
    s.x = {"Micro-batch", "sequences", AxisScale::Log, ValueFormat::Integer, 1, 1024, {}};
    s.y = {"MFU", "% of peak", AxisScale::Linear, ValueFormat::Percent, 0, 1, {}};
    Series line; line.id = "mfu"; line.label = "MFU";
    for (double x = 1; x <= 1024; x *= 2) line.points.push_back({x, x / (x + 16), 1, "", {}, false});
    s.series.push_back(line);
    s.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, double(c.scenario.training.microBatch), 0.2, 0, "now"});
    return s;
}
const ChartRow table[] = {{"demo", "Demo", "", true, true, demo}};
}
std::span<const ChartRow> chartRegistry() { return table; }
const ChartRow* chartRow(std::string_view id) { for (const auto& r : table) if (r.id == id) return &r; return nullptr; }
} // namespace headroom
