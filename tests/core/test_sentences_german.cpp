// SPDX-License-Identifier: GPL-3.0-or-later
// No sentence of core stays English in a German window: each literal that people read passes through say(), and what
// goes into a file does not.
#include "core/comparison/comparison.hpp"
#include "core/plan/planner_table.hpp"
#include "core/runs/log_import.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/language.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/source_literals.hpp"
#include "tests/support/support.hpp"

#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>

namespace headroom::test_sentences_german
{

namespace fs = std::filesystem;

namespace
{

/// Functions that build a diagnostic and the argument their words begin at; what stands before is codes and paths.
struct Builder {
    std::string_view name;
    int words;
    std::string_view room = "core/"; ///< the last row that fits a file counts
};
constexpr Builder builders[] = {{"fail", 2},
                                {"refused", 1},
                                {"addDiagnostic", 3},
                                {"error", 2},
                                {"wrongType", 2},
                                {"problem", 2},
                                {"missing", 1},
                                {"warn", 1},
                                {"one", 2},
                                {"refuse", 2},
                                {"refuse", 1, "core/support/"},
                                {"refuse", 1, "core/calibration/"},
                                {"refuse", 1, "core/runs/log_import.cpp"},
                                {"refuse", 3, "core/predict/check_setup.cpp"},
                                {"fail", 2, "ui/"},
                                {"addDiagnostic", 3, "ui/"}};

/// Files whose sentences no window shows.
struct Exempt {
    std::string_view file, reason;
};
constexpr Exempt exemptFiles[] = {
    {"core/fit/fit_report.cpp", "headroom-cli calibrate, and the record in calibration.json"},
    {"core/fit/inference_factors.cpp", "sources written into calibration.json"},
    {"core/fit/training_factors.cpp", "sources written into calibration.json"},
    {"core/catalog/data_type.hpp", "where a size comes from: notes for who reads the table"},
    {"core/catalog/hf_import_json.cpp", "headroom-cli import"},
    {"core/validation/run_doubt.cpp", "headroom-cli validate"},
    {"core/catalog/record_keys.cpp", "docs/catalog_format.md"},
    {"core/support/key_words.hpp", "the same, and docs/scenario_format.md"},
    {"core/scenario/scenario_key_words.cpp", "docs/scenario_format.md"},
    {"core/scenario/scenario_keys.cpp", "docs/scenario_format.md"},
    {"core/metrics/evaluation_text.cpp", "headroom-cli evaluate"},
    {"core/validation/validation.cpp", "headroom-cli validate"},
    {"core/validation/validation_groups.cpp", "headroom-cli validate"},
    {"core/validation/validation_markdown.cpp", "docs/validation.md"},
    {"core/validation/validation_print.cpp", "headroom-cli validate"},
    {"core/profile/nsys_sqlite_reader.cpp", "queries of a database; core.test_translations has its messages"},
    {"core/profile/profile_print.cpp", "headroom-cli import-profile"},
    {"core/lessons/lesson_transcript.cpp", "headroom-cli lessons"},
};

/// Texts that are not for people, or that a file keeps.
constexpr std::string_view exemptTexts[] = {
    R"(["full", 14336])",          // an example
    R"(["full", "none"])",         // the same
    "Nemotron NAS",                // a family's name
    "usable memory",               // groups of an accelerator's sources
    "' | headroom-cli evaluate -", // a command
    "own measurement: {} {}",      // "source" of a run, which is written to files
    "own measurement: {}",         // the same
    "{}, run {}",                  // a run's name, the same
    "vLLM benchmark",              // the same
    "SGLang benchmark",
    "MaxText log",
    "Trainer log",
    "Megatron Bridge", // a program's name
    "= MACHINE DETAILS",
    "Megatron-LM log",
    "Megatron Bridge log",
    "NeMo log",
    "LLaMA-Factory log",
    "Axolotl log",
    "train_step_timing in s", // what logs say
    "Step Time :",
    "GPU utilization:",
    "TP Size:",
    "PP Size:",
    "EP Size:",
    "Max Runtime Batch Size:",
    "Number of requests:",
    "Number of concurrent requests:",
    "Average Input Length (tokens):",
    "Average Output Length (tokens):",
    "Total Output Throughput (tokens/sec):",
    "Average time-to-first-token [TTFT] (ms):",
    "Average time-per-output-token [TPOT] (ms):",
    "completed step:", // what logs say
    "validate step:",
    "memory (MB) |",
    "max allocated:",
    "| model ",
    "front points", // a series' id
    "Max request concurrency:",
    "Mean ITL (ms):",
    "Serving Benchmark Result", // what logs say, to be found in them
    "Mean TTFT (ms):",
    "Mean TPOT (ms):",
    "Output token throughput (tok/s):",
    "Maximum request concurrency:",
    "Successful requests:",
    "Failed requests:",
    "Request rate configured (RPS):",
    "Traffic request rate:",
    "Request throughput (req/s):",
    "Total input tokens:",
    "Total generated tokens:",
    "with local batch size",
    "device mesh with parallelism:",
    "local batch size",
    "global batch size",
    "global batch size:",
    "sequence length",
    "total parameters",
    "activation checkpointing",
    "elapsed time per iteration (ms):",
    "External id", // keys of a profiler's trace
    "external id",
    "Collective name",
    "Total Time (", // columns of a table
    "Input Dims",
    "Input dims",
    "Input type",
    "signed char",                           // what PyTorch calls a type
    R"("format": "headroom-profile-rules")", // an example of JSON
};

std::optional<int> wordsBeginAt(const std::string& call, std::string_view file)
{
    std::optional<int> found;
    for (const Builder& builder : builders)
        if (builder.name == call && file.starts_with(builder.room))
            found = builder.words;
    return found;
}

bool matches(const std::string& text, const QRegularExpression& pattern)
{
    static const QRegularExpression placeholder(QStringLiteral("\\{[^}]*\\}"));
    return pattern.match(QString::fromStdString(text).replace(placeholder, QStringLiteral("{}"))).hasMatch();
}

bool hasWord(const std::string& text)
{
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    return matches(text, word);
}

/// Two words beside each other; a code, a key or a path is one.
bool isSentence(const std::string& text)
{
    static const QRegularExpression words(QStringLiteral("[A-Za-z]{2,} +([A-Za-z']{2,}|\\{\\})|\\{\\} [a-z]{2,}"));
    return matches(text, words);
}

/// Whether a literal of a file of core would reach people in English only.
bool staysEnglish(const test::SourceLiteral& literal, std::string_view file)
{
    for (auto call = literal.within.rbegin(); call != literal.within.rend(); ++call) {
        if (test::says(*call) && call->argument == 0)
            return false;
        if (call->name == "static_assert" || call->name == "assert")
            return false;
        if (test::says(*call)) // an argument of a sentence: an example of JSON, perhaps
            break;
        if (const auto words = wordsBeginAt(call->name, file))
            return call->argument >= *words && hasWord(literal.text);
    }
    return file.starts_with("core/") && isSentence(literal.text); // those of ui have their own test: test_window_german
}

/// Literals of a file that would reach people in English only, each as "FILE:LINE: text".
std::vector<std::string> englishIn(const std::string& code, const std::string& file)
{
    static const auto german = [] { // of registries, whose rows are said where they are shown
        std::set<std::string> texts;
        for (const auto& [english, other] : Phrases::pairs("de"))
            texts.insert(english);
        return texts;
    }();
    std::vector<std::string> found;
    for (const test::SourceLiteral& literal : test::sourceLiterals(code)) {
        const bool known = std::ranges::find(exemptTexts, literal.text) != std::end(exemptTexts);
        const bool row = literal.within.empty() || !wordsBeginAt(literal.within.back().name, file);
        if (staysEnglish(literal, file) && !known && !(row && german.contains(literal.text)))
            found.push_back(file + ":" + std::to_string(literal.line) + ": \"" + literal.text + "\"");
    }
    return found;
}

/// The files of core and ui, from the root.
std::vector<std::string> sources()
{
    std::vector<std::string> files;
    const fs::path root(test::sourcePath(""));
    for (const char* room : {"core", "ui"})
        for (const auto& entry : fs::recursive_directory_iterator(root / room))
            if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
                files.push_back(fs::relative(entry.path(), root).string());
    return files;
}

} // namespace

class TestSentencesGerman final : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { speak(nullptr); }

