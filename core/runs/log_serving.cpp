// SPDX-License-Identifier: GPL-3.0-or-later
// Results of vLLM's bench serve and of SGLang's bench_serving, as they print them and as they save them.
#include "core/runs/serving_result.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::logs
{
namespace
{

/// As vLLM prints them and as both save them. "max_concurrency" is null where it was not limited.
constexpr std::array<std::string_view, figureCount> printed{
    "Mean TTFT (ms):",      "Mean TPOT (ms):",     "Output token throughput (tok/s):", "Maximum request concurrency:",
    "Successful requests:", "Total input tokens:", "Total generated tokens:"};
constexpr std::array<std::string_view, figureCount> saved{"mean_ttft_ms",       "mean_tpot_ms", "output_throughput",
                                                          "max_concurrency",    "completed",    "total_input_tokens",
                                                          "total_output_tokens"};

/// Requests a second. Newer vLLM and SGLang print what they were sent at; both save it, as "inf" where it has no limit.
using Rate = std::pair<std::string_view, std::optional<double> ServingResult::*>;
constexpr std::array<Rate, 3> printedRates{Rate{"Request rate configured (RPS):", &ServingResult::offered},
                                           Rate{"Traffic request rate:", &ServingResult::offered},
                                           Rate{"Request throughput (req/s):", &ServingResult::served}};
constexpr std::array<Rate, 2> savedRates{Rate{"request_rate", &ServingResult::offered},
                                         Rate{"request_throughput", &ServingResult::served}};
/// SGLang's word for the limit, beside vLLM's.
constexpr std::string_view printedLimit = "Max request concurrency:";
/// What SGLang prints beside its limit, and what newer releases print in place of TPOT. Its mean gap between tokens
/// counts every token of a chunk (bench_serving.py); vLLM's is between chunks, so it stands for no TPOT there.
constexpr std::string_view printedMean = "Concurrency:", printedGap = "Mean ITL (ms):", savedMean = "concurrency",
                           savedGap = "mean_itl_ms";
/// Requests without an answer, as printed and as saved.
constexpr std::string_view printedFailures = "Failed requests:", savedFailures = "failed";

constexpr ServingFormat formatNamed(std::string_view name)
{
    return {name, printed, phrase("does not limit its concurrency: the scenario's batch is taken"),
            phrase("run the benchmark with --max-concurrency")};
}
constexpr ServingFormat vllm = formatNamed("vLLM benchmark"), sglang = formatNamed("SGLang benchmark");

constexpr double beyondAnyScenario = 1e15; // a whole number still, and refused by its range

std::int64_t wholeMean(double sum, double count)
{
    return std::llround(std::clamp(sum / count, 1.0, beyondAnyScenario));
}

/// How many requests were in flight, as far as the result says; a warning where it does not. Its limit on them was not
/// reached where they were sent at a rate, or where there were fewer: a rate times what a request takes is in flight
/// (Little's law).
std::optional<double> inFlight(const ServingFormat& format, const ServingResult& result, Diagnostics& notes)
{
    const auto& f = result.figures;
    const double all = f[Completed].value_or(0), limit = f[Concurrency].value_or(beyondAnyScenario);
    if (limit > beyondAnyScenario)
        return limit; // refused by its range
    if (result.meanInFlight) {
        if (wholeMean(*result.meanInFlight, 1) != wholeMean(limit, 1))
            notes.push_back(problem(result.line, "from-log",
                                    say("had {} requests in flight on average", exactNumber(*result.meanInFlight)), {},
                                    Severity::Note));
        return result.meanInFlight;
    }
    if (result.offered && result.served && f[Ttft] && f[OutputTokens] && all > 0) {
        const double later = std::max(0.0, *f[OutputTokens] / all - 1);
        if (later > 0 && !f[Tpot]) { // what a request takes is not known
            notes.push_back(problem(result.line, "batch-assumed",
                                    said("has no TPOT: how many requests were in flight is not known, and the "
                                         "scenario's batch is taken"),
                                    said("import the whole result"), Severity::Warning));
            return std::nullopt;
        }
        const double seconds = (*f[Ttft] + later * f[Tpot].value_or(0)) / 1e3;
        const double mean = std::min(std::max(1.0, std::round(*result.served * seconds)), limit);
        notes.push_back(problem(result.line, "from-log",
                                say("sends {} requests a second: {} of them were in flight on average",
                                    exactNumber(*result.offered), exactNumber(mean)),
                                {}, Severity::Note));
        return mean;
    }
    if (f[Concurrency] && result.sent < limit && result.sent) {
        notes.push_back(problem(result.line, "few-requests",
                                say("has {} requests and a limit of {} at once: no more than the former ran together",
                                    exactNumber(*result.sent), exactNumber(limit)),
                                said("send several times as many requests as run at once"), Severity::Warning));
        return result.sent;
    }
    if (!f[Concurrency])
        notes.push_back(
            problem(result.line, "batch-assumed", said(format.noLimit), said(format.noLimitHint), Severity::Warning));
    return f[Concurrency];
}

/// Requests without an answer took time and room, and those that were answered had less company than was sent.
std::optional<Diagnostic> failures(const ServingResult& result)
{
    constexpr double few = 0.03; // a benchmark repeats itself no nearer
    const auto& completed = result.figures[Completed];
    if (!completed || !result.sent || *completed >= (1 - few) * *result.sent)
        return std::nullopt;
    return problem(result.line, "requests-failed",
                   say("{} of {} requests failed: what the others measured is no full load",
                       exactNumber(*result.sent - *completed), exactNumber(*result.sent)),
                   said("look at why they failed, then measure again"), Severity::Warning);
}

std::optional<Diagnostic> addRun(const LogInput& input, const ServingFormat& format, const ServingResult& result,
                                 int number, LogReading& reading)
{
    const auto& f = result.figures;
    Scenario run = runFrom(input, format.name, number);
    if (f[Ttft])
        run.measured.ttftS = *f[Ttft] / 1e3;
    if (f[Tpot])
        run.measured.tpotS = *f[Tpot] / 1e3;
    run.measured.tokensPerS = f[OutputRate];
    if (f[Completed] && f[InputTokens] && f[OutputTokens]) {
        takeLengths(run.inference, wholeMean(*f[InputTokens], *f[Completed]),
                    wholeMean(*f[OutputTokens], *f[Completed]));
    }
    if (result.facts) {
        run.parallelism.replicas.reset(); // what is stated is of one that was measured
        if (auto wrong = result.facts->apply(run, reading.warnings))
            return wrong;
    }
    if (auto other = otherModel(input, result.model, result.line))
        reading.warnings.push_back(*std::move(other));
    if (const auto requests = inFlight(format, result, reading.warnings)) {
        run.inference.batchMax = false;
        run.inference.batch = wholeMean(*requests, double(servingReplicas(run)));
        dropLoad(run.inference);
    }
    if (auto failed = failures(result))
        reading.warnings.push_back(*std::move(failed));
    reading.runs.push_back(std::move(run));
    return std::nullopt;
}

} // namespace

Expected<LogReading> servingReading(const LogInput& input, const ServingFormat& format,
                                    std::vector<ServingResult> results)
{
    if (results.empty()) // its heading stood within a colour, which is taken out
        return refuse(0, "no-runs", said("holds no result"), said("import the whole result"));
    LogReading reading;
    for (ServingResult& result : results) {
        auto& f = result.figures;
        if (f[Tpot] == 0.0 && f[Ttft] > 0.0 && f[Completed] && f[OutputTokens] == f[Completed])
            f[Tpot].reset(); // one token a request: a measurement of prefill has no time per later token
        else if (!f[Tpot])
            f[Tpot] = result.gapMs;
        for (int i = 0; i < figureCount; ++i)
            if (f[std::size_t(i)] && *f[std::size_t(i)] <= 0)
                return refuse(result.line, "out-of-range",
                              say("\"{}\" must be above 0", format.figures[std::size_t(i)]),
                              said("did every request fail?"));
        if (!f[Ttft] && !f[Tpot] && !f[OutputRate])
            return refuse(result.line, "nothing-measured",
                          said("the result has no TTFT, no TPOT and no output throughput"),
                          said("import the whole result"));
        if (auto wrong = addRun(input, format, result, results.size() == 1 ? 0 : int(reading.runs.size()) + 1, reading))
            return tl::unexpected(Diagnostics{*std::move(wrong)});
    }
    return reading;
}

namespace
{

/// The number behind a label that begins the line: "Peak output token throughput" is another figure.
std::optional<double> labelled(const std::string& line, std::string_view label)
{
    const std::size_t at = line.find(label);
    return at != std::string::npos && at == line.find_first_not_of(' ') ? numberAfter(line, label) : std::nullopt;
}

void takeIfPositive(std::optional<double>& figure, std::optional<double> value)
{
    if (value > 0.0)
        figure = value;
}

/// What SGLang states beside what both do.
void readSglangLine(const std::string& line, ServingResult& result)
{
    takeIfPositive(result.figures[Concurrency], labelled(line, printedLimit));
    takeIfPositive(result.meanInFlight, labelled(line, printedMean));
    if (!result.figures[Tpot])
        takeIfPositive(result.gapMs, labelled(line, printedGap));
}

Expected<LogReading> readTable(const LogInput& input, const ServingFormat& format)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    std::vector<ServingResult> results;
    Lines lines(input.text);
    while (lines.next()) {
        if (lines.text().find("Serving Benchmark Result") != std::string::npos)
            results.push_back({lines.number()});
        if (auto many = tooMany(results.size(), lines.number()))
            return tl::unexpected(Diagnostics{*std::move(many)});
        if (results.empty())
            continue;
        for (std::size_t i = 0; i < figureCount; ++i) {
            const std::size_t at = lines.text().find(printed[i]);
            if (at == std::string::npos || lines.text().find_first_not_of(' ') != at)
                continue; // "Peak output token throughput" is another figure
            const auto value = numberAfter(lines.text(), printed[i]);
            if (!value && i != Concurrency) // "not set"
                return refuse(lines.number(), "not-a-number", say("no number follows \"{}\"", printed[i]),
                              said("is the line complete?"));
            results.back().figures[i] = value;
        }
        for (const auto& [key, rate] : printedRates)
            if (lines.text().find(key) == lines.text().find_first_not_of(' '))
                if (const auto value = numberAfter(lines.text(), key); value && *value > 0) // or "inf"
                    results.back().*rate = value;
        if (&format == &sglang)
            readSglangLine(lines.text(), results.back());
        for (const std::string_view key : {printed[Completed], printedFailures})
            if (const auto value = numberAfter(lines.text(), key))
                results.back().sent = results.back().sent.value_or(0) + *value;
    }
    return servingReading(input, format, std::move(results));
}

Expected<LogReading> readJson(const LogInput& input, const ServingFormat& what)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    JsonLimits limits;
    limits.bytes = 64u << 20; // saved results carry the times of every request
    const auto readOne = [&](std::string_view text, int line) -> Expected<ServingResult> {
        const auto json = parseJson(text, limits);
        if (!json) {
            Diagnostics errors = json.error();
            for (Diagnostic& error : errors)
                error.line += line - 1;
            return tl::unexpected(std::move(errors));
        }
        if (!json->is_object())
            return refuse(line, "wrong-type", said("a result must be a JSON object"));
        ServingResult result{line};
        for (std::size_t i = 0; i < figureCount; ++i)
            if (const auto found = json->find(saved[i]); found != json->end() && !found->is_null()) {
                if (!found->is_number())
                    return refuse(line, "wrong-type", say("\"{}\" must be a number", saved[i]));
                result.figures[i] = found->get<double>();
            }
        for (const auto& [key, rate] : savedRates)
            if (const auto found = json->find(key); found != json->end() && found->is_number() && *found > 0.0)
                result.*rate = found->get<double>();
        if (&what == &sglang)
            for (const auto& [key, figure] :
                 {std::pair{savedMean, &ServingResult::meanInFlight}, std::pair{savedGap, &ServingResult::gapMs}})
                if (const auto found = json->find(key); found != json->end() && found->is_number())
                    takeIfPositive(result.*figure, found->get<double>());
        for (const std::string_view key : {saved[Completed], savedFailures})
            if (const auto found = json->find(key); found != json->end() && found->is_number())
                result.sent = result.sent.value_or(0) + found->get<double>();
        if (const auto model = json->find("model_id"); model != json->end() && model->is_string())
            result.model = model->get<std::string>();
        return result;
    };
    std::vector<ServingResult> results;
    if (auto whole = readOne(input.text, 1)) {
        results.push_back(*whole);
        return servingReading(input, what, std::move(results));
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
    return servingReading(input, what, std::move(results));
}

} // namespace

