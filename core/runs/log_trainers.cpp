// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of one training: MaxText ("completed step: 10, seconds: 13.360, TFLOP/s/device: …") and what Hugging Face's
// Trainer prints at its end ({'train_runtime': …}), which LLaMA-Factory and Axolotl print too, the latter with
// its memory.
#include "core/runs/log_sections.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

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

std::optional<double> maxTextStep(const std::string& line)
{
    return numberAfter(line, "completed step:");
}

Expected<LogReading> readOneMaxText(const LogInput& input)
{
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

} // namespace

Expected<LogReading> readMaxText(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    return readEachTraining(input, {{}, maxTextStep}, readOneMaxText);
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

/// What a progress bar of tqdm said first and last: "| 50/500 [01:40<15:00,  2.00s/it]".
struct ProgressBar {
    double total = 0, firstStep = 0, firstS = 0, lastStep = 0, lastS = 0;

    [[nodiscard]] double seconds() const { return lastS - firstS; }
    /// Whole seconds are printed: over fewer than these they are no time of a step.
    [[nodiscard]] bool tells() const { return seconds() >= 30 && lastStep > firstStep; }
};

/// Seconds of "01:40" or "1:02:03".
std::optional<double> clockSeconds(std::string_view text)
{
    double seconds = 0, part = 0;
    for (const char c : text) {
        if (c == ':') {
            seconds = (seconds + part) * 60;
            part = 0;
        } else if (c >= '0' && c <= '9') {
            part = part * 10 + (c - '0');
        } else {
            return std::nullopt;
        }
    }
    return text.empty() ? std::nullopt : std::optional(seconds + part);
}

/// The bars since the last training ended. A training's bar is the one that ran longest: that of an evaluation or of
/// loading runs within it or is shorter.
class ProgressBars final
{
public:
    void read(std::string_view line)
    {
        for (std::size_t at = line.find(" ["); at != line.npos; at = line.find(" [", at + 2)) {
            const std::size_t slash = line.rfind('/', at), begin = line.find_last_not_of("0123456789", slash - 1);
            const std::size_t end = line.find('<', at);
            if (slash == line.npos || slash == 0 || begin == line.npos || end == line.npos)
                continue;
            const auto total = clockSeconds(line.substr(slash + 1, at - slash - 1)),
                       step = clockSeconds(line.substr(begin + 1, slash - begin - 1)),
                       seconds = clockSeconds(line.substr(at + 2, end - at - 2));
            if (total && step && seconds && *step >= 1) // a resumed bar begins at 0 and leaps
                add(*total, *step, *seconds);
        }
    }
    [[nodiscard]] ProgressBar longest() const
    {
        const auto most = std::ranges::max_element(m_bars, {}, &ProgressBar::seconds);
        return most == m_bars.end() ? ProgressBar() : *most;
    }

private:
    void add(double total, double step, double seconds)
    {
        auto bar = std::ranges::find(m_bars, total, &ProgressBar::total);
        if (bar == m_bars.end())
            bar = m_bars.insert(bar, {total, step, seconds, step, seconds});
        if (step < bar->lastStep || seconds < bar->lastS) // another bar of as many
            *bar = {total, step, seconds, step, seconds};
        bar->lastStep = step;
        bar->lastS = seconds;
    }

    std::vector<ProgressBar> m_bars;
};

/// What a training says at its end, and its bar.
struct Means {
    std::optional<double> samples, steps; ///< a second
    double memory = 0;
    ProgressBar bar{};
    int line = 0;
};

Expected<LogReading> readMean(const LogInput& input, std::string_view what, const Means& means, int number)
{
    const auto& [samples, steps, memory, bar, line] = means;
    if (!steps || *steps <= 0)
        return refuse(line, "no-steps", say("no positive number follows \"{}\"", "train_steps_per_second"),
                      said("import the log of a training that ended"));
    LogReading reading;
    Scenario run = runFrom(input, what, number);
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
    // The Trainer divides all steps of the job by the time of this process alone.
    if (bar.tells()) {
        run.measured.stepTimeS = bar.seconds() / (bar.lastStep - bar.firstStep);
        reading.warnings.push_back(
            problem(line, "whole-run",
                    said("is timed by its progress bar, first to last step, evaluations and saving included"),
                    said("the step time is at most this"), Severity::Warning));
    } else {
        reading.warnings.push_back(problem(
            line, "whole-run", said("states means over the whole training, first steps and evaluations included"),
            said("the step time is at most this, unless the training was resumed or stopped early: then all "
                 "its steps are divided by a part of the time, and the step time is longer"),
            Severity::Warning));
    }
    reading.runs.push_back(std::move(run));
    return reading;
}

/// A log may hold several trainings. One says its means twice, in a line and in a table, with the same digits.
Expected<LogReading> readMeans(const LogInput& input, std::string_view what)
{
    std::vector<Means> all;
    ProgressBars bars;
    double memory = 0;
    Lines lines(input.text);
    const auto note = [&](std::string_view key, std::optional<double> Means::*figure) -> std::optional<Diagnostic> {
        const auto rate = quotedNumber(lines.text(), key);
        if (!rate)
            return std::nullopt;
        if (all.empty() || (all.back().*figure && all.back().*figure != rate)) {
            all.push_back({{}, {}, 0, bars.longest(), 0});
            bars = {};
        }
        all.back().*figure = rate;
        all.back().line = lines.number();
        all.back().memory = std::max(all.back().memory, std::exchange(memory, 0));
        return tooMany(all.size(), lines.number());
    };
    while (lines.next()) {
        bars.read(lines.text());
        memory = std::max(memory, axolotlMemory(lines.text()));
        for (const auto& [key, figure] : {std::pair("train_samples_per_second", &Means::samples),
                                          std::pair("train_steps_per_second", &Means::steps)})
            if (auto many = note(key, figure))
                return tl::unexpected(Diagnostics{*std::move(many)});
    }
    if (all.empty())
        all.emplace_back();
    LogReading reading;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto one = readMean(input, what, all[i], all.size() > 1 ? static_cast<int>(i) + 1 : 0);
        if (!one)
            return one;
        std::ranges::move(one->runs, std::back_inserter(reading.runs));
        std::ranges::move(one->warnings, std::back_inserter(reading.warnings));
    }
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
