// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lesson_bookmark.hpp"

#include "core/scenario/scenario_json.hpp"
#include "ui/base/text.hpp"

#include <algorithm>

namespace headroom::ui
{
namespace
{

QString lineOf(const Scenario& scenario)
{
    return toQString(writeScenarioLine(scenario));
}

QVariantMap mapOf(const StepProgress& step)
{
    QVariantMap map{{QStringLiteral("answered"), step.answered}, {QStringLiteral("done"), step.done},
                    {QStringLiteral("attempts"), step.attempts}, {QStringLiteral("tries"), step.tries},
                    {QStringLiteral("hints"), step.hints},       {QStringLiteral("entry"), lineOf(step.entry)}};
    if (step.done)
        map.insert(QStringLiteral("result"), lineOf(step.result));
    if (step.answer)
        map.insert(QStringLiteral("answer"), *step.answer);
    if (step.right)
        map.insert(QStringLiteral("right"), *step.right);
    return map;
}

/// Reads scenarios, and remembers whether one could not be read.
class Reader
{
public:
    explicit Reader(const Catalog& catalog) : m_catalog(catalog) {}

    [[nodiscard]] Scenario scenario(const QVariant& line)
    {
        const std::string text = toUtf8(line.toString());
        auto reading = readScenario(text, m_catalog);
        m_good = m_good && reading;
        return reading ? std::move(reading->scenario) : Scenario{};
    }
    [[nodiscard]] bool isGood() const { return m_good; }

private:
    const Catalog& m_catalog;
    bool m_good = true;
};

StepProgress stepOf(const QVariantMap& map, const LessonStep& step, Reader& reader)
{
    StepProgress progress;
    progress.entered = true;
    progress.entry = reader.scenario(map.value(QStringLiteral("entry")));
    progress.done = map.value(QStringLiteral("done")).toBool();
    if (progress.done)
        progress.result = reader.scenario(map.value(QStringLiteral("result")));
    progress.answered = map.value(QStringLiteral("answered")).toBool();
    if (map.contains(QStringLiteral("answer")))
        progress.answer = map.value(QStringLiteral("answer")).toDouble();
    if (map.contains(QStringLiteral("right")))
        progress.right = map.value(QStringLiteral("right")).toBool();
    progress.attempts = std::max(0, map.value(QStringLiteral("attempts")).toInt());
    progress.tries = std::max(progress.attempts, map.value(QStringLiteral("tries")).toInt());
    progress.hints = std::clamp(map.value(QStringLiteral("hints")).toInt(), 0, static_cast<int>(step.hints.size()));
    return progress;
}

} // namespace

bool isWorthKeeping(const LessonState& state)
{
    return !state.finished && (state.step > 0 || state.steps.front().answered || state.steps.front().done);
}

QVariantMap bookmarkOf(const LessonState& state)
{
    QVariantList steps;
    for (const StepProgress& step : state.steps)
        if (step.entered)
            steps << mapOf(step);
    return {{QStringLiteral("step"), static_cast<int>(state.step)},
            {QStringLiteral("of"), static_cast<int>(state.steps.size())},
            {QStringLiteral("scenario"), lineOf(state.scenario)},
            {QStringLiteral("steps"), steps}};
}

std::optional<LessonState> stateOf(const QVariantMap& bookmark, const Lesson& lesson, const Catalog& catalog)
{
    const QVariantList steps = bookmark.value(QStringLiteral("steps")).toList();
    const int step = bookmark.value(QStringLiteral("step")).toInt();
    const auto count = static_cast<qsizetype>(lesson.steps.size());
    if (bookmark.value(QStringLiteral("of")).toInt() != count || steps.size() > count || step < 0 ||
        step >= steps.size())
        return std::nullopt;
    Reader reader(catalog);
    LessonState state;
    state.steps.resize(lesson.steps.size());
    state.step = static_cast<std::size_t>(step);
    state.scenario = reader.scenario(bookmark.value(QStringLiteral("scenario")));
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        state.steps[at] = stepOf(steps[i].toMap(), lesson.steps[at], reader);
    }
    return reader.isGood() ? std::optional(state) : std::nullopt;
}

} // namespace headroom::ui
