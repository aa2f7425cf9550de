// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli sweep: one scenario over the values of one or more parameters, one row a point.
#include "app/cli/command.hpp"
#include "app/cli/scenario_loader.hpp"
#include "app/cli/table_writer.hpp"
#include "core/explain/result_notes.hpp"
#include "core/explore/sweep.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/support/nearest_name.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace headroom::cli
{
namespace
{

struct SweepOptions {
    std::string file;
    std::vector<std::string> over, metrics;
    Format format = Format::Text;
};

/// One --over: a parameter and its values.
struct Axis {
    std::string key; ///< as the user wrote it: the column's name
    const ParameterRow* row = nullptr;
    std::vector<double> values;
};

/// More points than anyone reads, fewer than a slip of the pen makes ("1..1e9:+1").
constexpr double mostPoints = 10e6;

Axis parseAxis(const std::string& text, Task task)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        wrongUsage("--over", '\'' + text + "' has no values; write it as batch=1..1024:x2 or batch=1,2,4");
    Axis axis;
    axis.key = text.substr(0, equals);
    axis.row = parameterRow(axis.key, task);
    if (axis.row == nullptr) {
        std::vector<std::string_view> ids;
        for (const ParameterRow& row : parameterRegistry()) {
            if (appliesTo(row, task))
                ids.push_back(row.id);
        }
        wrongUsage("--over",
                   '\'' + axis.key + "' is not a parameter of this task; " + suggestName(axis.key, ids, ids.size()));
    }
    auto values = parseSweepValues(*axis.row, std::string_view(text).substr(equals + 1));
    if (!values)
        wrongUsage("--over", toText(values.error().front()));
    axis.values = std::move(*values);
    return axis;
}

std::vector<const MetricRow*> chosenMetrics(const SweepOptions& options, Task task)
{
    std::vector<const MetricRow*> metrics;
    for (const std::string& id : options.metrics)
        metrics.push_back(&metricNamed(id));
    if (!metrics.empty())
        return metrics;
    // A table on the screen has room for the tiles; files get everything.
    for (const MetricRow& metric : metricRegistry()) {
        if (appliesTo(metric, task) && (metric.tile || options.format != Format::Text))
            metrics.push_back(&metric);
    }
    return metrics;
}

/// The scenario with a value of each axis, of which `at` is the index.
PreparedScenario pointOf(const PreparedScenario& base, const std::vector<Axis>& axes,
                         const std::function<std::size_t(std::size_t)>& at)
{
    std::vector<ParameterValue> values;
    for (std::size_t i = 0; i < axes.size(); ++i)
        values.push_back({axes[i].row, axes[i].values[at(i)]});
    return withValues(base, values);
}

/// Drops figures that have no value in the scenario nor at either end of its axes: columns of dashes.
void dropUnknown(std::vector<const MetricRow*>& metrics, const PreparedScenario& base, const std::vector<Axis>& axes)
{
    std::vector<Evaluation> seen;
    for (const PreparedScenario& one : {base, pointOf(base, axes, [](std::size_t) { return std::size_t(0); }),
                                        pointOf(base, axes, [&](std::size_t i) { return axes[i].values.size() - 1; })})
        if (checkSetup(one).empty())
            seen.push_back(evaluate(one));
    if (!seen.empty())
        std::erase_if(metrics, [&](const MetricRow* metric) {
            return std::ranges::none_of(seen, [&](const Evaluation& e) { return metric->value(e).has_value(); });
        });
}

std::string cellOf(const ParameterRow& row, double value)
{
    if (row.kind == ParameterKind::Toggle)
        return value != 0 ? "true" : "false";
    if (row.kind == ParameterKind::Choice)
        return std::string(row.choices[static_cast<std::size_t>(value)].id);
    return exactNumber(value);
}

class Sweep final
{
public:
    Sweep(const PreparedScenario& base, std::vector<Axis> axes, std::vector<const MetricRow*> metrics, Format format)
        : m_base(base), m_axes(std::move(axes)), m_metrics(std::move(metrics)),
          m_listed(format == Format::Text ? isGrave : nullptr), m_table(format, columns())
    {
    }

    void run()
    {
        std::vector<std::size_t> at(m_axes.size(), 0);
        do {
            point(at);
        } while (advance(at));
        m_table.finish();
        std::string left;
        for (const auto& [code, rows] : m_left)
            left += fmt::format("{}{} ({})", left.empty() ? "" : ", ", warningId(code), rows);
        if (!left.empty())
            print("\nBesides, rows have these warnings, which csv and json list: " + left + ".\n");
    }

private:
    [[nodiscard]] std::vector<Column> columns() const
    {
        std::vector<Column> list;
        for (const Axis& axis : m_axes)
            list.push_back({axis.key, axis.row->kind == ParameterKind::Choice});
        for (const MetricRow* metric : m_metrics) {
            // Requests a second that are asked for are not those that are served.
            const bool taken =
                std::ranges::any_of(m_axes, [metric](const Axis& axis) { return axis.key == metric->id; });
            list.push_back({(taken ? "result." : "") + std::string(metric->id), false});
        }
        list.push_back({"fits", false});
        list.push_back({"warnings", true});
        list.push_back({"error", true});
        return list;
    }

    /// Like an odometer: the last axis turns fastest.
    bool advance(std::vector<std::size_t>& at) const
    {
        for (std::size_t i = at.size(); i-- > 0;) {
            if (++at[i] < m_axes[i].values.size())
                return true;
            at[i] = 0;
        }
        return false;
    }

    void point(const std::vector<std::size_t>& at)
    {
        const PreparedScenario prepared = pointOf(m_base, m_axes, [&](std::size_t i) { return at[i]; });
        for (std::size_t i = 0; i < at.size(); ++i)
            m_table.cell(cellOf(*m_axes[i].row, m_axes[i].values[at[i]]));
        const Diagnostics problems = checkSetup(prepared);
        const Evaluation evaluation = problems.empty() ? evaluate(prepared) : Evaluation{};
        for (const MetricRow* metric : m_metrics) {
            const auto value = problems.empty() ? metric->value(evaluation) : std::nullopt;
            m_table.number(value, metric->format);
        }
        m_table.cell(problems.empty() ? (allFits(evaluation) ? "true" : "false") : "");
        m_table.cell(warningCodes(evaluation.warnings, m_listed));
        evaluation.warnings.forEach([&](WarningCode code, double) {
            if (m_listed && !m_listed(code) && code != WarningCode::DoesNotFit) // a column says it
                ++m_left[code];
        });
        m_table.cell(problems.empty() ? "" : toText(problems.front()));
        m_table.endRow();
    }

    const PreparedScenario& m_base;
    std::vector<Axis> m_axes;
    std::vector<const MetricRow*> m_metrics;
    bool (*m_listed)(WarningCode);             ///< warnings that a table on the screen has room for; null: all
    std::map<WarningCode, std::size_t> m_left; ///< rows that have others, by these
    TableWriter m_table;
};

void runSweep(const SweepOptions& options, Context& context)
{
    const auto loaded = loadOne(options.file, context);
    if (!loaded)
        return;
    const Task task = loaded->prepared.task;
    std::vector<Axis> axes;
    double points = 1;
    for (const std::string& text : options.over) {
        axes.push_back(parseAxis(text, task));
        if (std::ranges::count(axes, axes.back().row, &Axis::row) > 1)
            wrongUsage("--over", axes.back().key + " is swept twice; write all its values in one");
        points *= static_cast<double>(axes.back().values.size());
    }
    if (points > mostPoints)
        wrongUsage("--over", "that makes more than 10 million points");
    std::vector<const MetricRow*> metrics = chosenMetrics(options, task);
    if (options.format == Format::Text && options.metrics.empty())
        dropUnknown(metrics, loaded->prepared, axes);
    Sweep(loaded->prepared, std::move(axes), std::move(metrics), options.format).run();
}

} // namespace

void addSweep(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<SweepOptions>();
    CLI::App* command = app.add_subcommand("sweep", "Evaluate a scenario over the values of parameters");
    command->add_option("FILE", options->file, "A scenario file, or - for standard input")->required();
    command
        ->add_option("--over", options->over,
                     "A parameter and its values: batch=1..1024:x2, parallelism.tensor=1,2,4, software=vllm,sglang; "
                     "repeated, every combination is evaluated")
        ->required()
        ->type_name("KEY=VALUES")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    addMetrics(*command, options->metrics, "all that apply");
    addFormat(*command, options->format, {Format::Text, Format::Json, Format::JsonLines, Format::Csv});
    addEfficiency(*command, context);
    addPrices(*command, context);
    command->callback([options, &context] { runSweep(*options, context); });
}

} // namespace headroom::cli
