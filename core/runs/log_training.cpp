// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of one training: torchtitan ("step: 10 … tps: 2,904 …") and Megatron-LM ("iteration 10/ 100 | elapsed …").
#include "core/runs/log_formats.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::logs
{
namespace
{

constexpr double gibibyte = 1024.0 * 1024 * 1024;

/// A number that must be there and positive once the line has its key.
Expected<std::optional<double>> positiveAfter(const Lines& lines, std::string_view key)
{
    if (lines.text().find(key) == std::string::npos)
        return std::optional<double>();
    const auto value = numberAfter(lines.text(), key);
    if (!value || *value <= 0)
        return refuse(lines.number(), "not-a-number", fmt::format("no positive number follows \"{}\"", key),
                      "is the line complete?");
    return value;
}

} // namespace

Expected<LogReading> readTorchtitan(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, "training log"))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    std::vector<double> rates;
    double memory = 0;
    Lines lines(input.text);
    while (lines.next()) {
        if (lines.text().find("step:") == std::string::npos)
            continue;
        const auto rate = positiveAfter(lines, "tps:");
        if (!rate)
            return tl::unexpected(rate.error());
        if (*rate)
            rates.push_back(**rate);
        memory = std::max(memory, numberAfter(lines.text(), "memory:").value_or(0));
    }
    if (rates.empty())
        return refuse(0, "no-steps", "holds no line with \"step:\" and \"tps:\"", "log at least one step");
    LogReading reading;
    Scenario run = runFrom(input, "torchtitan log");
    run.measured.tokensPerSPerGpu = steadyMedian(std::move(rates)); // torchtitan counts tokens per device
    if (memory > 0) {
        run.measured.peakMemoryBytes = memory * gibibyte;
        run.measured.peakMemoryKind = PeakMemoryKind::Reserved;
    }
    reading.runs.push_back(std::move(run));
    return reading;
}

Expected<LogReading> readMegatron(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, "training log"))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    std::vector<double> times;
    double batch = 0;
    Lines lines(input.text);
    while (lines.next()) {
        const auto time = positiveAfter(lines, "elapsed time per iteration (ms):");
        const auto size = positiveAfter(lines, "global batch size:");
        if (!time || !size)
            return tl::unexpected(time ? size.error() : time.error());
        if (!*time)
            continue;
        if (*size && **size != batch) { // the batch ramps up: what came before was another workload
            batch = **size;
            times.clear();
        }
        times.push_back(**time);
    }
    LogReading reading;
    Scenario run = runFrom(input, "Megatron-LM log");
    run.measured.stepTimeS = steadyMedian(std::move(times)) / 1e3;
    if (batch == 0)
        reading.warnings.push_back(problem(
            0, "batch-assumed",
            fmt::format("does not say its global batch: {} of the scenario is taken", effectiveGlobalBatch(run)), {},
            Severity::Warning));
    else if (double(effectiveGlobalBatch(run)) != batch)
        run.training.globalBatch = std::llround(batch);
    reading.runs.push_back(std::move(run));
    return reading;
}

} // namespace headroom::logs
