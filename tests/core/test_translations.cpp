// SPDX-License-Identifier: GPL-3.0-or-later
// Core's words in German: every text has its entry with the same placeholders, no entry is left over, none is English.
#include "core/catalog/catalog.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/explain/glossary.hpp"
#include "core/facts/catalog_facts.hpp"
#include "core/fit/user_fit.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "core/support/language.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/source_literals.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

namespace headroom::test_translations
{

namespace fs = std::filesystem;

namespace
{

/// Where each English text stands, by text.
using Places = std::map<std::string, std::string>;

/// The literals in say("…" "…"), said("…") and phrase("…").
void collect(const std::string& code, const std::string& file, Places& places)
{
    for (const test::SourceLiteral& literal : test::sourceLiterals(code))
        if (!literal.within.empty() && test::says(literal.within.back()) && literal.within.back().argument == 0)
            places.emplace(literal.text, file);
}

/// Letters that make a word: symbols, numbers and units such as "s" are the same in every language.
bool hasWord(const std::string& text)
{
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    static const QRegularExpression placeholder(QStringLiteral("\\{[^}]*\\}"));
    return word.match(QString::fromStdString(text).remove(placeholder)).hasMatch();
}

Places literals()
{
    Places places;
    const fs::path root(test::sourcePath(""));
    for (const char* room : {"core", "ui", "app/gui"})
        for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".cpp" || extension == ".hpp")
                collect(test::readFile(entry.path().string()), fs::relative(entry.path(), root).string(), places);
        }
    return places;
}

/// What the files of the catalogue say in words, as its details show it: "memory_bandwidth" as two words.
void addCatalogue(const Catalog& catalog, Places& places)
{
    const auto add = [&places](std::string text, const std::string& id) {
        std::replace(text.begin(), text.end(), '_', ' ');
        if (!text.empty())
            places.emplace(std::move(text), "catalogue, " + id);
    };
    const auto addNote = [&places](const std::string& note, const std::string& id) {
        if (!note.empty())
            places.emplace(note, "catalogue, " + id);
    };
    for (const auto& device : catalog.accelerators()) {
        for (const std::string& note : device->notes)
            addNote(note, device->id);
        for (const PeakAlternate& other : device->peakAlternates)
            addNote(other.why, device->id);
        for (const MeasuredRate& rate : device->measured) {
            add(rate.quantity, device->id);
            addNote(rate.note, device->id);
        }
    }
    for (const auto& model : catalog.models()) {
        addNote(model->notes, model->id);
        for (const PublishedCount& count : model->published) {
            add(count.what, model->id);
            add(count.kind, model->id);
        }
    }
}

Places everything()
{
    Places places = literals();
    const auto add = [&places](const char* registry, std::initializer_list<std::string_view> texts) {
        for (const std::string_view text : texts)
            if (!text.empty())
                places.emplace(text, registry);
    };
    for (const ParameterRow& row : parameterRegistry()) {
        add("parameters", {row.label, row.unit, row.description});
        for (const ParameterChoice& choice : row.choices)
            add("choices", {choice.label});
    }
    for (const MetricRow& row : metricRegistry())
        add("metrics", {row.label, row.longName, row.definition, row.formula});
    for (const ChartRow& row : chartRegistry())
        add("charts", {row.title, row.description});
    for (const GlossaryTerm& term : glossary())
        add("glossary", {term.term, term.longName, term.definition, term.formula, term.mistake});
    for (const ConventionRow& row : conventionTable())
        add("conventions", {row.label, row.formula, row.usedBy});
    const Catalog catalog = Catalog::builtIn();
    for (const auto& row : acceleratorFacts()) {
        add("facts", {row.group, row.label, row.column});
        for (const auto& accelerator : catalog.accelerators())
            if (row.spoken)
                add("catalogue", {factText(row, *accelerator)});
    }
    for (const auto& row : modelFacts())
        add("facts", {row.group, row.label, row.column});
    for (const auto& device : Catalog::builtIn().accelerators())
        add("facts", {device->status, device->confidence});
    addCatalogue(catalog, places);
    for (const EmbeddedFile& file : embeddedFolder("scenarios/"))
        if (const auto reading = readScenario(file.text, Catalog::builtIn()))
            add("examples", {reading->scenario.name, reading->scenario.notes});
    return places;
}

/// Every line on the console: a message of Qt Test is cut off.
std::string problem(const std::vector<std::string>& lines)
{
    for (const std::string& line : lines)
        std::puts(line.c_str());
    return std::to_string(lines.size()) + " of them, listed above";
}

} // namespace

