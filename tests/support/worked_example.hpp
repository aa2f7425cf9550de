// SPDX-License-Identifier: GPL-3.0-or-later
// WorkedExample: one case with a published or hand-worked answer, as plain text that a non-programmer can add.
//
//   name: An A100 doing 200 of its 312 TFLOP/s
//   source: a conversation on MFU, late 2023
//   scenario:
//     model = llama-3-8b
//     hardware.accelerator = a100-sxm-80gb
//     measured.model_tflops_per_gpu = 200
//   over workload.batch = 1, 8, 64          (optional: then `rises`, `falls`, `constant` may be expected)
//   with:                                   (optional: numbers worked out on the way)
//     bytes = 8e9 * 2
//   expect:
//     observed.mfu = 0.641 ± 0.0005
//     hfu / mfu between 1.25 and 1.34
//     fits = true
//     mbu falls
//
// Paths are those of the scenario file and of the result; sums, products, quotients and powers (^) of paths, numbers
// and names under "with:" are allowed. Besides the result's own, there are paths to what is predicted of each operator
// ("operators.LM_head.time_s") and to each constant ("calibration.training.matmul.H100.16_bit.start_us"). A scenario
// with plan.gpus, plan.objective is put to the planner; its answer is at "plan". A line beginning with # is a remark.
// Of a chapter (.md), only blocks fenced as ```example are read.
#pragma once

#include <string>
#include <vector>

namespace headroom::test
{

struct WorkedExample {
    std::string name, source, file;
    int line = 0;
    std::vector<std::pair<std::string, std::string>> settings; ///< path, value
    std::string overPath;
    std::vector<std::string> overValues;
    std::vector<std::pair<std::string, std::string>> with; ///< name, expression
    std::vector<std::string> expectations;
};

/// The blocks of one file; a malformed line throws std::runtime_error with file and line.
[[nodiscard]] std::vector<WorkedExample> readWorkedExamples(const std::string& path);

/// Runs one; the returned text is empty when every expectation holds, else says expected and got for each that does
/// not.
[[nodiscard]] std::string runWorkedExample(const WorkedExample& example);

} // namespace headroom::test
