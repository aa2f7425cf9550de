// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/chart_table.hpp"

#include "core/charts/pin_marks.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// What a value is in the table: the quantity with the unit of the number, which is always the base unit.
std::string_view baseUnit(ValueFormat format)
{
    switch (format) {
    case ValueFormat::Percent:
        return phrase("fraction");
    case ValueFormat::Seconds:
        return "s";
    case ValueFormat::Bytes:
        return "B";
    case ValueFormat::FlopPerS:
        return "FLOP/s";
    case ValueFormat::Flop:
        return "FLOP";
    case ValueFormat::BytesPerS:
        return "B/s";
    case ValueFormat::TokensPerS:
        return phrase("tokens/s");
    case ValueFormat::FlopPerByte:
        return phrase("FLOP/byte");
    case ValueFormat::Watts:
        return "W";
    case ValueFormat::Plain:
    case ValueFormat::Integer:
    case ValueFormat::Money:
    case ValueFormat::Parameters:
        break;
    }
    return "";
}

std::string titled(const std::string& label, ValueFormat format, const std::string& unit, Figures figures)
{
    if (figures == Figures::Shown && !baseUnit(format).empty())
        return label; // each cell has its unit
    const std::string shown = baseUnit(format).empty() ? unit : said(baseUnit(format));
    return shown.empty() ? label : label + " (" + shown + ")";
}

std::string number(double value, ValueFormat format, Figures figures)
{
    return figures == Figures::Exact ? exactNumber(value) : formatText(value, format);
}

std::string keyCell(const Axis& axis, double x, Figures figures)
{
    const ParameterRow* row = parameterRow(axis.parameter);
    const bool listed = row && (row->kind == ParameterKind::Choice || row->kind == ParameterKind::Toggle);
    for (const Tick& tick : axis.ticks)
        if (tick.position == x && (listed || axis.format == ValueFormat::Plain) && !tick.label.empty())
            return tick.label; // a category
    return number(x, axis.format, figures);
}

std::string titleOf(const Series& series)
{
    return series.label.empty() ? series.id : series.label;
}

/// What a measured run is and who says so, on one line.
std::string runText(const Point& point)
{
    std::string text = point.detail.empty() ? point.label : point.label + ": " + point.detail;
    std::ranges::replace(text, '\n', ' ');
    return text;
}

std::vector<const Series*> linesOf(const ChartSpec& spec)
{
    std::vector<const Series*> lines;
    for (const Series& s : spec.series)
        if (!isRun(s.role) || s.kind != SeriesKind::Points)
            lines.push_back(&s);
    return lines;
}

bool sameX(const ChartSpec& spec)
{
    const auto lines = linesOf(spec);
    const auto plain = [&](const Series* s) {
        const auto& first = lines.front()->points;
        return s->kind != SeriesKind::Points && s->points.size() == first.size() &&
               std::none_of(s->points.begin(), s->points.end(), [](const Point& p) { return p.base.has_value(); }) &&
               std::equal(s->points.begin(), s->points.end(), first.begin(),
                          [](const Point& a, const Point& b) { return a.x == b.x; });
    };
    return !lines.empty() && std::all_of(lines.begin(), lines.end(), plain);
}

/// Measured runs stand below the lines, each in a row of its own: they have their own x and a source.
void appendRuns(ChartTable& table, const ChartSpec& spec, Figures figures)
{
    const std::size_t width = table.header.size();
    std::vector<const Series*> runs;
    for (const Series& s : spec.series)
        if (isRun(s.role) && s.kind == SeriesKind::Points)
            runs.push_back(&s);
    if (runs.empty())
        return;
    for (const Series* s : runs)
        table.header.push_back(titled(titleOf(*s), spec.y.format, spec.y.unit, figures));
    table.header.emplace_back(said("Run"));
    for (auto& row : table.rows)
        row.resize(table.header.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const Point& p : runs[i]->points) {
            std::vector<std::string> cells(table.header.size());
            cells.front() = keyCell(spec.x, p.x, figures);
            cells[width + i] = number(p.y, spec.y.format, figures);
            cells.back() = runText(p);
            table.rows.push_back(std::move(cells));
        }
}

