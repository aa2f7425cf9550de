// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli import-log: what training and serving programs print, as runs for validate and calibrate.
#include "app/cli/command.hpp"
#include "app/cli/scenario_source.hpp"
#include "core/runs/log_import.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/file_name.hpp"

#include <filesystem>

namespace headroom::cli
{
namespace
{

constexpr std::size_t mostLogMiB = 64; // as much as importLog() takes

struct ImportLogOptions {
    std::vector<std::string> logs;
    std::string scenario;
};

void report(Diagnostics diagnostics, const std::string& file, Context& context)
{
    for (Diagnostic& diagnostic : diagnostics) {
        diagnostic.file = file;
        if (diagnostic.severity == Severity::Error)
            context.refused();
    }
    printMessages(diagnostics);
}

std::optional<Scenario> readBase(const ImportLogOptions& options, Context& context)
{
    auto source = ScenarioSource::open(options.scenario);
    if (!source) {
        report(source.error(), options.scenario, context);
        return std::nullopt;
    }
    const auto text = source->next();
    const auto reading = readScenario(text ? text->text : std::string_view(), context.catalog());
    if (!reading) {
        report(reading.error(), options.scenario, context);
        return std::nullopt;
    }
    return reading->scenario;
}

/// `base` may be empty for a log that is complete.
void importOne(const std::string& path, const std::optional<Scenario>& base, Context& context)
{
    const std::string name = nameFromPath(pathFromName(path).filename());
    const auto read = [&](const std::string& text) {
        if (!base && !isCompleteLog(name, text))
            wrongUsage("--scenario", "is needed for " + path + ": what a log does not say comes from it");
        return importLog(text, name, base.value_or(Scenario{}), context.catalog());
    };
    const auto reading = readInputFile(path, mostLogMiB, "keep the lines of some hundred steps").and_then(read);
    if (!reading) {
        report(reading.error(), path, context);
        return;
    }
    report(reading->warnings, path, context);
    for (const Scenario& run : reading->runs)
        print(writeScenarioLine(run) + "\n");
}

void runImportLog(const ImportLogOptions& options, Context& context)
{
    const bool stated = !options.scenario.empty();
    const auto base = stated ? readBase(options, context) : std::nullopt;
    for (const std::string& log : options.logs)
        if (base || !stated)
            importOne(log, base, context);
}

} // namespace

void addImportLog(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<ImportLogOptions>();
    CLI::App* command =
        app.add_subcommand("import-log", "Turn logs and CSV tables into runs for validate and calibrate");
    command
        ->add_option(
            "LOG", options->logs,
            "CSV with named columns; a log of torchtitan, Megatron-LM, Megatron Bridge, NeMo, MaxText, Hugging Face's "
            "Trainer, LLaMA-Factory or Axolotl; a result of vLLM's or SGLang's serving benchmark, of trtllm-bench, "
            "GenAI-Perf, AIPerf or llama-bench")
        ->required();
    command->add_option("--scenario", options->scenario,
                        "The scenario that ran: what a log does not say comes from it; needed but for lines of runs "
                        "(.jsonl), which are complete");
    command->callback([options, &context] { runImportLog(*options, context); });
}

} // namespace headroom::cli
