// SPDX-License-Identifier: GPL-3.0-or-later
// LessonGuide: the window's part in a lesson: the place beside the charts, what is pointed at, the lesson's commands.
#pragma once

#include <QObject>

namespace headroom::ui
{

class Actions;
class LessonCard;
class MetricTiles;
class Navigator;
class ParameterPanel;
class SidePanel;
class Workspace;
struct Session;

/// What of the window a lesson stands in and points at.
struct LessonPlaces {
    Navigator& pages;
    Workspace& workspace;
    SidePanel& side;
    LessonCard& card;
    ParameterPanel& parameters;
    MetricTiles& tiles;
};

class LessonGuide final : public QObject
{
    Q_OBJECT

public:
    LessonGuide(Session& session, const Actions& actions, const LessonPlaces& places, QObject* parent);

private:
    void connectPlayer();
    void connectCommands();
    void setLessonRuns(bool runs);

    Session& m_session;
    const Actions& m_actions;
    LessonPlaces m_at;
};

} // namespace headroom::ui
