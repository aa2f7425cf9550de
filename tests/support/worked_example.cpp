// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/worked_example.hpp"

#include "core/plan/planner.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace headroom::test
{

namespace
{

using nlohmann::json;
using namespace std::string_literals;

std::string trim(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// {"before", "after"} the first occurrence of `mark`, trimmed.
std::pair<std::string, std::string> splitAt(const std::string& text, const std::string& mark)
{
    const auto at = text.find(mark);
    if (at == std::string::npos)
        return {trim(text), ""};
    return {trim(text.substr(0, at)), trim(text.substr(at + mark.size()))};
}

std::vector<std::string> splitList(const std::string& text)
{
    std::vector<std::string> items;
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ',');)
        items.push_back(trim(item));
    return items;
}

json::json_pointer pointer(const std::string& dotted)
{
    std::string path = "/";
    for (const char c : dotted)
        path += c == '.' ? '/' : c;
    return json::json_pointer(path);
}

json scenarioDocument(const WorkedExample& example)
{
    json document{{"format", "headroom-scenario"}, {"version", 1}};
    for (const auto& [path, value] : example.settings) {
        // A model id holds dots; only keys are split at them.
        const json parsed = json::parse(value, nullptr, false);
        document[pointer(path)] = parsed.is_discarded() ? json(value) : parsed;
    }
    return document;
}

/// What a row of a table is known by: "H100.16 bit" of a matmul's family and class; empty for what is no such row.
std::vector<std::string> keysOf(const json& row)
{
    std::vector<std::string> keys;
    for (const char* key : {"family", "profile", "engine", "class", "kind", "vendor", "devices"})
        if (row.is_object() && row.contains(key))
            keys.push_back(row[key].is_string() ? row[key].get<std::string>() : row[key].dump());
    return keys;
}

std::string asKey(std::string name)
{
    std::erase(name, ',');
    std::ranges::replace(name, ' ', '_');
    return name;
}

/// calibration.json with its tables by key, and "rows" left out of the way.
json keyed(const json& value)
{
    if (value.is_array() && !value.empty() && !keysOf(value.front()).empty()) {
        json rows = json::object();
        for (const json& row : value) {
            json* place = &rows;
            for (const std::string& key : keysOf(row))
                place = &(*place)[asKey(key)];
            *place = row;
        }
        return rows;
    }
    if (!value.is_object())
        return value;
    json result = json::object();
    for (const auto& [key, inner] : value.items())
        key == "rows" ? result.update(keyed(inner)) : void(result[key] = keyed(inner));
    return result;
}

const json& calibrationByKey()
{
    static const json all = keyed(json::parse(embeddedFile("calibration.json").value()));
    return all;
}

json operatorsByName(const PreparedScenario& prepared)
{
    json all = json::object();
    for (const OperatorCost& cost : operatorCosts(prepared))
        all[asKey(cost.repeats ? cost.name + ", again" : cost.name)] = {
            {"flop", cost.flop}, {"bytes", cost.bytes}, {"time_s", cost.timeS}};
    return all;
}

/// The planner's answer to {"gpus": [8, 16], "objective": "time"}.
json planned(const json& question, const PreparedScenario& base)
{
    static const std::vector<std::string> objectives{"cost", "time", "energy", "gpus", "mfu"};
    PlanRequest request;
    request.base = base;
    request.gpuCounts = question.at("gpus").get<std::vector<std::int64_t>>();
    const auto named = std::ranges::find(objectives, question.at("objective").get<std::string>());
    request.objective = static_cast<PlanObjective>(named - objectives.begin());
    const auto answer = plan(request);
    if (!answer)
        throw std::runtime_error(toText(answer.error().front()));
    return json::parse(planJson(*answer));
}

json evaluateDocument(json document, const WorkedExample& example)
{
    const json question = document.value("plan", json());
    document.erase("plan");
    static const Catalog catalog = Catalog::builtIn();
    const auto place = example.file + ":" + std::to_string(example.line) + ": ";
    const auto read = readScenario(document.dump(), catalog);
    if (!read)
        throw std::runtime_error(place + toText(read.error().front()));
    const auto prepared = prepare(read->scenario, catalog, Calibration::builtIn());
    if (!prepared)
        throw std::runtime_error(place + toText(prepared.error().front()));
    const Evaluation evaluation = evaluate(*prepared);
    json result = json::parse(evaluationJson(example.name, *prepared, evaluation, -1));
    // Intermediate values that the window explains but the result format does not carry.
    result["internal"] = {{"ridge_flop_per_byte", evaluation.ridgeFlopPerByte},
                          {"peak_flops", evaluation.peakFlops},
                          {"memory_bandwidth", evaluation.memoryBandwidth},
                          {"bytes_moved", evaluation.bytesMoved},
                          {"model_flop_per_token", evaluation.modelFlopPerToken},
                          {"tokens_per_step", evaluation.tokensPerStep},
                          {"data", evaluation.data},
                          {"replicas", evaluation.replicas}};
    result["operators"] = operatorsByName(*prepared);
    result["calibration"] = calibrationByKey();
    if (!question.is_null())
        result["plan"] = planned(question, *prepared);
    return result;
}

/// Sums, products, quotients and powers of numbers and paths into a result, left to right, no brackets.
class Arithmetic final
{
public:
    Arithmetic(const std::string& text, const json& result) : m_in(text), m_result(result) {}
    double value()
    {
        double sum = product();
        for (std::string op; m_in >> op;) {
            if (op != "+" && op != "-")
                throw std::runtime_error("unexpected '" + op + "'");
            sum += op == "+" ? product() : -product();
        }
        return sum;
    }

private:
    double product()
    {
        double value = power();
        while (const char op = next("*/"))
            value = op == '*' ? value * power() : value / power();
        return value;
    }
    double power()
    {
        const double base = term();
        return next("^") != 0 ? std::pow(base, power()) : base;
    }
    /// The next word, where it is one of these operators; else 0, and it is still to be read.
    char next(std::string_view operators)
    {
        const auto before = m_in.tellg();
        std::string op;
        if (m_in >> op && op.size() == 1 && operators.find(op[0]) != operators.npos)
            return op[0];
        m_in.clear();
        m_in.seekg(before);
        return 0;
    }
    double term()
    {
        std::string word;
        if (!(m_in >> word))
            throw std::runtime_error("an operand is missing");
        std::size_t used = 0;
        try {
            const double number = std::stod(word, &used);
            if (used == word.size())
                return number;
        } catch (const std::logic_error&) {
        }
        const auto path = pointer(word);
        if (!m_result.contains(path))
            throw std::runtime_error("the result has no '" + word + "'");
        const json& found = m_result.at(path);
        if (!found.is_number())
            throw std::runtime_error("'" + word + "' is " + found.dump() + ", not a number");
        return found.get<double>();
    }
    std::istringstream m_in;
    const json& m_result;
};

double compute(const std::string& text, const json& result)
{
    return Arithmetic(text, result).value();
}

std::string number(double value)
{
    std::ostringstream out;
    out.precision(8);
    out << value;
    return out.str();
}

std::string checkTrend(const std::string& expression, const std::string& trend, const std::vector<json>& results)
{
    if (results.size() < 2)
        return "'" + trend + "' needs an `over` line";
    for (std::size_t i = 1; i < results.size(); ++i) {
        const double before = compute(expression, results[i - 1]);
        const double after = compute(expression, results[i]);
        const bool holds = trend == "rises"   ? after > before
                           : trend == "falls" ? after < before
                                              : std::abs(after - before) <= 1e-9 * std::abs(before);
        if (!holds)
            return expression + " " + trend + ": but point " + std::to_string(i) + " has " + number(before) +
                   " and the next " + number(after);
    }
    return "";
}

std::string checkOne(const std::string& line, const std::vector<json>& results)
{
    for (const std::string& trend : {"rises"s, "falls"s, "constant"s})
        if (line.ends_with(" " + trend))
            return checkTrend(trim(line.substr(0, line.size() - trend.size())), trend, results);
    const json& result = results.back();
    if (const auto [expression, range] = splitAt(line, " between "); !range.empty()) {
        const auto [low, high] = splitAt(range, " and ");
        const double got = compute(expression, result);
        return got >= compute(low, result) && got <= compute(high, result) ? "" : line + ": got " + number(got);
    }
    for (const std::string& op : {"<="s, ">="s, "<"s, ">"s})
        if (const auto [left, right] = splitAt(line, " " + op + " "); !right.empty()) {
            const double a = compute(left, result), b = compute(right, result);
            const bool holds = op == "<=" ? a <= b : op == ">=" ? a >= b : op == "<" ? a < b : a > b;
            return holds ? "" : line + ": got " + number(a);
        }
    const auto [left, right] = splitAt(line, " = ");
    if (right.empty())
        return "cannot read '" + line + "'";
    if (right == "true" || right == "false" || right == "null" || right.front() == '"') {
        const json got = result.at(pointer(left));
        return got == json::parse(right) ? "" : line + ": got " + got.dump();
    }
    const auto [value, tolerance] = splitAt(right, "±");
    const double got = compute(left, result);
    const double want = compute(value, result);
    const double allowed = tolerance.empty() ? 1e-12 * std::abs(want) : compute(tolerance, result);
    return std::abs(got - want) <= allowed ? "" : line + ": got " + number(got);
}

} // namespace

