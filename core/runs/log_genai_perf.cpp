// SPDX-License-Identifier: GPL-3.0-or-later
// Results of NVIDIA's GenAI-Perf and AIPerf: the summary that they save as JSON (profile_export_genai_perf.json,
// profile_export_aiperf.json: a block with "avg" and "unit" for each figure) and as CSV, and the table that they print.
// https://docs.nvidia.com/aiperf/reference/json-export-schema
#include "core/runs/log_formats.hpp"
#include "core/runs/serving_result.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <utility>

namespace headroom::logs
{
namespace
{

constexpr ServingFormat genAiPerf{"GenAI-Perf",
                                  {"time_to_first_token", "inter_token_latency", "output_token_throughput",
                                   "concurrency", "request_count", "input_sequence_length", "output_sequence_length"},
                                  phrase("does not say its concurrency: the scenario's batch is taken"),
                                  phrase("import its JSON, which says it, or set the batch to it first")};

/// Its figures and, as means, its lengths.
class Summary final
{
public:
    explicit Summary(int line) : m_line(line) {}

    /// By the name in JSON; others are passed over.
    void set(std::string_view name, double value)
    {
        const auto at = std::ranges::find(genAiPerf.figures, name);
        if (at != genAiPerf.figures.end())
            m_figures[std::size_t(at - genAiPerf.figures.begin())] = value;
    }
    [[nodiscard]] ServingResult result() const
    {
        ServingResult made;
        made.line = m_line;
        made.figures = m_figures;
        auto& f = made.figures;
        const double requests = f[Completed].value_or(1);
        if (f[InputTokens] && f[OutputTokens]) {
            f[Completed] = requests;
            *f[InputTokens] *= requests;
            *f[OutputTokens] *= requests;
        }
        return made;
    }

private:
    int m_line;
    std::array<std::optional<double>, figureCount> m_figures{};
};

/// The first value within that `accepts(key, value)`; null where there is none.
template <typename Accepts>
const Json* firstIn(const Json& json, const Accepts& accepts)
{
    if (!json.is_object())
        return nullptr;
    for (const auto& [key, value] : json.items()) {
        if (accepts(key, value))
            return &value;
        if (const Json* inner = firstIn(value, accepts))
            return inner;
    }
    return nullptr;
}

/// The first positive number of that name within: it stands in another place of the input with each release.
std::optional<double> numberIn(const Json& json, std::string_view name)
{
    const Json* found = firstIn(json, [name](std::string_view key, const Json& value) {
        return key == name && value.is_number() && value.get<double>() > 0;
    });
    return found ? std::optional(found->get<double>()) : std::nullopt;
}

/// The first model that is named within: AIPerf's "model_names" of the endpoint, GenAI-Perf's "model", one or a list.
std::string modelIn(const Json& json)
{
    const auto one = [](const Json& value) -> const Json& {
        return value.is_array() && !value.empty() ? value.front() : value;
    };
    const Json* found = firstIn(json, [&one](std::string_view key, const Json& value) {
        return (key == "model_names" || key == "model") && one(value).is_string();
    });
    return found ? one(*found).get<std::string>() : std::string();
}

/// Milliseconds in a unit of time; empty where it is not known.
std::optional<double> milliseconds(std::string_view unit)
{
    constexpr std::pair<double, std::array<std::string_view, 5>> units[] = {
        {1e3, {"s", "sec", "secs", "second", "seconds"}},
        {1, {"ms", "msec", "millisecond", "milliseconds", "millis"}},
        {1e-3, {"us", "\u00b5s", "\u03bcs", "microsecond", "microseconds"}},
        {1e-6, {"ns", "nsec", "nanosecond", "nanoseconds", "nanos"}}};
    for (const auto& [value, names] : units)
        if (std::ranges::find(names, unit) != names.end())
            return value;
    return std::nullopt;
}

bool isTime(std::string_view name)
{
    return name == genAiPerf.figures[Ttft] || name == genAiPerf.figures[Tpot];
}

/// What a figure is multiplied by; times are in ms where nothing is said (`unit` empty).
Expected<double> scaleOf(std::string_view name, std::string_view unit, int line)
{
    const auto scale = isTime(name) ? unit.empty() ? std::optional(1.0) : milliseconds(unit) : std::optional(1.0);
    if (!scale)
        return refuse(line, "unknown-unit", say("\"{}\" has the unit \"{}\", which is no time", name, printable(unit)),
                      said("known are s, ms, us and ns"));
    return *scale;
}

Expected<LogReading> readSummary(const LogInput& input)
{
    JsonLimits limits;
    limits.bytes = 64u << 20;
    const auto json = parseJson(withoutInfinities(input.text), limits);
    if (!json)
        return tl::unexpected(json.error());
    if (!json->is_object())
        return refuse(1, "wrong-type", said("a result must be a JSON object"));
    Summary summary(1);
    for (const std::string_view name : genAiPerf.figures) {
        const auto block = json->find(name);
        if (block == json->end() || !block->is_object())
            continue;
        const auto mean = block->find("avg");
        if (mean == block->end() || mean->is_null())
            continue;
        if (!mean->is_number())
            return refuse(1, "wrong-type", say("\"{}\" must be a number", std::string(name) + ".avg"));
        const auto unit = block->find("unit");
        const auto scale =
            scaleOf(name, unit != block->end() && unit->is_string() ? unit->get_ref<const std::string&>() : "", 1);
        if (!scale)
            return tl::unexpected(scale.error());
        summary.set(name, mean->get<double>() * *scale);
    }
    std::optional<double> offered;
    std::string model;
    if (const auto config = json->find("input_config"); config != json->end()) {
        model = modelIn(*config);
        if (const auto concurrency = numberIn(*config, "concurrency"))
            summary.set("concurrency", *concurrency);
        offered = numberIn(*config, "request_rate");
    }
    ServingResult result = summary.result();
    result.offered = offered;
    result.model = std::move(model);
    if (const auto failed = json->find("error_request_count"); failed != json->end() && result.figures[Completed])
        if (const auto count = numberIn(*failed, "avg"))
            result.sent = *result.figures[Completed] + *count;
    if (const auto done = json->find("request_throughput"); done != json->end())
        result.served = numberIn(*done, "avg");
    return servingReading(input, genAiPerf, {std::move(result)});
}

/// "Time To First Token (ms)" as JSON calls it: "time_to_first_token".
std::string nameOf(std::string_view title)
{
    std::string name;
    for (const char c : title.substr(0, std::min(title.find('('), title.size())))
        name += c >= 'A' && c <= 'Z' ? char(c + 32) : c == ' ' ? '_' : c;
    name.erase(name.find_last_not_of('_') + 1);
    return name == "num_input_token"    ? "input_sequence_length" // early releases
           : name == "num_output_token" ? "output_sequence_length"
                                        : name;
}

/// "ms" of "Time To First Token (ms)"; empty where a heading says none.
std::string_view unitOf(std::string_view title)
{
    const std::size_t begin = title.find('('), end = title.find(')', begin);
    return begin == title.npos || end == title.npos ? std::string_view() : title.substr(begin + 1, end - begin - 1);
}

/// The cells of a line of the printed table, between its upright strokes.
std::vector<std::string> tableCells(std::string_view line)
{
    constexpr std::string_view stroke = "\u2502";
    std::vector<std::string> cells;
    for (std::size_t at = line.find(stroke); at != line.npos;) {
        const std::size_t begin = at + stroke.size();
        at = line.find(stroke, begin);
        if (at == line.npos)
            break;
        std::string_view cell = line.substr(begin, at - begin);
        cell.remove_prefix(std::min(cell.find_first_not_of(' '), cell.size()));
        cells.emplace_back(cell.substr(0, cell.find_last_not_of(' ') + 1));
    }
    return cells;
}

Expected<LogReading> readTable(const LogInput& input)
{
    Lines lines(input.text);
    std::vector<ServingResult> results;
    std::optional<Summary> summary;
    const auto close = [&] {
        if (summary)
            results.push_back(summary->result());
        summary.reset();
    };
    while (lines.next()) {
        const std::string_view text = lines.text();
        const bool heads = text.find("Metric") != text.npos || text.find("Statistic") != text.npos;
        if (heads && text.find("avg") != text.npos) // a table of its own for each run
            close();
        auto cells = tableCells(lines.text());
        if (cells.empty())
            cells = csvCells(lines.text()).value_or(std::vector<std::string>());
        if (cells.size() < 2 || cells[1].empty() || cells[1] == "N/A")
            continue;
        const std::string name = nameOf(cells[0]);
        if (std::ranges::find(genAiPerf.figures, name) == genAiPerf.figures.end())
            continue;
        const auto value = numberAfter("= " + cells[1], "=");
        if (!value)
            return refuse(lines.number(), "not-a-number", say("no number follows \"{}\"", cells[0]),
                          said("is the line complete?"));
        if (!summary) {
            if (auto many = tooMany(results.size() + 1, lines.number()))
                return tl::unexpected(Diagnostics{*std::move(many)});
            summary.emplace(lines.number());
        }
        const auto scale = scaleOf(name, unitOf(cells[0]), lines.number());
        if (!scale)
            return tl::unexpected(scale.error());
        summary->set(name, *value * *scale);
    }
    close();
    if (results.empty())
        return refuse(0, "no-runs", said("holds no result"), said("import the whole result"));
    return servingReading(input, genAiPerf, results);
}

} // namespace

Expected<LogReading> readGenAiPerf(const LogInput& input)
{
    if (auto wrong = wrongTask(input, Task::Inference, phrase("serving benchmark")))
        return tl::unexpected(Diagnostics{*std::move(wrong)});
    const std::size_t first = input.text.find_first_not_of(" \t\r\n");
    const bool json = first != input.text.npos && input.text[first] == '{';
    const std::size_t line = input.text.find('\n');
    if (json && input.text.substr(0, line).find("\"metadata\"") != input.text.npos)
        return refuse(1, "single-requests", said("holds single requests, not the result"),
                      said("import profile_export_aiperf.json or profile_export_genai_perf.json"));
    return json ? readSummary(input) : readTable(input);
}

} // namespace headroom::logs