Expected<LogReading> readVllmText(const LogInput& input)
{
    return readTable(input, vllm);
}

/// Its benchmark measures other servers, too; what those print for themselves is the same.
bool isSglangTable(std::string_view text)
{
    constexpr std::string_view label = "Backend:";
    const std::size_t at = text.find(label);
    if (at == std::string_view::npos)
        return false;
    const std::size_t name = text.find_first_not_of(" \t", at + label.size());
    return name != std::string_view::npos && text.substr(name).starts_with("sglang");
}

Expected<LogReading> readSglangText(const LogInput& input)
{
    return readTable(input, sglang);
}

Expected<LogReading> readVllmJson(const LogInput& input)
{
    return readJson(input, vllm);
}

std::string withoutInfinities(std::string_view json)
{
    std::string text;
    text.reserve(json.size() + json.size() / 8);
    bool quoted = false;
    for (std::size_t i = 0; i < json.size();) {
        std::size_t length = 0;
        for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
            if (!quoted && length == 0 && json.substr(i).starts_with(word))
                length = word.size();
        if (length > 0) {
            text += "null";
            text.append(length > 4 ? length - 4 : 0, ' ');
            i += length;
            continue;
        }
        if (quoted && json[i] == '\\' && i + 1 < json.size())
            text += json[i++];
        else if (json[i] == '"')
            quoted = !quoted;
        text += json[i++];
    }
    return text;
}

/// A request rate of Infinity means that none was set.
Expected<LogReading> readSglangJson(const LogInput& input)
{
    return readJson({withoutInfinities(input.text), input.fileName, input.base, input.catalog}, sglang);
}

} // namespace headroom::logs
