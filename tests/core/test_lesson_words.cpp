// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that lessons state in words ("by a third", "hundreds of times") are recomputed: where the core comes to say
// otherwise, the words have to change.
#include "core/explain/glossary.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/lesson_transcript.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_lesson_words
{
namespace
{

const LessonWorld& world()
{
    static const LessonWorld real(Catalog::builtIn(), Calibration::builtIn());
    return real;
}

/// The figures of a step that was solved.
struct Figures {
    const Scenario &entry, &result;
    double now(const char* id) const { return world().figure(id, result).value_or(std::nan("")); }
    double before(const char* id) const { return world().figure(id, entry).value_or(std::nan("")); }
};

struct Claim {
    const char* lesson;
    std::size_t step; ///< as it is counted on the card, from 1
    const char* words;
    double (*value)(const Figures&);
    double least, most;
};

constexpr double paceS = 0.030; // "published pace" of the talk

const Claim claims[] = {
    {"mfu", 2, "less than a second of work", [](const Figures& f) { return f.now("peak_time_s"); }, 0.01, 1},
    {"mfu", 2, "half a minute", [](const Figures& f) { return f.now("observed.step_time_s"); }, 25, 35},
    {"mfu", 3, "Two rounds instead of three",
     [](const Figures& f) { return f.now("flop_per_token") / f.before("flop_per_token"); }, 0.6, 0.72},
    {"lora", 2, "The FLOP shrink by a third",
     [](const Figures& f) { return f.before("flop_per_token") / f.now("flop_per_token"); }, 0.6, 0.72},
    {"lora", 2, "the memory several times over",
     [](const Figures& f) { return f.now("memory.used_bytes") / f.before("memory.used_bytes"); }, 3, 20},
    // What is named explains the growth, 32-bit weights and all.
    {"lora", 2, "are kept in 32 bits",
     [](const Figures& f) {
         return (f.now("memory.gradients") + f.now("memory.optimizer") + f.now("memory.weights") -
                 f.before("memory.weights")) /
                (f.now("memory.used_bytes") - f.before("memory.used_bytes"));
     },
     0.95, 1.1},
    {"intensity", 1, "hundreds of times left of the ridge",
     [](const Figures& f) { return 1 / f.now("intensity_over_ridge"); }, 100, 1000},
    {"intensity", 3, "both double", [](const Figures& f) { return f.now("ridge") / f.before("ridge"); }, 1.9, 2.1},
    {"intensity", 3, "both double", [](const Figures& f) { return f.now("intensity") / f.before("intensity"); }, 1.7,
     2.1},
    {"intensity", 4, "at half the batch", [](const Figures& f) { return f.now("ridge") / f.before("ridge"); }, 0.45,
     0.6},
    {"mbu", 1, "hundreds of times below the peak", [](const Figures& f) { return 1 / f.now("mfu"); }, 100, 1000},
    // The input embedding of Llama 3 8B: 128,256 rows of 4,096 numbers of two bytes.
    {"mbu", 2, "one row a token, not the whole table",
     [](const Figures& f) { return (f.now("memory.weights") - f.now("bytes_moved")) / (128256.0 * 4096 * 2); }, 0.9,
     1.1},
    {"reading-speed", 1, "A little over two terabytes a second",
     [](const Figures& f) { return f.now("memory.weights") / paceS; }, 2e12, 2.6e12},
    {"reading-speed", 3, "Two thirds are headroom", [](const Figures& f) { return 1 - f.now("observed.mbu"); }, 0.6,
     0.72},
    {"batching", 2, "lies in the hundreds", [](const Figures& f) { return f.now("batch"); }, 100, 1000},
    {"batching", 4, "several times as fast as anybody reads", [](const Figures&) { return 0.180 / paceS; }, 3, 10},
};

std::string wordsOf(const LessonStep& step)
{
    std::string all = step.text + "\n" + step.task + "\n" + step.explanation;
    if (step.question) {
        all += "\n" + step.question->text;
        for (const LessonChoice& choice : step.question->choices)
            all += "\n" + choice.text;
    }
    return all;
}

} // namespace

class TestLessonWords : public QObject
{
    Q_OBJECT
private slots:
    void numbersInWordsHold()
    {
        const std::vector<Lesson> lessons = builtInLessons(Catalog::builtIn());
        for (const Claim& claim : claims) {
            const auto lesson = std::ranges::find(lessons, claim.lesson, &Lesson::id);
            QVERIFY2(lesson != lessons.end(), claim.lesson);
            const std::string where = std::string(claim.lesson) + ": " + claim.words;
            QVERIFY2(wordsOf(lesson->steps.at(claim.step - 1)).find(claim.words) != std::string::npos, where.c_str());
            const LessonRunner runner(*lesson, world());
            LessonState state = solved(runner, runner.begin());
            for (std::size_t i = 1; i < claim.step; ++i)
                state = solved(runner, runner.after(state, lesson_event::Next{}));
            const StepProgress& step = state.steps[claim.step - 1];
            const double value = claim.value({step.entry, step.result});
            QVERIFY2(value >= claim.least && value <= claim.most, (where + ": " + std::to_string(value)).c_str());
        }
    }

    /// 250 words a minute, four tokens in three words: wherever it is said.
    void peopleReadAtOneSpeed()
    {
        const double seconds = 60 / (250 * 4.0 / 3);
        QCOMPARE(std::round(seconds * 1000), 180.0);
        const std::vector<Lesson> lessons = builtInLessons(Catalog::builtIn());
        const auto lesson = std::ranges::find(lessons, "reading-speed", &Lesson::id);
        const auto reading = std::ranges::find(lesson->published, "reading", &PublishedFigure::id);
        QCOMPARE(reading->text, std::string("180 ms"));
        QVERIFY(glossaryTerm("tpot")->definition.find("180 ms") != std::string_view::npos);
    }

    void theBubbleIsOfWhatItSaysItIs()
    {
        const double p = 8, v = 2, m = 16; // of 8 stages, 2 pieces each, 16 micro-batches
        const double ideal = v * m, step = ideal + p - 1;
        const std::string_view formula = glossaryTerm("pipeline-bubble")->formula;
        QVERIFY(formula.find("(p − 1) ÷ (v × m) of the time without it") != std::string_view::npos);
        QVERIFY(formula.find("(p − 1) ÷ (v × m + p − 1) of the step") != std::string_view::npos);
        QVERIFY(std::abs((step - ideal) / step - (p - 1) / (v * m + p - 1)) < 1e-12);
    }
};
HEADROOM_TEST(TestLessonWords)

} // namespace headroom::test_lesson_words
#include "test_lesson_words.moc"
