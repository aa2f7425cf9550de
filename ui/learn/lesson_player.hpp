// SPDX-License-Identifier: GPL-3.0-or-later
// LessonPlayer: a lesson that runs in a window: core's state machine between what the user does and what is shown.
#pragma once

#include "core/lessons/lesson_runner.hpp"
#include "ui/document/scenario_store.hpp"

#include <QObject>
#include <QTimer>
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

    /// Begins a lesson, in place of one that runs; false when there is none of that id.
    bool start(const QString& lessonId);
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

private:
    void scenarioChanged();
    void apply(const LessonEvent& event);
    void stop();

    ScenarioStore& m_store;
    const Catalog& m_catalog;
    std::vector<Lesson> m_lessons;
    std::unique_ptr<LessonWorld> m_world;
    std::unique_ptr<LessonRunner> m_runner;
    LessonState m_state;
    std::size_t m_index = 0;
    QTimer m_rest;
    bool m_applying = false;
};

} // namespace headroom::ui
