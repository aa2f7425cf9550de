// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_ranking.hpp"

#include "ui/panels/table_output.hpp"
#include "ui/plan/plan_table_model.hpp"
#include "ui/theme/text_style.hpp"
#include "ui/widgets/frozen_columns.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int tableRows = 8, rowsOfTwoLines = 5, narrowestLayout = 220;

} // namespace

PlanRanking::PlanRanking(QWidget* parent)
    : Card(parent), m_model(new PlanTableModel(this)), m_hint(new QLabel), m_sorted(new QSortFilterProxyModel(this)),
      m_table(new QTableView), m_use(new QPushButton(tr("Use this"))), m_csv(new QPushButton(tr("Export CSV…"))),
      m_report(new QPushButton(tr("Report…")))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2, 8, 2, 4);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 0, 10, 0);
    auto* title = new QLabel(tr("Ranking"));
    setTextStyle(title, TextStyle::ChartTitle);
    setTextStyle(m_hint, TextStyle::Caption);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setWordWrap(true);
    m_hint->setContentsMargins(10, 0, 10, 0);
    row->addWidget(title, 1);
    for (QPushButton* button : {m_use, m_csv, m_report}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    m_use->setToolTip(tr("Use the selected deployment, or the best one, as the scenario (Return)"));
    m_csv->setToolTip(tr("Write the ranking at full precision"));
    m_report->setToolTip(
        tr("Question, answer, ranking and the selected deployment, else the best, as a PDF or as Markdown"));
    column->addLayout(row);
    column->addWidget(m_hint);
    buildTable();
    column->addWidget(m_table);
    connect(m_use, &QPushButton::clicked, this, &PlanRanking::useRequested);
    connect(m_csv, &QPushButton::clicked, this, &PlanRanking::csvRequested);
    connect(m_report, &QPushButton::clicked, this, &PlanRanking::reportRequested);
    connect(m_table, &QTableView::doubleClicked, this, &PlanRanking::useRequested);
    show({}, {});
}

void PlanRanking::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(PlanTableModel::sortRole);
    m_table->setModel(m_sorted);
    m_table->setProperty(exactRoleProperty, PlanTableModel::sortRole);
    m_table->setAccessibleName(tr("Ranked deployments"));
    m_table->setAccessibleDescription(tr("Space ticks a row for comparison, Return makes it the scenario"));
    makeQuiet(*m_table);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PlanTableModel::Rank, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    fitRows();
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    m_frozen = new FrozenColumns(m_table, PlanTableModel::Device); // rank with its tick, number of GPUs
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& row) {
        if (m_table->hasFocus())
            emit rowReached(QRect(m_table->viewport()->mapTo(this, m_table->visualRect(row).topLeft()),
                                  m_table->visualRect(row).size()));
    });
}

int PlanRanking::rowHeight() const
{
    return m_model->lines() * m_table->fontMetrics().height() + 8;
}

int PlanRanking::usualRows() const
{
    return m_model->lines() > 1 ? rowsOfTwoLines : tableRows;
}

void PlanRanking::setMoreRows(int more)
{
    const int most = std::max(0, m_model->rowCount() - usualRows());
    if (const int rows = std::clamp(more, 0, most); rows != m_moreRows) {
        m_moreRows = rows;
        fitRows();
    }
}

void PlanRanking::fitRows()
{
    const int line = rowHeight();
    m_table->verticalHeader()->setDefaultSectionSize(line);
    const int header = m_table->fontMetrics().height() + 8;
    m_table->setFixedHeight(header + (usualRows() + m_moreRows) * line +
                            line / 2); // half a row tells that there are more
}

void PlanRanking::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitRows();
}

void PlanRanking::show(const PlanRequest& request, const std::vector<PlanOption>& options)
{
    m_model->show(request, options);
    const QString tick = tr("Tick up to four to see them side by side.");
    m_hint->setText(m_model->shared().isEmpty() ? tick : tr("%1 All have: %2.").arg(tick, m_model->shared()));
    fitRows();
    m_table->setColumnHidden(PlanTableModel::Device, request.accelerators.size() < 2);
    orderColumns();
    fitColumns();
    for (QWidget* part : {static_cast<QWidget*>(m_hint), static_cast<QWidget*>(m_table)})
        part->setVisible(!options.empty()); // a table of no rows would take half the page
    for (QPushButton* button : {m_use, m_csv, m_report})
        button->setEnabled(!options.empty());
}

void PlanRanking::offerReport()
{
    m_report->setEnabled(true);
}

void PlanRanking::orderColumns()
{
    QHeaderView* header = m_table->horizontalHeader();
    for (int column = 0; column < header->count(); ++column)
        header->moveSection(header->visualIndex(column), column);
    if (const auto figure = m_model->optimised())
        header->moveSection(header->visualIndex(*figure), header->visualIndex(PlanTableModel::Layout) + 1);
}

void PlanRanking::fitColumns()
{
    m_table->resizeColumnsToContents();
    if (m_model->rowCount() == 0)
        return;
    const QHeaderView* header = m_table->horizontalHeader();
    const int others = header->length() - header->sectionSize(PlanTableModel::Layout);
    const int left = m_table->viewport()->width() - others;
    // In full: what does not fit beside it is a scroll away, and rank and GPUs stay.
    m_table->setColumnWidth(PlanTableModel::Layout,
                            std::max({left, narrowestLayout, header->sectionSize(PlanTableModel::Layout)}));
    m_frozen->follow();
}

const PlanOption* PlanRanking::chosen() const
{
    if (m_model->options().empty())
        return nullptr;
    const QModelIndex current = m_sorted->mapToSource(m_table->currentIndex());
    return &m_model->options()[current.isValid() ? static_cast<std::size_t>(current.row()) : 0];
}

bool PlanRanking::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex row = m_table->currentIndex();
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            emit useRequested();
            return true;
        }
        if (key->key() == Qt::Key_Space && row.isValid()) {
            const QModelIndex tick = row.siblingAtColumn(PlanTableModel::Rank);
            const bool on = m_sorted->data(tick, Qt::CheckStateRole).toInt() == Qt::Checked;
            m_sorted->setData(tick, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
            return true;
        }
    }
    return Card::eventFilter(watched, event);
}

} // namespace headroom::ui
