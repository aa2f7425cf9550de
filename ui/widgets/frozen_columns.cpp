// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/frozen_columns.hpp"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>

namespace headroom::ui
{

FrozenColumns::FrozenColumns(QTableView* table, int columns) : QTableView(table), m_table(table), m_columns(columns)
{
    setModel(table->model());
    setSelectionModel(table->selectionModel());
    setFocusPolicy(Qt::NoFocus); // keys go to the table, which shows the same rows
    setAccessibleName(table->accessibleName());
    setFrameShape(QFrame::NoFrame);
    setShowGrid(table->showGrid());
    setSelectionBehavior(table->selectionBehavior());
    setSelectionMode(table->selectionMode());
    setWordWrap(table->wordWrap());
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(table->verticalScrollMode());
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setSortIndicatorShown(true);
    horizontalHeader()->setSortIndicator(table->horizontalHeader()->sortIndicatorSection(),
                                         table->horizontalHeader()->sortIndicatorOrder());
    table->viewport()->stackUnder(this);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, table->verticalScrollBar(), &QScrollBar::setValue);
    connect(table->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
    connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumns::follow);
    connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, &FrozenColumns::follow);
    connect(table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, horizontalHeader(),
            &QHeaderView::setSortIndicator);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, table, [table](int section) {
        const QHeaderView* header = table->horizontalHeader();
        const bool turned =
            header->sortIndicatorSection() == section && header->sortIndicatorOrder() == Qt::AscendingOrder;
        table->sortByColumn(section, turned ? Qt::DescendingOrder : Qt::AscendingOrder);
    });
    connect(this, &QTableView::doubleClicked, table, &QTableView::doubleClicked);
    connect(table->selectionModel(), &QItemSelectionModel::currentChanged, this, &FrozenColumns::uncover);
    table->installEventFilter(this);
    table->viewport()->installEventFilter(this);
    follow();
}

int FrozenColumns::frozenWidth() const
{
    int width = 0;
    for (int column = 0; column < m_columns; ++column)
        if (!m_table->isColumnHidden(column))
            width += m_table->columnWidth(column);
    return width;
}

void FrozenColumns::follow()
{
    const bool scrolled = m_table->horizontalScrollBar()->value() > 0;
    setVisible(scrolled);
    if (!scrolled)
        return; // the table's own columns stand there
    for (int column = 0; column < model()->columnCount(); ++column) {
        setColumnHidden(column, column >= m_columns || m_table->isColumnHidden(column));
        if (column < m_columns)
            setColumnWidth(column, m_table->columnWidth(column));
    }
    verticalHeader()->setDefaultSectionSize(m_table->verticalHeader()->defaultSectionSize());
    const int frame = m_table->frameWidth();
    const int height = m_table->viewport()->height() + m_table->horizontalHeader()->height();
    setGeometry(frame, frame, std::min(frozenWidth(), m_table->viewport()->width()), height);
    horizontalHeader()->setFixedHeight(m_table->horizontalHeader()->height());
    verticalScrollBar()->setValue(m_table->verticalScrollBar()->value());
}

void FrozenColumns::uncover(const QModelIndex& index)
{
    if (!index.isValid() || index.column() < m_columns || !isVisible())
        return;
    const int hidden = frozenWidth() - m_table->visualRect(index).left();
    if (hidden > 0)
        m_table->horizontalScrollBar()->setValue(m_table->horizontalScrollBar()->value() - hidden);
}

bool FrozenColumns::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange)
        follow();
    return QTableView::eventFilter(watched, event);
}

} // namespace headroom::ui
