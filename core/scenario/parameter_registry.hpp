// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter registry: one row per value that a person can adjust — slider, file key, flag, sweep axis, glossary entry.
#pragma once

#include "core/scenario/scenario.hpp"
#include "core/units/value_format.hpp"

#include <span>
#include <string_view>

namespace headroom
{

enum class ParameterGroup : std::uint8_t {
    Hardware,
    Workload,
    Precision,
    Memory,
    Parallelism,
    Software,
    Load,
    Assumptions,
    Measured
};
/// What a row's double stands for.
enum class ParameterKind : std::uint8_t {
    Integer,
    Real,
    Choice, ///< value is an index into `choices`
    Toggle  ///< 0 or 1
};
enum class ParameterScale : std::uint8_t { Linear, Log };

/// One value of a choice.
struct ParameterChoice {
    std::string_view id;    ///< in files
    std::string_view label; ///< for people
};

/// One adjustable parameter. Values travel as double; choices as their index.
struct ParameterRow {
    std::string_view id{};     ///< unique: the last key of `path` where that is unique ("batch", "sequence_length")
    std::string_view path{};   ///< JSON path in the scenario file, "/workload/sequence_length"; two rows may share one
    std::string_view label{};  ///< "Sequence length"
    std::string_view symbol{}; ///< "s"; may be empty
    std::string_view unit{};   ///< "tokens"; may be empty
    std::string_view description{}; ///< glossary entry, one or two sentences
    ParameterGroup group = ParameterGroup::Workload;
    ParameterKind kind = ParameterKind::Integer;
    ParameterScale scale = ParameterScale::Log;
    ValueFormat format = ValueFormat::Integer;
    double minimum = 1, maximum = 1e12;          ///< refused outside (file): the hard range
    double sliderMinimum = 1, sliderMaximum = 1; ///< the range a slider shows at first
    std::span<const double> snaps{};             ///< snap points and labelled ticks of the slider
    std::span<const ParameterChoice> choices{};
    bool training = false, inference = false; ///< tasks it applies to
    bool everyday = false;                    ///< shown without opening "more"
    bool optional = false;                    ///< has an "automatic" state (std::optional in Setup)
    bool decidedElsewhere = false; ///< "automatic" is a matter of the GPU, the stack or memory: get() does not know it
    bool (*applies)(const Setup&) = nullptr; ///< shown now (LoRA rank only with LoRA); in the registry never null
    double (*get)(const Setup&) = nullptr;   ///< effective value, defaults filled in
    void (*set)(Setup&, double) = nullptr;   ///< precondition: within [minimum, maximum]; whole numbers are rounded
    bool (*isSet)(const Setup&) = nullptr;   ///< optional rows: has a value of its own; others: differs from default
    void (*reset)(Setup&) = nullptr;         ///< back to default / automatic
    /// Whether another row holds in place of this one, whose get() is then of no effect; null where none ever does.
    bool (*overruled)(const Setup&) = nullptr;
};

/// All rows, group by group, in the order of the panel.
[[nodiscard]] std::span<const ParameterRow> parameterRegistry();
/// By id, path ("/parallelism/tensor", "parallelism.tensor") or the last key of the shortest path that ends in it
/// ("software"): the row of that task; null when there is none, or two are as short.
[[nodiscard]] const ParameterRow* parameterRow(std::string_view key, Task task);
/// By id alone, whatever the task.
[[nodiscard]] const ParameterRow* parameterRow(std::string_view id);

/// Whether the panel shows the parameter for this scenario.
[[nodiscard]] inline bool isOffered(const ParameterRow& row, const Setup& setup)
{
    return appliesTo(row, setup.task) && row.applies(setup);
}

/// Whether another row holds in its place: its own value is of no effect.
[[nodiscard]] inline bool isOverruled(const ParameterRow& row, const Setup& setup)
{
    return row.overruled && row.overruled(setup);
}

/// Text of a value for undo entries and hover: "16 sequences", "bf16", "on".
[[nodiscard]] std::string parameterText(const ParameterRow& row, double value);

/// The x axis a task's sweep charts use unless the user chose another: micro_batch in training, batch in inference.
[[nodiscard]] std::string_view defaultSweepParameter(Task task);

} // namespace headroom
