// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/side_panel.hpp"

#include "ui/base/side_width.hpp"
#include "ui/widgets/segmented_control.hpp"

#include <QEvent>
#include <QVBoxLayout>

namespace headroom::ui
{

SidePanel::SidePanel(QWidget* explanation, QWidget* lesson, QWidget* parent)
    : QWidget(parent), m_explanation(explanation), m_lesson(lesson),
      m_choice(new SegmentedControl({tr("Lesson"), tr("Explanation")}))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_choice->setName(tr("Right panel"));
    column->addWidget(m_choice);
    column->addWidget(m_explanation, 1);
    column->addWidget(m_lesson, 1);
    setMaximumWidth(sideWidth(*this));
    connect(m_choice, &SegmentedControl::chosen, this, [this](int index) { setLessonInFront(index == 0); });
    arrange();
}

void SidePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        setMaximumWidth(sideWidth(*this));
}

void SidePanel::setLesson(bool runs)
{
    m_runs = runs;
    m_front = runs;
    arrange();
    emit frontChanged(m_front);
}

void SidePanel::setLessonInFront(bool front)
{
    if (m_front == (m_runs && front))
        return;
    m_front = m_runs && front;
    arrange();
    emit frontChanged(m_front);
}

void SidePanel::arrange()
{
    m_choice->setVisible(m_runs);
    m_choice->setCurrent(m_front ? 0 : 1);
    m_lesson->setVisible(m_front);
    m_explanation->setVisible(!m_front);
}

} // namespace headroom::ui
