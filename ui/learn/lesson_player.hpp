// SPDX-License-Identifier: GPL-3.0-or-later
// LessonPlayer: a lesson that runs in a window: core's state machine between what the user does and what is shown.
#pragma once

#include "core/lessons/lesson_runner.hpp"
#include "ui/document/scenario_store.hpp"

#include <QObject>
#include <QTimer>
#include <QVariantMap>
#include <memory>

namespace headroom::ui
{

/// While a lesson runs the user's document is set aside in the store; leaving brings it back as one undo step.
class LessonPlayer final : public QObject
{
    Q_OBJECT

public:
    LessonPlayer(ScenarioStore& store, const Catalog& catalog, QObject* parent = nullptr);
    ~LessonPlayer() override;

    /// All there are; read when first asked for.
    [[nodiscard]] const std::vector<Lesson>& lessons();
    [[nodiscard]] const LessonWorld& world();

    [[nodiscard]] bool isPlaying() const { return m_runner != nullptr; }
    /// Precondition of these three: isPlaying().
    [[nodiscard]] const LessonRunner& runner() const { return *m_runner; }
    [[nodiscard]] const LessonState& state() const { return m_state; }
    [[nodiscard]] std::size_t index() const { return m_index; }

    /// Goes on with a lesson where it was left, or begins it, in place of one that runs; false when there is none of
    /// that id.
    bool start(const QString& lessonId);
    /// The same from its first step, whatever was left.
    bool startAnew(const QString& lessonId);
    /// The lesson after the one that runs; empty where it is the last.
    [[nodiscard]] QString following();
    /// The step at which a lesson was left, from 0; empty where it was not begun, or is done.
    [[nodiscard]] std::optional<std::size_t> leftAt(const QString& lessonId);
    /// What was kept of lessons that were begun, by id (lesson_bookmark.hpp).
    [[nodiscard]] const QVariantMap& bookmarks() const { return m_bookmarks; }
    void setBookmarks(const QVariantMap& bookmarks) { m_bookmarks = bookmarks; }
    /// What the learner does; nothing when no lesson runs.
    void send(const LessonEvent& event);
    /// Ends the lesson; the document comes back.
    void leave();
    /// What the hand has changed counts now; it does by itself once the hand rests.
    void flush();

signals:
    void started();
    void changed();
    /// All steps are done.
    void finished(const QString& lessonId);
    void left();
    /// bookmarks() are others.
    void bookmarked();

private:
    bool begin(const QString& lessonId, bool anew);
    [[nodiscard]] std::optional<LessonState> kept(const Lesson& lesson) const;
    void keep();
    void scenarioChanged();
    void apply(const LessonEvent& event);
    void stop();

    ScenarioStore& m_store;
    const Catalog& m_catalog;
    std::vector<Lesson> m_lessons;
    std::unique_ptr<LessonWorld> m_world;
    std::unique_ptr<LessonRunner> m_runner;
    LessonState m_state;
    QVariantMap m_bookmarks;
    std::size_t m_index = 0;
    QTimer m_rest;
    bool m_applying = false;
};

} // namespace headroom::ui
