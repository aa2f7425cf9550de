// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of one training: NeMo ("Training epoch 0, iteration 10/99 | … | train_step_timing in s: 12.22 | …") and what
// LLaMA-Factory saves beside it (trainer_log.jsonl: a line each some steps, with what time had passed).
#include "core/runs/log_sections.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/say.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headroom::logs
{
namespace
{

/// Lightning writes "key: value" a line, or "key=value" behind its progress bar.
std::optional<double> statedAs(const std::string& line, std::string_view key)
{
    for (const char* sign : {":", "="})
        if (const auto value = numberAfter(line, std::string(key) + sign); value && *value > 0)
            return value;
    return std::nullopt;
}

/// Seconds of "0:01:07", "1 day, 2:03:04".
std::optional<double> secondsIn(std::string_view text)
{
    double days = 0;
    if (const std::size_t comma = text.find(','); comma != text.npos) {
        std::int64_t whole = 0;
        if (std::from_chars(text.data(), text.data() + comma, whole).ec != std::errc())
            return std::nullopt;
        days = double(whole);
        text.remove_prefix(std::min(comma + 2, text.size()));
    }
    double seconds = 0;
    int parts = 0;
    while (!text.empty() && parts < 3) {
        std::int64_t part = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), part);
        if (read.ec != std::errc() || part < 0)
            return std::nullopt;
        seconds = seconds * 60 + double(part);
        text.remove_prefix(std::size_t(read.ptr - text.data()));
        ++parts;
        if (!text.empty() && text.front() != ':')
            return std::nullopt;
        text.remove_prefix(text.empty() ? 0 : 1);
    }
    return parts == 3 && text.empty() ? std::optional(days * secondsPerDay + seconds) : std::nullopt;
}

/// A line of trainer_log.jsonl.
struct Progress {
    double steps = 0, seconds = 0, tokens = 0;
};

std::optional<Progress> progressIn(const std::string& line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object())
        return std::nullopt;
    const auto number = [&](const char* key) {
        const auto found = json->find(key);
        return found != json->end() && found->is_number() ? found->get<double>() : 0.0;
    };
    const auto elapsed = json->find("elapsed_time");
    const auto seconds =
        elapsed != json->end() && elapsed->is_string() ? secondsIn(elapsed->get<std::string>()) : std::nullopt;
    return seconds ? std::optional(Progress{number("current_steps"), *seconds, number("total_tokens")}) : std::nullopt;
}

constexpr std::string_view timing = "train_step_timing in s";

/// Steps count on through the epochs where NeMo says so; its iterations begin anew with each.
std::optional<double> nemoStep(const std::string& line)
{
    if (line.find(timing) == std::string::npos)
        return std::nullopt;
    if (const auto step = statedAs(line, "global_step"))
        return step;
    constexpr double longestEpoch = 1e9;
    const auto iteration = numberAfter(line, "iteration ");
    return iteration ? std::optional(numberAfter(line, "epoch ").value_or(0) * longestEpoch + *iteration)
                     : std::nullopt;
}

Expected<LogReading> readOneNemo(const LogInput& input)
{
    std::vector<double> times, rates, flops;
    double batch = 0, memory = 0;
    Scenario run = runFrom(input, "NeMo log");
    Lines lines(input.text);
    while (lines.next()) {
        const std::string& text = lines.text();
        const std::size_t at = text.find(timing);
        if (at == text.npos || text.find('[', at) != text.npos) // a list of all of them, at the end
            continue;
        const auto time = statedAs(text, timing);
        if (!time)
            return refuse(lines.number(), "not-a-number", say("no positive number follows \"{}\"", timing),
                          said("is the line complete?"));
        const double size = statedAs(text, "global_batch_size").value_or(batch);
        if (size != batch) { // the batch ramps up: what came before was another workload
            batch = size;
            times.clear();
            rates.clear();
            flops.clear();
        }
        times.push_back(*time);
        if (const auto rate = statedAs(text, "tokens_per_sec_per_gpu"))
            rates.push_back(*rate);
        if (const auto rate = statedAs(text, "TFLOPS_per_GPU"))
            flops.push_back(*rate);
        memory = std::max(memory, statedAs(text, "peak_memory_usage").value_or(0));
    }
    if (times.empty())
        return refuse(0, "no-steps", say("holds no line with \"{}\"", timing), said("log at least one step"));
    run.measured.stepTimeS = steadyMedian(std::move(times));
    if (!rates.empty())
        run.measured.tokensPerSPerGpu = steadyMedian(std::move(rates));
    if (!flops.empty())
        run.measured.modelTflopsPerGpu = steadyMedian(std::move(flops));
    return oneRun(std::move(run), JobFacts({}), memory, batch);
}

} // namespace

Expected<LogReading> readNemo(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    return readEachTraining(input, {{}, nemoStep}, readOneNemo);
}

Expected<LogReading> readLlamaFactory(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Training, phrase("training log")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    std::optional<Progress> first, last;
    Lines lines(input.text);
    while (lines.next()) {
        if (lines.text().find_first_not_of(" \t") == std::string::npos)
            continue;
        const auto now = progressIn(lines.text());
        if (!now)
            return refuse(lines.number(), "wrong-type", said("is no line of trainer_log.jsonl"),
                          said("is the line complete?"));
        if (!first || now->steps < last->steps || now->seconds < last->seconds) // another training begins
            first = now;
        last = now;
    }
    if (!first || last->steps <= first->steps || last->seconds <= first->seconds)
        return refuse(0, "no-steps", said("holds no two lines of a training some time apart"),
                      said("import the log of a training of several steps"));
    const double seconds = last->seconds - first->seconds;
    Scenario run = runFrom(input, "LLaMA-Factory log");
    LogReading reading;
    run.measured.stepTimeS = seconds / (last->steps - first->steps);
    if (last->tokens > first->tokens)
        run.measured.tokensPerS = (last->tokens - first->tokens) / seconds;
    reading.warnings.push_back(batchAssumed(run));
    reading.warnings.push_back(
        problem(0, "whole-run", said("counts whole seconds from one line to the last, evaluations and saving included"),
                said("the step time is at most this"), Severity::Warning));
    reading.runs.push_back(std::move(run));
    return reading;
}

} // namespace headroom::logs