std::vector<WorkedExample> readWorkedExamples(const std::string& path)
{
    std::istringstream in(readFile(path));
    std::vector<WorkedExample> examples;
    enum class Section { None, Scenario, With, Expect } section = Section::None;
    int lineNumber = 0;
    const bool isChapter = path.ends_with(".md");
    bool inside = !isChapter;
    for (std::string line; std::getline(in, line);) {
        ++lineNumber;
        const std::string text = trim(line);
        if (isChapter && text.starts_with("```")) {
            inside = text == "```example";
            continue;
        }
        if (!inside)
            continue;
        if (text.empty() || text[0] == '#') {
            continue;
        }
        if (text.starts_with("name:")) {
            examples.push_back({trim(text.substr(5)),
                                "",
                                std::filesystem::path(path).filename().string(),
                                lineNumber,
                                {},
                                "",
                                {},
                                {},
                                {}});
            section = Section::None;
            continue;
        }
        const std::string place = path + ":" + std::to_string(lineNumber) + ": ";
        if (examples.empty())
            throw std::runtime_error(place + "a block begins with 'name:'");
        WorkedExample& example = examples.back();
        if (text.starts_with("source:"))
            example.source = trim(text.substr(7));
        else if (text == "scenario:")
            section = Section::Scenario;
        else if (text == "with:")
            section = Section::With;
        else if (text == "expect:")
            section = Section::Expect;
        else if (text.starts_with("over ")) {
            const auto [key, values] = splitAt(text.substr(5), " = ");
            example.overPath = key;
            example.overValues = splitList(values);
        } else if (section == Section::Scenario || section == Section::With) {
            const auto [key, value] = splitAt(text, " = ");
            if (value.empty())
                throw std::runtime_error(place + "expected 'path = value'");
            (section == Section::With ? example.with : example.settings).emplace_back(key, value);
        } else if (section == Section::Expect)
            example.expectations.push_back(text);
        else
            throw std::runtime_error(place + "expected 'source:', 'scenario:', 'over', 'with:' or 'expect:'");
    }
    return examples;
}

std::string runWorkedExample(const WorkedExample& example)
{
    std::string failures;
    try {
        std::vector<json> results;
        json document = scenarioDocument(example);
        if (example.overPath.empty())
            results.push_back(evaluateDocument(document, example));
        for (const std::string& value : example.overValues) {
            const json parsed = json::parse(value, nullptr, false);
            document[pointer(example.overPath)] = parsed.is_discarded() ? json(value) : parsed;
            results.push_back(evaluateDocument(document, example));
        }
        for (const auto& [name, expression] : example.with)
            results.back()[name] = compute(expression, results.back());
        for (const std::string& expectation : example.expectations) {
            const std::string failure = checkOne(expectation, results);
            if (!failure.empty())
                failures += "\n  " + failure;
        }
    } catch (const std::exception& error) {
        failures += std::string("\n  ") + error.what();
    }
    return failures;
}

} // namespace headroom::test
