// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the scenario file as people read of them: the page docs/scenario_format.md is made of this list.
#pragma once

#include "core/scenario/scenario.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// One key. Words are English: they describe a file.
struct ScenarioKey {
    std::string path;      ///< "/workload/lora/rank"
    std::string values;    ///< "whole number from 1 to 1024", "none, zero1, zero2 or fsdp"
    std::string usual;     ///< as a file has it, 16 or "fsdp"; empty where the default follows from other keys
    std::string words;     ///< what the registry says of it, else keyWords()
    bool hasRow = false;   ///< a person can adjust it in the window
    bool training = true;  ///< belongs to scenarios of training
    bool inference = true; ///< belongs to scenarios of inference
};

/// Every key that readScenario() knows below the document's markers, in the order of writing, but for /model and
/// /hardware/accelerator, which take whole objects, and /measured_with, which repeats the others.
[[nodiscard]] std::vector<ScenarioKey> scenarioKeys();

/// What a key without a row in a registry means, as a sentence; empty for those with one.
[[nodiscard]] std::string_view keyWords(std::string_view path);

/// "/parallelism/tensor" for "tensor": the key of that name that has the shortest path, of scenarios of that task, else
/// the one of the parameter with that id ("ttft_target_s"); empty where there is none.
[[nodiscard]] std::string pathOfKey(std::string_view name, Task task);

/// That list as the Markdown of docs/scenario_format.md.
[[nodiscard]] std::string scenarioFormatPage();

} // namespace headroom
