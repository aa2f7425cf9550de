// SPDX-License-Identifier: GPL-3.0-or-later
// ThinScrollBar: a quiet scroll bar without arrows; a rounded handle on nothing.
#pragma once

#include <QScrollBar>

namespace headroom::ui
{

class ThinScrollBar final : public QScrollBar
{
    Q_OBJECT

public:
    explicit ThinScrollBar(Qt::Orientation orientation = Qt::Vertical, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headroom::ui
