// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli explain: how a figure came about, with the numbers put in.
#include "app/cli/command.hpp"
#include "app/cli/scenario_loader.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/missing_figure.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/runs/nearest_runs.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/units/format.hpp"

namespace headroom::cli
{
namespace
{

struct ExplainOptions {
    std::string file;
    std::string metric = "mfu";
};

std::string stepText(const DerivationStep& step)
{
    std::string text = "  " + step.symbol;
    if (!step.name.empty())
        text += step.symbol.empty() ? step.name : "  (" + step.name + ')';
    if (!step.formula.empty())
        text += "\n      = " + step.formula;
    if (!step.substituted.empty())
        text += "\n      = " + step.substituted;
    const ParameterRow* row = parameterRow(step.parameterId);
    text += "\n      = " + (row ? parameterText(*row, step.value) : formatText(step.value, step.format));
    if (!row && !step.unit.empty())
        text += ' ' + step.unit;
    if (!step.source.empty())
        text += "   [" + step.source + ']';
    return text + '\n';
}

void appendList(std::string& text, std::string_view heading, const std::vector<std::string>& lines)
{
    if (lines.empty())
        return;
    text.append(heading).append("\n");
    for (const std::string& line : lines)
        text += "  " + line + '\n';
}

std::string derivationText(const Derivation& derivation)
{
    std::string text = derivation.title + '\n';
    for (const std::string& line : {derivation.statement, derivation.meaning}) {
        if (!line.empty())
            text += line + '\n';
    }
    for (const DerivationStep& step : derivation.steps)
        text += stepText(step);
    appendList(text, "Assumptions", derivation.assumptions);
    appendList(text, "Sources", derivation.sources);
    if (!derivation.whatToChange.empty())
        text += derivation.whatToChange + '\n';
    return text;
}

/// What the nearest published run says of the metric; empty where none measured it.
std::string nearestText(std::string_view metric, const PreparedScenario& prepared, const Evaluation& evaluation)
{
    const auto nearest = nearestRunText(*publishedRuns(), metric, prepared, evaluation);
    if (!nearest)
        return {};
    return "Published run\n  " + nearest->sentence + "\n  " + nearest->run + ". " + nearest->difference + ".\n  " +
           nearest->source + (nearest->url.empty() ? "" : "  " + nearest->url) + '\n';
}

void runExplain(const ExplainOptions& options, Context& context)
{
    const MetricRow& metric = metricNamed(options.metric);
    const auto loaded = loadOne(options.file, context);
    if (!loaded)
        return;
    const Evaluation evaluation = evaluate(loaded->prepared);
    if (!figureOf(metric, loaded->prepared, evaluation)) {
        print(std::string(metric.label) + " is not defined for this scenario. " +
              missingFigure(metric, loaded->prepared, evaluation) + '\n');
        return;
    }
    print(derivationText(derive(options.metric, loaded->prepared, evaluation)) +
          whatNextText(loaded->prepared, evaluation) + nearestText(options.metric, loaded->prepared, evaluation) +
          evaluationNotes(loaded->prepared, evaluation) +
          (loaded->note.empty() ? std::string() : "Note: " + loaded->note + '\n'));
}

} // namespace

void addExplain(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* command =
        app.add_subcommand("explain", "Show how a figure came about, with the numbers put in, and what to change next");
    command->add_option("FILE", options->file, "A scenario file, or - for standard input")->required();
    command
        ->add_option("--metric", options->metric, "Which figure: a key of the result, such as mfu or memory.used_bytes")
        ->type_name("METRIC");
    addEfficiency(*command, context);
    addPrices(*command, context);
    command->callback([options, &context] { runExplain(*options, context); });
}

} // namespace headroom::cli
