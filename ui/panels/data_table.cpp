// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data_table.hpp"

#include "ui/base/button_order.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_table_model.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/panels/chart_output.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace headroom::ui
{

DataTable::DataTable(ChartView& chart, QWidget* parent)
    : QDialog(parent), m_chart(chart), m_model(new ChartTableModel(this)), m_table(new QTableView)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowFlag(Qt::WindowContextHelpButtonHint, false);
    auto* column = new QVBoxLayout(this);
    auto* reading = new QLabel;
    reading->setObjectName(QStringLiteral("reading"));
    reading->setTextFormat(Qt::PlainText);
    reading->setWordWrap(true);
    column->addWidget(reading);
    column->addWidget(m_table, 1);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Numbers of the chart"));
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setVerticalScrollBar(new ThinScrollBar);
    m_table->setHorizontalScrollBar(new ThinScrollBar(Qt::Horizontal));
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setStyleSheet(
        QStringLiteral("QHeaderView { background: palette(base); border: 0; }"
                       "QHeaderView::section { background: palette(base); border: 0; padding: 4px 6px;"
                       " border-bottom: 1px solid palette(mid); }"));
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    QPushButton* save = buttons->addButton(tr("Export…"), QDialogButtonBox::ActionRole);
    for (QAbstractButton* button : buttons->buttons())
        button->setAccessibleName(button->text().remove(u'&'));
    connect(copy, &QPushButton::clicked, this, [this] { copyChartData(m_chart); });
    connect(save, &QPushButton::clicked, this, &DataTable::exportRequested);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    orderButtons(*buttons, m_table);
    connect(&chart, &ChartView::replotted, this, &DataTable::follow);
    connect(&chart, &QObject::destroyed, this, &QDialog::close);
    follow();
    m_table->resizeColumnsToContents();
    constexpr int room = 60; // beside the columns: frame, margins, scroll bar
    resize(std::clamp(m_table->horizontalHeader()->length() + room, 420, 900), 480);
}

void DataTable::follow()
{
    const ChartSpec& spec = m_chart.spec();
    setWindowTitle(toQString(spec.title));
    findChild<QLabel*>(QStringLiteral("reading"))->setText(toQString(spec.reading));
    m_model->setSpec(spec);
}

} // namespace headroom::ui
