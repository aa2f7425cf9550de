// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_registry.hpp"
// PLACEHOLDER, replaced by the charts work.
namespace headroom {
namespace {
const MetricRow table[] = {
    {"mfu", "MFU", "Model FLOP utilisation", "", "", ValueFormat::Percent, Better::Higher, true, true, true, [](const Evaluation& e) { return e.mfu; }, [](const Evaluation&) { return std::optional(1.0); }},
    {"step_time_s", "Step time", "Step time", "", "", ValueFormat::Seconds, Better::Lower, true, false, true, [](const Evaluation& e) { return e.stepTimeS; }, nullptr},
};
}
std::span<const MetricRow> metricRegistry() { return table; }
const MetricRow* metricRow(std::string_view id) { for (const auto& r : table) if (r.id == id) return &r; return nullptr; }
} // namespace headroom
