// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli import-profile: where the time of a profiled step went, beside the prediction.
#include "app/cli/command.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/scenario_loader.hpp"
#include "core/profile/profile_doubt.hpp"
#include "core/profile/profile_print.hpp"
#include "core/profile/profile_table.hpp"
#include "core/scenario/scenario_json.hpp"

namespace headroom::cli
{
namespace
{

struct ImportProfileOptions {
    std::vector<std::string> files;
    std::string scenario, rules, output, keepNames;
    std::optional<std::int64_t> step;
    Format format = Format::Text;
};

/// The scenario with the profile as its measurement.
Scenario withProfile(Scenario scenario, const MeasuredProfile& measured, const profile::ProfileReading& reading,
                     profile::KeptNames names)
{
    if (scenario.measuredWith) // what was measured before was another run
        scenario.measured = {};
    scenario.measuredWith.reset();
    scenario.measured.profile = measured;
    scenario.kernels = profile::profiledKernels(reading, names);
    if (scenario.source.empty())
        scenario.source = "own measurement: profile " + reading.devices.front().file;
    return scenario;
}

void runImportProfile(const ImportProfileOptions& options, Context& context)
{
    if (!options.output.empty() && options.scenario.empty())
        wrongUsage("--output", "needs --scenario: the scenario that the profile is written into");
    const auto names = profile::keptNames(options.keepNames.empty() ? "none" : options.keepNames);
    if (!names)
        wrongUsage("--keep-kernel-names", "knows unrecognised and all, not '" + options.keepNames + "'");
    if (*names != profile::KeptNames::None && options.output.empty())
        wrongUsage("--keep-kernel-names", "needs --output: the scenario that the names are kept in");
    if (options.format == Format::Markdown && options.scenario.empty())
        wrongUsage("--format", "markdown needs --scenario: the table stands beside its prediction");
    profile::ProfileOptions reading;
    reading.step = options.step;
    std::optional<profile::KernelRules> rules;
    if (!options.rules.empty()) {
        auto own = readInputFile(options.rules, 1).and_then([](const std::string& text) {
            return profile::KernelRules::withOwn(text);
        });
        if (!own)
            return refuseFile(context, options.rules, own.error());
        rules = *std::move(own);
        reading.rules = &*rules;
    }
    std::optional<LoadedScenario> subject;
    if (!options.scenario.empty() && !(subject = loadOne(options.scenario, context)))
        return;
    const auto read = profile::readProfiles(options.files, reading);
    if (!read)
        return refuse(context, read.error());
    printMessages(read->warnings);
    const MeasuredProfile measured =
        profile::measuredProfile(*read, subject ? subject->prepared.accelerator.get() : nullptr);
    std::optional<profile::ProfileComparison> comparison;
    std::vector<profile::ProfileAdvice> advice;
    if (subject) {
        printMessages(profile::profileDoubts(*read, measured, subject->prepared));
        const Evaluation evaluation = evaluate(subject->prepared);
        comparison = profile::compareProfile(measured, subject->prepared, evaluation);
        advice = profile::profileAdvice(*comparison, subject->prepared, evaluation);
    }
    const auto* beside = comparison ? &*comparison : nullptr;
    print(options.format == Format::Json       ? profile::profileJson(*read, measured, beside, advice)
          : options.format == Format::Markdown ? profile::profileMarkdown(*comparison)
                                               : profile::profileText(*read, beside, advice));
    if (!options.output.empty())
        writeOutput(options.output, writeScenario(withProfile(std::move(subject->scenario), measured, *read, *names)),
                    context);
}

} // namespace

void addImportProfile(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<ImportProfileOptions>();
    CLI::App* command =
        app.add_subcommand("import-profile", "Show where the time of a profiled step went, beside the prediction");
    command
        ->add_option("FILE", options->files,
                     "Profiles of a step or several, a file a rank: traces of the PyTorch profiler (.json, .json.gz), "
                     "Nsight Systems' SQLite export or the CSV of its cuda_gpu_trace")
        ->required();
    command->add_option("--scenario", options->scenario,
                        "The scenario that ran: its predicted parts stand beside the profile");
    command->add_option("--step", options->step, "This step alone, by its number; default: the mean of all but warm-up")
        ->type_name("NUMBER");
    command->add_option("--rules", options->rules,
                        "Rows for kernels that are not recognised, in the form of resources/profile_rules.json");
    command->add_option("-o,--output", options->output, "Write the scenario with measured.profile here");
    command->add_flag("--keep-kernel-names{unrecognised}", options->keepNames,
                      "Write the names of the kernels that are not recognised too, with =all those of every kernel; "
                      "they may tell of your work");
    addFormat(*command, options->format, {Format::Text, Format::Json, Format::Markdown});
    command->footer("Of several ranks the slowest comes first and is compared. The scenario keeps no kernel names "
                    "unless they are asked for.");
    command->callback([options, &context] { runImportProfile(*options, context); });
}

} // namespace headroom::cli
