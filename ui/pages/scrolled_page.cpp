// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/scrolled_page.hpp"

#include "ui/widgets/thin_scroll_bar.hpp"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

namespace headroom::ui
{

ScrolledPage::ScrolledPage(QWidget* parent) : QScrollArea(parent)
{
    makeQuiet(*this);
    setWidgetResizable(true);
    auto* content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    setWidget(content);
    content->setAutoFillBackground(false);
}

int ScrolledPage::heightOfRows(const QTableView& table, int rows)
{
    const QHeaderView& lines = *table.verticalHeader();
    const int row = lines.count() > 0 ? lines.sectionSize(0) : lines.defaultSectionSize();
    return table.horizontalHeader()->sizeHint().height() + rows * row +
           table.horizontalScrollBar()->sizeHint().height();
}

} // namespace headroom::ui
