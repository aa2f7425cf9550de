// SPDX-License-Identifier: GPL-3.0-or-later
// docs/method: each worked number of a chapter is what the program computes, and each constant and function that a
// chapter names exists; each figure of the window names its chapter. No file of the repository cites a document that is
// not in it.
#include "core/metrics/metric_registry.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/worked_example.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace headroom::test_method
{

namespace fs = std::filesystem;
using namespace std::string_literals;

namespace
{

std::string methodPath(const std::string& chapter)
{
    return test::sourcePath("docs/method/" + chapter);
}

std::vector<std::string> chapterNames()
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(methodPath("")))
        if (const std::string name = entry.path().filename().string(); name != "README.md")
            names.push_back(name);
    std::ranges::sort(names);
    return names;
}

/// What the pattern's first group matches, in order.
std::vector<std::string> found(const std::string& text, const std::regex& pattern)
{
    std::vector<std::string> all;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        all.push_back((*match)[1]);
    return all;
}

/// Whether the parts name a value, or a column of some row of a table.
bool holds(const nlohmann::json& value, std::span<const std::string> parts)
{
    if (parts.empty())
        return true;
    if (value.is_array())
        return std::ranges::any_of(value, [&](const nlohmann::json& row) { return holds(row, parts); });
    return value.is_object() && value.contains(parts.front()) && holds(value[parts.front()], parts.subspan(1));
}

/// Files that people write in. What others published is cited in the catalogue, in runs, facts and lessons.
std::vector<fs::path> ownFiles()
{
    std::vector<fs::path> files;
    for (const char* room : {"core", "ui", "app", "tests", "packaging", "resources", "docs", "data"})
        for (const auto& entry : fs::recursive_directory_iterator(test::sourcePath(room))) {
            const std::string kind = entry.path().extension().string(), name = entry.path().filename().string();
            const bool ours = kind.empty() || kind == ".cpp" || kind == ".hpp" || kind == ".py" || kind == ".txt" ||
                              kind == ".cmake" || kind == ".md" || name == "calibration.json" ||
                              name == "run_notes.json" || name == "validation_budgets.json";
            if (entry.is_regular_file() && ours && entry.path().string().find("/fuzz/corpus/") == std::string::npos)
                files.push_back(entry.path());
        }
    for (const char* name : {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt"})
        files.emplace_back(test::sourcePath(name));
    return files;
}

/// What a reader reads: of C++, the comments.
std::string wordsOf(const fs::path& file)
{
    const std::string text = test::readFile(file.string());
    if (file.extension() != ".cpp" && file.extension() != ".hpp")
        return text;
    static const std::regex comment("(?:^|[ \n;{}])(//[^\n]*)");
    std::string words;
    for (const std::string& line : found(text, comment))
        words += line + "\n";
    return words;
}

} // namespace

class TestMethod : public QObject
{
    Q_OBJECT

    static void eachChapter()
    {
        QTest::addColumn<QString>("chapter");
        for (const std::string& name : chapterNames())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

private slots:
    void theChaptersAreListed()
    {
        const std::string index = test::readFile(methodPath("README.md"));
        QVERIFY(chapterNames().size() >= 11);
        for (const std::string& name : chapterNames())
            QVERIFY2(index.find("](" + name + ")") != index.npos, name.c_str());
    }

    void workedNumbers_data() { eachChapter(); }
    void workedNumbers()
    {
        QFETCH(QString, chapter);
        const auto examples = test::readWorkedExamples(methodPath(chapter.toStdString()));
        QVERIFY(!examples.empty());
        for (const test::WorkedExample& example : examples) {
            QVERIFY2(!example.source.empty() && !example.expectations.empty(), example.name.c_str());
            const std::string failures = test::runWorkedExample(example);
            QVERIFY2(failures.empty(), (example.name + failures).c_str());
        }
    }

    void eachSaysItsLimits_data() { eachChapter(); }
    void eachSaysItsLimits()
    {
        QFETCH(QString, chapter);
        const std::string text = test::readFile(methodPath(chapter.toStdString()));
        QVERIFY(text.starts_with("# "));
        const auto limits = text.find("\n## Limits\n- ");
        QVERIFY(limits != text.npos && text.find("\n## ", limits + 5) == text.npos); // the last section
    }

    void namedConstantsExist()
    {
        const auto calibration = nlohmann::json::parse(embeddedFile("calibration.json").value());
        static const std::regex pattern("`/((energy|rl|training|inference)/[a-z0-9_/]+)`");
        std::size_t named = 0;
        for (const std::string& chapter : chapterNames())
            for (const std::string& path : found(test::readFile(methodPath(chapter)), pattern)) {
                std::vector<std::string> parts;
                std::istringstream words(path);
                for (std::string part; std::getline(words, part, '/');)
                    parts.push_back(part);
                QVERIFY2(holds(calibration, parts), (chapter + ": " + path).c_str());
                ++named;
            }
        QVERIFY(named > 60);
    }

    void namedFunctionsExist()
    {
        std::string core;
        for (const auto& entry : fs::recursive_directory_iterator(test::sourcePath("core")))
            if (entry.is_regular_file())
                core += test::readFile(entry.path().string());
        static const std::regex pattern("`([A-Za-z]+)\\(\\)`");
        std::size_t named = 0;
        for (const std::string& chapter : chapterNames())
            for (const std::string& name : found(test::readFile(methodPath(chapter)), pattern)) {
                QVERIFY2(core.find(" " + name + "(") != core.npos, (chapter + ": " + name).c_str());
                ++named;
            }
        QVERIFY(named > 40);
    }

    void eachFigureNamesItsChapter()
    {
        for (const MetricRow& row : metricRegistry())
            for (const Task task : {Task::Training, Task::Inference}) {
                const std::string path(methodPath(row, task));
                QVERIFY2(!path.empty() && fs::exists(test::sourcePath(path)), row.id.data());
            }
    }

    /// A document is found from the root, from docs or from beside the file that cites it. "owner/name FILE" is
    /// another project's.
    void citedDocumentsExist()
    {
        static const std::regex pattern(
            "([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+ |[$])?((?:\\.\\./)*[A-Za-z0-9_][A-Za-z0-9_/-]*\\.md)\\b");
        const fs::path root = test::sourcePath("");
        QStringList missing;
        std::size_t cited = 0;
        for (const fs::path& file : ownFiles()) {
            const std::string words = wordsOf(file);
            for (std::sregex_iterator match(words.begin(), words.end(), pattern), end; match != end; ++match) {
                if ((*match)[1].matched)
                    continue;
                ++cited;
                const std::string document = (*match)[2];
                const auto in = [&](const fs::path& folder) { return fs::exists(folder / document); };
                if (!in(root) && !in(root / "docs") && !in(file.parent_path()) && !in(root / "resources/help"))
                    missing += QString::fromStdString(fs::relative(file, root).string() + ": " + document);
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
        QVERIFY(cited > 150);
    }
};
HEADROOM_TEST(TestMethod)

} // namespace headroom::test_method
#include "test_method.moc"
