// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of traces: one for each format that a profiler writes.
#pragma once

#include "core/profile/trace_events.hpp"
#include "core/profile/trace_stream.hpp"

namespace headroom::profile
{

/// PyTorch profiler (Kineto) and what else writes its events as Chrome's JSON: an object with "traceEvents", or their
/// array alone. Keeps the events of GPUs, the calls that launched them, steps and shapes of matmuls; memory grows with
/// these alone, some 60 bytes each. Refused, with line and byte: what is no JSON ("syntax", "not-a-number"), nesting
/// ("too-deep"), more than `mostEvents` ("too-large"), times that are none ("out-of-range").
[[nodiscard]] Expected<TraceEvents> readKineto(TraceStream& stream, const KernelRules& rules);

/// Whether a text begins as such a trace does: it names its events, or the device, early.
[[nodiscard]] bool looksLikeKineto(std::string_view beginning);
/// Whether it begins as JSON does.
[[nodiscard]] bool looksLikeJson(std::string_view beginning);
/// For what is no profile at all.
[[nodiscard]] tl::unexpected<Diagnostics> unknownProfile();

/// Nsight Systems' SQLite export. Read only, row by row; tables and columns that are not there are done without. Fails
/// with "broken-database", "too-large", "cancelled".
[[nodiscard]] Expected<TraceEvents> readNsysSqlite(const std::string& path, const KernelRules& rules,
                                                   const Progress& progress);
[[nodiscard]] bool looksLikeSqlite(std::string_view beginning);

/// The CSV of `nsys stats --report cuda_gpu_trace`: no launches, no steps. Refused with the line: cells that are no
/// times ("not-a-number"), lines that are cut ("wrong-count"), sums of kernels ("sums-only").
[[nodiscard]] Expected<TraceEvents> readNsysCsv(TraceStream& stream, const KernelRules& rules);
[[nodiscard]] bool looksLikeNsysCsv(std::string_view beginning);

/// The warning that CUDA graphs were recorded as one event each.
[[nodiscard]] Diagnostic wholeGraphs();
/// The number of an NVTX range that people put around a step: "step 12", "iteration 12", "ProfilerStep#12".
[[nodiscard]] std::optional<std::int64_t> nvtxStepNamed(std::string_view range);

/// The shape of one of PyTorch's matmul operators (aten::mm, addmm, bmm, baddbmm, _scaled_mm), from "Input Dims" and
/// "Input type"; empty for others, and where they do not go together.
[[nodiscard]] std::optional<MatmulShape> matmulShape(std::string_view name,
                                                     const std::vector<std::vector<std::int64_t>>& dims,
                                                     const std::vector<std::string>& types);

/// The number at the end of an annotation of a step, "ProfilerStep#12" or vLLM's "execute_context_…", which has none
/// and is counted. Empty for other annotations.
struct StepName {
    std::optional<std::int64_t> number;
    std::uint8_t family = 0;
};
[[nodiscard]] std::optional<StepName> stepNamed(std::string_view annotation);

/// A decimal number of µs as ns, exactly: "4458676524670.502". Empty where it is none, or beyond `latest`.
[[nodiscard]] std::optional<std::int64_t> nanoseconds(std::string_view microseconds);

} // namespace headroom::profile
