// SPDX-License-Identifier: GPL-3.0-or-later
// ThinScrollBar: a quiet scroll bar without arrows, a rounded handle on nothing; and the area that goes with it.
#pragma once

#include <QScrollBar>

class QScrollArea;
class QTableView;
class QTextBrowser;

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

/// An area that is seen by its content alone: no frame, no ground and no keyboard focus of its own, downwards only.
void makeQuiet(QScrollArea& area);
/// A text on a card: no frame and no ground of its own; its page follows the links.
void makeQuiet(QTextBrowser& text);
/// A table on a card: no frame, no lines, rows of one height; columns scroll by pixels, and Tab leaves it.
void makeQuiet(QTableView& table);

} // namespace headroom::ui
