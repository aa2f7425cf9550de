// SPDX-License-Identifier: GPL-3.0-or-later
// LessonHighlights: finds what a step points at in the window — rows, tiles, charts, pickers — and frames it.
#pragma once

#include "core/lessons/lesson.hpp"

#include <QObject>
#include <QPointer>
#include <vector>

class QWidget;

namespace headroom::ui
{

class DashboardPage;
class HighlightRing;
class MetricTiles;
class ParameterPanel;

class LessonHighlights final : public QObject
{
    Q_OBJECT

public:
    LessonHighlights(ParameterPanel& parameters, MetricTiles& tiles, DashboardPage& dashboard,
                     QObject* parent = nullptr);

    /// A lesson begins: the charts and tiles that it speaks of come into sight and stay there.
    void prepare(const Lesson& lesson);
    /// Frames these and brings them into view; the ones before are no longer framed.
    void show(const std::vector<LessonHighlight>& highlights);
    /// What was not there yet may be there now: tiles and charts follow an evaluation.
    void complete();
    /// The lesson is over: charts and tiles as the user has them.
    void clear();

    /// Null when the window does not show it.
    [[nodiscard]] QWidget* widgetOf(const LessonHighlight& highlight) const;
    /// Puts the keyboard on a control, or opens its list.
    void bringToHand(const LessonHighlight& control);

private:
    void bringIntoView();
    void frame();

    ParameterPanel& m_parameters;
    MetricTiles& m_tiles;
    DashboardPage& m_dashboard;
    std::vector<LessonHighlight> m_shown;
    std::vector<QPointer<HighlightRing>> m_rings;
};

} // namespace headroom::ui