ChartTable wideTable(const ChartSpec& spec, Figures figures)
{
    ChartTable table;
    const auto lines = linesOf(spec);
    table.header.push_back(titled(spec.x.label.empty() ? "x" : spec.x.label, spec.x.format, spec.x.unit, figures));
    for (const Series* s : lines) {
        table.header.push_back(titled(titleOf(*s), spec.y.format, spec.y.unit, figures));
        if (s->band) {
            table.header.push_back(say("{} low", titleOf(*s)));
            table.header.push_back(say("{} high", titleOf(*s)));
        }
    }
    // What is pinned fits or not for itself: it says nothing of the scenario in hand.
    const auto infeasible = [&](std::size_t row) {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const Series* s) { return pinLetter(s->role) == 0 && s->points[row].infeasible; });
    };
    table.header.emplace_back(said("Fits"));
    for (std::size_t row = 0; row < lines.front()->points.size(); ++row) {
        std::vector<std::string> cells{keyCell(spec.x, lines.front()->points[row].x, figures)};
        const auto figure = [&](double value) { return number(value, spec.y.format, figures); };
        for (const Series* s : lines) {
            cells.push_back(figure(s->points[row].y));
            if (s->band) {
                cells.push_back(row < s->band->low.size() ? figure(s->band->low[row]) : "");
                cells.push_back(row < s->band->high.size() ? figure(s->band->high[row]) : "");
            }
        }
        cells.emplace_back(infeasible(row) ? say("no") : say("yes"));
        table.rows.push_back(std::move(cells));
    }
    appendRuns(table, spec, figures);
    return table;
}

ChartTable longTable(const ChartSpec& spec, Figures figures)
{
    ChartTable table;
    table.header = {said("Series"),
                    said("Name"),
                    titled(spec.x.label.empty() ? "x" : spec.x.label, spec.x.format, spec.x.unit, figures),
                    titled(spec.y.label.empty() ? "y" : spec.y.label, spec.y.format, spec.y.unit, figures),
                    said("From"),
                    said("Fits")};
    for (const Series& s : spec.series)
        for (const Point& p : s.points)
            table.rows.push_back({titleOf(s), isRun(s.role) ? runText(p) : p.label, keyCell(spec.x, p.x, figures),
                                  number(p.y, spec.y.format, figures),
                                  p.base ? number(*p.base, spec.y.format, figures) : "",
                                  p.infeasible ? said("no") : said("yes")});
    return table;
}

ChartTable heatTable(const ChartSpec& spec, Figures figures)
{
    const HeatMap& map = *spec.heatMap;
    ChartTable table;
    table.header = {titled(spec.x.label.empty() ? "x" : spec.x.label, spec.x.format, spec.x.unit, figures),
                    titled(spec.y.label.empty() ? "y" : spec.y.label, spec.y.format, spec.y.unit, figures),
                    titled(map.label.empty() ? said("Value") : map.label, map.format, "", figures), said("Fits")};
    for (std::size_t cell = 0; cell < std::min(map.value.size(), map.x.size() * map.y.size()); ++cell) {
        const std::size_t code = cell < map.infeasible.size() ? map.infeasible[cell] : 0;
        const bool caused = code > 0 && code <= map.causes.size();
        table.rows.push_back({keyCell(spec.x, map.x[cell % map.x.size()], figures),
                              keyCell(spec.y, map.y[cell / map.x.size()], figures),
                              caused ? "" : number(map.value[cell], map.format, figures),
                              caused     ? say("no: {}", map.causes[code - 1].text)
                              : code > 0 ? said("no")
                                         : said("yes")});
    }
    return table;
}

void appendLine(std::string& text, const std::vector<std::string>& cells)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
        text += (i == 0 ? "" : ",") + csvCell(cells[i]);
    text += '\n';
}

} // namespace

ChartTable chartTable(const ChartSpec& spec, Figures figures)
{
    if (spec.heatMap)
        return heatTable(spec, figures);
    return sameX(spec) ? wideTable(spec, figures) : longTable(spec, figures);
}

std::string csvText(const ChartSpec& spec)
{
    const InEnglish file;
    const ChartTable table = chartTable(spec);
    std::string text;
    appendLine(text, table.header);
    for (const auto& row : table.rows)
        appendLine(text, row);
    return text;
}

} // namespace headroom
