// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a parameter row stand: no label is cut while there is room below, and nothing that the pointer may
// press moves while it is here.
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/widgets/elided_label.hpp"

#include <QHBoxLayout>
#include <QToolButton>

namespace headroom::ui
{

void ParameterRowWidget::growButtons()
{
    constexpr int least = 24, leastIcon = 14;       // px
    constexpr double lines = 1.4, iconLines = 0.85; // of the row's type
    const int line = fontMetrics().height();
    const int side = std::max(least, qRound(lines * line)), icon = std::max(leastIcon, qRound(iconLines * line));
    for (QToolButton* button : {m_reset, m_lock}) {
        button->setFixedSize(side, side);
        button->setIconSize({icon, icon});
    }
}

void ParameterRowWidget::arrangeHead()
{
    if (m_arrangedFor == width())
        return;
    m_arrangedFor = width();
    constexpr int mostLines = 3;
    constexpr int around = 8 + 6; // px: margins and gaps of the row
    const int button = m_reset->width() + 2;
    const int room = width() - around - button - m_control->widest();
    const bool fits = m_label->fontMetrics().horizontalAdvance(m_label->text()) <= room;
    if (QWidget* list = m_control->list()) {
        auto* column = static_cast<QBoxLayout*>(layout());
        const bool below = !fits, isBelow = column->indexOf(list) >= 0;
        if (below != isBelow) {
            (below ? m_head : column)->removeWidget(list);
            below ? column->insertWidget(1, list) : m_head->addWidget(list);
        }
        return;
    }
    m_label->setLines(fits ? 1 : mostLines);
}

void ParameterRowWidget::holdPlaces(bool hold)
{
    QSizePolicy place = m_reset->sizePolicy();
    place.setRetainSizeWhenHidden(hold && !m_reset->isHidden());
    m_reset->setSizePolicy(place);
    m_control->setWidthHeld(hold);
}

void ParameterRowWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeHead();
}

void ParameterRowWidget::updateButtons()
{
    const bool locked = m_store.isLocked(m_row.id);
    m_reset->setVisible(m_row.isSet(m_store.scenario()) && !locked);
    m_lock->setVisible(locked || m_hovered || control()->hasFocus());
    m_lock->setChecked(locked);
}

void ParameterRowWidget::enterEvent(QEnterEvent* event)
{
    m_hovered = true;
    holdPlaces(true);
    updateButtons();
    emit pointedAt(toQString(m_row.id), true);
    QWidget::enterEvent(event);
}

void ParameterRowWidget::leaveEvent(QEvent* event)
{
    m_hovered = false;
    holdPlaces(false);
    updateButtons();
    emit pointedAt(toQString(m_row.id), false);
    QWidget::leaveEvent(event);
}

} // namespace headroom::ui