    void everySentenceIsSaid()
    {
        std::vector<std::string> english;
        std::size_t files = 0;
        for (const std::string& file : sources()) {
            if (std::ranges::find(exemptFiles, file, &Exempt::file) != std::end(exemptFiles))
                continue;
            ++files;
            for (std::string& line : englishIn(test::readFile(test::sourcePath(file)), file))
                english.push_back(std::move(line));
        }
        for (const std::string& line : english)
            std::puts(line.c_str());
        QVERIFY(files > 200);
        QVERIFY2(english.empty(), "literals that a German window would show in English, listed above: say() them");
    }

    void everyExceptionIsOne()
    {
        std::set<std::string> texts;
        for (const std::string& file : sources())
            for (const test::SourceLiteral& literal : test::sourceLiterals(test::readFile(test::sourcePath(file))))
                texts.insert(literal.text);
        for (const std::string_view text : exemptTexts)
            QVERIFY2(texts.contains(std::string(text)), std::string(text).c_str());
        for (const Exempt& exempt : exemptFiles) {
            const std::string file(exempt.file);
            QVERIFY2(!englishIn(test::readFile(test::sourcePath(file)), file).empty(), file.c_str());
        }
    }

    void whatIsNotSaidIsFound_data()
    {
        QTest::addColumn<std::string>("code");
        QTest::addColumn<int>("found");
        QTest::newRow("a literal") << std::string(R"(return fail("bad-file", "/x", "is empty");)") << 1;
        QTest::newRow("one word") << std::string(R"(reader.wrongType("x", value, "text");)") << 1;
        QTest::newRow("a hint") << std::string(R"(fail("bad", "", said("is empty"), "fill it");)") << 1;
        QTest::newRow("joined") << std::string("fail(\"bad\", \"\", \"is\"\n \" empty\");") << 1;
        QTest::newRow("formatted") << std::string(R"(fail("bad", "", fmt::format("has {} cells", n));)") << 1;
        QTest::newRow("added up") << std::string(R"(fail("bad", "", "'" + name + "' is empty");)") << 1;
        QTest::newRow("either") << std::string(R"(fail("bad", "", a ? "many" : "few");)") << 2;
        QTest::newRow("a variable") << std::string(R"(const std::string hint = "fill it in";)") << 1;
        QTest::newRow("raw") << std::string("const char* hint = R\"(fill it in)\";") << 1;
        QTest::newRow("within a sentence") << std::string(R"(say("no {} here", "memory size");)") << 1;
        QTest::newRow("said") << std::string(R"(fail("bad", "", said("is empty"), say("has {}", n));)") << 0;
        QTest::newRow("code and path") << std::string(R"(fail("bad-file", "/a/b", std::move(message));)") << 0;
        QTest::newRow("an example") << std::string("say(\"write {}\", R\"({\"bf16\": 989.4})\");") << 0;
        QTest::newRow("a comment") << std::string("// is \"empty or full\"\n/* \"is empty\" */ f('\"');") << 0;
        QTest::newRow("an include") << std::string("#include \"a b/c d.hpp\"\n") << 0;
    }

