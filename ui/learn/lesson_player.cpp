// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lesson_player.hpp"

#include "core/lessons/lesson_json.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/lesson_bookmark.hpp"
#include "ui/settings/language.hpp"

#include <algorithm>
#include <utility>

namespace headroom::ui
{

LessonPlayer::LessonPlayer(ScenarioStore& store, const Catalog& catalog, QObject* parent)
    : QObject(parent), m_store(store), m_catalog(catalog)
{
    // A step is judged where the hand comes to rest, so that what is explained is what the tiles show.
    constexpr int restMs = 250;
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &LessonPlayer::flush);
    connect(&m_store, &ScenarioStore::scenarioChanged, this, &LessonPlayer::scenarioChanged);
    connect(&m_store, &ScenarioStore::heldChanged, this, [this] {
        if (isPlaying())
            m_rest.start();
    });
    connect(&m_store, &ScenarioStore::documentChanged, this, [this] {
        if (isPlaying() && !m_store.isAside() && !m_applying)
            stop(); // undone to before its beginning, or another document was opened
    });
}

LessonPlayer::~LessonPlayer() = default;

const std::vector<Lesson>& LessonPlayer::lessons()
{
    if (m_lessons.empty())
        m_lessons = builtInLessons(m_catalog, toUtf8(Language::current()));
    return m_lessons;
}

const LessonWorld& LessonPlayer::world()
{
    if (!m_world)
        m_world = std::make_unique<LessonWorld>(m_catalog, Calibration::builtIn());
    return *m_world;
}

bool LessonPlayer::start(const QString& lessonId)
{
    return begin(lessonId, false);
}

bool LessonPlayer::startAnew(const QString& lessonId)
{
    return begin(lessonId, true);
}

QString LessonPlayer::following()
{
    const std::size_t next = m_index + 1;
    return isPlaying() && next < lessons().size() ? toQString(lessons()[next].id) : QString();
}

std::optional<std::size_t> LessonPlayer::leftAt(const QString& lessonId)
{
    const auto found = std::ranges::find(lessons(), toUtf8(lessonId), &Lesson::id);
    const auto state = found == lessons().end() ? std::nullopt : kept(*found);
    return state ? std::optional(state->step) : std::nullopt;
}

std::optional<LessonState> LessonPlayer::kept(const Lesson& lesson) const
{
    const QString id = toQString(lesson.id);
    return m_bookmarks.contains(id) ? stateOf(m_bookmarks.value(id).toMap(), lesson, m_catalog) : std::nullopt;
}

void LessonPlayer::keep()
{
    const QString id = toQString(m_runner->lesson().id);
    const bool kept = isWorthKeeping(m_state);
    const bool changed = kept || m_bookmarks.remove(id) > 0;
    if (kept)
        m_bookmarks.insert(id, bookmarkOf(m_state));
    if (changed)
        emit bookmarked();
}

bool LessonPlayer::begin(const QString& lessonId, bool anew)
{
    const std::vector<Lesson>& all = lessons();
    const auto found = std::ranges::find(all, toUtf8(lessonId), &Lesson::id);
    if (found == all.end())
        return false;
    m_rest.stop();
    m_index = static_cast<std::size_t>(found - all.begin());
    m_runner = std::make_unique<LessonRunner>(*found, world());
    const auto left = anew ? std::nullopt : kept(*found);
    m_state = left.value_or(m_runner->begin());
    m_applying = true;
    m_store.setAside(tr("Lesson “%1”").arg(toQString(found->title)), m_state.scenario);
    m_applying = false;
    emit started();
    emit changed();
    return true;
}

void LessonPlayer::scenarioChanged()
{
    if (isPlaying() && !m_applying)
        m_rest.start();
}

void LessonPlayer::flush()
{
    if (!isPlaying() || m_state.scenario == m_store.scenario() || m_store.isHeld())
        return;
    m_rest.stop();
    apply(lesson_event::ScenarioChanged{m_store.scenario(), true});
}

void LessonPlayer::send(const LessonEvent& event)
{
    flush();
    if (isPlaying())
        apply(event);
}

void LessonPlayer::apply(const LessonEvent& event)
{
    LessonState after = m_runner->after(m_state, event);
    if (after == m_state)
        return;
    const bool ended = after.finished && !m_state.finished;
    m_state = std::move(after);
    if (m_state.scenario != m_store.scenario()) {
        m_applying = true;
        m_store.replace(tr("Step %1 of the lesson").arg(m_state.step + 1), m_state.scenario);
        m_applying = false;
    }
    keep();
    emit changed();
    if (ended)
        emit finished(toQString(m_runner->lesson().id));
}

void LessonPlayer::leave()
{
    if (!isPlaying())
        return;
    m_applying = true;
    m_store.takeUp();
    m_applying = false;
    stop();
}

void LessonPlayer::stop()
{
    m_rest.stop();
    m_runner.reset();
    emit left();
}

} // namespace headroom::ui
