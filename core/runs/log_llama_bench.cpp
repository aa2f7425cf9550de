// SPDX-License-Identifier: GPL-3.0-or-later
// The table that llama-bench prints: | model | size | params | backend | … | test | t/s |, a test a row. "pp512" reads
// a prompt of 512 tokens, "tg128" writes 128 one by one, "@ d4096" behind 4096 that are already in the cache.
#include "core/runs/log_formats.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

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

void addRun(const LogInput& input, const Test& test, double rate, const std::string& model, LogReading& reading)
{
    Scenario run = runFrom(input, "llama-bench", int(reading.runs.size()) + 1);
    run.name += ": " + printable(model);
    run.inference.batch = 1;
    run.inference.batchMax = false;
    run.inference.scheduling = Scheduling::Static;
    if (test.writes) {
        run.inference.promptTokens = std::max<std::int64_t>(1, test.depth);
        run.inference.outputTokens = test.tokens;
        run.measured.tpotS = 1 / rate;
    } else {
        run.inference.promptTokens = test.depth + test.tokens;
        run.inference.prefixCachedTokens = test.depth;
        run.inference.outputTokens = 1;
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
    std::optional<std::size_t> test, rate, model;
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
        if (what)
            addRun(input, *what, *perSecond, model && *model < cells.size() ? cells[*model] : std::string(), reading);
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
