// SPDX-License-Identifier: GPL-3.0-or-later
// StepBar: how far one has come in a lesson, one stroke a step.
#pragma once

#include <QWidget>

namespace headroom::ui
{

class StepBar final : public QWidget
{
    Q_OBJECT

public:
    explicit StepBar(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(4); }
    void show(int steps, int current);
    using QWidget::show;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_steps = 0, m_current = 0;
};

} // namespace headroom::ui
