// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli evaluate: one result per scenario, in order, on as many threads as it may.
#include "app/cli/command.hpp"
#include "app/cli/evaluation_result.hpp"
#include "app/cli/ordered_work.hpp"
#include "app/cli/scenario_source.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>

namespace headroom::cli
{
namespace
{

struct EvaluateOptions {
    std::vector<std::string> files, metrics;
    Format format = Format::Text;
    unsigned threads = 0; ///< 0: all of the machine
};

/// Scenarios that one thread reads and evaluates.
struct Piece {
    struct Part {
        const std::string* file = nullptr; ///< its name
        std::size_t begin = 0, length = 0;
        int line = 1;
        bool tooLarge = false;
    };
    std::string texts;
    std::vector<Part> parts;

    void add(const ScenarioText& text, const std::string& file)
    {
        parts.push_back({&file, texts.size(), text.text.size(), text.line, text.tooLarge});
        texts += text.text;
    }
    void clear()
    {
        texts.clear();
        parts.clear();
    }
};

struct PieceResult {
    ResultText results;
    Diagnostics messages;
    bool refused = false;

    void clear()
    {
        results.clear();
        messages.clear();
        refused = false;
    }
};

/// Takes scenarios one by one and prints their results in the same order. Few are evaluated where they are; the threads
/// begin with the first full piece.
class Evaluator final
{
public:
    Evaluator(const EvaluateOptions& options, const ResultForm& form, Context& context)
        : m_threads(options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency())),
          m_form(form), m_context(context), m_writer(form)
    {
        static_cast<void>(context.catalog()); // read before the threads look at them
        static_cast<void>(context.calibration());
    }

    void file(const std::string& name)
    {
        auto source = ScenarioSource::open(name);
        if (!source) {
            finishAll();
            PieceResult refused{{}, source.error(), true};
            m_form.appendRefusal({}, source.error(), refused.results);
            return write(refused);
        }
        const std::string& file = m_files.emplace_back(source->name());
        while (const auto text = source->next()) {
            m_piece.add(*text, file);
            if (m_piece.texts.size() >= pieceSize)
                giveAway();
        }
    }

    void finish()
    {
        finishAll();
        m_writer.finish();
    }

private:
    /// Some two hundred small scenarios. What is far larger is evaluated alone, so that memory stays bounded.
    static constexpr std::size_t pieceSize = 1u << 16, largest = 1u << 20;

    void evaluate(const Piece& piece, PieceResult& done) const
    {
        done.clear();
        for (const Piece::Part& part : piece.parts) {
            const ScenarioText text{std::string_view(piece.texts).substr(part.begin, part.length), part.line,
                                    part.tooLarge};
            const LoadedScenario loaded = load(text, *part.file, m_context);
            done.messages.insert(done.messages.end(), loaded.messages.begin(), loaded.messages.end());
            if (loaded.refused) {
                done.refused = true;
                m_form.appendRefusal(loaded.name, loaded.messages, done.results);
            } else {
                m_form.append(loaded, done.results);
            }
        }
    }

    void giveAway()
    {
        if (m_threads == 1 || m_piece.texts.size() > largest)
            return finishAll();
        if (!m_work)
            m_work.emplace(m_threads, [this](const Piece& piece, PieceResult& done) { evaluate(piece, done); });
        if (m_work->full())
            write(m_work->take());
        m_work->give(m_piece);
        m_piece.clear();
    }

    /// Everything that was given, then what is at hand.
    void finishAll()
    {
        while (m_work && !m_work->empty())
            write(m_work->take());
        if (!m_piece.parts.empty()) {
            evaluate(m_piece, m_done);
            write(m_done);
        }
        m_piece.clear();
    }

    void write(const PieceResult& done)
    {
        if (done.refused)
            m_context.refused();
        printMessages(done.messages);
        m_writer.add(done.results);
    }

    unsigned m_threads;
    const ResultForm& m_form;
    Context& m_context;
    ResultWriter m_writer;
    std::deque<std::string> m_files; ///< names stay where they are: threads look at them
    Piece m_piece;
    PieceResult m_done;
    std::optional<OrderedWork<Piece, PieceResult>> m_work; ///< last: its threads end before what they use
};

void runEvaluate(const EvaluateOptions& options, Context& context)
{
    std::vector<const MetricRow*> metrics;
    for (const std::string& id : options.metrics)
        metrics.push_back(&metricNamed(id));
    const ResultForm form(options.format, std::move(metrics));
    Evaluator evaluator(options, form, context);
    for (const std::string& file : options.files)
        evaluator.file(file);
    evaluator.finish();
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
    addMetrics(*command, options->metrics, "the whole result");
    addThreads(*command, options->threads);
    addEfficiency(*command, context);
    addPrices(*command, context);
    addFormat(*command, options->format, {Format::Text, Format::Json, Format::JsonLines, Format::Csv});
    command->callback([options, &context] { runEvaluate(*options, context); });
}

} // namespace headroom::cli
