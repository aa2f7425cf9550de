// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/lesson_highlights.hpp"

#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/learn/highlight_ring.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include <QTimer>

namespace headroom::ui
{

using Kind = LessonHighlight::Kind;

LessonHighlights::LessonHighlights(ParameterPanel& parameters, MetricTiles& tiles, DashboardPage& dashboard,
                                   QObject* parent)
    : QObject(parent), m_parameters(parameters), m_tiles(tiles), m_dashboard(dashboard)
{
    // Charts are made anew when the task or the choice of charts changes.
    connect(&m_dashboard, &DashboardPage::chartsChanged, this, &LessonHighlights::frame);
}

void LessonHighlights::prepare(const Lesson& lesson)
{
    QStringList charts;
    std::vector<std::string> tiles;
    for (const LessonStep& step : lesson.steps)
        for (const LessonHighlight& each : step.highlights) {
            if (each.kind == Kind::Chart && !charts.contains(toQString(each.id)))
                charts << toQString(each.id);
            else if (each.kind == Kind::Metric)
                tiles.push_back(each.id);
        }
    if (m_dashboard.isFullSize())
        m_dashboard.toggleFullSize(nullptr);
    m_dashboard.choice().setFeatured(charts);
    m_tiles.setKept(tiles);
}

void LessonHighlights::show(const std::vector<LessonHighlight>& highlights)
{
    if (m_shown == highlights)
        return;
    m_shown = highlights;
    bringIntoView();
    frame();
    QTimer::singleShot(0, this, &LessonHighlights::bringIntoView); // once rows that came have their places
}

void LessonHighlights::bringIntoView()
{
    // From the last to the first: the first one stays in view where there is no room for all.
    for (auto each = m_shown.rbegin(); each != m_shown.rend(); ++each)
        if (each->kind == Kind::Parameter)
            m_parameters.reveal(toQString(each->id));
        else if (QWidget* chart = each->kind == Kind::Chart ? widgetOf(*each) : nullptr)
            m_dashboard.ensureWidgetVisible(chart);
}

void LessonHighlights::complete()
{
    if (m_rings.size() == m_shown.size())
        return;
    bringIntoView();
    frame();
}

void LessonHighlights::clear()
{
    m_shown.clear();
    frame();
    m_dashboard.choice().setFeatured({});
    m_tiles.setKept({});
}

QWidget* LessonHighlights::widgetOf(const LessonHighlight& highlight) const
{
    const QString id = toQString(highlight.id);
    switch (highlight.kind) {
    case Kind::Parameter:
        return m_parameters.rowWidget(id);
    case Kind::Metric:
        return m_tiles.tile(id);
    case Kind::Chart:
        return m_dashboard.chart(id);
    case Kind::Model:
        return m_parameters.modelPicker();
    case Kind::Accelerator:
        return m_parameters.acceleratorPicker();
    }
    return nullptr;
}

void LessonHighlights::bringToHand(const LessonHighlight& control)
{
    if (control.kind == Kind::Parameter)
        m_parameters.focusRow(toQString(control.id));
    else if (auto* picker = qobject_cast<CatalogPicker*>(widgetOf(control)))
        picker->openPopup();
}

void LessonHighlights::frame()
{
    for (const QPointer<HighlightRing>& ring : m_rings)
        delete ring.data();
    m_rings.clear();
    for (const LessonHighlight& each : m_shown)
        if (QWidget* target = widgetOf(each))
            m_rings.emplace_back(new HighlightRing(target));
}

} // namespace headroom::ui
