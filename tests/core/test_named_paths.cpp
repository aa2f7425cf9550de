// SPDX-License-Identifier: GPL-3.0-or-later
// What documents name is there: paths, test programs, tests picked with ctest, commands and their options, keys of a
// scenario, types and functions, what the example's diffs change; and every room of the house has its row in
// ARCHITECTURE.md.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace headroom::test_named_paths
{

namespace fs = std::filesystem;
using namespace std::string_literals;

namespace
{

/// Pages that people write: of the documents all but the user guide, which the program writes from its help; and
/// those of the `folders` besides.
std::vector<std::string> pages(const std::vector<std::string>& folders = {})
{
    std::vector<std::string> all{
        "ARCHITECTURE.md",      "CONTRIBUTING.md", "README.md", "data/README.md", "packaging/recipes/README.md",
        "tests/facts/README.md"};
    std::vector<std::string> whole{"docs", "docs/method"};
    whole.insert(whole.end(), folders.begin(), folders.end());
    for (const std::string& folder : whole)
        for (const auto& entry : fs::directory_iterator(test::sourcePath(folder)))
            if (entry.path().extension() == ".md")
                all.push_back(folder + "/" + entry.path().filename().string());
    return all;
}

/// All matches of the pattern's first group.
std::vector<std::string> found(const std::string& text, const std::string& pattern)
{
    const std::regex compiled(pattern);
    std::vector<std::string> result;
    for (std::sregex_iterator match(text.begin(), text.end(), compiled), end; match != end; ++match)
        result.push_back((*match)[1]);
    return result;
}

/// A page without its diffs and worked numbers: an example of a change names what it would add, a source another's
/// files.
std::string readPage(const std::string& name)
{
    return std::regex_replace(test::readFile(test::sourcePath(name)), std::regex("```(?:diff|example)[^`]+```"), "");
}

/// Everything a page sets as code, in the line or as a block.
std::vector<std::string> code(const std::string& page)
{
    std::vector<std::string> result = found(page, "```[a-z]*\n([^`]+)```");
    const std::string lines = std::regex_replace(page, std::regex("```[^`]+```"), "");
    std::ranges::move(found(lines, "`([^`\n]+)`"), std::back_inserter(result));
    return result;
}

/// All of it, a line each: one walk of a pattern, which takes time to be made.
std::string allCode(const std::string& page)
{
    std::string all;
    for (const std::string& piece : code(page))
        all += piece + "\n";
    return all;
}

/// Whether a path of the source tree exists; a star and a word in capitals (NAME) stand for anything.
bool exists(std::string path)
{
    path = std::regex_replace(path, std::regex("[A-Z]{3,}(?=\\.|/|$)(?!\\.md)"), "*");
    if (path.find('*') == std::string::npos)
        return fs::exists(test::sourcePath(path));
    const fs::path folder = fs::path(path).parent_path();
    std::string name = std::regex_replace(fs::path(path).filename().string(), std::regex("\\."), "\\.");
    name = std::regex_replace(name, std::regex("\\*"), ".*");
    if (!fs::is_directory(test::sourcePath(folder.string())))
        return false;
    return std::ranges::any_of(fs::directory_iterator(test::sourcePath(folder.string())), [&](const auto& entry) {
        return std::regex_match(entry.path().filename().string(), std::regex(name));
    });
}

/// The names that ctest knows: one a source file of the tests, and those that a CMakeLists.txt names.
std::string testNames()
{
    std::string names;
    for (const auto& entry : fs::recursive_directory_iterator(test::sourcePath("tests"))) {
        const fs::path& path = entry.path();
        if (path.extension() == ".cpp")
            names += " " + path.parent_path().filename().string() + "." + path.stem().string();
        else if (path.filename() == "CMakeLists.txt")
            for (const std::string& name : found(test::readFile(path.string()), "add_test\\(NAME ([^ \n]+)"))
                names += " " + name;
    }
    return names;
}

std::string headers()
{
    std::string text;
    for (const std::string& room : {"core"s, "ui"s})
        for (const auto& entry : fs::recursive_directory_iterator(test::sourcePath(room)))
            if (entry.path().extension() == ".hpp")
                text += test::readFile(entry.path().string());
    return text;
}

} // namespace

class TestNamedPaths : public QObject
{
    Q_OBJECT
private slots:
    void everyPathExists()
    {
        int count = 0;
        for (const std::string& page : pages()) {
            const std::string text = readPage(page);
            std::vector<std::string> paths =
                found(allCode(text), "(?:^|[\\s'])((?:app|core|data|docs|packaging|resources|tests|ui|\\.ci)/"
                                     "[A-Za-z0-9_./*+-]*)");
            for (const std::string& target : found(text, "\\]\\(([^)#:]+)\\)"))
                paths.push_back((fs::path(page).parent_path() / target).lexically_normal().string());
            for (const std::string& path : paths)
                QVERIFY2(exists(path), (page + " names " + path).c_str());
            count += static_cast<int>(paths.size());
        }
        QVERIFY(count > 250);
    }

    void everyTestAndPickExists()
    {
        const std::string names = testNames();
        int count = 0;
        for (const std::string& page : pages()) {
            const std::string text = allCode(readPage(page));
            // As ctest has it, or as a program and its word.
            for (const std::string& test : found(text, "((?:core|integration|ui)(?:\\.|_tests )test_[a-z_]+)")) {
                QVERIFY2(exists("tests/" + test.substr(0, test.find_first_of("._")) + "/" +
                                test.substr(test.find("test_")) + ".cpp"),
                         (page + " names " + test).c_str());
                ++count;
            }
            for (const std::string& pick : found(text, "ctest [^\n]*-R '?([a-z_.|]+)"))
                for (const std::string& part : found(pick, "([^|]+)")) {
                    QVERIFY2(names.find(part) != std::string::npos, (page + " picks " + part).c_str());
                    ++count;
                }
        }
        QVERIFY(count > 40);
    }

    /// docs/cli.md is what the program writes of itself (packaging.installation).
    void everyCommandAndOptionIsInTheManual()
    {
        const std::string manual = test::readFile(test::sourcePath("docs/cli.md")) + "\n## ";
        int count = 0;
        for (const std::string& page : pages({"resources/help", "resources/help/de"}))
            for (const std::string& line : found(allCode(readPage(page)), "headroom-cli ([a-z][^\n|>]*)")) {
                const std::string command = line.substr(0, line.find(' '));
                const std::size_t from = manual.find("\n## " + command + "\n");
                if (command == "manual")
                    continue; // it is not for people
                QVERIFY2(from != manual.npos, (page + " names the command " + command).c_str());
                const std::string own = manual.substr(from, manual.find("\n## ", from + 1) - from);
                for (const std::string& option : found(line, " (--[a-z-]+)"))
                    QVERIFY2(std::regex_search(own, std::regex("[` ]" + option + "[` \\[]")),
                             (page + " names " + option + " of " + command).c_str());
                ++count;
            }
        QVERIFY(count > 30);
    }

    /// docs/scenario_format.md is made from the lists that read the file (core.test_scenario_keys).
    void everyKeyOfAScenarioIsInItsFormat()
    {
        const std::string format = test::readFile(test::sourcePath("docs/scenario_format.md"));
        int count = 0;
        for (const std::string& page : pages())
            for (const std::string& named :
                 found(readPage(page), "`((?:hardware|workload|parallelism)\\.[a-z0-9_.]+)`")) {
                std::string key = named;
                std::ranges::replace(key, '.', '/');
                QVERIFY2(format.find("`/" + key + "`") != format.npos || format.find("`/" + key + "/") != format.npos,
                         (page + " names " + key).c_str());
                ++count;
            }
        QVERIFY(count > 20);
    }

    void everyTypeAndFunctionOfTheArchitectureIsDeclared()
    {
        const std::string declared = headers();
        int count = 0;
        for (const std::string& piece : code(readPage("ARCHITECTURE.md")))
            for (const std::string& name : found(piece, "^([A-Z][a-z]+[A-Za-z]*|[a-z][A-Za-z]+\\(\\))$")) {
                const std::string word = name.substr(0, name.find('('));
                QVERIFY2(std::regex_search(declared, std::regex("\\b" + word + "\\b")), name.c_str());
                ++count;
            }
        QVERIFY(count > 10);
    }

    /// Of each hunk the lines that it finds or takes away stand in the file as they are.
    void theNewcomersDiffsApply()
    {
        std::string file, lines;
        int hunks = 0;
        const auto check = [&] {
            if (file.empty() || lines.empty())
                return;
            const std::string text = test::readFile(test::sourcePath(file));
            QVERIFY2(("\n" + text).find("\n" + lines) != text.npos, (file + " has not:\n" + lines).c_str());
            ++hunks;
        };
        for (const std::string& diff :
             found(test::readFile(test::sourcePath("docs/newcomer.md")), "```diff\n([^`]+)```"))
            for (const std::string& line : found(diff + "@@\n", "([^\n]*)\n")) {
                const bool isFile = line.starts_with("+++ ");
                if (isFile || line.starts_with("@@")) {
                    check();
                    lines.clear();
                    file = isFile ? line.substr(4) : file;
                } else if (line.starts_with(' ') || line.starts_with('-')) {
                    lines += line.substr(1) + "\n";
                }
            }
        QVERIFY(hunks >= 3);
    }

    void everyRoomHasItsRow()
    {
        const std::string page = readPage("ARCHITECTURE.md");
        for (const std::string& house : {"core"s, "ui"s, "app"s})
            for (const auto& entry : fs::directory_iterator(test::sourcePath(house))) {
                if (!entry.is_directory())
                    continue;
                const std::string room = "`" + house + "/" + entry.path().filename().string() + "`";
                QVERIFY2(page.find(room) != std::string::npos, (room + " has no row in ARCHITECTURE.md").c_str());
            }
        for (const auto& entry : fs::directory_iterator(test::sourcePath(""))) {
            const std::string name = entry.path().filename().string();
            if (entry.is_directory() && !name.starts_with(".") && !name.starts_with("build"))
                QVERIFY2(page.find("`" + name) != std::string::npos, (name + " is not in ARCHITECTURE.md").c_str());
        }
    }
};
HEADROOM_TEST(TestNamedPaths)

} // namespace headroom::test_named_paths
#include "test_named_paths.moc"
