// SPDX-License-Identifier: GPL-3.0-or-later
// Veil: lets what is under it show through, pale; for figures that no longer answer the question.
#pragma once

#include <QWidget>

namespace headroom::ui
{

/// In place of QGraphicsOpacityEffect, which leaves the old picture on the screen where the widget under it moves.
class Veil final : public QWidget
{
    Q_OBJECT

public:
    explicit Veil(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headroom::ui
