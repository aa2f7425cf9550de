// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli validate: predicted against measured.
#include "app/cli/command.hpp"
#include "app/cli/scenario_loader.hpp"
#include "core/validation/validation.hpp"

namespace headroom::cli
{
namespace
{

struct ValidateOptions {
    std::vector<std::string> files;
    std::string budgets;
    Format format = Format::Text;
    bool allTables = false;
};

/// A run needs something measured and where it was published.
std::optional<Diagnostic> missing(const LoadedScenario& loaded, const ScenarioText& text, const std::string& file)
{
    Diagnostic problem{Severity::Error, "missing-key", "/measured", {}, {}, file, text.line};
    if (!loaded.prepared.measured.any()) {
        problem.message = "is missing: there is nothing to compare with";
        problem.hint = R"(give what was measured, such as {"step_time_s": 1.5})";
        return problem;
    }
    if (loaded.scenario.source.empty()) {
        problem.path = "/source";
        problem.message = "is missing: a measurement says where it comes from";
        problem.hint = "name the publication, or who measured it and when";
        return problem;
    }
    return std::nullopt;
}

void readRuns(const std::string& file, std::vector<ValidationRun>& runs, Context& context)
{
    context.asMeasured = true;
    loadEach(file, context, [&](const LoadedScenario& loaded, const ScenarioText& text, const std::string& name) {
        if (const auto problem = missing(loaded, text, name)) {
            context.refused();
            printMessage(*problem);
        } else {
            runs.push_back(validateRun(loaded.name, loaded.scenario.source, loaded.prepared));
        }
    });
}

/// What --budgets holds, nothing without it.
std::optional<ValidationBudgets> readBudgets(const ValidateOptions& options, Context& context)
{
    if (options.budgets.empty())
        return ValidationBudgets();
    auto budgets = readInputFile(options.budgets).and_then(readValidationBudgets);
    if (budgets)
        return std::move(*budgets);
    refuseFile(context, options.budgets, budgets.error());
    return std::nullopt;
}

void runValidate(const ValidateOptions& options, Context& context)
{
    const auto budgets = readBudgets(options, context);
    if (!budgets)
        return;
    std::vector<ValidationRun> runs;
    for (const std::string& file : options.files)
        readRuns(file, runs, context);
    if (runs.empty())
        refuse(context, fail("no-runs", "", "there is no run to compare with",
                             "a run is a scenario with \"measured\" and \"source\", one on each line")
                            .value());
    const std::vector<ValidationGroup> groups = groupRuns(runs);
    if (options.format == Format::Json)
        print(validationJson(runs, groups));
    else if (options.format == Format::Markdown)
        print(validationMarkdown(runs, groups, *budgets,
                                 options.allTables ? ValidationTables::All : ValidationTables::Summary));
    else
        print(validationText(runs, groups));
}

} // namespace

void addValidate(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<ValidateOptions>();
    CLI::App* command = app.add_subcommand("validate", "Compare predictions with measured runs");
    command->add_option("RUNS", options->files, "Runs with \"measured\" and \"source\": JSON Lines, or - for input")
        ->required();
    addEfficiency(*command, context);
    addFormat(*command, options->format, {Format::Text, Format::Json, Format::Markdown});
    command->add_option("--budgets", options->budgets, "Bounds to show in the page: tests/validation_budgets.json")
        ->check(CLI::ExistingFile.description(""));
    command->add_flag("--all-tables", options->allTables,
                      "With --format markdown: every table, each run that cannot be met and each fitted constant");
    command->callback([options, &context] { runValidate(*options, context); });
}

} // namespace headroom::cli
