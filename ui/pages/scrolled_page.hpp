// SPDX-License-Identifier: GPL-3.0-or-later
// ScrolledPage: a page as high as the window, that scrolls where its parts need more.
#pragma once

#include <QScrollArea>

class QTableView;
class QVBoxLayout;

namespace headroom::ui
{

class ScrolledPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit ScrolledPage(QWidget* parent = nullptr);

protected:
    /// What the page shows, from top to bottom.
    [[nodiscard]] QVBoxLayout* column() const { return m_column; }
    /// Height of a table's heading and its first rows, pixels: fewer say nothing.
    [[nodiscard]] static int heightOfRows(const QTableView& table, int rows);

private:
    QVBoxLayout* m_column;
};

} // namespace headroom::ui
