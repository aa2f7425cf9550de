// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of one training: MaxText ("completed step: 10, seconds: 13.360, TFLOP/s/device: …") and what Hugging Face's
// Trainer prints at its end ({'train_runtime': …}), which LLaMA-Factory and Axolotl print too.
#include "core/runs/log_facts.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::logs
{
namespace
{

/// The number after a key that may stand in quotes of either kind: 'train_runtime': 8418.1, "train_runtime": '211'.
std::optional<double> quotedNumber(std::string line, std::string_view key)
{
    std::erase_if(line, [](char c) { return c == '\'' || c == '"'; });
    return numberAfter(line, std::string(key) + ":");
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
    reading.runs.push_back(std::move(run));
    return reading;
}

Expected<LogReading> readTrainer(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    LogReading reading;
    Lines lines(input.text);
    std::optional<double> samples, steps;
    int line = 0;
    while (lines.next()) { // the last one counts: a log may hold several trainings
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
    Scenario run = runFrom(input, "Trainer log");
    run.measured.stepTimeS = 1 / *steps;
    JobFacts facts({});
    // Both rates have three decimals: their ratio is a whole number, nearly.
    if (samples && *samples > 0)
        facts.set("global_batch", std::max(1.0, std::round(*samples / *steps)));
    if (auto wrong = facts.apply(run, reading.warnings))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    reading.warnings.push_back(
        problem(line, "whole-run", said("states means over the whole training, first steps and evaluations included"),
                said("the step time is at most this"), Severity::Warning));
    reading.runs.push_back(std::move(run));
    return reading;
}

} // namespace headroom::logs
