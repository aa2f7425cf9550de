// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/explanation.hpp"

#include "ui/base/text.hpp"
#include "ui/panels/explanation_html.hpp"
#include "ui/panels/nearest_run_html.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"
#include "ui/widgets/veil.hpp"

#include <QDesktopServices>
#include <QEvent>
#include <QScrollBar>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace headroom::ui
{

ExplanationPanel::ExplanationPanel(QWidget* parent) : Card(parent), m_browser(new QTextBrowser), m_veil(new Veil(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 2, 4);
    layout->addWidget(m_browser);
    m_veil->raise();
    makeQuiet(*m_browser);
    // A bar that comes and goes changes the width of the text, which then is laid out twice.
    m_browser->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_browser->setWordWrapMode(QTextOption::WordWrap); // a number is never broken, its column takes what it needs
    m_browser->setAccessibleName(tr("Explanation"));
    m_browser->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Rich text costs as much as all charts: while a slider moves, it follows at a reader's pace.
    constexpr int quietMs = 250;
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(quietMs);
    connect(&m_quiet, &QTimer::timeout, this, &ExplanationPanel::renderSoon);
    setMinimumWidth(290);
    connect(m_browser, &QTextBrowser::highlighted, this, [this](const QUrl& link) {
        emit symbolPointedAt(link.scheme() == QLatin1String("param") ? link.path() : QString());
    });
    connect(m_browser, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String("param"))
            emit symbolActivated(link.path());
        else if (link.scheme() == QLatin1String("convention"))
            emit conventionChosen(link.path());
        else if (link.scheme() == QLatin1String("glossary"))
            emit glossaryRequested(link.path());
        else if (link.scheme() == QLatin1String("back"))
            emit backRequested();
        else if (link.scheme() == QLatin1String("advice") && link.path().toUInt() < m_advice.size())
            emit adviceChosen(m_advice[link.path().toUInt()]);
        else if (link.scheme() == QLatin1String("profile") && link.path().toUInt() < m_profileAdvice.size()) {
            if (const auto change = m_profileAdvice[link.path().toUInt()].change) // a copy: the panel is drawn anew
                emit adviceChosen(*change);
        } else if (link.scheme() == QLatin1String("https"))
            QDesktopServices::openUrl(link);
    });
}

void ExplanationPanel::explain(const QString& metricId, const ChartContext& context)
{
    m_metricId = metricId;
    m_context = context;
    m_where.clear();
    m_stale = true;
    renderSoon();
}

void ExplanationPanel::explainPoint(const ChartPoint& point, const ChartContext& context)
{
    m_metricId = toQString(point.metricId);
    m_context = context;
    m_context->scenario = point.scenario;
    m_context->evaluation = point.evaluation;
    m_context->curves.reset();
    m_where = toQString(point.where);
    m_stale = true;
    renderSoon();
}

void ExplanationPanel::showSeveral(const std::optional<Advice>& advice, const Setup& setup)
{
    const bool had = m_several.has_value(), hadNothing = m_nothingFor.has_value();
    m_several.reset();
    m_nothingFor.reset();
    if (advice)
        m_several.emplace(*advice, setup);
    else
        m_nothingFor = setup;
    m_stale = m_stale || (m_context && (had || m_several || (m_advice.empty() && !hadNothing)));
    renderSoon();
}

void ExplanationPanel::markParameter(const QString& parameterId)
{
    if (m_marked == parameterId)
        return;
    m_marked = parameterId;
    m_stale = m_context.has_value();
    renderSoon();
}

void ExplanationPanel::renderSoon()
{
    if (m_stale && m_context && isVisible() && !m_quiet.isActive())
        render();
}

QString ExplanationPanel::text()
{
    if (m_stale && m_context)
        render();
    return m_browser->toPlainText();
}

void ExplanationPanel::setOutdated(bool outdated)
{
    m_veil->setVisible(outdated);
}

void ExplanationPanel::resizeEvent(QResizeEvent* event)
{
    Card::resizeEvent(event);
    m_veil->setGeometry(rect());
}

void ExplanationPanel::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    emit shown();
    if (m_stale && m_context)
        render();
}

void ExplanationPanel::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_context && isVisible())
        render();
}

QString ExplanationPanel::profiled(const Theme& colours)
{
    m_profileAdvice.clear();
    if (!showsProfile(m_metricId, *m_context))
        return {};
    const PreparedScenario& scenario = m_context->scenario;
    const auto comparison = profile::compareProfile(scenario.measured.profile, scenario, m_context->evaluation);
    if (m_where.isEmpty()) // as with the other advice: it is about the scenario in hand
        m_profileAdvice = profile::profileAdvice(comparison, scenario, m_context->evaluation, m_held);
    return profileHtml(comparison, m_profileAdvice, scenario.kernels.get(), colours);
}

void ExplanationPanel::render()
{
    m_stale = false;
    m_quiet.start();
    const Theme& colours = themeOf(palette());
    const Derivation derivation = derive(toUtf8(m_metricId), m_context->scenario, m_context->evaluation);
    const bool counted = m_metricId.endsWith(QLatin1String("mfu")) || m_metricId.endsWith(QLatin1String("hfu"));
    const QString fromProfile = profiled(colours);
    const QString nearest = nearestRunHtml(m_metricId, *m_context, colours);
    const QString conventions =
        counted ? conventionsHtml(m_context->scenario, m_context->evaluation, colours) : QString();
    const QString shown = m_metricId + QChar(u'\n') + m_where;
    const int position = shown == m_shown ? m_browser->verticalScrollBar()->value() : 0;
    m_shown = shown;
    m_advice.clear();
    if (m_where.isEmpty()) // advice is about the scenario in hand
        m_advice = whatNext(m_context->scenario, m_context->evaluation, m_held);
    if (m_where.isEmpty() && m_several && m_several->second == m_context->scenario.setup())
        m_advice.push_back(m_several->first);
    const bool searched = m_where.isEmpty() && m_nothingFor && *m_nothingFor == m_context->scenario.setup();
    const QString next = m_advice.empty() && searched && allFits(m_context->evaluation)
                             ? nothingHtml(m_context->evaluation, colours)
                             : adviceHtml(m_advice, m_context->evaluation, colours);
    const QString notes = notesHtml(resultNotes(m_context->scenario, m_context->evaluation), derivation.assumptions,
                                    colours); // of a chart's point: its own
    m_browser->setHtml(
        pointHtml(m_where, colours) +
        explanationHtml(derivation, fromProfile + nearest + next + notes + conventions, colours, m_marked) +
        glossaryHtml(m_metricId, colours));
    m_browser->verticalScrollBar()->setValue(position);
}

} // namespace headroom::ui
