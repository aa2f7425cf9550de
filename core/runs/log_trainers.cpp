// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of one training: MaxText ("completed step: 10, seconds: 13.360, TFLOP/s/device: …") and what Hugging Face's
// Trainer prints at its end ({'train_runtime': …}), which LLaMA-Factory and Axolotl print too, the latter with
// its memory.
#include "core/runs/log_facts.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::logs
{
namespace
{

/// The number after a key that may stand in quotes of either kind: 'train_runtime': 8418.1, "train_runtime": '211'; or
/// in the Trainer's table: "  train_steps_per_second   =      0.558".
std::optional<double> quotedNumber(std::string line, std::string_view key)
{
    std::erase_if(line, [](char c) { return c == '\'' || c == '"'; });
    const std::size_t at = line.find(key);
    if (at == line.npos)
        return std::nullopt;
    const std::size_t sign = line.find_first_not_of(' ', at + key.size());
    return sign != line.npos && (line[sign] == ':' || line[sign] == '=') ? numberAfter("=" + line.substr(sign + 1), "=")
                                                                         : std::nullopt;
}

/// MaxText counts all tokens of a step, so its time and its rate say how many sequences that are.
std::optional<Diagnostic> setBatch(Scenario& run, Diagnostics& notes)
{
    const Measured& m = run.measured;
    if (!m.tokensPerSPerGpu) {
        notes.push_back(batchAssumed(run));
        return std::nullopt;
    }
    const double tokens = *m.stepTimeS * *m.tokensPerSPerGpu;
    const double sequences = tokens * double(run.hardware.count) / double(run.training.sequenceLength);
    const double rounding = 1e-4 + 0.0005 / *m.stepTimeS; // of times in thousandths of a second
    if (std::abs(sequences - std::round(sequences)) > rounding * sequences)
        return problem(0, "does-not-divide",
                       say("has steps of {} tokens a GPU, which are no whole sequences of {} on {} GPUs",
                           exactNumber(std::round(tokens)), run.training.sequenceLength, run.hardware.count),
                       said("open the scenario that ran, or change it to these sizes"));
    JobFacts facts({});
    facts.set("global_batch", std::round(sequences));
    return facts.apply(run, notes);
}

} // namespace

Expected<LogReading> readMaxText(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    std::vector<double> times, rates, flops;
    LogReading reading;
    Scenario run = runFrom(input, "MaxText log");
    Lines lines(input.text);
    while (lines.next()) {
        if (lines.text().find("completed step:") == std::string::npos)
            continue;
        const auto seconds = numberAfter(lines.text(), "seconds:");
        if (!seconds || *seconds <= 0)
            return refuse(lines.number(), "not-a-number", say("no positive number follows \"{}\"", "seconds:"),
                          said("is the line complete?"));
        times.push_back(*seconds);
        if (const auto rate = numberAfter(lines.text(), "Tokens/s/device:"); rate && *rate > 0)
            rates.push_back(*rate);
        if (const auto rate = numberAfter(lines.text(), "TFLOP/s/device:"); rate && *rate > 0)
            flops.push_back(*rate);
    }
    if (times.empty())
        return refuse(0, "no-steps", said("holds no line with \"completed step:\""), said("log at least one step"));
    run.measured.stepTimeS = steadyMedian(std::move(times));
    if (!rates.empty())
        run.measured.tokensPerSPerGpu = steadyMedian(std::move(rates));
    if (!flops.empty())
        run.measured.modelTflopsPerGpu = steadyMedian(std::move(flops));
    if (auto wrong = setBatch(run, reading.warnings))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    reading.runs.push_back(std::move(run));
    return reading;
}

namespace
{

/// Axolotl writes what its rank 0 had allocated at most with each line, in GiB; earlier releases called it otherwise.
double axolotlMemory(const std::string& line)
{
    constexpr double gibibyte = 1024.0 * 1024 * 1024;
    double most = 0;
    for (const char* key : {"memory/max_allocated (GiB)", "memory/max_mem_allocated(gib)"})
        most = std::max(most, quotedNumber(line, key).value_or(0));
    return gibibyte * most;
}

Expected<LogReading> readMeans(const LogInput& input, std::string_view what)
{
    LogReading reading;
    Lines lines(input.text);
    std::optional<double> samples, steps;
    double memory = 0;
    int line = 0;
    while (lines.next()) { // the last one counts: a log may hold several trainings
        memory = std::max(memory, axolotlMemory(lines.text()));
        if (const auto rate = quotedNumber(lines.text(), "train_samples_per_second"))
            samples = rate;
        if (const auto rate = quotedNumber(lines.text(), "train_steps_per_second")) {
            steps = rate;
            line = lines.number();
        }
    }
    if (!steps || *steps <= 0)
        return refuse(line, "no-steps", say("no positive number follows \"{}\"", "train_steps_per_second"),
                      said("import the log of a training that ended"));
    Scenario run = runFrom(input, what);
    run.measured.stepTimeS = 1 / *steps;
    if (memory > 0) {
        run.measured.peakMemoryBytes = memory;
        run.measured.peakMemoryKind = PeakMemoryKind::Allocated;
    }
    JobFacts facts({});
    // Both rates are rounded to three decimals: of slow steps several batches have their ratio.
    constexpr double half = 0.0005;
    if (samples && *samples > half && *steps > half) {
        const double least = (*samples - half) / (*steps + half), most = (*samples + half) / (*steps - half);
        const auto stated = double(effectiveGlobalBatch(run));
        const double batch = stated >= least && stated <= most ? stated : std::max(1.0, std::round(*samples / *steps));
        facts.set("global_batch", batch);
        run.measured.stepTimeS = batch / *samples; // the rate of samples has more digits
    }
    if (auto wrong = facts.apply(run, reading.warnings))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    reading.warnings.push_back(
        problem(line, "whole-run", said("states means over the whole training, first steps and evaluations included"),
                said("the step time is at most this"), Severity::Warning));
    reading.runs.push_back(std::move(run));
    return reading;
}

} // namespace

Expected<LogReading> readTrainer(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    return readMeans(input, "Trainer log");
}

Expected<LogReading> readAxolotl(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    return readMeans(input, "Axolotl log");
}

} // namespace headroom::logs