class TestTranslations final : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { speak(nullptr); }

    void everyTextIsTranslated()
    {
        const Places places = everything();
        std::set<std::string> known;
        for (const auto& [english, german] : Phrases::pairs("de"))
            known.insert(english);
        std::vector<std::string> missing;
        for (const auto& [english, file] : places)
            if (hasWord(english) && !known.contains(english))
                missing.push_back(file + ": \"" + english + "\"");
        QVERIFY2(missing.empty(),
                 ("texts without German in resources/translations/de/*.json, " + problem(missing)).c_str());
    }

    void nothingIsLeftOver()
    {
        const Places places = everything();
        std::vector<std::string> stale;
        for (const auto& [english, german] : Phrases::pairs("de"))
            if (!places.contains(english))
                stale.push_back("\"" + english + "\"");
        QVERIFY2(stale.empty(),
                 ("entries of resources/translations/de/*.json that nobody says, " + problem(stale)).c_str());
    }

    void germanSaysTheSameThings()
    {
        const auto pairs = Phrases::pairs("de");
        std::vector<std::string> wrong;
        std::map<std::string, std::string> once;
        for (const auto& [english, german] : pairs) {
            if (placeholders(english) != placeholders(german))
                wrong.push_back("placeholders differ: \"" + german + "\"");
            if (!once.emplace(english, german).second)
                wrong.push_back("twice: \"" + english + "\"");
        }
        QVERIFY2(wrong.empty(), problem(wrong).c_str());
        QCOMPARE(Phrases::embedded("de").size(), pairs.size());
    }

    /// docs/german.md has one word for it; it had four.
    void aDeploymentHasOneWord()
    {
        std::vector<std::string> others;
        int all = 0;
        for (const auto& [english, german] : Phrases::pairs("de"))
            if (english.find("deployment") != std::string::npos) {
                ++all;
                if (german.find("Deployment") == std::string::npos)
                    others.push_back(german);
            }
        QVERIFY2(others.empty() && all > 0, problem(others).c_str());
    }

    /// A row of a table and a label on a chart are one thing, with a capital or without: "overhead" was two.
    void aTermHasOneWordWithAndWithoutACapital()
    {
        const auto small = [](std::string_view text) {
            std::string lower(text);
            std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
            return lower;
        };
        std::map<std::string, std::string> words;
        std::vector<std::string> wrong;
        for (const auto& [english, german] : Phrases::pairs("de")) {
            // The glossary keeps the English of an abbreviation, and a bar has room for a short "peak".
            if (german.starts_with(english) || english == "peak")
                continue;
            const auto [other, isNew] = words.emplace(small(english), small(german));
            if (!isNew && other->second != small(german))
                wrong.push_back("\"" + english + "\": \"" + german + "\" and \"" + other->second + "\"");
        }
        QVERIFY2(wrong.empty(), problem(wrong).c_str());
    }

    /// docs/german.md: token has no plural ending. One token's is another matter.
    void severalTokenHaveNoEnding()
    {
        std::vector<std::string> wrong;
        for (const auto& [english, german] : Phrases::pairs("de"))
            for (std::size_t at = german.find(" Tokens"); at != std::string::npos; at = german.find(" Tokens", at + 1))
                if (!german.substr(0, at).ends_with("es"))
                    wrong.push_back(german);
        QVERIFY2(wrong.empty(), problem(wrong).c_str());
    }

    void onlyWhatIsListedIsTheSame()
    {
        // same.json lists the words that German takes as they are; an entry elsewhere that is English was forgotten.
        const std::string same = test::readFile(test::sourcePath("resources/translations/de/same.json"));
        std::vector<std::string> untouched;
        for (const auto& [english, german] : Phrases::pairs("de"))
            if (english == german && same.find('"' + english + '"') == std::string::npos)
                untouched.push_back("\"" + english + "\"");
        QVERIFY2(untouched.empty(), problem(untouched).c_str());
    }

    void englishIsItself()
    {
        QCOMPARE(say("no such text"), std::string_view("no such text"));
        QCOMPARE(say("{} of {}", 1, 2), std::string("1 of 2"));
        QCOMPARE(Phrases::embedded("tlh").size(), std::size_t(0));
    }

    void aSentenceMayTurnItsArgumentsRound()
    {
        const std::vector<Phrases::Pair> pairs{{"{} before {:.1f}", "{1:.1f} nach {0}"}, {"plain", "schlicht"}};
        const Phrases phrases(pairs);
        speak(&phrases);
        QCOMPARE(say("{} before {:.1f}", "a", 2.0), std::string("2.0 nach a"));
        QCOMPARE(say("plain"), std::string_view("schlicht"));
        QCOMPARE(say("unknown {}", 3), std::string("unknown 3"));
    }

    void numbersAreWrittenAsInGermany()
    {
        const Phrases german = Phrases::embedded("de");
        speak(&german);
        QCOMPARE(formatText(0.0123, ValueFormat::Percent), std::string("1,2\u202F%"));
        QCOMPARE(formatText(8192, ValueFormat::Integer), std::string("8\u202F192"));
        QCOMPARE(formatText(3.5 * 86400, ValueFormat::Seconds), std::string("3,50\u202FTage"));
        QCOMPARE(withLocalMark("1.5"), std::string("1,5"));
        QCOMPARE(exactNumber(1.5), std::string("1.5")); // files
        QCOMPARE(readNumber("8\u202F192", ValueFormat::Integer, false), std::optional(8192.0));
    }

    void ownCalibrationHasCommas()
    {
        const Phrases german = Phrases::embedded("de");
        speak(&german);
        UserFit fit;
        fit.shifts.push_back({"compute", 0.654});
        fit.runs = 1;
        QVERIFY2(userFitText(fit).find("×0,654 ") != std::string::npos, userFitText(fit).c_str());
    }

    void factsHaveCommas()
    {
        const Phrases german = Phrases::embedded("de");
        speak(&german);
        const auto h100 = Catalog::builtIn().accelerator("h100-sxm-80gb");
        for (const auto& row : acceleratorFacts())
            if (row.id == "usable" || row.id == "price" || row.id == "price-range" || row.number)
                QVERIFY2(factText(row, *h100).find('.') == std::string::npos, factText(row, *h100).c_str());
    }

    void sentencesBeginWithACapital()
    {
        QCOMPARE(capitalized("similar"), std::string("Similar"));
        QCOMPARE(capitalized("ähnlich: a"), std::string("Ähnlich: a"));
        QCOMPARE(capitalized("über"), std::string("Über"));
        QCOMPARE(capitalized("÷ 2"), std::string("÷ 2"));
        QCOMPARE(capitalized("Ö"), std::string("Ö"));
        QCOMPARE(capitalized("λ × S"), std::string("λ × S"));
        QCOMPARE(capitalized(""), std::string());
    }

    void filesAreEnglishInOneThread()
    {
        const std::vector<Phrases::Pair> pairs{{"plain", "schlicht"}};
        const Phrases phrases(pairs);
        speak(&phrases);
        {
            const InEnglish outer;
            {
                const InEnglish inner;
                QVERIFY(speaksEnglish());
            }
            QCOMPARE(say("plain"), std::string_view("plain"));
            std::string elsewhere;
            std::thread([&elsewhere] { elsewhere = say("plain"); }).join();
            QCOMPARE(elsewhere, std::string("schlicht"));
        }
        QVERIFY(!speaksEnglish());
        QCOMPARE(say("plain"), std::string_view("schlicht"));
    }

    void everyLessonAndHelpPageHasItsGerman()
    {
        const auto namesIn = [](const std::string& folder) {
            std::set<std::string> names;
            for (const auto& file : std::filesystem::directory_iterator(test::sourcePath(folder)))
                if (file.is_regular_file())
                    names.insert(file.path().filename().string());
            return names;
        };
        for (const char* folder : {"resources/lessons", "resources/help"}) {
            QVERIFY(namesIn(folder).size() > 5);
            QVERIFY2(namesIn(folder) == namesIn(std::string(folder) + "/de"), folder);
        }
    }

    void whatDoesNotFitIsSaidInEnglish_data()
    {
        QTest::addColumn<std::string>("german");
        QTest::newRow("one too few") << std::string("nur {}");
        QTest::newRow("one too many") << std::string("{} {} {}");
        QTest::newRow("another form") << std::string("{} {:d}");
        QTest::newRow("unclosed") << std::string("{} {");
        QTest::newRow("unopened") << std::string("{} } {}");
        QTest::newRow("mixed") << std::string("{} {1}");
        QTest::newRow("beyond the last") << std::string("{0} {2}");
        QTest::newRow("the same twice") << std::string("{0} {0}");
        QTest::newRow("nested") << std::string("{} {:{}}");
    }

    void whatDoesNotFitIsSaidInEnglish()
    {
        QFETCH(const std::string, german);
        const std::vector<Phrases::Pair> pairs{{"{} {}", german}};
        const Phrases phrases(pairs);
        QCOMPARE(phrases.size(), std::size_t(0));
        speak(&phrases);
        QCOMPARE(say("{} {}", "text", 2.0), std::string("text 2"));
    }
};
HEADROOM_TEST(TestTranslations)

} // namespace headroom::test_translations
#include "test_translations.moc"
