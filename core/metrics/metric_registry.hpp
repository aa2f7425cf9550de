// SPDX-License-Identifier: GPL-3.0-or-later
// Metric registry: one row per figure that tiles, tables, axes and exports show.
#pragma once

#include "core/predict/evaluation.hpp"
#include "core/units/value_format.hpp"

#include <span>
#include <string_view>

namespace headroom
{

struct DerivationBuilder;
struct PreparedScenario;

/// Which way a figure should go.
enum class Better : std::uint8_t { Higher, Lower, Neither };

/// The chapter of docs/method that says how a figure is made.
enum class MethodChapter : std::uint8_t {
    None,
    Counting,
    Memory,
    Time /* of the task */,
    Load,
    EnergyCost,
    Speculation,
    Goodput,
    Pools,
    Phases,
    Rl,
    Tiers
};

/// One figure: what it is called, where its value comes from and how that is explained.
struct MetricRow {
    std::string_view id;         ///< path in the result JSON: "mfu", "memory.used_bytes"
    std::string_view label;      ///< "MFU"
    std::string_view longName;   ///< "Model FLOP utilisation"
    std::string_view definition; ///< one sentence for the glossary and the tooltip
    std::string_view formula;    ///< "model FLOP ÷ (time × GPUs × peak)"
    ValueFormat format;
    Better better;
    bool training, inference; ///< tasks it is defined for
    bool tile;                ///< shown as a tile on the dashboard
    std::optional<double> (*value)(const Evaluation&);
    /// What the tile's bar is full at (1 for utilisation, capacity for memory, the latency target); empty = no bar.
    /// Never a null pointer.
    std::optional<double> (*limit)(const Setup&, const Evaluation&);
    /// Fills the steps of the figure's derivation, the result last. Never a null pointer.
    void (*derive)(DerivationBuilder&);
    MethodChapter chapter;        ///< never None
    bool tileWhenDefined = false; ///< its tile stands only where it has a value: what few scenarios ask for
    /// A figure that takes many evaluations: made where somebody asks for it; `value` is then empty. Null for others.
    std::optional<double> (*answer)(const PreparedScenario&) = nullptr;
};

/// All metrics in the order of tables and tiles; the row of an id, null where there is none.
[[nodiscard]] std::span<const MetricRow> metricRegistry();
[[nodiscard]] const MetricRow* metricRow(std::string_view id);

/// The row's value, or its answer.
[[nodiscard]] inline std::optional<double> figureOf(const MetricRow& row, const PreparedScenario& prepared,
                                                    const Evaluation& evaluation)
{
    return row.answer ? row.answer(prepared) : row.value(evaluation);
}

/// Whether the step alone has the figure, and nothing that is counted around it (evaluateStep()).
[[nodiscard]] bool isOfStep(const MetricRow& row, const PreparedScenario& prepared);

/// "docs/method/memory.md", a file of the source code.
[[nodiscard]] std::string_view methodPath(const MetricRow& row, Task task);

} // namespace headroom
