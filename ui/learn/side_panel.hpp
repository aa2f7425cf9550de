// SPDX-License-Identifier: GPL-3.0-or-later
// SidePanel: the place at the right of the charts: the explanation, and while a lesson runs the lesson, one at a time.
#pragma once

#include <QWidget>

namespace headroom::ui
{

class SegmentedControl;

class SidePanel final : public QWidget
{
    Q_OBJECT

public:
    SidePanel(QWidget* explanation, QWidget* lesson, QWidget* parent = nullptr);

    /// With a lesson there are two to choose from, the lesson in front.
    void setLesson(bool runs);
    void setLessonInFront(bool front);
    [[nodiscard]] bool isLessonInFront() const { return m_front; }

protected:
    void changeEvent(QEvent* event) override;

signals:
    void frontChanged(bool lesson);

private:
    void arrange();

    QWidget* m_explanation;
    QWidget* m_lesson;
    SegmentedControl* m_choice;
    bool m_runs = false, m_front = false;
};

} // namespace headroom::ui
