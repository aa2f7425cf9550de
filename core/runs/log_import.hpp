// SPDX-License-Identifier: GPL-3.0-or-later
// Log import: runs out of what training and serving programs print, as scenarios with "measured".
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/scenario/scenario.hpp"
#include "core/support/diagnostic.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// What was found in a log.
struct LogReading {
    std::string format;         ///< "torchtitan log", for people
    std::vector<Scenario> runs; ///< never empty; each with "measured", "source" and a name
    Diagnostics warnings;       ///< what the log does not say and was taken from the scenario
};

/// Reads a log. It rarely says which model ran on what: whatever it leaves out is taken from `base`. Known are
/// - CSV: one run a row; columns are parameters (`micro_batch`, `parallelism.tensor`), `model`, `accelerator`, `name`,
///   `source` and measurements (`step_time_s`, `tpot_ms`); an empty cell means the value of `base`;
/// - torchtitan's and Megatron-LM's lines: a run for each training, the median of its steps without the first ones,
///   which compile and warm up; a training begins where arguments change or the step's number falls back;
/// - Megatron Bridge's, NeMo's and MaxText's lines, alike; LLaMA-Factory's trainer_log.jsonl; the progress bar of
///   Hugging Face's Trainer (so of LLaMA-Factory and Axolotl, which adds its memory), without one the means that it
///   prints at its end, which a resumed training falsifies;
/// - llama-bench's table: a run for each test that reads (pp) or writes (tg);
/// - what trtllm-bench prints and saves; the summaries of NVIDIA's GenAI-Perf and AIPerf (JSON, CSV or table);
/// - what SGLang's bench_serving saves, one result a line; its Infinity means that nothing was limited;
/// - run lines: scenarios with "measured" (JSON Lines), complete in themselves, as the measuring script writes them;
/// - the result of vLLM's `bench serve` (`benchmark_serving.py`) as text or JSON, several one after the other too.
/// Refused are more than 64 MiB, more than 10,000 runs, and what no scenario can hold: numbers out of range, sizes that
/// do not go together with what was left to `base`. Errors say the line. `fileName` (a path's last part) goes into
/// names and sources. What a log says of itself (MFU, TFLOP/s, peak memory) is kept; where ours from the same time is
/// another, a note says why. Never throws.
[[nodiscard]] Expected<LogReading> importLog(std::string_view text, std::string_view fileName, const Scenario& base,
                                             const Catalog& catalog);

/// Whether importLog() takes nothing of such a file from the scenario: run lines are complete in themselves.
[[nodiscard]] bool isCompleteLog(std::string_view fileName, std::string_view text);

/// The programs whose logs and results are read, by name: what texts that list them must hold (tests see to it).
[[nodiscard]] std::span<const std::string_view> logPrograms();

/// Whether a file looks like one of these, for deciding what a dropped file is: its name and its first kilobytes.
[[nodiscard]] bool looksLikeLog(std::string_view fileName, std::string_view beginning);

} // namespace headroom
