// SPDX-License-Identifier: GPL-3.0-or-later
// The CSV of `nsys stats --report cuda_gpu_trace`: a kernel or a copy a line, below whatever the tool says first.
#include "core/profile/trace_readers.hpp"

#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headroom::profile
{
namespace
{

constexpr std::size_t longestLine = 1u << 20;

/// Lines of a stream, without their ends.
class TextLines final
{
public:
    explicit TextLines(TraceStream& stream) : m_stream(stream) {}

    /// False at the end, and where a line is too long to be one.
    bool next(std::string& line)
    {
        line.clear();
        for (;;) {
            const std::size_t end = m_block.find('\n');
            line += m_block.substr(0, end);
            if (line.size() > longestLine)
                return false;
            if (end != m_block.npos) {
                m_block.remove_prefix(end + 1);
                break;
            }
            m_block = m_stream.next();
            if (m_block.empty() && line.empty())
                return false;
            if (m_block.empty())
                break;
        }
        if (line.ends_with('\r'))
            line.pop_back();
        ++m_number;
        return true;
    }
    [[nodiscard]] int number() const { return m_number; }

private:
    TraceStream& m_stream;
    std::string_view m_block;
    int m_number = 0;
};

/// Cells of one line, quotes taken off.
void splitCells(const std::string& line, std::vector<std::string>& cells)
{
    cells.assign(1, {});
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += c;
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
}

/// ns of the unit in a column's name, "Start (ns)"; 0 where it is none.
double unitOf(std::string_view name, std::string_view column)
{
    if (!name.starts_with(column))
        return 0;
    constexpr std::array<std::pair<std::string_view, double>, 6> units{
        {{"(ns)", 1}, {"(us)", 1e3}, {"(ms)", 1e6}, {"(s)", 1e9}, {"(sec)", 1e9}, {"(nsec)", 1}}};
    const std::size_t open = name.find('(');
    const auto unit = std::ranges::find(units, open == name.npos ? "" : name.substr(open),
                                        &std::pair<std::string_view, double>::first);
    return unit == units.end() ? 0 : unit->second;
}

std::optional<double> numberOf(const std::string& cell)
{
    double value = 0;
    const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (result.ec != std::errc() || result.ptr != cell.data() + cell.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

struct Columns {
    std::size_t start = 0, duration = 0, name = 0;
    std::optional<std::size_t> device;
    double startUnit = 0, durationUnit = 0;
};

std::optional<Columns> columnsOf(const std::vector<std::string>& header)
{
    Columns columns;
    bool named = false;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (const double unit = unitOf(header[i], "Start"); unit > 0) {
            columns.start = i;
            columns.startUnit = unit;
        } else if (const double length = unitOf(header[i], "Duration"); length > 0) {
            columns.duration = i;
            columns.durationUnit = length;
        } else if (header[i] == "Name") {
            columns.name = i;
            named = true;
        } else if (header[i] == "Device") {
            columns.device = i;
        }
    }
    return named && columns.startUnit > 0 && columns.durationUnit > 0 ? std::optional(columns) : std::nullopt;
}

bool holdsSums(std::string_view text)
{
    return text.find("Total Time (") != text.npos && text.find("Instances") != text.npos;
}

tl::unexpected<Diagnostics> refuseLine(int line, std::string code, std::string message, std::string hint)
{
    return tl::unexpected(
        Diagnostics{{Severity::Error, std::move(code), {}, std::move(message), std::move(hint), {}, line}});
}

/// "NVIDIA A100-SXM4-80GB (0)": the device's number stands in brackets.
std::int64_t deviceOf(const std::string& cell)
{
    const std::size_t open = cell.rfind('(');
    std::int64_t id = 0;
    if (open != std::string::npos)
        std::from_chars(cell.data() + open + 1, cell.data() + cell.size(), id);
    return id;
}

} // namespace

bool looksLikeNsysCsv(std::string_view beginning)
{
    const auto holds = [&](std::string_view part) { return beginning.find(part) != beginning.npos; };
    return (holds("Start (") && holds("Duration (") && holds("Name")) || holdsSums(beginning);
}

Expected<TraceEvents> readNsysCsv(TraceStream& stream, const KernelRules& rules)
{
    TraceEvents events;
    events.format = said("Nsight Systems table");
    NameTable names(events, rules);
    TextLines lines(stream);
    std::string line;
    std::vector<std::string> cells;
    std::optional<Columns> columns;
    bool graphs = false;
    while (lines.next(line)) {
        splitCells(line, cells);
        if (!columns) {
            columns = columnsOf(cells);
            if (!columns && holdsSums(line))
                return refuseLine(lines.number(), "sums-only", said("holds sums of kernels, not when they ran"),
                                  said("write nsys stats --report cuda_gpu_trace --format csv"));
            continue;
        }
        if (line.empty())
            continue;
        if (cells.size() <= std::max({columns->start, columns->duration, columns->name}))
            return refuseLine(lines.number(), "wrong-count", said("the line has fewer cells than the header"),
                              said("is the text cut off?"));
        const auto start = numberOf(cells[columns->start]), duration = numberOf(cells[columns->duration]);
        const double ns = start.value_or(0) * columns->startUnit, length = duration.value_or(0) * columns->durationUnit;
        if (!start || !duration || length < 0 || std::abs(ns) > double(latest) || length > double(latest))
            return refuseLine(lines.number(), "not-a-number", said("start or duration is no time"),
                              said("is the text cut off?"));
        if (events.gpu.size() >= mostEvents)
            return refuseLine(lines.number(), "too-large",
                              say("the trace holds more than {} events of one kind", mostEvents),
                              said("profile fewer steps"));
        GpuEvent event;
        event.start = std::llround(ns);
        event.end = event.start + std::llround(length);
        const std::string& name = cells[columns->name];
        event.name = names.add(name);
        event.kind = events.names[event.name].kind;
        graphs = graphs || name.starts_with("graph ");
        const std::int64_t device = columns->device ? deviceOf(cells[*columns->device]) : 0;
        event.device = events.deviceIndex(device);
        if (columns->device && events.devices[event.device].name.empty()) {
            const std::string& cell = cells[*columns->device];
            events.devices[event.device].name = printable(std::string_view(cell).substr(0, cell.rfind(" (")));
        }
        events.gpu.push_back(event);
    }
    if (stream.problem())
        return tl::unexpected(Diagnostics{*stream.problem()});
    if (line.size() > longestLine)
        return refuseLine(lines.number() + 1, "too-large", said("the line is longer than 1 MiB"),
                          said("import a trace that a profiler wrote"));
    if (!columns)
        return unknownProfile();
    if (graphs)
        events.warnings.push_back(wholeGraphs());
    return events;
}

} // namespace headroom::profile
