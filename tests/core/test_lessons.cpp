// SPDX-License-Identifier: GPL-3.0-or-later
// Every lesson is played by its recorded solution against the real core, and states no number that is not computed.
#include "core/lessons/lesson_figure.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/lesson_text.hpp"
#include "core/lessons/lesson_transcript.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/support/embedded.hpp"
#include "core/support/say.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QRegularExpression>
#include <set>

namespace headroom::test_lessons
{
namespace
{

const std::vector<Lesson>& lessons()
{
    static const std::vector<Lesson> all = builtInLessons(Catalog::builtIn());
    return all;
}

/// The lessons in every language that Headroom speaks, one language after the other.
const std::vector<Lesson>& lessonsInAllLanguages()
{
    static const std::vector<Lesson> all = [] {
        std::vector<Lesson> both = lessons();
        const std::vector<Lesson> german = builtInLessons(Catalog::builtIn(), "de");
        both.insert(both.end(), german.begin(), german.end());
        return both;
    }();
    return all;
}

const LessonWorld& world()
{
    static const LessonWorld real(Catalog::builtIn(), Calibration::builtIn());
    return real;
}

/// A text without its placeholders and the targets of its links: the words that stand in the file.
QString wordsOf(const std::string& text)
{
    static const QRegularExpression others(QStringLiteral(R"(\{[^}]*\}|\]\(glossary:[^)]*\))"));
    return QString::fromStdString(text).remove(others);
}

std::string place(const Lesson& lesson, std::size_t step)
{
    return lesson.id + ", step " + std::to_string(step + 1);
}

std::vector<std::string> textsOf(const Lesson& lesson)
{
    std::vector<std::string> texts{lesson.title, lesson.goal, lesson.own};
    for (const LessonStep& step : lesson.steps) {
        texts.insert(texts.end(), {step.title, step.text, step.task, step.explanation});
        texts.insert(texts.end(), step.hints.begin(), step.hints.end());
        if (!step.question)
            continue;
        texts.push_back(step.question->text);
        for (const LessonChoice& choice : step.question->choices)
            texts.insert(texts.end(), {choice.text, choice.reason});
    }
    return texts;
}

/// Numerals that are part of a name, or of a definition, not figures about a case.
QString withoutNames(QString text)
{
    static const QRegularExpression names(QStringLiteral(
        "Llama 2|Llama 3\\.1|Llama 3|Mixtral 8×7B|DeepSeek-V2|Qwen3|\\b(405|70|8|7)B\\b|MI300X|H200|[AH]100|Float8|"
        "\\b(bf|fp)16\\b|\\bfp8\\b|\\bint[48]\\b|\\b(32|16|8|4)[ -](bits?|Bit)\\b|\\b[246]·N\\b|\\bZeRO-[123]\\b|"
        "100[ \u00a0]%|\\bPos1\\b|\\bEAGLE-3\\b"));
    return text.remove(names);
}

/// What a translation may not touch: placeholders and where links lead, in any order, and how much is bold.
QStringList unchangeable(const std::string& text)
{
    static const QRegularExpression marks(QStringLiteral("\\{[^}]*\\}|\\]\\(glossary:[^)]*\\)|\\*\\*"));
    QStringList found;
    auto match = marks.globalMatch(QString::fromStdString(text));
    while (match.hasNext())
        found += match.next().captured();
    found.sort();
    return found;
}

int wordCount(const std::string& text)
{
    return static_cast<int>(QString::fromStdString(text).split(u' ', Qt::SkipEmptyParts).size());
}

} // namespace

class TestLessons : public QObject
{
    Q_OBJECT
private slots:
    void everyFileIsALesson()
    {
        int files = 0;
        for (const EmbeddedFile& file : embeddedFolder("lessons/")) {
            if (file.path.find('/', std::string_view("lessons/").size()) != std::string_view::npos)
                continue;
            ++files;
            const auto lesson = readLesson(file.text, Catalog::builtIn());
            QVERIFY2(lesson, lesson ? "" : (std::string(file.path) + ": " + toText(lesson.error().front())).c_str());
            QVERIFY2(file.path.find("-" + lesson->id + ".json") != std::string_view::npos, file.path.data());
        }
        QVERIFY(files >= 14);
        QCOMPARE(lessons().size(), static_cast<std::size_t>(files));
        std::set<std::string> ids;
        for (const Lesson& lesson : lessons())
            QVERIFY2(ids.insert(lesson.id).second, lesson.id.c_str());
    }

