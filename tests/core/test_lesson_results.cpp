// SPDX-License-Identifier: GPL-3.0-or-later
// Results of lessons: what is written is read again, bad files are refused with their place, a class is summed up.
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/lesson_results.hpp"
#include "core/lessons/lesson_transcript.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QRegularExpression>

namespace headroom::test_lesson_results
{
namespace
{

const std::vector<Lesson>& lessons()
{
    static const std::vector<Lesson> all = builtInLessons(Catalog::builtIn());
    return all;
}

LearnerResults learner(const char* name, double first, bool right, int tries)
{
    LearnerResults results{name, {}};
    results.lessons.push_back({lessons()[0].id, true, {{first, right, tries, 1, true}, {0.25, true, 0, 0, true}}});
    return results;
}

} // namespace

class TestLessonResults : public QObject
{
    Q_OBJECT
private slots:
    void whatALearnerDidIsWrittenAndRead()
    {
        const LessonWorld world(Catalog::builtIn(), Calibration::builtIn());
        const Lesson& lesson = lessons()[0];
        const LessonRunner runner(lesson, world);
        LessonState state = runner.begin();
        state = runner.after(state, lesson_event::Answered{0.0}); // wrong
        state = runner.after(state, lesson_event::Next{});
        LearnerResults results{"Jörg \"J\" Möller", {resultOf(lesson, state)}};
        QCOMPARE(results.lessons[0].steps.size(), std::size_t(2)); // what was not come to is not there
        QVERIFY(results.lessons[0].steps[0].right == false);
        QCOMPARE(results.lessons[0].steps[0].tries, 1);
        while (!state.finished) {
            state = solved(runner, state);
            state = runner.after(state, lesson_event::Next{});
        }
        results.lessons.push_back(resultOf(lesson, state));
        QVERIFY(results.lessons[1].finished);
        const auto again = readResults(writeResults(results));
        QVERIFY2(again, again ? "" : toText(again.error().front()).c_str());
        QVERIFY(*again == results);
        const auto one = readResult(writeResult(results.lessons[0]));
        QVERIFY(one && *one == results.lessons[0]);
        QVERIFY(!readResult("[]") && !readResult("{\"lesson\": 3}") && !readResult(""));
    }

    void anAnswerIsATryAndSoIsAnotherOne()
    {
        const LessonWorld world(Catalog::builtIn(), Calibration::builtIn());
        const LessonRunner runner(lessons()[0], world);
        LessonState state = runner.after(runner.begin(), lesson_event::Answered{0.0}); // wrong
        state = runner.after(state, lesson_event::Restart{});
        state = runner.after(state, lesson_event::Answered{});
        QCOMPARE(resultOf(lessons()[0], state).steps[0].tries, 1); // "I do not know" is none
        state = runner.after(state, lesson_event::Restart{});
        state = runner.after(state, lesson_event::Answered{1.0});
        QCOMPARE(resultOf(lessons()[0], state).steps[0].tries, 2);
    }

    void badFilesAreRefusedWithTheirPlace()
    {
        const auto problem = [](const std::string& text) {
            const auto reading = readResults(text);
            return reading ? std::string("fine") : reading.error().front().path;
        };
        const std::string head = R"({"format": "headroom-results", "version": 1, )";
        QCOMPARE(problem(head + R"("name": "A", "lessons": []})"), std::string("fine"));
        QCOMPARE(problem(R"({"format": "headroom-scenario", "version": 1})"), std::string("/format"));
        QCOMPARE(problem(head + R"("name": "", "lessons": []})"), std::string("/name"));
        QCOMPARE(problem(head + R"("name": "A", "lessons": [{"steps": []}]})"), std::string("/lessons/0"));
        QCOMPARE(problem(head + R"("name": "A", "lessons": [{"lesson": "mfu", "steps": [{"tries": -1}]}]})"),
                 std::string("/lessons/0/steps/0/tries"));
        QCOMPARE(problem(head + R"("name": "A", "lessons": [], "mark": 1})"), std::string("/mark"));
        QVERIFY(!readResults("no JSON"));
    }

    void aClassIsSummedUp()
    {
        const std::vector<LearnerResults> results{learner("Ada", 1, true, 0), learner("Bob", 0, false, 2),
                                                  learner("Cyn", 2, false, 4), learner("Dan", 2, false, 0),
                                                  learner("Ada", 2, false, 6)}; // a later file of the same name counts
        const ClassSum sum = summedUp(results, lessons());
        QCOMPARE(sum.learners.size(), std::size_t(4));
        QVERIFY((sum.learners[0] == LearnerSum{"Ada", 1, 2, 1, 6, 1}));
        QVERIFY((sum.learners[1] == LearnerSum{"Bob", 1, 2, 1, 2, 1}));
        QCOMPARE(sum.questions.size(), std::size_t(2));
        const QuestionSum& first = sum.questions.front();
        QCOMPARE(first.answered, 4);
        QCOMPARE(first.right, 0);
        QCOMPARE(first.tries, 3.0);
        QCOMPARE(first.commonMistake, std::optional<std::size_t>(2));
        QCOMPARE(first.mistaken, 3);
        QCOMPARE(sum.questions[1].right, 4);
        QVERIFY(!sum.questions[1].commonMistake);
        // Of lessons that there are not, nothing counts.
        QVERIFY(summedUp(std::vector{LearnerResults{"Eve", {{"no-such", true, {{1, true, 0, 0, true}}}}}}, lessons())
                    .questions.empty());
    }
};
HEADROOM_TEST(TestLessonResults)

} // namespace headroom::test_lesson_results
#include "test_lesson_results.moc"
