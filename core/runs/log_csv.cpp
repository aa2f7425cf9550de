// SPDX-License-Identifier: GPL-3.0-or-later
// CSV with named columns: one run a row.
#include "core/explore/sweep.hpp"
#include "core/predict/evaluate.hpp"
#include "core/runs/log_facts.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/scenario/stated_value.hpp"
#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headroom::logs
{
namespace
{

struct Column {
    std::string name;
    const ParameterRow* row = nullptr;     ///< null for the words below
    std::string Scenario::*text = nullptr; ///< name, source
    bool model = false, accelerator = false;
    double perUnit = 1; ///< of the row's unit: 1000 for "tpot_ms"
};

const ParameterRow* measuredRow(std::string_view key, Task task)
{
    const auto rows = parameterRegistry();
    const auto found = std::ranges::find_if(rows, [&](const ParameterRow& row) {
        return row.group == ParameterGroup::Measured && appliesTo(row, task) &&
               (row.id == key || row.path.substr(row.path.rfind('/') + 1) == key);
    });
    return found == rows.end() ? nullptr : &*found;
}

struct MeasuredName {
    const ParameterRow* row = nullptr;
    double perUnit = 1; ///< of the row's unit
};

MeasuredName findMeasured(const std::string& name, Task task)
{
    if (const ParameterRow* row = measuredRow(name, task))
        return {row, 1};
    if (name.ends_with("_ms"))
        return {measuredRow(name.substr(0, name.size() - 3) + "_s", task), 1e3};
    return {};
}

std::string taskWord(Task task)
{
    return task == Task::Training ? said("training") : said("serving");
}

Task otherThan(Task task)
{
    return task == Task::Training ? Task::Inference : Task::Training;
}

/// A measurement that the other task has not.
bool isMeasuredOf(Task task, const std::string& name)
{
    return findMeasured(name, task).row && !findMeasured(name, otherThan(task)).row;
}

/// `ours`: the file measures the scenario's task, so that a column of the other is a wrong name.
Expected<Column> columnOf(const std::string& name, Task task, bool ours)
{
    Column column;
    column.name = name;
    if (name == "name")
        column.text = &Scenario::name;
    else if (name == "source")
        column.text = &Scenario::source;
    else if (name == "model")
        column.model = true;
    else if (name == "accelerator")
        column.accelerator = true;
    else if (name == "gpus") // as people call it
        column.row = parameterRow("count", task);
    else if (const MeasuredName measured = findMeasured(name, task); measured.row) {
        column.row = measured.row;
        column.perUnit = measured.perUnit;
    } else if ((column.row = parameterRow(name, task)))
        ;
    else if (const Task other = otherThan(task); findMeasured(name, other).row || (!ours && parameterRow(name, other)))
        return refuse(1, "wrong-task",
                      say("column \"{}\" is of {}; the scenario is about {}", name, taskWord(other), taskWord(task)),
                      other == Task::Training ? said("open the training scenario that ran first")
                                              : said("open the serving scenario that was measured first"));
    else {
        std::vector<std::string_view> known{"name", "source", "model", "accelerator"};
        for (const ParameterRow& row : parameterRegistry())
            if (appliesTo(row, task))
                known.push_back(row.group == ParameterGroup::Measured ? row.path.substr(row.path.rfind('/') + 1)
                                                                      : row.id);
        return refuse(1, "unknown-column", say("column \"{}\" is not known", printable(name)),
                      suggestName(name, known, known.size()));
    }
    return column;
}

std::string allowedText(const ParameterRow& row)
{
    std::vector<std::string_view> ids;
    for (const ParameterChoice& choice : row.choices)
        ids.push_back(choice.id);
    return ids.empty() ? said("write a plain number such as 8") : say("one of: {}", listOf(ids));
}

std::optional<Diagnostic> setNumber(Scenario& run, const Column& column, const std::string& cell, int line)
{
    const ParameterRow& row = *column.row;
    double value = 0;
    if (row.group == ParameterGroup::Measured) {
        const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (result.ec != std::errc() || result.ptr != cell.data() + cell.size() || !std::isfinite(value))
            return problem(line, "not-a-number",
                           say("column \"{}\": \"{}\" is not a number", column.name, printable(cell)),
                           said("write a plain number such as 0.0213"));
        value /= column.perUnit;
    } else {
        const auto values = parseSweepValues(row, cell);
        if (!values || values->size() != 1)
            return problem(
                line, "not-a-value",
                say("column \"{}\": \"{}\" is not a value of {}", column.name, printable(cell), say(row.label)),
                allowedText(row));
        value = values->front();
    }
    if (row.group == ParameterGroup::Measured && value <= 0)
        return problem(line, "out-of-range",
                       say("column \"{}\": {}, where a measurement is above 0", column.name, printable(cell)),
                       said("leave the cell empty if it was not measured"));
    if (value < row.minimum || value > row.maximum)
        return problem(line, "out-of-range", say("column \"{}\": {} is out of range", column.name, printable(cell)),
                       say("from {} to {}", row.minimum * column.perUnit, row.maximum * column.perUnit));
    stateValue(run, row, value);
    return std::nullopt;
}

std::optional<Diagnostic> setCell(Scenario& run, const Column& column, const std::string& cell, int line,
                                  const Catalog& catalog)
{
    if (column.text)
        run.*column.text = printable(cell, cell.size()); // a file holds UTF-8 only
    else if (column.row)
        return setNumber(run, column, cell, line);
    else if (column.model) {
        const auto model = catalog.model(cell);
        if (!model)
            return problem(line, "unknown-model", say("model \"{}\" is not in the catalogue", printable(cell)),
                           said("headroom-cli models lists the ids"));
        run.model = {model->id, {}};
    } else {
        const auto accelerator = catalog.accelerator(cell);
        if (!accelerator) {
            std::string hint = acceleratorHint(catalog, cell);
            return problem(line, "unknown-accelerator",
                           say("accelerator \"{}\" is not in the catalogue", printable(cell)),
                           hint.empty() ? said("headroom-cli accelerators lists the ids") : std::move(hint));
        }
        run.accelerator = {accelerator->id, {}};
    }
    return std::nullopt;
}

} // namespace

std::optional<std::vector<std::string>> csvCells(const std::string& line)
{
    std::vector<std::string> cells{{}};
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    if (quoted)
        return std::nullopt;
    for (std::string& cell : cells) {
        cell.erase(0, std::min(cell.find_first_not_of(" \t"), cell.size()));
        cell.erase(cell.find_last_not_of(" \t") + 1);
    }
    return cells;
}

Expected<LogReading> readCsv(const LogInput& input)
{
    Lines lines(input.text.starts_with("\xef\xbb\xbf") ? input.text.substr(3) : input.text);
    if (input.text.find('\0') != std::string_view::npos)
        return refuse(1, "not-utf8", said("holds zero bytes: it is UTF-16, or no text"),
                      said("save the file as UTF-8"));
    std::vector<Column> columns;
    LogReading reading;
    while (lines.next()) {
        if (lines.text().find_first_not_of(" \t,") == std::string::npos)
            continue;
        const auto cells = csvCells(lines.text());
        if (!cells)
            return refuse(lines.number(), "open-quote", said("a quotation mark is not closed"),
                          said("cells do not reach over several lines"));
        if (columns.empty()) {
            if (std::ranges::find(*cells, "kernel") != cells->end())
                return refuse(lines.number(), "kernels", said("lists kernels, not runs"),
                              said("import the file of run lines (.jsonl) that the measuring script wrote beside it"));
            for (const char other : {';', '\t'})
                if (cells->size() == 1 && cells->front().find(other) != std::string::npos)
                    return refuse(lines.number(), "separator",
                                  other == ';' ? said("separates its columns by semicolons")
                                               : said("separates its columns by tabs"),
                                  said("save it with commas between cells, and points in numbers"));
            const bool ours = std::ranges::any_of(
                *cells, [&](const std::string& name) { return isMeasuredOf(input.base.task, name); });
            for (const std::string& name : *cells) {
                auto column = columnOf(name, input.base.task, ours);
                if (!column) {
                    column.error().front().line = lines.number();
                    return tl::unexpected(column.error());
                }
                const auto twin = std::ranges::find_if(columns, [&](const Column& other) {
                    return other.row ? other.row == column->row : other.name == column->name;
                });
                if (twin != columns.end())
                    return refuse(lines.number(), "duplicate-column",
                                  say("columns \"{}\" and \"{}\" say the same", printable(twin->name), printable(name)),
                                  said("remove one of the two"));
                columns.push_back(*std::move(column));
            }
            continue;
        }
        if (cells->size() != columns.size())
            return refuse(lines.number(), "wrong-count",
                          say("has {} cells, the header {}", cells->size(), columns.size()),
                          said("put text with commas in quotation marks"));
        Scenario run = runFrom(input, "CSV file", int(reading.runs.size()) + 1);
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (!(*cells)[i].empty())
                if (auto wrong = setCell(run, columns[i], (*cells)[i], lines.number(), input.catalog))
                    return tl::unexpected(Diagnostics{*std::move(wrong)});
        const auto states = [&](std::string_view id) {
            const auto at = std::ranges::find_if(columns, [id](const Column& c) { return c.row && c.row->id == id; });
            return at != columns.end() && !(*cells)[std::size_t(at - columns.begin())].empty();
        };
        if (states("batch") && !states("requests_per_s"))
            dropLoad(run.inference);
        if (!run.measured.any())
            return refuse(lines.number(), "nothing-measured", said("holds nothing measured"),
                          said("add a column such as step_time_s, tokens_per_s, tpot_ms or ttft_ms"));
        if (Diagnostics problems = checkSetup(run); !problems.empty()) {
            problems.front().line = lines.number();
            return tl::unexpected(Diagnostics{problems.front()});
        }
        reading.runs.push_back(std::move(run));
        if (auto many = tooMany(reading.runs.size(), lines.number()))
            return tl::unexpected(Diagnostics{*std::move(many)});
    }
    if (reading.runs.empty())
        return refuse(0, "no-runs", said("holds no run"),
                      said("write the column names on the first line and one run on each line below"));
    return reading;
}

} // namespace headroom::logs
