// SPDX-License-Identifier: GPL-3.0-or-later
// The house rules of ARCHITECTURE.md that a compiler cannot see: who may include whom, and how long a file or a class
// may get.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

namespace headroom::test_rooms
{

namespace fs = std::filesystem;
using namespace std::string_literals;

namespace
{

struct SourceFile {
    std::string path; ///< relative to the source tree
    std::string text;
};

std::vector<SourceFile> sources(const std::string& room)
{
    std::vector<SourceFile> files;
    for (const auto& entry : fs::recursive_directory_iterator(test::sourcePath(room))) {
        const std::string extension = entry.path().extension().string();
        if (entry.is_regular_file() && (extension == ".cpp" || extension == ".hpp"))
            files.push_back(
                {fs::relative(entry.path(), test::sourcePath("")).string(), test::readFile(entry.path().string())});
    }
    return files;
}

std::vector<std::string> includes(const SourceFile& file)
{
    static const std::regex pattern("(^|\n)\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
    std::vector<std::string> result;
    for (std::sregex_iterator match(file.text.begin(), file.text.end(), pattern), end; match != end; ++match)
        result.push_back((*match)[2]);
    return result;
}

/// Headers that show the JSON library say so in their second line.
bool isPrivate(const std::string& header)
{
    return header.find("\n// PRIVATE ") != std::string::npos;
}

/// Types and functions at the outer level of a header that no comment describes. The first type of a file has the
/// file's second line, functions may share one comment with those right below them.
std::vector<std::string> undocumented(const SourceFile& file)
{
    static const std::regex type("(struct|class|enum class) [^;]*");
    static const std::regex function("(\\[\\[nodiscard\\]\\] )?[A-Za-z_][\\w:<>,* &]*[ &*]\\w+\\(.*");
    static const std::regex other(
        "(using|return|struct|class|enum|template|namespace|static_assert|friend|extern)\\b.*");
    std::vector<std::string> result;
    std::istringstream text(file.text);
    bool first = true, described = false, shared = false; // shared: some line of this paragraph has a comment
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("///")) {
            described = shared = true;
            continue;
        }
        if (line.starts_with("template"))
            continue;
        const bool isType = std::regex_match(line, type);
        const bool isFunction = !isType && std::regex_match(line, function) && !std::regex_match(line, other) &&
                                line.find("operator") == std::string::npos;
        const bool ownWords = described || line.find("///<") != std::string::npos;
        if ((isType && !ownWords && !first) || (isFunction && !ownWords && !shared))
            result.push_back(file.path + ": " + line);
        first = first && !isType;
        described = false;
        shared = shared && !line.empty();
    }
    return result;
}

/// Every room of the programs, the lowest first: a file includes its own room and those before it. ARCHITECTURE.md
/// draws this table. A room is a folder right under core, ui or app, with what lies within it; "ui" is the window.
constexpr std::array<std::string_view, 41> rooms{
    "core/support",     "core/units",      "core/model",   "core/catalog", "core/scenario", "core/hardware",
    "core/calibration", "core/predict",    "core/metrics", "core/facts",   "core/explore",  "core/comparison",
    "core/plan",        "core/validation", "core/runs",    "core/profile", "core/fit",      "core/charts",
    "core/explain",     "core/lessons",    "core/present", "ui/base",      "ui/theme",      "ui/platform",
    "ui/settings",      "ui/charts",       "ui/document",  "ui/widgets",   "ui/parameters", "ui/commands",
    "ui/learn",         "ui/panels",       "ui/plan",      "ui/catalog",   "ui/session",    "ui/help",
    "ui/pages",         "ui/present",      "ui",           "app/cli",      "app/gui"};

/// "core/catalog" of "core/catalog/hf/finish.cpp", "ui" of "ui/main_window.cpp".
std::string roomOf(const std::string& path)
{
    const std::size_t top = path.find('/');
    const std::size_t next = path.find('/', top + 1);
    return path.substr(0, next == std::string::npos ? top : next);
}

/// Its place in the order; the number of rooms where it has none.
std::size_t placeOf(const std::string& room)
{
    return static_cast<std::size_t>(std::ranges::find(rooms, room) - rooms.begin());
}

/// What breaks the order: files in a folder without a row, includes that run up, includes that hide their room.
std::vector<std::string> againstTheOrder(const std::vector<SourceFile>& files)
{
    std::vector<std::string> wrong;
    for (const SourceFile& file : files) {
        const std::size_t place = placeOf(roomOf(file.path));
        if (place == rooms.size())
            wrong.push_back(file.path + ": no room " + roomOf(file.path));
        for (const std::string& include : includes(file)) {
            const bool own = include.starts_with("core/") || include.starts_with("ui/") || include.starts_with("app/");
            if (own && placeOf(roomOf(include)) > place)
                wrong.push_back(file.path + " includes upwards: " + include);
            if (!own && fs::exists(fs::path(test::sourcePath(file.path)).parent_path() / include))
                wrong.push_back(file.path + " names no room: " + include);
        }
    }
    return wrong;
}

/// The rooms that the table of ARCHITECTURE.md names, in its order.
std::vector<std::string> roomsOfTheDocument()
{
    static const std::regex row("\n\\| `((?:core|ui|app)(?:/\\w+)?)` \\|");
    const std::string text = test::readFile(test::sourcePath("ARCHITECTURE.md"));
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), row), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

