// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_header.hpp"

#include "core/comparison/comparison.hpp"
#include "core/comparison/other_measurement.hpp"
#include "core/explain/tile_text.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "ui/base/text.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/present/elided_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/icon.hpp"

#include <QHBoxLayout>
#include <QToolButton>

namespace headroom::ui
{
namespace
{

constexpr int buttonSide = 36;
constexpr double leastLine = 0.6; // of a headline's type, before its words are cut

QToolButton* stageButton(const QString& name, const QString& tip)
{
    auto* made = new QToolButton;
    made->setAutoRaise(true);
    made->setFixedSize(buttonSide, buttonSide);
    made->setIconSize({22, 22});
    made->setFocusPolicy(Qt::NoFocus); // each has its key
    made->setAccessibleName(name);
    made->setToolTip(tip);
    return made;
}

} // namespace

StageHeader::StageHeader(QWidget* parent)
    : QWidget(parent), m_headline(new ElidedText(TextStyle::TileValue, 1)), m_below(new ElidedText(TextStyle::Body, 1)),
      m_verdict(new QLabel), m_first(new QHBoxLayout), m_second(new QHBoxLayout), m_position(new QLabel),
      m_previous(stageButton(tr("View before"), tr("View before (←)"))),
      m_next(stageButton(tr("Next view"), tr("Next view (→)"))),
      m_leave(stageButton(tr("Leave the presentation"), tr("Leave the presentation (Esc)")))
{
    m_headline->setObjectName(QStringLiteral("stageTitle"));
    for (ElidedText* line : {m_headline, m_below})
        line->setLeastScale(leastLine);
    m_verdict->setObjectName(QStringLiteral("stageVerdict"));
    m_verdict->setTextFormat(Qt::PlainText);
    m_headline->setProperty("fromCore", true);
    m_below->setProperty("fromCore", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    m_first->setSpacing(4);
    m_first->addWidget(m_headline, 1);
    m_first->addSpacing(16);
    m_first->addWidget(m_previous);
    m_first->addWidget(m_position);
    m_first->addWidget(m_next);
    m_first->addWidget(m_leave);
    column->addLayout(m_first);
    m_second->setSpacing(16);
    m_second->addWidget(m_below, 1);
    m_second->addWidget(m_verdict);
    column->addLayout(m_second);
    connect(m_previous, &QToolButton::clicked, this, &StageHeader::previousRequested);
    connect(m_next, &QToolButton::clicked, this, &StageHeader::nextRequested);
    connect(m_leave, &QToolButton::clicked, this, &StageHeader::leaveRequested);
    updateIcons();
}

void StageHeader::setView(const QString& title, int index, int count)
{
    m_view = title;
    const bool several = count > 1;
    m_position->setText(tr("%1 / %2").arg(index + 1).arg(count));
    m_position->setAccessibleName(tr("View %1 of %2").arg(index + 1).arg(count));
    for (QWidget* each :
         {static_cast<QWidget*>(m_position), static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_next)})
        each->setVisible(several);
    m_previous->setEnabled(index > 0);
    m_next->setEnabled(index + 1 < count);
    m_said.clear();
    update();
}

void StageHeader::show(const Recalculator& recalculator)
{
    m_said.clear();
    m_problem.clear();
    const ChartContext* context = recalculator.context();
    if (recalculator.isRefused())
        m_problem = tr("Cannot be evaluated: %1").arg(toQString(withLabels(recalculator.refusal().front().message)));
    else if (context && !allFits(context->evaluation))
        m_problem = tr("Does not fit: %1").arg(toQString(timesWhereItDoesNotFit(context->scenario.task)));
    else if (const auto other =
                 otherMeasurement(recalculator.store().scenario(), recalculator.catalog(), Calibration::builtIn()))
        m_problem = toQString(other->sentence());
    if (context && !recalculator.isRefused())
        m_machine = toQString(shortName(context->scenario));
    update();
}

void StageHeader::setCharts(std::size_t first, std::size_t last, std::size_t count)
{
    m_charts.clear();
    if (last - first + 1 < count)
        m_charts = first == last ? tr("Chart %1 of %2 · C: the others").arg(first).arg(count)
                                 : tr("Charts %1 and %2 of %3 · C: the others").arg(first).arg(last).arg(count);
    update();
}

void StageHeader::setRoom(Room room)
{
    m_headline->setStyle(room == Room::Ample ? TextStyle::TileValue : TextStyle::ChartTitle);
    for (QToolButton* each : {m_previous, m_next, m_leave})
        each->setFixedHeight(room == Room::Ample ? buttonSide : buttonSide - 10);
    const bool oneLine = room == Room::OneLine;
    m_below->setVisible(!oneLine);
    if (oneLine)
        m_first->insertWidget(1, m_verdict);
    else
        m_second->addWidget(m_verdict);
}

QString StageHeader::title() const
{
    return m_headline->text();
}

QString StageHeader::verdict() const
{
    return m_verdict->text();
}

void StageHeader::say(const QString& words)
{
    m_said = words;
    update();
}

void StageHeader::update()
{
    m_headline->setText(m_view.isEmpty() ? m_machine : m_view);
    m_below->setText(m_view.isEmpty() || m_view == m_machine ? QString() : m_machine);
    const bool problem = m_said.isEmpty() && !m_problem.isEmpty();
    m_verdict->setText(problem ? QStringLiteral("⚠ ") + m_problem : m_said.isEmpty() ? m_charts : m_said);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, problem ? themeOf(palette()).danger : themeOf(palette()).text);
    m_verdict->setPalette(colours);
}

void StageHeader::updateIcons()
{
    const Theme& colours = themeOf(palette());
    const QColor off = mixed(colours.surface, colours.muted, 0.4);
    m_previous->setIcon(lineIcon(QStringLiteral("previous"), colours.text, off));
    m_next->setIcon(lineIcon(QStringLiteral("next"), colours.text, off));
    m_leave->setIcon(lineIcon(QStringLiteral("close"), colours.text, off));
    update();
}

void StageHeader::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_leave)
        updateIcons();
}

} // namespace headroom::ui
