// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a parameter row stand: no label is cut while there is room below, and nothing that the pointer may
// press moves while it is here.
#include "core/support/say.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/parameters/parameter_text.hpp"
#include "ui/widgets/elided_label.hpp"
#include "ui/widgets/segmented_control.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

namespace headroom::ui
{

int ParameterRowWidget::widestControl() const
{
    if (m_box) {
        int widest = m_box->sizeHint().width();
        for (const double end :
             {m_row.sliderMaximum, m_row.isSet(m_store.scenario()) ? current() : m_row.sliderMinimum})
            widest = std::max(widest, m_box->widthFor(toQString(parameterText(m_row, end))));
        return widest;
    }
    if (m_choice) {
        int widest = 0;
        for (const ParameterChoice& choice : m_row.choices)
            widest = std::max(widest, m_choice->fontMetrics().horizontalAdvance(toQString(say(choice.label))));
        return widest;
    }
    return control()->sizeHint().width();
}

void ParameterRowWidget::arrangeHead()
{
    if (m_arrangedFor == width())
        return;
    m_arrangedFor = width();
    constexpr int mostLines = 3;
    constexpr int around = 8 + 6, button = 24 + 2; // px: margins and gaps of the row; a button with its gap
    const int room = width() - around - button - widestControl();
    const bool fits = m_label->fontMetrics().horizontalAdvance(m_label->text()) <= room;
    if (QWidget* list = m_combo ? static_cast<QWidget*>(m_combo) : m_segments) {
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
    QWidget* value = m_box ? static_cast<QWidget*>(m_box) : m_choice;
    if (value)
        value->setMinimumWidth(hold ? value->width() : 0);
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
