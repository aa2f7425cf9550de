// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/log_import.hpp"

#include "core/predict/evaluate.hpp"
#include "core/runs/log_formats.hpp"
#include "core/runs/stated_figures.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace headroom
{
namespace logs
{
namespace
{

constexpr std::size_t largestLog = 64u << 20; ///< bytes; a log of days is a few MiB

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool endsWith(std::string_view name, std::string_view suffix)
{
    return name.size() >= suffix.size() &&
           std::ranges::equal(name.substr(name.size() - suffix.size()), suffix,
                              [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a + 32) : a) == b; });
}

bool holdsRunLines(std::string_view name, std::string_view text)
{
    const std::string_view first = text.substr(0, text.find('\n'));
    return endsWith(name, ".jsonl") || (contains(first, "\"measured\"") && contains(first, "\"headroom-scenario\""));
}

bool isGenAiPerf(std::string_view name, std::string_view text)
{
    const bool figures = contains(text, "\"time_to_first_token\"") || contains(text, "\"output_token_throughput\"");
    if (figures && (contains(text, "\"avg\"") || (endsWith(name, ".jsonl") && contains(text, "\"metadata\""))))
        return true;
    const bool printed = contains(text, "GenAI-Perf") || contains(text, "AIPerf");
    return text.starts_with("Metric,avg,") || (printed && contains(text, "Statistic")) ||
           (printed && contains(text, "Metric") && contains(text, "Latency (ms)"));
}

constexpr LogFormatRow formats[] = {
    {phrase("trtllm-bench result"),
     [](std::string_view, std::string_view text) { return contains(text, "Total Output Throughput (tokens/sec):"); },
     readTrtllmText},
    {phrase("trtllm-bench result"),
     [](std::string_view, std::string_view text) { return contains(text, "\"system_output_throughput_tok_s\""); },
     readTrtllmJson},
    {phrase("GenAI-Perf or AIPerf result"), isGenAiPerf, readGenAiPerf},
    {phrase("LLaMA-Factory log"),
     [](std::string_view, std::string_view text) {
         return contains(text, "\"current_steps\"") && contains(text, "\"elapsed_time\"");
     },
     readLlamaFactory},
    {phrase("SGLang benchmark result"),
     [](std::string_view, std::string_view text) {
         return contains(text, "\"total_output_tokens_retokenized\"") && contains(text, "\"output_throughput\"");
     },
     readSglangJson},
    {phrase("run lines"), holdsRunLines, readRunLines},
    {phrase("CSV file"), [](std::string_view name, std::string_view) { return endsWith(name, ".csv"); }, readCsv},
    {phrase("SGLang benchmark result"),
     [](std::string_view, std::string_view text) {
         return contains(text, "Serving Benchmark Result") && isSglangTable(text);
     },
     readSglangText},
    {phrase("vLLM benchmark result"),
     [](std::string_view, std::string_view text) { return contains(text, "Serving Benchmark Result"); }, readVllmText},
    {phrase("NeMo log"),
     [](std::string_view, std::string_view text) { return contains(text, "train_step_timing in s"); }, readNemo},
    {phrase("Megatron Bridge log"),
     [](std::string_view, std::string_view text) { return contains(text, "MODEL_TFLOP/s/GPU"); }, readMegatronBridge},
    {phrase("Megatron-LM log"),
     [](std::string_view, std::string_view text) { return contains(text, "elapsed time per iteration (ms):"); },
     readMegatron},
    {phrase("MaxText log"),
     [](std::string_view, std::string_view text) {
         return contains(text, "completed step:") && contains(text, "seconds:");
     },
     readMaxText},
    {phrase("llama-bench table"),
     [](std::string_view, std::string_view text) { return contains(text, "| model ") && contains(text, " t/s |"); },
     readLlamaBench},
    {phrase("Axolotl log"),
     [](std::string_view, std::string_view text) {
         return contains(text, "train_steps_per_second") && contains(text, "memory/max_");
     },
     readAxolotl},
    {phrase("Trainer log"),
     [](std::string_view, std::string_view text) { return contains(text, "train_steps_per_second"); }, readTrainer},
    {phrase("torchtitan log"),
     [](std::string_view, std::string_view text) { return contains(text, "step:") && contains(text, "tps:"); },
     readTorchtitan},
    {phrase("vLLM benchmark result"),
     [](std::string_view, std::string_view text) {
         return contains(text, "\"mean_tpot_ms\"") || contains(text, "\"output_throughput\"");
     },
     readVllmJson},
};

const LogFormatRow* formatOf(std::string_view fileName, std::string_view text)
{
    const auto found =
        std::ranges::find_if(formats, [&](const LogFormatRow& row) { return row.matches(fileName, text); });
    return found == std::end(formats) ? nullptr : &*found;
}

/// Why a run is no scenario: a log may state any number, and what it leaves out may not go with what it says.
std::optional<Diagnostic> impossible(const Scenario& run)
{
    for (const ParameterRow& row : parameterRegistry()) {
        if (!appliesTo(row, run.task) || (row.optional && !row.isSet(run)))
            continue;
        if (auto wrong = outOfRange(row, row.get(run), 0))
            return wrong;
    }
    if (Diagnostics problems = checkSetup(run); !problems.empty())
        return std::move(problems.front());
    return std::nullopt;
}

/// Warns where a run's time and rate say that its steps had other tokens than the scenario's: one of them would be
/// taken for what it is not.
std::optional<Diagnostic> otherTokens(const Scenario& run)
{
    constexpr double alike = 0.05; // whole seconds, rounded rates, padding
    const Measured& m = run.measured;
    const auto gpus = double(run.hardware.count);
    const std::optional<double> rate = m.tokensPerS ? *m.tokensPerS / gpus : m.tokensPerSPerGpu;
    if (run.task != Task::Training || isRl(run) || !m.stepTimeS || !rate)
        return std::nullopt;
    const double stated = *m.stepTimeS * *rate,
                 ours = double(effectiveGlobalBatch(run)) * double(run.training.sequenceLength) / gpus;
    if (std::abs(stated - ours) <= alike * ours)
        return std::nullopt;
    return problem(0, "other-tokens",
                   say("has steps of {} tokens a GPU by its time and its rate; the scenario's have {}",
                       formatText(stated, ValueFormat::Integer), formatText(ours, ValueFormat::Integer)),
                   said("set the sequence length, the batch and the number of GPUs that ran, then import again"),
                   Severity::Warning);
}

/// Reports where figures that the log prints differ from those of Headroom. For a single run: many would fill a page.
void holdAgainstOurs(LogReading& reading, const Catalog& catalog)
{
    if (reading.runs.size() != 1)
        return;
    const auto prepared = prepare(reading.runs.front(), catalog, Calibration::builtIn());
    if (!prepared)
        return;
    for (std::string& sentence : statedFigureNotes(*prepared, evaluate(*prepared)))
        reading.warnings.push_back(problem(0, "stated-otherwise", std::move(sentence), {}, Severity::Note));
}

} // namespace