    void everySolutionSolves()
    {
        for (const Lesson& lesson : lessonsInAllLanguages()) {
            const LessonRunner runner(lesson, world());
            LessonState state = runner.begin();
            QVERIFY2(world().at(state.scenario), lesson.id.c_str());
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                const std::string where = place(lesson, i);
                QCOMPARE(state.step, i);
                QVERIFY2(world().at(state.scenario), where.c_str());
                const LessonStep& step = lesson.steps[i];
                if (!step.until.empty()) {
                    // The step is not done by having been read, nor by having been answered.
                    QVERIFY2(!world().hold(step.until, state.steps[i].entry, state.scenario), where.c_str());
                }
                state = solved(runner, state);
                QVERIFY2(state.steps[i].done, where.c_str());
                QVERIFY2(!step.question || state.steps[i].right == true, where.c_str());
                // What a lesson asks for, the window does not warn of.
                const auto moment = world().at(state.scenario);
                QVERIFY2(!moment->evaluation.warnings.has(WarningCode::BeyondMaxContext), where.c_str());
                state = runner.after(state, lesson_event::Next{});
            }
            QVERIFY2(state.finished, lesson.id.c_str());
        }
    }

    void exactlyOneChoiceIsRight()
    {
        for (const Lesson& lesson : lessons()) {
            const LessonRunner runner(lesson, world());
            LessonState state = runner.begin();
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                state = solved(runner, state);
                const LessonStep& step = lesson.steps[i];
                if (step.question && !step.question->choices.empty()) {
                    int right = 0;
                    for (const LessonChoice& choice : step.question->choices)
                        right +=
                            choice.right || (!choice.when.empty() &&
                                             world().hold(choice.when, state.steps[i].entry, state.steps[i].result))
                                ? 1
                                : 0;
                    QVERIFY2(right == 1, place(lesson, i).c_str());
                }
                state = runner.after(state, lesson_event::Next{});
            }
        }
    }

    void everyWrongAnswerHasAReasonOfItsOwn()
    {
        for (const Lesson& lesson : lessonsInAllLanguages()) {
            std::set<std::string> reasons;
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                const auto& question = lesson.steps[i].question;
                if (!question)
                    continue;
                for (std::size_t k = 0; k < question->choices.size(); ++k) {
                    const std::string& reason = question->choices[k].reason;
                    const bool solves = lesson.steps[i].solution.answer == double(k);
                    QVERIFY2(solves == reason.empty(), place(lesson, i).c_str());
                    QVERIFY2(solves || reasons.insert(reason).second, (place(lesson, i) + ": " + reason).c_str());
                }
            }
        }
    }

    void everyNumberIsComputed()
    {
        for (const Lesson& lesson : lessonsInAllLanguages()) {
            for (const std::string& text : textsOf(lesson)) {
                const QString words = withoutNames(wordsOf(text));
                static const QRegularExpression numeral(QStringLiteral("[0-9]"));
                QVERIFY2(!words.contains(numeral), (lesson.id + ": " + words.toStdString()).c_str());
            }
            const std::string transcript = lessonTranscript(lesson, world());
            QVERIFY2(transcript.find("\u2013") == std::string::npos, (lesson.id + "\n" + transcript).c_str());
            QVERIFY2(transcript.find('{') == std::string::npos, lesson.id.c_str());
        }
    }

    void germanSaysEverythingWithTheSameNumbers()
    {
        QCOMPARE(lessonsInAllLanguages().size(), 2 * lessons().size());
        for (std::size_t i = 0; i < lessons().size(); ++i) {
            const Lesson& english = lessons()[i];
            const Lesson& german = lessonsInAllLanguages()[lessons().size() + i];
            QCOMPARE(german.id, english.id);
            const auto was = textsOf(english), is = textsOf(german);
            QCOMPARE(is.size(), was.size());
            for (std::size_t k = 0; k < was.size(); ++k) {
                QVERIFY2(was[k].empty() || is[k] != was[k], (english.id + ", untranslated: " + was[k]).c_str());
                QVERIFY2(unchangeable(is[k]) == unchangeable(was[k]), (english.id + ": " + is[k]).c_str());
            }
            QCOMPARE(german.sources.size(), english.sources.size());
            QCOMPARE(german.published.size(), english.published.size());
        }
    }

    /// It is the title of the window while the lesson runs.
    void theScenarioIsNamedInGerman()
    {
        const std::string same = test::readFile(test::sourcePath("resources/translations/de/same.json"));
        const Phrases german = Phrases::embedded("de");
        speak(&german);
        const std::vector<Lesson> read = builtInLessons(Catalog::builtIn(), "de");
        speak(nullptr);
        QCOMPARE(read.size(), lessons().size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            const std::string& english = lessons()[i].start.name;
            QVERIFY2(read[i].start.name != english || same.find('"' + english + '"') != std::string::npos,
                     (read[i].id + ": " + english).c_str());
        }
    }

    /// A learner finds the control by its name.
    void tasksNameControlsAsTheWindowDoes()
    {
        const Phrases german = Phrases::embedded("de");
        static const QRegularExpression bold(QStringLiteral("\\*\\*([^*]+)\\*\\*"));
        const auto& all = lessonsInAllLanguages();
        for (std::size_t i = 0; i < all.size(); ++i) {
            speak(i < lessons().size() ? nullptr : &german);
            for (const LessonStep& step : all[i].steps) {
                QStringList named;
                auto match = bold.globalMatch(QString::fromStdString(step.task));
                while (match.hasNext())
                    named << match.next().captured(1).toLower();
                for (const LessonEdit& edit : step.solution.edits) {
                    if (edit.kind != LessonEdit::Kind::Set)
                        continue;
                    const QString label = QString::fromStdString(said(parameterRow(edit.name)->label)).toLower();
                    QVERIFY2(named.contains(label),
                             (all[i].id + ": " + step.task + " does not name " + label.toStdString()).c_str());
                }
            }
        }
        speak(nullptr);
    }

    void publishedFiguresHaveASource()
    {
        for (const Lesson& lesson : lessonsInAllLanguages()) {
            QVERIFY2(!lesson.sources.empty(), lesson.id.c_str());
            for (const PublishedFigure& figure : lesson.published)
                QVERIFY2(figure.source.size() > 10, figure.id.c_str());
        }
    }

    void textsAreShortAndPlain()
    {
        for (const Lesson& lesson : lessonsInAllLanguages()) {
            QVERIFY2(lesson.steps.size() >= 3 && lesson.steps.size() <= 6, lesson.id.c_str());
            int questions = 0, tasks = 0;
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                const LessonStep& step = lesson.steps[i];
                questions += step.question ? 1 : 0;
                tasks += step.until.empty() ? 0 : 1;
                QVERIFY2(wordCount(step.text) <= 80 && wordCount(step.explanation) <= 90, place(lesson, i).c_str());
            }
            QVERIFY2(questions >= 1 && tasks >= 1, lesson.id.c_str());
            for (const std::string& text : textsOf(lesson))
                QVERIFY2(text.find('!') == std::string::npos, text.c_str());
        }
    }
};
HEADROOM_TEST(TestLessons)

} // namespace headroom::test_lessons
#include "test_lessons.moc"
