// SPDX-License-Identifier: GPL-3.0-or-later
// Card: a surface with a thin border and rounded corners; what panels stand on.
#pragma once

#include <QFrame>

namespace headroom::ui
{

/// Pixels between cards that stand together.
inline constexpr int cardGap = 12;

class Card : public QFrame
{
    Q_OBJECT

public:
    static constexpr int radius = 6;
    explicit Card(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Draws the card of `widget` over its whole area.
void paintCard(QWidget& widget, const QColor& border, double width = 1);

} // namespace headroom::ui
