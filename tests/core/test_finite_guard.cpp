// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of an Evaluation passes the guard that lets no NaN out: a new one that forgets it fails here.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QtTest>
#include <iterator>
#include <map>
#include <regex>

namespace headroom::test_finite_guard
{

class TestFiniteGuard : public QObject
{
    Q_OBJECT

private slots:
    void everyNumberIsGuarded()
    {
        std::string header;
        for (const char* file : {"evaluation", "serving_results", "long_run_results"})
            header += test::readFile(test::sourcePath("core/predict/" + std::string(file) + ".hpp"));
        const std::string source = test::readFile(test::sourcePath("core/predict/evaluate.cpp"));
        const std::size_t begin = source.find("void showAll("), end = source.find("\n}\n", begin);
        QVERIFY(begin != std::string::npos && end != std::string::npos);
        const std::string guard = source.substr(begin, end - begin);
        // "    double loadS = 0, shownS = 0;" and "    std::optional<double> mfu, hfu;": the declared names.
        const std::regex member(R"(\n    (?:std::optional<)?(?:double|Interval)>? ([^;()]*);)"),
            name(R"((\w+)(?: = [^,]*)?)");
        int found = 0;
        std::map<std::string, std::ptrdiff_t> declared; // several structures have a member of that name
        for (std::sregex_iterator line(header.begin(), header.end(), member), last; line != last; ++line) {
            const std::string names = (*line)[1].str();
            for (std::sregex_iterator one(names.begin(), names.end(), name); one != last; ++one) {
                const std::string id = (*one)[1].str();
                if (id == "low" || id == "high")
                    continue; // an Interval's, which is guarded as a whole
                ++declared[id];
                ++found;
            }
        }
        for (const auto& [id, times] : declared) {
            const std::regex used("(?:\\.|->)" + id + "\\b");
            const auto shown = std::distance(std::sregex_iterator(guard.begin(), guard.end(), used), {});
            QVERIFY2(shown >= times, (id + ": declared " + std::to_string(times) + " times").c_str());
        }
        QVERIFY2(found > 100, std::to_string(found).c_str()); // the reading above has not lost the declarations
    }
};
HEADROOM_TEST(TestFiniteGuard)

} // namespace headroom::test_finite_guard
#include "test_finite_guard.moc"