    void whatIsNotSaidIsFound()
    {
        QFETCH(const std::string, code);
        QFETCH(const int, found);
        QCOMPARE(int(englishIn(code, "core/explore/any.cpp").size()), found);
    }

    void whatGoesIntoAFileIsEnglish()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        scenario.training.checkpointing = Checkpointing::Full;
        const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY(prepared);
        const PlanOption option{*prepared, evaluate(*prepared), {}, {}};
        const auto files = [&] {
            const auto log = importLog("step_time_s\n2.5\n", "mine.csv", scenario, Catalog::builtIn());
            const Comparison comparison = compare({{{}, nullptr, &option.scenario, &option.evaluation, {}, {}}});
            PlanResult result;
            result.ranked = {option};
            return std::vector<std::string>{planCsv(Task::Training, std::span(&option, 1)), planJson(result),
                                            comparisonCsv(comparison), writeScenario(scenario),
                                            log ? writeScenario(log->runs.front()) : std::string()};
        };
        const std::vector<std::string> english = files();
        const std::string layout = layoutText(option, Thousands::Plain);
        QVERIFY(english[0].find(layout) != std::string::npos);
        static const Phrases german = Phrases::embedded("de");
        speak(&german);
        QVERIFY(layoutText(option, Thousands::Plain) != layout);
        for (std::size_t i = 0; i < english.size(); ++i) {
            QVERIFY(!english[i].empty());
            QCOMPARE(files()[i], english[i]);
        }
        QVERIFY(!speaksEnglish()); // what kept them English is over
    }

    void aLayoutWritesThousandsAsItsReaderDoes()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        scenario.training.microBatch = 1789;
        const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY(prepared);
        const PlanOption option{*prepared, evaluate(*prepared), {}, {}};
        const auto has = [](const std::string& text, std::string_view part) {
            return text.find(part) != std::string::npos;
        };
        QVERIFY(has(layoutText(option), "micro-batch 1,789 · "));
        QVERIFY(has(planCsv(Task::Training, std::span(&option, 1)), "micro-batch 1789 · ")); // read by scripts
        PlanResult result;
        result.ranked = {option};
        QVERIFY(has(planJson(result), "micro-batch 1789 · "));
        static const Phrases german = Phrases::embedded("de");
        speak(&german);
        QVERIFY2(has(layoutText(option), "Micro-Batch " + wholeText(1789) + " · "), layoutText(option).c_str());
        QVERIFY(has(wholeText(1789), "789") && !has(layoutText(option), "1789") && !has(layoutText(option), "1,789"));
    }

    void theCommandLineSpeaksEnglish()
    {
        for (const auto& entry : fs::recursive_directory_iterator(test::sourcePath("app/cli")))
            if (entry.is_regular_file())
                QVERIFY2(test::readFile(entry.path().string()).find("speak(") == std::string::npos,
                         entry.path().c_str());
    }

    void aLiteralHasItsLineAndItsCalls()
    {
        const auto literals = test::sourceLiterals("f(a,\n  g(1, 2, \"x\\n\\u00d7\" \"y\"))");
        QCOMPARE(literals.size(), std::size_t(1));
        QCOMPARE(literals[0].text, std::string("x\n\u00d7y"));
        QCOMPARE(literals[0].line, 2);
        QCOMPARE(literals[0].within.size(), std::size_t(2));
        QCOMPARE(literals[0].within[0].name, std::string("f"));
        QCOMPARE(literals[0].within[1].argument, 2);
    }
};
HEADROOM_TEST(TestSentencesGerman)

} // namespace headroom::test_sentences_german
#include "test_sentences_german.moc"
