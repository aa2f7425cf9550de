// SPDX-License-Identifier: GPL-3.0-or-later
// The table that llama-bench prints: | model | size | params | backend | … | test | t/s |, a test a row. "pp512" reads
// a prompt of 512 tokens, "tg128" writes 128 one by one, "@ d4096" behind 4096 that are already in the cache.
#include "core/catalog/data_type.hpp"
#include "core/model/model_profile.hpp"
#include "core/runs/log_facts.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headroom::logs
{
namespace
{

std::vector<std::string> cellsOf(const std::string& line)
{
    std::vector<std::string> cells;
    std::size_t begin = line.find('|');
    while (begin != std::string::npos) {
        const std::size_t end = line.find('|', begin + 1);
        if (end == std::string::npos)
            break;
        const std::string cell = line.substr(begin + 1, end - begin - 1);
        const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
        cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, last - first + 1));
        begin = end;
    }
    return cells;
}

std::optional<std::int64_t> wholeIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() && result.ptr != text.data() && number >= 0 ? std::optional(number) : std::nullopt;
}

/// What a test does; empty for those that mix reading and writing ("pp512+tg128").
struct Test {
    bool writes = false;
    std::int64_t tokens = 0, depth = 0;
};
std::optional<Test> testNamed(std::string_view name)
{
    Test test;
    if (name.find('+') != name.npos || (!name.starts_with("pp") && !name.starts_with("tg")))
        return std::nullopt;
    test.writes = name.starts_with("tg");
    const auto tokens = wholeIn(name.substr(2));
    const std::size_t depth = name.find("@ d");
    if (!tokens || *tokens == 0)
        return std::nullopt;
    test.tokens = *tokens;
    if (depth != name.npos)
        test.depth = wholeIn(name.substr(depth + 3)).value_or(0);
    return test;
}

/// "4.58 GiB", "630.06 M", "8.03 B" for billions.
std::optional<double> amountIn(const std::string& cell)
{
    const auto number = numberAfter("= " + cell.substr(0, cell.find(' ')), "=");
    const std::size_t unit = cell.find_first_of("KMGBT", std::min(cell.find(' '), cell.size()));
    if (!number || *number <= 0 || unit == cell.npos)
        return std::nullopt;
    const std::size_t power = std::string_view(" KMGT").find(cell[unit] == 'B' ? 'G' : cell[unit]);
    return *number * std::pow(cell.substr(unit + 1) == "iB" ? 1024.0 : 1000.0, double(power));
}

/// What a file of `parameters` and `bytes` says against the scenario's model and weights. No refusal: some files hold
/// the matrix of a tied head twice.
std::optional<Diagnostic> otherWeights(const LogInput& input, double parameters, std::optional<double> bytes, int line)
{
    if (auto wrong = wrongModel(input, parameters, line)) {
        wrong->severity = Severity::Warning;
        return wrong;
    }
    const InferenceWorkload& w = input.base.inference;
    if (!bytes || (w.weights == DataType::Native && !w.weightBits))
        return std::nullopt;
    constexpr double alike = 0.1;
    const double bits = 8 * *bytes / parameters, ours = w.weightBits.value_or(8 * storedBytes(w.weights));
    if (std::abs(bits - ours) <= alike * ours)
        return std::nullopt;
    return problem(line, "other-weights",
                   say("has weights of {} bits; those of the scenario have {}", formatText(bits, ValueFormat::Plain),
                       formatText(ours, ValueFormat::Plain)),
                   said("set the weights that ran, with their bits, then import again"), Severity::Warning);
}

/// Layers that the host computed: all of them without a backend for a GPU, those beyond -ngl with one.
std::optional<Diagnostic> onTheHost(const LogInput& input, std::string_view backend, std::string_view gpuLayers,
                                    int line)
{
    const auto architecture = resolveModel(input.base.model, input.catalog);
    if (!architecture)
        return std::nullopt;
    const auto layers = static_cast<std::int64_t>(compileModel(*architecture).layers);
    const bool none = backend == "CPU" || backend == "BLAS";
    const std::int64_t there = none ? 0 : wholeIn(gpuLayers).value_or(layers); // -1: all
    if (there >= layers)
        return std::nullopt;
    return problem(line, "other-device", say("ran {} of {} layers on the GPU, the others on the host", there, layers),
                   said("run it with all layers there (-ngl 99)"), Severity::Warning);
}

