// SPDX-License-Identifier: GPL-3.0-or-later
// The result format: Evaluation as JSON, and the names of its shares.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <string_view>

namespace headroom
{

/// indent < 0: one line. Undefined values are null. `name` is null when empty; `otherMeasurement`, what was measured
/// with other settings, is there where it is not empty.
[[nodiscard]] std::string evaluationJson(std::string_view name, const PreparedScenario& prepared,
                                         const Evaluation& evaluation, int indent,
                                         std::string_view otherMeasurement = {});
/// The one-line form appended to a buffer that is used again and again (JSON Lines at full speed).
void appendEvaluationJson(std::string& text, std::string_view name, const PreparedScenario& prepared,
                          const Evaluation& evaluation, std::string_view otherMeasurement = {});
/// {"name": …, "error": {"code", "path", "message", "hint"}} on one line, of the first diagnostic.
[[nodiscard]] std::string errorJson(std::string_view name, const Diagnostics& diagnostics);

/// "tensor_parallel_exposed": names of the time shares in results.
[[nodiscard]] std::string_view timePartId(TimePart part);
/// "kv_cache": names of the memory shares in results.
[[nodiscard]] std::string_view memoryPartId(MemoryPart part);
[[nodiscard]] std::string_view toId(BoundBy bound);

} // namespace headroom
