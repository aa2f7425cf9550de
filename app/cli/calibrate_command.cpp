// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli calibrate: an "efficiency" object for one's own runs; --builtin fits the predictor's constants.
#include "app/cli/command.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/scenario_loader.hpp"
#include "core/fit/fit_report.hpp"
#include "core/fit/user_fit.hpp"
#include "core/validation/validation.hpp"

#include <algorithm>

namespace headroom::cli
{
namespace
{

struct CalibrateOptions {
    std::vector<std::string> files, held;
    std::string calibration, output, task;
    bool builtIn = false, crossValidate = false;

    [[nodiscard]] bool asksFor(Task half) const
    {
        return task.empty() || (task == "training") == (half == Task::Training);
    }
};

void readRuns(const std::string& file, std::vector<FitRun>& runs, Context& context)
{
    context.asMeasured = true;
    loadEach(file, context, [&](LoadedScenario& loaded, const ScenarioText&, const std::string&) {
        if (loaded.prepared.measured.any())
            runs.push_back(
                {loaded.name, originOf(loaded.name), std::move(loaded.prepared), documentOf(loaded.scenario.source)});
    });
}

std::optional<CalibrationDocument> startingPoint(const CalibrateOptions& options, Context& context)
{
    if (options.calibration.empty())
        return CalibrationDocument::builtIn();
    auto document = readInputFile(options.calibration).and_then(CalibrationDocument::parse);
    if (document)
        return *std::move(document);
    refuseFile(context, options.calibration, document.error());
    return std::nullopt;
}

/// The object goes to standard output, so that it can be put into a scenario; what it means to standard error.
void fitOwnRuns(const std::vector<FitRun>& runs, const CalibrateOptions& options, Context& context)
{
    std::vector<PreparedScenario> prepared;
    std::vector<std::string> names;
    for (const FitRun& run : runs)
        if (options.asksFor(run.prepared.task)) {
            prepared.push_back(run.prepared);
            names.push_back(run.name);
        }
    const auto fit = fitToRuns(prepared, names);
    if (!fit)
        return refuse(context, fit.error());
    std::fputs(("headroom-cli: " + userFitText(*fit) + "\n").c_str(), stderr);
    const std::string object = efficiencyJson(fit->efficiency, fit->fittedOn) + "\n";
    print(object);
    if (!options.output.empty())
        writeOutput(options.output, object, context);
}

bool isNamed(const FittedFactor& factor, const std::string& part)
{
    return factor.path.find(part) != factor.path.npos;
}

/// Wrong usage where a text is part of no constant's name: nothing would be held.
void refuseIdleHolds(const std::vector<std::string>& held, const std::vector<FitTask>& tasks)
{
    for (const std::string& part : held) {
        const auto names = [&](const FitTask& task) {
            return std::ranges::any_of(task.factors, [&](const FittedFactor& f) { return isNamed(f, part); });
        };
        if (std::ranges::none_of(tasks, names))
            wrongUsage("--hold", "no fitted constant has '" + part +
                                     "' in its name; docs/validation.md and the record in "
                                     "calibration.json name them");
    }
}

void runCalibrate(const CalibrateOptions& options, Context& context)
{
    std::vector<FitRun> runs;
    for (const std::string& file : options.files)
        readRuns(file, runs, context);
    if (!options.builtIn) {
        fitOwnRuns(runs, options, context);
        return;
    }
    std::optional<CalibrationDocument> document = startingPoint(options, context);
    if (!document)
        return;
    std::vector<FitTask> tasks{trainingFitTask(), inferenceFitTask()};
    refuseIdleHolds(options.held, tasks);
    for (FitTask& task : tasks) {
        std::erase_if(task.factors, [&](const FittedFactor& factor) {
            return std::ranges::any_of(options.held, [&](const std::string& part) { return isNamed(factor, part); });
        });
        const bool any = std::ranges::any_of(runs, [&](const FitRun& run) { return run.prepared.task == task.task; });
        if (options.asksFor(task.task) && any && !task.factors.empty())
            print(fitReportText(fitTask(task, *document, runs, options.crossValidate)) + "\n");
    }
    if (options.output.empty())
        return;
    writeOutput(options.output, document->text(), context);
}

} // namespace

void addCalibrate(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = app.add_subcommand("calibrate", "Fit an efficiency object to your own runs");
    command->add_option("RUNS", options->files, "Runs with \"measured\": JSON Lines, or - for input")->required();
    CLI::Option* builtIn =
        command->add_flag("--builtin", options->builtIn, "Refit the constants of calibration.json (for maintainers)");
    command
        ->add_flag("--cross-validate", options->crossValidate,
                   "With --builtin: also leave each source out once: errors and 80 % intervals from runs that the fit "
                   "never saw")
        ->needs(builtIn);
    command
        ->add_option("--hold", options->held,
                     "With --builtin: constants whose name holds this text stay as they are; repeated, several")
        ->allow_extra_args(false)
        ->type_name("NAME")
        ->needs(builtIn);
    command
        ->add_option("--calibration", options->calibration,
                     "With --builtin: start from this file, not from the built-in one")
        ->needs(builtIn);
    command->add_option("--output", options->output,
                        "Write the efficiency object (with --builtin, the new calibration.json) here");
    command->add_option("--task", options->task, "Only this half: training, inference")
        ->check(CLI::IsMember({"training", "inference"}).description(""))
        ->type_name("TASK");
    command->callback([options, &context] { runCalibrate(*options, context); });
}

} // namespace headroom::cli
