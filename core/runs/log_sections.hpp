// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/runs: logs that hold several trainings, one after the other.
#pragma once

#include "core/runs/log_facts.hpp"

namespace headroom::logs
{

/// How the lines of one kind of log tell where a training begins.
struct TrainingMarks {
    std::span<const FactRow> facts; ///< lines that a program prints before its steps
    /// The number of the step that a line is about; empty on other lines.
    std::optional<double> (*step)(const std::string& line);
};

/// Reads each training of a log with `readOne`, a run each. A training begins where its step follows lines that say
/// other facts, or repeat them and the step's number falls back, or where that falls back to the first one: ranks that
/// print at once are some steps apart at most, and each says the same facts.
[[nodiscard]] Expected<LogReading> readEachTraining(const LogInput& input, const TrainingMarks& marks,
                                                    Expected<LogReading> (*readOne)(const LogInput& input));

} // namespace headroom::logs
