// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/runs: what the beginning of a training log says about the job.
#pragma once

#include "core/runs/log_formats.hpp"

#include <span>
#include <string>
#include <vector>

namespace headroom::logs
{

/// On a line that holds `mark`, the number after `key` is a parameter of the job.
struct FactRow {
    std::string_view mark, key;
    std::string_view parameter; ///< id in the parameter registry, or a name of the reader's own
};

/// Facts that were found; the first line that states one counts, because every rank prints its own.
class JobFacts final
{
public:
    explicit JobFacts(std::span<const FactRow> rows) : m_rows(rows) {}

    void read(const Lines& lines);
    [[nodiscard]] std::optional<double> value(std::string_view parameter) const;
    /// A fact that follows from others.
    void set(std::string_view parameter, double value);

    /// Puts the parameters into the run and says so in `notes`. What is wrong: the sizes do not go together with what
    /// was left to the scenario.
    [[nodiscard]] std::optional<Diagnostic> apply(Scenario& run, Diagnostics& notes) const;

private:
    struct Fact {
        std::string_view parameter;
        double value = 0;
        int line = 0;
    };
    std::span<const FactRow> m_rows;
    std::vector<Fact> m_facts;
};

/// A benchmark that says how many requests were in flight measured those, whatever load the scenario has.
void dropLoad(InferenceWorkload& inference);
/// Mean tokens of the requests that were measured: a mix of the scenario's and percentiles of another mean go.
void takeLengths(InferenceWorkload& inference, std::int64_t prompt, std::int64_t output);
/// A warning that a training log leaves its global batch to the scenario.
[[nodiscard]] Diagnostic batchAssumed(const Scenario& run);
/// What a log tells of its only run: the facts, the largest torch.cuda.max_memory_allocated(), bytes, and the global
/// batch, which is left to the scenario with a warning; 0 of either: the log has none.
[[nodiscard]] Expected<LogReading> oneRun(Scenario run, JobFacts facts, double allocatedBytes, double globalBatch);
/// A log of another model than the scenario's: its parameters, as the log counts them, are more than 3 % off.
[[nodiscard]] std::optional<Diagnostic> wrongModel(const LogInput& input, double parameters, int line);
/// A warning where the name of a model ("Qwen/Qwen3-8B-FP8") holds none that the catalogue knows the scenario's by;
/// empty where that cannot be told.
[[nodiscard]] std::optional<Diagnostic> otherModel(const LogInput& input, std::string_view model, int line);
/// A warning where a device's name ("NVIDIA H100") is not the scenario's accelerator; empty where that cannot be told.
[[nodiscard]] std::optional<Diagnostic> otherDevice(const LogInput& input, std::string_view device, int line);

} // namespace headroom::logs
