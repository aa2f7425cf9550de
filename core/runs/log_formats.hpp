// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/runs: one reader for each kind of log, and what they share.
#pragma once

#include "core/runs/log_import.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <optional>

namespace headroom::logs
{

struct LogInput {
    std::string_view text, fileName;
    const Scenario& base;
    const Catalog& catalog;
    int run = 0; ///< which of several trainings in a file this is the text of; 0: the only one
};

/// One row per kind of log, tried in order.
struct LogFormatRow {
    std::string_view name; ///< "torchtitan log"
    bool (*matches)(std::string_view fileName, std::string_view beginning);
    Expected<LogReading> (*read)(const LogInput& input);
};

[[nodiscard]] Expected<LogReading> readCsv(const LogInput& input);
[[nodiscard]] Expected<LogReading> readTorchtitan(const LogInput& input);
[[nodiscard]] Expected<LogReading> readMegatron(const LogInput& input);
[[nodiscard]] Expected<LogReading> readVllmText(const LogInput& input);
[[nodiscard]] Expected<LogReading> readVllmJson(const LogInput& input);
/// Whether a printed table is of SGLang's benchmark of an SGLang server, whose words differ from vLLM's.
[[nodiscard]] bool isSglangTable(std::string_view text);
[[nodiscard]] Expected<LogReading> readSglangText(const LogInput& input);
[[nodiscard]] Expected<LogReading> readSglangJson(const LogInput& input);
[[nodiscard]] Expected<LogReading> readMaxText(const LogInput& input);
[[nodiscard]] Expected<LogReading> readTrainer(const LogInput& input);
[[nodiscard]] Expected<LogReading> readLlamaBench(const LogInput& input);
[[nodiscard]] Expected<LogReading> readRunLines(const LogInput& input);
[[nodiscard]] Expected<LogReading> readTrtllmText(const LogInput& input);
[[nodiscard]] Expected<LogReading> readTrtllmJson(const LogInput& input);
[[nodiscard]] Expected<LogReading> readGenAiPerf(const LogInput& input);
[[nodiscard]] Expected<LogReading> readNemo(const LogInput& input);
[[nodiscard]] Expected<LogReading> readMegatronBridge(const LogInput& input);
[[nodiscard]] Expected<LogReading> readLlamaFactory(const LogInput& input);
[[nodiscard]] Expected<LogReading> readAxolotl(const LogInput& input);

/// The cells of a line of CSV (RFC 4180 without line breaks inside cells); empty where a quote is not closed.
[[nodiscard]] std::optional<std::vector<std::string>> csvCells(const std::string& line);

/// Lines without their ends, counted from 1; terminal colours are taken out.
class Lines final
{
public:
    explicit Lines(std::string_view text) : m_rest(text) {}
    /// False at the end.
    bool next();
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] int number() const { return m_number; }
    /// Where the line begins in the whole text, bytes.
    [[nodiscard]] std::size_t begin() const { return m_begin; }

private:
    std::string_view m_rest;
    std::string m_text;
    int m_number = 0;
    std::size_t m_begin = 0, m_next = 0;
};

/// Why a file with so many runs is refused; empty while there are few enough. Each takes a kilobyte and an evaluation.
[[nodiscard]] std::optional<Diagnostic> tooMany(std::size_t runs, int line);

/// The number after `key` ("tps: 2,904" → 2904), empty where the key is missing or no number follows: a comma stands
/// before three digits or ends the number, so "11017,0" is none.
[[nodiscard]] std::optional<double> numberAfter(std::string_view line, std::string_view key);

/// The median of what was measured once the run is warm: the first tenth, at least two steps, is left out where at
/// least five remain. Precondition: not empty.
[[nodiscard]] double steadyMedian(std::vector<double> steps);

/// The scenario of one run: `base` without its own measurements, named and sourced after the file.
[[nodiscard]] Scenario runFrom(const LogInput& input, std::string_view what, int number = 0);

[[nodiscard]] Diagnostic problem(int line, std::string code, std::string message, std::string hint = {},
                                 Severity severity = Severity::Error);
/// A value that the registry's row refuses; NaN is one.
[[nodiscard]] std::optional<Diagnostic> outOfRange(const ParameterRow& row, double value, int line);
[[nodiscard]] tl::unexpected<Diagnostics> refuse(int line, std::string code, std::string message,
                                                 std::string hint = {});

/// "is a training log, but the scenario serves": a log of the other task.
[[nodiscard]] std::optional<Diagnostic> wrongTask(const LogInput& input, Task task, std::string_view what);

} // namespace headroom::logs
