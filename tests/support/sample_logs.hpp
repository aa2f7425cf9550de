// SPDX-License-Identifier: GPL-3.0-or-later
// Logs as the programs write them, lines made up in their format, and the scenarios that they are read for.
#pragma once

#include "core/runs/log_import.hpp"

#include <fmt/format.h>
#include <string>

namespace headroom::test
{

inline Scenario trainingBase()
{
    Scenario base;
    base.hardware.count = 8;
    base.training.microBatch = 2;
    base.training.globalBatch = 64;
    base.measured.mfu = 0.5; // must not leak into a run
    return base;
}

inline Scenario servingBase()
{
    Scenario base;
    base.task = Task::Inference;
    base.inference.batch = 7;
    return base;
}

inline Expected<LogReading> import(const std::string& text, const char* file, const Scenario& base)
{
    return importLog(text, file, base, Catalog::builtIn());
}

/// Lines in torchtitan's format, the first ones slow.
inline std::string torchtitan(int steps)
{
    std::string text = "[rank0]:[titan] 2026-01-05 10:00:00,000 - root - INFO - Starting job: Llama 3 8B\n";
    for (int step = 1; step <= steps; ++step)
        text += fmt::format("[rank0]:[titan] 2026-01-05 10:00:{:02},000 - root - INFO - \x1b[31mstep: {:2}  "
                            "\x1b[32mloss:  7.1  \x1b[33mmemory: 40.00GiB(50.00%)  \x1b[34mtps: {}  "
                            "\x1b[36mtflops: 100.0  \x1b[35mmfu: 32.05%\x1b[0m\n",
                            step % 60, step, step < 3 ? "500" : "2,904");
    return text;
}

inline std::string megatron(int steps, int batch, double milliseconds, int first = 1)
{
    std::string text;
    for (int step = first; step < first + steps; ++step)
        text += fmt::format(" [2026-01-05 10:00:00] iteration {:8}/ 500 | consumed samples: {:12} | elapsed time per "
                            "iteration (ms): {:.1f} | throughput per GPU (TFLOP/s/GPU): 400.1 | learning rate: 1.0E-06 "
                            "| global batch size: {:5} | lm loss: 2.0E+00 | grad norm: 1.4 |\n",
                            step, step * batch, milliseconds, batch);
    return text;
}

inline const std::string vllm = "============ Serving Benchmark Result ============\n"
                                "Successful requests:                     100       \n"
                                "Maximum request concurrency:             16        \n"
                                "Benchmark duration (s):                  30.85     \n"
                                "Total input tokens:                      51200     \n"
                                "Total generated tokens:                  12800     \n"
                                "Output token throughput (tok/s):         1582.87   \n"
                                "Peak output token throughput (tok/s):    2000.00   \n"
                                "---------------Time to First Token----------------\n"
                                "Mean TTFT (ms):                          126.50    \n"
                                "Median TTFT (ms):                        99.0      \n"
                                "-----Time per Output Token (excl. 1st token)------\n"
                                "Mean TPOT (ms):                          9.25      \n"
                                "==================================================\n";

} // namespace headroom::test
