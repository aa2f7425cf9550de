// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/parameter_row_widget.hpp"

#include "core/support/language.hpp"

#include "ui/base/glossary_hint.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/row_notice.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/elided_label.hpp"
#include "ui/widgets/icon.hpp"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>

namespace headroom::ui
{
namespace
{

QToolButton* rowButton(QWidget* parent, const QString& name)
{
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus); // Delete and L do the same from the keyboard
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

} // namespace

ParameterRowWidget::ParameterRowWidget(const ParameterRow& row, ScenarioStore& store, WheelGuard& guard,
                                       QWidget* parent)
    : QWidget(parent), m_row(row), m_store(store)
{
    setObjectName(toQString(row.id));
    build(guard);
    updateIcons();
    refresh();
}

void ParameterRowWidget::build(WheelGuard& guard)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    m_head = head;
    head->setSpacing(2);
    m_label = new ElidedLabel(toQString(say(m_row.label)));
    m_label->setAccessibleDescription(toQString(say(m_row.description)));
    m_label->setToolTip(QStringLiteral("<p>%1</p>").arg(toRichText(say(m_row.description))) + glossaryHint());
    head->addWidget(m_label, 1);
    m_reset = rowButton(this, m_row.optional ? tr("Back to automatic: %1").arg(toQString(say(m_row.label)))
                                             : tr("Back to default: %1").arg(toQString(say(m_row.label))));
    m_lock = rowButton(this, tr("Lock %1").arg(toQString(say(m_row.label))));
    growButtons();
    m_lock->setCheckable(true);
    // The lock comes with the pointer: outermost, it moves nothing that the pointer may be on.
    head->addWidget(m_lock);
    head->addWidget(m_reset);
    head->addSpacing(2);
    layout->addLayout(head);
    m_control = new ValueControl(m_row, m_store, guard, this);
    head->addWidget(m_control->besideLabel());
    if (QWidget* slider = m_control->slider())
        layout->addWidget(slider);
    m_notice = new RowNotice;
    layout->addWidget(m_notice);
    m_label->setBuddy(control());
    connectParts();
}

void ParameterRowWidget::connectParts()
{
    connect(m_reset, &QToolButton::clicked, m_control, &ValueControl::reset);
    connect(m_lock, &QToolButton::clicked, this, [this](bool on) { m_store.setLocked(m_row.id, on); });
    connect(m_control, &ValueControl::settled, this, &ParameterRowWidget::refresh);
    connect(m_control, &ValueControl::refused, m_notice, &RowNotice::refuse);
    if (m_row.group == ParameterGroup::Measured)
        connect(m_control, &ValueControl::edited, this, &ParameterRowWidget::measurementEdited);
    connect(m_notice, &RowNotice::followed, this, [this](const Advice& advice) {
        m_store.follow(advice);
        m_control->endRefusal();
        refresh();
    });
    for (QWidget* part : {control(), static_cast<QWidget*>(m_lock), static_cast<QWidget*>(box())})
        if (part)
            part->installEventFilter(this);
}

void ParameterRowWidget::setUnsetText(const QString& text)
{
    if (m_unsetText == text)
        return;
    m_unsetText = text;
    refresh();
}

void ParameterRowWidget::setInForce(const std::optional<double>& value)
{
    m_control->setInForce(value);
    if (isOverruled(m_row, m_store.scenario()))
        m_control->refresh(QString());
}

void ParameterRowWidget::refresh()
{
    const bool locked = m_store.isLocked(m_row.id);
    // What is locked takes no keys: its lock does, so that the keyboard stays on the row and can let it go again.
    const bool handsOver = locked && !m_lock->isChecked() && isAncestorOf(QApplication::focusWidget());
    const bool takesBack = !locked && m_lock->hasFocus();
    m_lock->setFocusPolicy(locked ? Qt::StrongFocus : Qt::NoFocus);
    if (handsOver) {
        m_lock->setVisible(true);
        m_lock->setFocus(Qt::OtherFocusReason);
    }
    m_control->refresh(m_unsetText.isEmpty() ? tr("not set") : m_unsetText);
    if (takesBack)
        control()->setFocus(Qt::OtherFocusReason);
    if (!m_control->isRefused())
        m_notice->endRefusal();
    updateButtons();
}

void ParameterRowWidget::setHighlighted(bool highlighted)
{
    if (m_highlighted == highlighted)
        return;
    m_highlighted = highlighted;
    update();
}

void ParameterRowWidget::updateIcons()
{
    const Theme& colours = themeOf(palette());
    m_reset->setIcon(lineIcon(QStringLiteral("reset"), colours.muted, colours.border));
    m_lock->setIcon(lineIcon(QStringLiteral("lock"), colours.muted, colours.border));
}

void ParameterRowWidget::paintEvent(QPaintEvent*)
{
    if (!m_highlighted)
        return;
    const Theme& colours = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(colours.surface, colours.accent, 0.14));
    painter.drawRoundedRect(rect(), 6, 6);
}

void ParameterRowWidget::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_reset)
        updateIcons();
    if (event->type() == QEvent::FontChange && m_label) {
        growButtons();
        m_arrangedFor = -1;
        arrangeHead();
    }
}

bool ParameterRowWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        updateButtons();
    const bool takesKeys = watched == m_lock || (watched == control() && watched != box());
    if (event->type() == QEvent::KeyPress && takesKeys)
        return m_control->handleKey(static_cast<QKeyEvent*>(event));
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::ui
