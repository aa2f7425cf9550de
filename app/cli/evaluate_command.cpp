// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli evaluate: one result per scenario, in order.
#include "app/cli/command.hpp"
#include "app/cli/scenario_loader.hpp"
#include "app/cli/scenario_source.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/predict/evaluation_json.hpp"

namespace headroom::cli
{
namespace
{

struct EvaluateOptions {
    std::vector<std::string> files;
    Format format = Format::Text;
};

/// Collects results into a buffer that is printed when it is large.
class ResultWriter final
{
public:
    explicit ResultWriter(Format format) : m_format(format)
    {
        if (format == Format::Csv)
            m_text = evaluationCsvHeader();
    }

    void result(const LoadedScenario& loaded)
    {
        const Evaluation evaluation = evaluate(loaded.prepared);
        switch (m_format) {
        case Format::Text:
        case Format::Markdown: // validate alone
            m_text += m_count > 0 ? "\n" : "";
            m_text += evaluationText(loaded.name, loaded.prepared, evaluation);
            if (!evaluation.fits)
                m_text += whatNextText(loaded.prepared, evaluation);
            if (!loaded.note.empty())
                m_text += "Note: " + loaded.note + '\n';
            break;
        case Format::Json:
            element(evaluationJson(loaded.name, loaded.prepared, evaluation, 2));
            break;
        case Format::JsonLines:
            appendEvaluationJson(m_text, loaded.name, loaded.prepared, evaluation);
            m_text += '\n';
            break;
        case Format::Csv:
            m_text += evaluationCsvRow(loaded.name, loaded.prepared, evaluation);
            break;
        }
        done();
    }

    /// A refused scenario keeps its place; in text its message on standard error is all there is.
    void refusal(std::string_view name, const Diagnostics& diagnostics)
    {
        switch (m_format) {
        case Format::Text:
        case Format::Markdown: // validate alone
            return;
        case Format::Json:
            element(errorJson(name, diagnostics));
            break;
        case Format::JsonLines:
            m_text += errorJson(name, diagnostics) + '\n';
            break;
        case Format::Csv:
            m_text += errorCsvRow(name, diagnostics);
            break;
        }
        done();
    }

    void finish()
    {
        if (m_format == Format::Json)
            m_text += m_count > 1 ? "\n]\n" : m_count == 1 ? m_first + '\n' : "[]\n";
        print(m_text);
        m_text.clear();
    }

private:
    /// The first is held back: alone it is an object, with others an array.
    void element(std::string json)
    {
        if (m_count == 0) {
            m_first = std::move(json);
            return;
        }
        if (m_count == 1)
            m_text += "[\n" + m_first;
        m_text += ",\n" + json;
    }

    void done()
    {
        constexpr std::size_t enough = 1u << 16;
        ++m_count;
        if (m_text.size() < enough)
            return;
        print(m_text);
        m_text.clear();
    }

    Format m_format;
    std::string m_text, m_first;
    std::size_t m_count = 0;
};

void evaluateFile(const std::string& file, ResultWriter& writer, Context& context)
{
    auto source = ScenarioSource::open(file);
    if (!source) {
        context.refused();
        printMessages(source.error());
        writer.refusal({}, source.error());
        return;
    }
    while (const auto text = source->next()) {
        const LoadedScenario loaded = load(*text, source->name(), context);
        printMessages(loaded.messages);
        if (loaded.refused) {
            context.refused();
            writer.refusal(loaded.name, loaded.messages);
        } else {
            writer.result(loaded);
        }
    }
}

void runEvaluate(const EvaluateOptions& options, Context& context)
{
    ResultWriter writer(options.format);
    for (const std::string& file : options.files)
        evaluateFile(file, writer, context);
    writer.finish();
}

} // namespace

void addEvaluate(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<EvaluateOptions>();
    CLI::App* command =
        app.add_subcommand("evaluate", "Evaluate scenarios: utilisation, time, memory, cost; what would fit");
    command
        ->add_option("FILE", options->files, "Scenario files (.headroom), JSON Lines (.jsonl), or - for standard input")
        ->required();
    addEfficiency(*command, context);
    addFormat(*command, options->format, {Format::Text, Format::Json, Format::JsonLines, Format::Csv});
    command->callback([options, &context] { runEvaluate(*options, context); });
}

} // namespace headroom::cli