bool Lines::next()
{
    if (m_rest.empty())
        return false;
    const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
    const std::string_view line = m_rest.substr(0, end);
    m_begin = m_next;
    m_next += std::min(end + 1, m_rest.size());
    m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
    m_text.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b') { // a colour: ESC [ … letter
            i = std::min(line.find('m', i), line.size());
            continue;
        }
        if (line[i] != '\r')
            m_text += line[i];
    }
    ++m_number;
    return true;
}

namespace
{

void addDigits(std::string_view line, std::size_t& at, std::string& digits)
{
    while (at < line.size() && line[at] >= '0' && line[at] <= '9')
        digits += line[at++];
}

/// The digits before the point: "2904", or groups of three behind one of at most three, which is no zero: "2,904".
/// False where a comma between digits is none of thousands: a decimal one.
bool addWhole(std::string_view line, std::size_t& at, std::string& digits)
{
    constexpr std::size_t group = 3;
    const std::size_t begin = at;
    addDigits(line, at, digits);
    const bool mayHaveThousands = at > begin && at - begin <= group && line[begin] != '0';
    while (at + 1 < line.size() && line[at] == ',' && line[at + 1] >= '0' && line[at + 1] <= '9') {
        std::size_t end = at + 1;
        std::string three;
        addDigits(line, end, three);
        if (!mayHaveThousands || three.size() != group)
            return false;
        digits += three;
        at = end;
    }
    return true;
}

} // namespace

