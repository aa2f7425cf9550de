// SPDX-License-Identifier: GPL-3.0-or-later
// Results for people and spreadsheets: the text table and the CSV row, both by the metric registry.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <string_view>

namespace headroom
{

/// The table that `evaluate` prints by default.
[[nodiscard]] std::string evaluationText(std::string_view name, const PreparedScenario& prepared,
                                         const Evaluation& evaluation);

/// What a result has to say of itself, as `evaluate` ends: one line "Note: …" for each warning.
[[nodiscard]] std::string evaluationNotes(const PreparedScenario& prepared, const Evaluation& evaluation);

/// The ids of warnings, apart by spaces; with `listed`, of those that it takes.
[[nodiscard]] std::string warningCodes(const WarningSet& warnings, bool (*listed)(WarningCode) = nullptr);

/// CSV (RFC 4180, with newline): name, model, accelerator, count, task, fits, bound_by, every metric of the registry,
/// what was measured with other settings, warnings, error. Numbers at full precision; what is undefined is empty.
[[nodiscard]] std::string evaluationCsvHeader();
[[nodiscard]] std::string evaluationCsvRow(std::string_view name, const PreparedScenario& prepared,
                                           const Evaluation& evaluation, std::string_view otherMeasurement = {});
/// The row of a refused scenario: name and error only.
[[nodiscard]] std::string errorCsvRow(std::string_view name, const Diagnostics& diagnostics);
/// One cell: quoted where it must be; what a spreadsheet would run as a formula begins with an apostrophe.
[[nodiscard]] std::string csvCell(std::string_view text);

} // namespace headroom
