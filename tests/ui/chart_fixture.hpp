// SPDX-License-Identifier: GPL-3.0-or-later
// Chart specs for tests: small, with everything a ChartSpec can say.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test
{

/// MFU over batch on a log axis: ideal, live line with interval, operating point; `shift` changes every value a little.
inline ChartSpec lineSpec(double shift)
{
    ChartSpec spec;
    spec.id = "utilization";
    spec.title = "Utilisation over batch";
    spec.reading = "More sequences per step feed the GPUs: MFU passes 30 % at batch 128.";
    spec.summary = "MFU rises with the batch from under 1 % to 41 %.";
    spec.x = {"Batch size", "sequences", AxisScale::Log, ValueFormat::Integer, 1, 1024, {}};
    for (int batch = 1; batch <= 1024; batch *= 4)
        spec.x.ticks.push_back({double(batch), batch == 1024 ? "1k" : std::to_string(batch)});
    spec.y = {"Utilisation", "% of peak", AxisScale::Linear, ValueFormat::Percent, 0, 1, {}};
    Series ideal{"ideal", "ideal", SeriesRole::Ideal, SeriesKind::Line, 0, {}, {}};
    Series mfu{"mfu", "MFU", SeriesRole::Current, SeriesKind::Line, 0, {}, Band{}};
    for (int i = 0; i <= 100; ++i) {
        const double x = std::pow(2.0, i / 10.0);
        const double y = 0.42 * x / (x + 90 + shift);
        ideal.points.push_back({x, std::min(1.0, 0.02 * x), 1, "", {}, false});
        mfu.points.push_back({x, y, 1, "", {}, false});
        mfu.band->low.push_back(y * 0.8);
        mfu.band->high.push_back(y * 1.15);
    }
    spec.series = {ideal, mfu};
    const Point& here = mfu.points[40];
    spec.guides = {{GuideKind::Vertical, SeriesRole::Current, here.x, 0, 0, ""},
                   {GuideKind::OperatingPoint, SeriesRole::Current, here.x, here.y, 0, ""}};
    return spec;
}

/// From the peak to what is left: floating bars under long names.
inline ChartSpec ladderSpec()
{
    ChartSpec spec;
    spec.id = "loss_ladder";
    spec.title = "Where the peak goes";
    spec.summary = "From 100 % of peak to 12 %.";
    spec.x = {"Loss", "", AxisScale::Linear, ValueFormat::Plain, -0.5, 4.5, {}};
    const char* const names[] = {"peak", "memory traffic", "matmul shape", "communication between nodes", "predicted"};
    for (int i = 0; i < 5; ++i)
        spec.x.ticks.push_back({double(i), names[i]});
    spec.y = {"Share of the peak", "% of peak", AxisScale::Linear, ValueFormat::Percent, 0, 1, {}};
    spec.series = {{"peak", "peak", SeriesRole::Current, SeriesKind::Bar, 0, {{0, 1, 1, "", {}, false}}, {}},
                   {"losses",
                    "losses",
                    SeriesRole::Secondary,
                    SeriesKind::Bar,
                    1,
                    {{1, 0.5, 1, "", 1.0, false}, {2, 0.3, 1, "", 0.5, false}, {3, 0.12, 1, "", 0.3, true}},
                    {}},
                   {"left", "predicted", SeriesRole::Current, SeriesKind::Bar, 0, {{4, 0.12, 1, "", {}, false}}, {}}};
    return spec;
}

/// Four rows of six cells, the last three of which do not fit.
inline ChartSpec heatSpec()
{
    ChartSpec spec;
    spec.id = "heat_map";
    spec.title = "MFU over batch and length";
    spec.summary = "MFU grows with both.";
    spec.x = {"Batch", "sequences", AxisScale::Log, ValueFormat::Integer, 0.7, 46, {}};
    spec.y = {"Sequence length", "tokens", AxisScale::Log, ValueFormat::Integer, 360, 5800, {}};
    HeatMap map;
    map.x = {1, 2, 4, 8, 16, 32};
    map.y = {512, 1024, 2048, 4096};
    map.format = ValueFormat::Percent;
    map.label = "MFU";
    for (int cell = 0; cell < 24; ++cell) {
        map.value.push_back(cell / 23.0);
        map.infeasible.push_back(cell >= 21 ? 1 : 0);
    }
    spec.heatMap = map;
    spec.guides = {{GuideKind::OperatingPoint, SeriesRole::Current, 8, 1024, 0, "batch 8"}};
    return spec;
}

/// Layers that grow over a capacity, with the batch where they no longer fit.
inline ChartSpec memorySpec()
{
    ChartSpec spec;
    spec.id = "memory";
    spec.title = "Memory per GPU over batch";
    spec.reading = "Weights are the most of it; 80 GB are full at batch 64.";
    spec.summary = "Memory grows with the batch.";
    spec.x = {"Batch size", "sequences", AxisScale::Log, ValueFormat::Integer, 1, 256, {}};
    spec.y = {"Memory per GPU", "GB", AxisScale::Linear, ValueFormat::Bytes, 0, 120e9, {}};
    Series weights{"weights", "weights", SeriesRole::Current, SeriesKind::Area, 0, {}, {}};
    Series cache{"cache", "KV cache", SeriesRole::Secondary, SeriesKind::Area, 1, {}, {}};
    for (int i = 0; i <= 80; ++i) {
        const double x = std::pow(2.0, i / 10.0);
        const bool full = 40e9 + 0.6e9 * x > 80e9;
        weights.points.push_back({x, 40e9, 1, "", {}, full});
        cache.points.push_back({x, 0.6e9 * x, 1, "", {}, full});
    }
    spec.series = {weights, cache};
    spec.guides = {{GuideKind::Horizontal, SeriesRole::Limit, 0, 80e9, 0, "80 GB"}};
    return spec;
}

/// Four operators on one spot under a roof, and one of its own.
inline ChartSpec crowdSpec()
{
    ChartSpec spec;
    spec.id = "crowd";
    spec.title = "Crowd";
    spec.summary = "Operators under a roof.";
    spec.x = {"Intensity", "FLOP per byte", AxisScale::Log, ValueFormat::FlopPerByte, 1, 1000, {}};
    spec.y = {"Rate", "FLOP/s", AxisScale::Log, ValueFormat::FlopPerS, 1e12, 1e15, {}};
    spec.series.push_back({"roof",
                           "bf16",
                           SeriesRole::Current,
                           SeriesKind::Line,
                           0,
                           {{1, 4e12, 1, "", {}, false}, {250, 1e15, 1, "", {}, false}, {1000, 1e15, 1, "", {}, false}},
                           {}});
    Series operators{"operators", "operators", SeriesRole::Secondary, SeriesKind::Points, 1, {}, {}};
    operators.points = {{120, 3.0e14, 0.2, "small", {}, false},
                        {121, 3.1e14, 1.0, "largest", {}, false},
                        {119, 3.1e14, 0.4, "middling", {}, false},
                        {8, 1e13, 0.1, "alone", {}, false}};
    spec.series.push_back(operators);
    return spec;
}

} // namespace headroom::test
