// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/rows_dialog.hpp"

#include "ui/base/text.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/parameters/row_table_model.hpp"
#include "ui/widgets/plain_button.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <algorithm>
#include <utility>

namespace headroom::ui
{

RowsDialog::RowsDialog(RowList list, ScenarioStore& store, Recalculator& recalculator, QWidget* parent)
    : QDialog(parent), m_store(store), m_recalculator(recalculator),
      m_model(new RowTableModel(std::move(list), store, recalculator, this)), m_table(new QTableView),
      m_summary(new QLabel), m_problem(new QLabel)
{
    setWindowTitle(m_model->list().title);
    setObjectName(QStringLiteral("rowsDialog"));
    build();
    connect(m_model, &RowTableModel::refused, this, [this](const QString& reason) {
        m_refusal = reason;
        refresh();
    });
    connect(&store, &ScenarioStore::scenarioChanged, this, &RowsDialog::refresh);
    connect(&store.undoStack(), &QUndoStack::indexChanged, this, &RowsDialog::refresh);
    connect(&recalculator, &Recalculator::evaluated, this, &RowsDialog::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &RowsDialog::refresh);
    choose(0);
    refresh();
}

void RowsDialog::buildTable()
{
    m_table->setObjectName(QStringLiteral("rows"));
    m_table->setAccessibleName(windowTitle());
    m_table->setProperty("fromCore", true); // names of parameters, numbers, names that people gave
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed);
    m_table->setTabKeyNavigation(false); // Tab leaves the table, arrows walk in it
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollBar(new ThinScrollBar);
    m_table->setHorizontalScrollBar(new ThinScrollBar(Qt::Horizontal));
    m_table->setCornerButtonEnabled(false);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 10);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setStyleSheet(QStringLiteral(
        "QTableView::item { padding: 0 6px; border: 0; }"
        "QTableView::item:selected { background: palette(highlight); color: palette(highlighted-text); }"
        "QHeaderView { background: transparent; }"
        "QHeaderView::section { background: transparent; border: 0; border-bottom: 1px solid palette(mid);"
        " padding: 5px 7px; font-weight: 600; }"));
    m_table->installEventFilter(this);
}

void RowsDialog::build()
{
    buildTable();
    auto* hint = new QLabel(m_model->list().hint);
    hint->setWordWrap(true);
    for (QLabel* label : {m_summary, m_problem}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_summary->setProperty("fromCore", true);
    m_problem->setProperty("fromCore", true);
    m_summary->setObjectName(QStringLiteral("rowsSummary"));
    m_problem->setObjectName(QStringLiteral("rowsProblem"));
    m_add = makePlainButton(tr("&Add"), tr("A row after this one, and like it (Insert)"), "rowAdd");
    m_remove = makePlainButton(tr("&Remove"), tr("Take this row out (Ctrl+Delete); Undo brings it back"), "rowRemove");
    m_up = makePlainButton(tr("&Up"), tr("One place earlier (Alt+Up)"), "rowUp");
    m_down = makePlainButton(tr("&Down"), tr("One place later (Alt+Down)"), "rowDown");
    m_undo = makePlainButton(tr("U&ndo"), QString(), "rowUndo");
    auto* close = makePlainButton(tr("&Close"), QString(), "rowClose");

    auto* foot = new QHBoxLayout;
    for (QPushButton* each : {m_add, m_remove, m_up, m_down, m_undo})
        foot->addWidget(each);
    foot->addStretch(1);
    foot->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addWidget(hint);
    column->addWidget(m_table, 1);
    column->addWidget(m_summary);
    column->addWidget(m_problem);
    column->addLayout(foot);
    resize(1160, 420);

    connect(m_add, &QPushButton::clicked, this, &RowsDialog::add);
    connect(m_remove, &QPushButton::clicked, this, &RowsDialog::remove);
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_undo, &QPushButton::clicked, &m_store.undoStack(), &QUndoStack::undo);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
}

int RowsDialog::current() const
{
    return m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
}

void RowsDialog::choose(int row)
{
    const int column = std::max(0, m_table->currentIndex().column());
    if (row >= 0 && row < m_model->rowCount())
        m_table->setCurrentIndex(m_model->index(row, column));
}

void RowsDialog::add()
{
    const int at = current() + 1;
    m_model->add(at);
    choose(at);
}

void RowsDialog::remove()
{
    const int at = current();
    m_model->remove(at);
    choose(std::min(at, m_model->rowCount() - 1));
}

void RowsDialog::move(int by)
{
    const int at = current();
    m_model->move(at, by);
    choose(std::clamp(at + by, 0, std::max(0, m_model->rowCount() - 1)));
}

void RowsDialog::refresh()
{
    const int at = current(), count = m_model->rowCount();
    m_add->setEnabled(count < static_cast<int>(m_model->list().most));
    m_remove->setEnabled(at >= 0);
    m_up->setEnabled(at > 0);
    m_down->setEnabled(at >= 0 && at + 1 < count);
    QUndoStack& stack = m_store.undoStack();
    m_undo->setEnabled(stack.canUndo());
    m_undo->setToolTip(stack.canUndo() ? tr("Undo “%1” (Ctrl+Z)").arg(stack.undoText()) : tr("Nothing to undo"));
    const bool refused = m_recalculator.isRefused();
    const ChartContext* context = m_recalculator.context();
    m_summary->setText(!refused && context && count > 0 ? m_model->list().summary(*context) : QString());
    m_summary->setVisible(!m_summary->text().isEmpty());
    m_problem->setText(!m_refusal.isEmpty() ? m_refusal
                       : refused            ? diagnosticsText(m_recalculator.refusal())
                                            : QString());
    m_problem->setVisible(!m_problem->text().isEmpty());
}

bool RowsDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo))
        m_store.undoStack().undo();
    else if (key->matches(QKeySequence::Redo))
        m_store.undoStack().redo();
    else if (key->key() == Qt::Key_Insert)
        add();
    else if (key->modifiers() == Qt::ControlModifier && key->key() == Qt::Key_Delete)
        remove();
    else if (key->key() == Qt::Key_Delete && current() >= 0)
        m_model->setData(m_table->currentIndex(), QString()); // as in the scenario again
    else if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down))
        move(key->key() == Qt::Key_Up ? -1 : 1);
    else
        return QDialog::eventFilter(watched, event);
    return true;
}

} // namespace headroom::ui