/// Whether it ran with -fa; the table says so where it is not llama-bench's default, in one word or as a number.
FlashAttention flashIn(const std::string& cell, FlashAttention unsaid)
{
    return cell == "1" || cell == "on"    ? FlashAttention::On
           : cell == "0" || cell == "off" ? FlashAttention::Off
                                          : unsaid;
}

void addRun(const LogInput& input, const Test& test, double rate, const std::string& model, LogReading& reading)
{
    Scenario run = runFrom(input, "llama-bench", int(reading.runs.size()) + 1);
    run.name += ": " + printable(model);
    run.inference.batch = 1;
    run.inference.batchMax = false;
    dropLoad(run.inference);
    run.inference.scheduling = Scheduling::Static;
    if (test.writes) {
        takeLengths(run.inference, std::max<std::int64_t>(1, test.depth), test.tokens);
        run.measured.tpotS = 1 / rate;
    } else {
        takeLengths(run.inference, test.depth + test.tokens, 1);
        run.inference.prefixCachedTokens = test.depth;
        run.measured.ttftS = double(test.tokens) / rate;
    }
    reading.runs.push_back(std::move(run));
}

} // namespace

Expected<LogReading> readLlamaBench(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    LogReading reading;
    Lines lines(input.text);
    std::optional<std::size_t> test, rate, model, size, parameters, backend, gpuLayers, flashAttention;
    bool mixed = false;
    while (lines.next()) {
        const auto cells = cellsOf(lines.text());
        const auto column = [&](std::string_view name) -> std::optional<std::size_t> {
            const auto at = std::ranges::find(cells, name);
            return at == cells.end() ? std::nullopt : std::optional(std::size_t(at - cells.begin()));
        };
        if (column("test") && column("t/s")) {
            test = column("test");
            rate = column("t/s");
            model = column("model");
            size = column("size");
            parameters = column("params");
            backend = column("backend");
            gpuLayers = column("ngl");
            flashAttention = column("fa");
            continue;
        }
        if (!test || cells.size() <= std::max(*test, *rate) || cells[*rate].starts_with("--"))
            continue;
        const auto what = testNamed(cells[*test]);
        const auto perSecond = numberAfter("= " + cells[*rate].substr(0, cells[*rate].find(' ')), "=");
        if (!perSecond || *perSecond <= 0)
            return refuse(lines.number(), "not-a-number", say("no positive number follows \"{}\"", "t/s"),
                          said("is the line complete?"));
        mixed = mixed || !what;
        const auto cell = [&cells](std::optional<std::size_t> at) {
            return at && *at < cells.size() ? cells[*at] : std::string();
        };
        const auto note = [&reading](std::optional<Diagnostic> other) {
            if (other &&
                std::ranges::find(reading.warnings, other->message, &Diagnostic::message) == reading.warnings.end())
                reading.warnings.push_back(*std::move(other)); // once, not for each test
        };
        if (what) {
            const auto count = amountIn(cell(parameters));
            auto other = count ? otherWeights(input, *count, amountIn(cell(size)), lines.number()) : std::nullopt;
            const bool isSameModel = !other || other->code != "wrong-model";
            note(std::move(other));
            if (isSameModel)
                note(onTheHost(input, cell(backend), cell(gpuLayers), lines.number()));
            addRun(input, *what, *perSecond, cell(model), reading);
            FlashAttention& flash = reading.runs.back().inference.flashAttention;
            flash = flashIn(cell(flashAttention), flash);
        }
        if (auto many = tooMany(reading.runs.size(), lines.number()))
            return tl::unexpected(Diagnostics{*std::move(many)});
    }
    if (reading.runs.empty())
        return refuse(0, "no-runs", said("holds no result"), said("import the whole result"));
    if (mixed)
        reading.warnings.push_back(problem(0, "mixed-tests", said("tests that read and write in one are left out"),
                                           said("run llama-bench with -p and -n, not -pg"), Severity::Warning));
    return reading;
}

} // namespace headroom::logs