std::optional<double> numberAfter(std::string_view line, std::string_view key)
{
    std::size_t at = line.find(key);
    if (at == std::string_view::npos)
        return std::nullopt;
    at += key.size();
    const auto dotted = [&] {
        return line[at] == '.' && at + 1 < line.size() && (line[at + 1] == '.' || line[at + 1] == ' ');
    };
    while (at < line.size() && (line[at] == ' ' || dotted())) // "size ....... 2"
        ++at;
    std::string digits; // "2,904" has its thousands apart
    if (at < line.size() && line[at] == '-')
        digits += line[at++];
    if (!addWhole(line, at, digits))
        return std::nullopt;
    if (at < line.size() && line[at] == '.') {
        digits += line[at++];
        addDigits(line, at, digits);
    }
    const auto digitAt = [&](std::size_t place) {
        return place < line.size() && line[place] >= '0' && line[place] <= '9';
    };
    if (at < line.size() && (line[at] == 'e' || line[at] == 'E')) {
        const bool sign = at + 1 < line.size() && (line[at + 1] == '-' || line[at + 1] == '+');
        if (digitAt(at + 1 + (sign ? 1 : 0))) {
            digits += 'e';
            digits.append(sign && line[at + 1] == '-' ? 1 : 0, '-');
            at += sign ? 2 : 1;
            addDigits(line, at, digits);
        }
    }
    if (at < line.size() && std::string_view(",.+-").find(line[at]) != std::string_view::npos && digitAt(at + 1))
        return std::nullopt; // "1.2.3", "1,5", "10-20"
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec != std::errc() || result.ptr != digits.data() + digits.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

double steadyMedian(std::vector<double> steps)
{
    constexpr std::size_t fewest = 5;
    const std::size_t warmUp = std::max<std::size_t>(2, steps.size() / 10);
    if (steps.size() >= warmUp + fewest)
        steps.erase(steps.begin(), steps.begin() + std::ptrdiff_t(warmUp));
    std::ranges::sort(steps);
    const std::size_t middle = steps.size() / 2;
    return steps.size() % 2 == 1 ? steps[middle] : (steps[middle - 1] + steps[middle]) / 2;
}

Scenario runFrom(const LogInput& input, std::string_view what, int number)
{
    Scenario run = input.base;
    number = number == 0 ? input.run : number;
    const std::string file = printable(input.fileName, input.fileName.size()); // a file system's names may be any bytes
    run.measured = {};
    run.kernels.clear();
    run.efficiency = {}; // a measurement is of a machine, not of what somebody expected of it
    run.fittedOn = {};
    run.name = number == 0 ? file : fmt::format("{}, run {}", file, number);
    run.source = fmt::format("own measurement: {} {}", what, file);
    run.notes.clear();
    run.year.reset();
    return run;
}

Diagnostic problem(int line, std::string code, std::string message, std::string hint, Severity severity)
{
    return {severity, std::move(code), {}, std::move(message), std::move(hint), {}, line};
}

std::optional<Diagnostic> tooMany(std::size_t runs, int line)
{
    constexpr std::size_t most = 10'000;
    if (runs <= most)
        return std::nullopt;
    return problem(line, "too-many-runs", say("holds more than {} runs", most), said("import it in parts"));
}

std::optional<Diagnostic> outOfRange(const ParameterRow& row, double value, int line)
{
    if (value >= row.minimum && value <= row.maximum)
        return std::nullopt;
    return problem(line, "out-of-range", say("{} of {} is out of range", say(row.label), exactNumber(value)),
                   say("from {} to {}", exactNumber(row.minimum), exactNumber(row.maximum)));
}

tl::unexpected<Diagnostics> refuse(int line, std::string code, std::string message, std::string hint)
{
    return tl::unexpected(Diagnostics{problem(line, std::move(code), std::move(message), std::move(hint))});
}

std::optional<Diagnostic> wrongTask(const LogInput& input, Task task, std::string_view what)
{
    if (input.base.task == task)
        return std::nullopt;
    return problem(0, "wrong-task",
                   say("is a {}, but the scenario is about {}", say(what),
                       task == Task::Training ? say("inference") : say("training")),
                   task == Task::Training ? said("open the training scenario that ran first")
                                          : said("open the serving scenario that was measured first"));
}

} // namespace logs