long lines(const SourceFile& file)
{
    return std::ranges::count(file.text, '\n');
}

/// The class whose body or whose member a line at the outer level begins; empty where it does neither.
std::string classBegunBy(const std::string& line)
{
    static const std::regex body("(?:class|struct) (\\w+)(?: final)?(?: : [^;{]*)? ?\\{?");
    static const std::regex member("(?:.*?[ &*])?(\\w+)(?:::\\w+)*::(?:~?\\w+|operator[^ (]+)\\(.*");
    std::smatch match;
    const bool outer = !line.empty() && std::string_view(" #/}").find(line.front()) == std::string_view::npos;
    return outer && (std::regex_match(line, match, body) || std::regex_match(line, match, member)) ? match[1].str()
                                                                                                   : std::string();
}

/// Lines of each class by its room: its body, where that stands, and what defines its members elsewhere, each with the
/// comment right above. What is nested counts for the class around it.
std::map<std::string, long> linesOfClasses(const std::vector<SourceFile>& files)
{
    std::map<std::string, long> lengths;
    for (const SourceFile& file : files) {
        std::istringstream text(file.text);
        std::string name;            // of the class whose lines these are; empty between two
        long own = 0, described = 0; // lines since its name; comments right above
        bool opened = false;
        for (std::string line; std::getline(text, line);) {
            const bool begins = name.empty() && !(name = classBegunBy(line)).empty();
            if (begins)
                own = std::exchange(described, 0), opened = false;
            if (name.empty()) {
                described = line.starts_with("//") ? described + 1 : 0;
                continue;
            }
            ++own;
            opened = opened || line.ends_with('{') || line.ends_with('}');
            const bool isOver = line.starts_with('}') || (begins && line.ends_with('}'));
            if (isOver || (!opened && line.ends_with(';'))) { // a declaration is none of its members
                lengths[roomOf(file.path) + "/" + name] += isOver ? own : 0;
                name.clear();
            }
        }
    }
    return lengths;
}

} // namespace

class TestRooms : public QObject
{
    Q_OBJECT
private slots:
    void coreIncludesNoQt()
    {
        const auto files = sources("core");
        QVERIFY(files.size() > 20);
        for (const SourceFile& file : files)
            for (const std::string& include : includes(file)) {
                const bool qt =
                    include.starts_with("Qt") || (include.size() > 1 && include[0] == 'Q' && std::isupper(include[1]));
                QVERIFY2(!qt && include.find("qcustomplot") == std::string::npos, (file.path + ": " + include).c_str());
            }
    }

