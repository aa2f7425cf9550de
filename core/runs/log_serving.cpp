// SPDX-License-Identifier: GPL-3.0-or-later
// Results of vLLM's bench serve, as it prints them and as it saves them (--save-result), and of SGLang's bench_serving.
#include "core/runs/log_formats.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::logs
{
namespace
{

enum Figure { Ttft, Tpot, OutputRate, Concurrency, Completed, InputTokens, OutputTokens, figureCount };

struct FigureName {
    std::string_view text, json;
};

/// As printed and as saved. Older releases print "Total input tokens", newer ones too; "max_concurrency" is null where
/// it was not limited.
constexpr std::array<FigureName, figureCount> figureNames{{{"Mean TTFT (ms):", "mean_ttft_ms"},
                                                           {"Mean TPOT (ms):", "mean_tpot_ms"},
                                                           {"Output token throughput (tok/s):", "output_throughput"},
                                                           {"Maximum request concurrency:", "max_concurrency"},
                                                           {"Successful requests:", "completed"},
                                                           {"Total input tokens:", "total_input_tokens"},
                                                           {"Total generated tokens:", "total_output_tokens"}}};

constexpr std::string_view vllm = "vLLM benchmark";

struct Result {
    int line = 0;
    std::array<std::optional<double>, figureCount> figures;
};

std::int64_t wholeMean(double sum, double count)
{
    constexpr double beyondAnyScenario = 1e15; // a whole number still, and refused by its range
    return std::llround(std::clamp(sum / count, 1.0, beyondAnyScenario));
}

void addRun(const LogInput& input, std::string_view what, const Result& result, int number, LogReading& reading)
{
    const auto& f = result.figures;
    Scenario run = runFrom(input, what, number);
    if (f[Ttft])
        run.measured.ttftS = *f[Ttft] / 1e3;
    if (f[Tpot])
        run.measured.tpotS = *f[Tpot] / 1e3;
    run.measured.tokensPerS = f[OutputRate];
    if (f[Completed] && f[InputTokens] && f[OutputTokens]) {
        run.inference.promptTokens = wholeMean(*f[InputTokens], *f[Completed]);
        run.inference.outputTokens = wholeMean(*f[OutputTokens], *f[Completed]);
    }
    if (f[Concurrency]) {
        run.inference.batchMax = false;
        run.inference.batch = wholeMean(*f[Concurrency], double(servingReplicas(run)));
    } else {
        reading.warnings.push_back(problem(result.line, "batch-assumed",
                                           said("does not limit its concurrency: the scenario's batch is taken"),
                                           said("run the benchmark with --max-concurrency"), Severity::Warning));
    }
    reading.runs.push_back(std::move(run));
}

Expected<LogReading> readingOf(const LogInput& input, std::string_view what, std::vector<Result> results)
{
    if (results.empty()) // its heading stood within a colour, which is taken out
        return refuse(0, "no-runs", said("holds no result"), said("import the whole result"));
    LogReading reading;
    for (Result& result : results) {
        auto& f = result.figures;
        if (f[Tpot] == 0.0 && f[Ttft] > 0.0 && f[Completed] && f[OutputTokens] == f[Completed])
            f[Tpot].reset(); // one token a request: a measurement of prefill has no time per later token
        for (int i = 0; i < figureCount; ++i)
            if (f[std::size_t(i)] && *f[std::size_t(i)] <= 0)
                return refuse(result.line, "out-of-range",
                              say("\"{}\" must be above 0", figureNames[std::size_t(i)].text),
                              said("did every request fail?"));
        if (!f[Ttft] && !f[Tpot] && !f[OutputRate])
            return refuse(result.line, "nothing-measured",
                          said("the result has no TTFT, no TPOT and no output throughput"),
                          said("import the whole result"));
        addRun(input, what, result, results.size() == 1 ? 0 : int(reading.runs.size()) + 1, reading);
    }
    return reading;
}

} // namespace

Expected<LogReading> readVllmText(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    std::vector<Result> results;
    Lines lines(input.text);
    while (lines.next()) {
        if (lines.text().find("Serving Benchmark Result") != std::string::npos)
            results.push_back({lines.number(), {}});
        if (auto many = tooMany(results.size(), lines.number()))
            return tl::unexpected(Diagnostics{*std::move(many)});
        if (results.empty())
            continue;
        for (std::size_t i = 0; i < figureCount; ++i) {
            const std::size_t at = lines.text().find(figureNames[i].text);
            if (at == std::string::npos || lines.text().find_first_not_of(' ') != at)
                continue; // "Peak output token throughput" is another figure
            const auto value = numberAfter(lines.text(), figureNames[i].text);
            if (!value && i != Concurrency) // "not set"
                return refuse(lines.number(), "not-a-number", say("no number follows \"{}\"", figureNames[i].text),
                              said("is the line complete?"));
            results.back().figures[i] = value;
        }
    }
    return readingOf(input, vllm, std::move(results));
}

namespace
{

Expected<LogReading> readJson(const LogInput& input, std::string_view what)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    JsonLimits limits;
    limits.bytes = 64u << 20; // saved results carry the times of every request
    const auto readOne = [&](std::string_view text, int line) -> Expected<Result> {
        const auto json = parseJson(text, limits);
        if (!json) {
            Diagnostics errors = json.error();
            for (Diagnostic& error : errors)
                error.line += line - 1;
            return tl::unexpected(std::move(errors));
        }
        if (!json->is_object())
            return refuse(line, "wrong-type", said("a result must be a JSON object"));
        Result result{line, {}};
        for (std::size_t i = 0; i < figureCount; ++i)
            if (const auto found = json->find(figureNames[i].json); found != json->end() && !found->is_null()) {
                if (!found->is_number())
                    return refuse(line, "wrong-type", say("\"{}\" must be a number", figureNames[i].json));
                result.figures[i] = found->get<double>();
            }
        return result;
    };
    std::vector<Result> results;
    if (auto whole = readOne(input.text, 1)) {
        results.push_back(*whole);
        return readingOf(input, what, std::move(results));
    } else if (const auto first = readOne(input.text.substr(0, input.text.find('\n')), 1); !first) {
        return tl::unexpected(whole.error()); // not JSON Lines either
    }
    Lines lines(input.text);
    while (lines.next()) {
        if (lines.text().find_first_not_of(" \t") == std::string::npos)
            continue;
        const auto result = readOne(lines.text(), lines.number());
        if (!result)
            return tl::unexpected(result.error());
        results.push_back(*result);
        if (auto many = tooMany(results.size(), lines.number()))
            return tl::unexpected(Diagnostics{*std::move(many)});
    }
    return readingOf(input, what, std::move(results));
}

} // namespace

Expected<LogReading> readVllmJson(const LogInput& input)
{
    return readJson(input, vllm);
}

/// Python writes Infinity and NaN, which JSON has not; SGLang a request rate of Infinity where none was set.
Expected<LogReading> readSglangJson(const LogInput& input)
{
    std::string text(input.text);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && quoted)
            ++i;
        else if (text[i] == '"')
            quoted = !quoted;
        for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
            if (!quoted && std::string_view(text).substr(std::min(i, text.size())).starts_with(word))
                text.replace(i, word.size(),
                             std::string("null") + std::string(word.size() > 4 ? word.size() - 4 : 0, ' '));
    }
    return readJson({text, input.fileName, input.base, input.catalog}, "SGLang benchmark");
}

} // namespace headroom::logs