std::span<const std::string_view> logPrograms()
{
    static constexpr std::string_view programs[] = {
        "torchtitan", "Megatron-LM", "Megatron Bridge", "NeMo",         "MaxText",    "Trainer", "LLaMA-Factory",
        "Axolotl",    "vLLM",        "SGLang",          "trtllm-bench", "GenAI-Perf", "AIPerf",  "llama-bench",
    };
    return programs;
}

bool looksLikeLog(std::string_view fileName, std::string_view beginning)
{
    return logs::formatOf(fileName, beginning) != nullptr;
}

bool isCompleteLog(std::string_view fileName, std::string_view text)
{
    const logs::LogFormatRow* const format = logs::formatOf(fileName, text);
    return format != nullptr && format->read == logs::readRunLines;
}

Expected<LogReading> importLog(std::string_view text, std::string_view fileName, const Scenario& base,
                               const Catalog& catalog)
{
    const auto named = [&](auto reading) {
        if (!reading)
            for (Diagnostic& diagnostic : reading.error())
                diagnostic.file = fileName;
        return reading;
    };
    const auto refuse = [&](const char* code, std::string message, std::string hint) {
        return named(Expected<LogReading>(logs::refuse(0, code, std::move(message), std::move(hint))));
    };
    try {
        if (text.size() > logs::largestLog)
            return refuse("too-large", said("is larger than 64 MiB"), said("keep the lines of some hundred steps"));
        const logs::LogFormatRow* format = logs::formatOf(fileName, text);
        if (!format)
            return refuse("unknown-log", said("holds no measurements that are known"),
                          said("known are CSV files (named .csv), logs of torchtitan, Megatron-LM, Megatron Bridge, "
                               "NeMo, MaxText, Hugging Face's Trainer, LLaMA-Factory and Axolotl, results of vLLM's "
                               "and SGLang's serving benchmarks, trtllm-bench, GenAI-Perf, AIPerf and llama-bench, and "
                               "run lines (named .jsonl)"));
        auto reading = format->read({text, fileName, base, catalog});
        if (reading) {
            reading->format = say(format->name);
            std::optional<Diagnostic> other; // once: many runs would fill a page
            for (const Scenario& run : reading->runs) {
                if (auto wrong = logs::impossible(run))
                    return named(Expected<LogReading>(tl::unexpected(Diagnostics{*std::move(wrong)})));
                if (!other)
                    other = logs::otherTokens(run);
            }
            if (other && format->read != logs::readRunLines)
                reading->warnings.push_back(*std::move(other));
            logs::holdAgainstOurs(*reading, catalog);
        }
        return named(std::move(reading));
    } catch (const std::exception& error) {
        return refuse("internal", say("could not be read: {}", error.what()), {});
    }
}

} // namespace headroom