    void includesRunDownTheOrderOfRooms()
    {
        for (const std::string& part : {"core"s, "ui"s, "app"s}) {
            const auto wrong = againstTheOrder(sources(part));
            QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong.front().c_str());
        }
        const auto one = [](const char* path, const char* include) {
            return againstTheOrder({{path, "// SPDX\n#include \"" + std::string(include) + "\"\n"}}).size();
        };
        QCOMPARE(one("core/units/x.cpp", "core/charts/chart_spec.hpp"), 1U);
        QCOMPARE(one("core/charts/x.cpp", "core/units/format.hpp"), 0U);
        QCOMPARE(one("ui/charts/x.cpp", "ui/main_window.hpp"), 1U);
        QCOMPARE(one("ui/x.cpp", "app/gui/render.hpp"), 1U);
        QCOMPARE(one("core/nowhere/x.cpp", "core/units/format.hpp"), 1U);
        QCOMPARE(one("core/units/x.cpp", "format.hpp"), 1U);
    }

    void everyRoomExistsAndTheDocumentDrawsThem()
    {
        for (const std::string_view room : rooms)
            QVERIFY2(fs::is_directory(test::sourcePath(std::string(room))), std::string(room).c_str());
        for (const std::string& part : {"core"s, "ui"s, "app"s})
            for (const auto& entry : fs::directory_iterator(test::sourcePath(part))) {
                const std::string room = part + "/" + entry.path().filename().string();
                QVERIFY2(!entry.is_directory() || placeOf(room) < rooms.size(), room.c_str());
            }
        const std::vector<std::string> drawn = roomsOfTheDocument();
        for (std::size_t i = 0; i < std::min(drawn.size(), rooms.size()); ++i)
            QVERIFY2(drawn[i] == rooms[i], (drawn[i] + " stands where " + std::string(rooms[i]) + " should").c_str());
        QCOMPARE(drawn.size(), rooms.size());
    }

    void publicHeadersOfCoreShowNoJsonLibrary()
    {
        for (const SourceFile& file : sources("core")) {
            const bool privateHeader = isPrivate(file.text);
            if (!file.path.ends_with(".hpp") || privateHeader)
                continue;
            for (const std::string& include : includes(file)) {
                for (const char* library : {"nlohmann", "rapidjson"})
                    QVERIFY2(include.find(library) == std::string::npos, (file.path + ": " + include).c_str());
                const SourceFile target{include, test::readFile(test::sourcePath(include))};
                QVERIFY2(!isPrivate(target.text), (file.path + ": " + include).c_str());
            }
        }
    }

    void qcustomplotStaysInItsRoom()
    {
        // Naming the library in a licence notice is fine; its types and its header are not.
        static const std::regex use("QCP[A-Z]|QCustomPlot\\s*[*&;({]|qcustomplot\\.h");
        for (const std::string& room : {"ui"s, "app"s, "core"s})
            for (const SourceFile& file : sources(room))
                QVERIFY2(file.path.starts_with("ui/charts/") || !std::regex_search(file.text, use), file.path.c_str());
    }

    void nobodyAsksQcustomplotForOpenGl()
    {
        for (const SourceFile& file : sources("ui"))
            QVERIFY2(file.text.find("setOpenGl") == std::string::npos &&
                         file.text.find("QCUSTOMPLOT_USE_OPENGL") == std::string::npos,
                     file.path.c_str());
    }

    void filesAreWrittenInOnePlace()
    {
        // writeFile() leaves what was there before until the new content is on the disk; tests deny it that in every
        // way.
        static const std::regex use("QSaveFile|WriteOnly|Append\\b|\\.save\\((path|options)|ofstream");
        const std::set<std::string> others{"ui/platform/files.cpp", "app/cli/output_file.cpp"};
        for (const std::string& room : {"core"s, "ui"s, "app"s})
            for (const SourceFile& file : sources(room)) {
                std::istringstream text(file.text);
                for (std::string line; std::getline(text, line);)
                    QVERIFY2(others.contains(file.path) || !std::regex_search(line, use) ||
                                 line.find("buffer") != std::string::npos,
                             (file.path + ": " + line).c_str());
            }
    }

    void everyFileCarriesItsLicenceAndStaysShort()
    {
        for (const std::string& room : {"core"s, "ui"s, "app"s, "tests"s})
            for (const SourceFile& file : sources(room)) {
                QVERIFY2(file.text.starts_with("// SPDX-License-Identifier: GPL-3.0-or-later\n"), file.path.c_str());
                QVERIFY2(lines(file) <= 400, (file.path + ": " + std::to_string(lines(file)) + " lines").c_str());
            }
    }

    /// What is longer has more than one idea in it, whatever the number of its files.
    void noClassGrowsAcrossItsFiles()
    {
        for (const std::string& part : {"core"s, "ui"s, "app"s})
            for (const auto& [name, length] : linesOfClasses(sources(part)))
                QVERIFY2(length <= 400, (name + ": " + std::to_string(length) + " lines").c_str());
        const auto lengths = linesOfClasses(
            {{"ui/one.hpp", "class Two;\n\n/// It is.\nclass One final : public Two\n{\n    int a = 0;\n};\n"},
             {"ui/one.cpp", "void other()\n{\n}\n\n/// Does.\nint One::f(int a)\n{\n    return a;\n}\n"},
             {"ui/more.cpp", "One::One() : a(1)\n{\n}\n\nstd::function<void(int)> One::g() const\n{\n}\n"},
             {"core/one.cpp", "struct One {\n};\n"}});
        QCOMPARE(lengths.at("ui/One"), 5L + 5L + 3L + 3L);
        QCOMPARE(lengths.at("core/One"), 2L);
        QCOMPARE(lengths.size(), 2U);
    }

    /// It grows by default: what does its own work, such as a page or a panel, has a room.
    void theWindowStaysSmall()
    {
        long all = 0;
        for (const SourceFile& file : sources("ui"))
            if (roomOf(file.path) == "ui")
                all += lines(file);
        QVERIFY2(all <= 1200, std::to_string(all).c_str());
    }

    void headersSayWhatTheyAre()
    {
        for (const std::string& room : {"core"s, "ui"s, "app"s})
            for (const SourceFile& file : sources(room)) {
                if (!file.path.ends_with(".hpp"))
                    continue;
                std::istringstream text(file.text);
                std::string spdx, sentence;
                std::getline(text, spdx);
                std::getline(text, sentence);
                QVERIFY2(sentence.starts_with("// ") && sentence.size() > 20, file.path.c_str());
            }
    }

    void everyPublicNameOfCoreIsDocumented()
    {
        int headers = 0;
        for (const SourceFile& file : sources("core"))
            if (file.path.ends_with(".hpp") && !isPrivate(file.text)) {
                const auto missing = undocumented(file);
                QVERIFY2(missing.empty(), missing.empty() ? "" : missing.front().c_str());
                ++headers;
            }
        QVERIFY(headers > 50);
        QCOMPARE(undocumented({"x.hpp", "// SPDX\n// One: first.\nstruct One {\n};\nstruct Two {\n};\n"}).size(), 1U);
        QCOMPARE(undocumented({"x.hpp", "\ndouble f(int a);\n\n/// Two of them.\nint g();\nint h();\n"}).size(), 1U);
    }

    void onlyWhatBothCompilersAccept()
    {
        // clang 14 with libstdc++ 12 rejects these; clang-tidy and libFuzzer would stop working.
        for (const std::string& room : {"core"s, "ui"s, "app"s, "tests"s})
            for (const SourceFile& file : sources(room)) {
                if (file.path == "tests/core/test_rooms.cpp")
                    continue;
                for (const std::string& banned :
                     {"std::views"s, "std::ranges::views"s, "std::source_location"s, "<format>"s, "<expected>"s})
                    QVERIFY2(file.text.find(banned) == std::string::npos, (file.path + ": " + banned).c_str());
            }
    }

    void nothingNamesThePlaceItWasMadeIn()
    {
        static const std::regex pattern("/(home|root|work|tmp/bash_jobs)/[a-z]");
        for (const std::string& room : {"core"s, "ui"s, "app"s, "tests"s, "resources"s, "packaging"s, "data"s})
            for (const auto& entry : fs::recursive_directory_iterator(test::sourcePath(room))) {
                const fs::path kind = entry.path().extension();
                if (!entry.is_regular_file() || entry.file_size() > 4000000 || kind == ".png" || kind == ".pyc")
                    continue;
                const std::string text = test::readFile(entry.path().string());
                QVERIFY2(!std::regex_search(text, pattern) || entry.path().filename() == "test_rooms.cpp",
                         entry.path().string().c_str());
            }
    }
};
HEADROOM_TEST(TestRooms)

} // namespace headroom::test_rooms
#include "test_rooms.moc"
