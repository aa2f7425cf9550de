// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_sheet.hpp"

#include "core/plan/planner_growth.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/theme/text_style.hpp"
#include "ui/widgets/local_number.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <fmt/format.h>

namespace headroom::ui
{
namespace
{

QString figure(const PlanColumn& column, const PlanOption& option)
{
    const auto value = column.value(option);
    return value ? toQString(formatText(*value, column.format)) : QStringLiteral("–");
}

QString machine(const PlanOption& option)
{
    return toQString(planMachines(option));
}

/// With an em space after it, or it would touch what follows at the left.
void toTheRight(QTableWidgetItem& item)
{
    item.setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item.setText(item.text() + QChar(0x2003));
}

} // namespace

PlanSheet::PlanSheet(const QString& title, const QString& hint, QWidget* parent)
    : Card(parent), m_hint(new QLabel(hint)), m_table(new QTableWidget)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(6);
    auto* heading = new QLabel(title);
    setTextStyle(heading, TextStyle::ChartTitle);
    setTextStyle(m_hint, TextStyle::Caption);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    m_table->setAccessibleName(title);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    column->addWidget(heading);
    column->addWidget(m_hint);
    column->addWidget(m_table);
    setHint(hint); // once it has a parent: before, showing it would open a window
    show(SheetText{});
}

void PlanSheet::show(const SheetText& text)
{
    m_table->setVisible(!text.rows.empty());
    m_table->clear();
    m_table->setColumnCount(static_cast<int>(text.header.size()));
    m_table->setRowCount(static_cast<int>(text.rows.size()));
    m_table->setHorizontalHeaderLabels(text.header);
    for (const int column : text.figures)
        toTheRight(*m_table->horizontalHeaderItem(column));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const QStringList& cells = text.rows[static_cast<std::size_t>(row)];
        for (int i = 0; i < cells.size(); ++i) {
            auto* item = new QTableWidgetItem(cells[i]);
            item->setToolTip(plainTip(cells[i]));
            if (text.figures.contains(i))
                toTheRight(*item);
            m_table->setItem(row, i, item);
        }
    }
    m_table->resizeColumnsToContents();
    constexpr int apart = 16;
    for (int i = 0; i + 1 < m_table->columnCount(); ++i)
        m_table->setColumnWidth(i, m_table->columnWidth(i) + apart);
    m_table->horizontalHeader()->setStretchLastSection(true);
    const int line = m_table->fontMetrics().height() + 8;
    m_table->verticalHeader()->setDefaultSectionSize(line);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + m_table->rowCount() * line +
                            m_table->fontMetrics().height());
}

void PlanSheet::setHint(const QString& hint)
{
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    m_table->setAccessibleDescription(hint);
}

SheetText comparison(const PlanRequest& request, const std::vector<const PlanOption*>& options)
{
    SheetText text;
    if (options.empty())
        return text;
    text.header << tr("Figure");
    QStringList layouts{tr("Layout")}, binding{tr("Tightest limit")};
    for (const PlanOption* option : options) {
        text.header << machine(*option);
        layouts << toQString(layoutText(*option));
        binding << toQString(bindingConstraint(request, *option));
    }
    text.rows = {layouts, binding};
    std::vector<QStringList> alike;
    for (const PlanColumn& column : planColumns(request.base.task)) {
        QStringList row{toQString(say(column.label))};
        for (const PlanOption* option : options)
            row << figure(column, *option);
        const bool known =
            std::ranges::any_of(options, [&](const PlanOption* o) { return column.value(*o).has_value(); });
        const bool same = std::count(row.begin() + 1, row.end(), row[1]) == row.size() - 1;
        if (known)
            (same ? alike : text.rows).push_back(row);
    }
    text.rows.insert(text.rows.end(), alike.begin(), alike.end());
    return text;
}

SheetText intervals(const PlanRequest& request, const std::vector<const PlanOption*>& options)
{
    SheetText text;
    text.header << tr("Figure");
    for (const PlanOption* option : options)
        text.header << machine(*option);
    for (const PlanColumn& column : planColumns(request.base.task)) {
        QStringList row{toQString(say(column.label))};
        bool any = false;
        for (const PlanOption* option : options) {
            const auto interval = planInterval(column, *option);
            any = any || interval;
            row << (interval ? tr("%1 (%2 to %3)")
                                   .arg(figure(column, *option), toQString(formatText(interval->low, column.format)),
                                        toQString(formatText(interval->high, column.format)))
                             : figure(column, *option));
        }
        if (any)
            text.rows.push_back(row);
    }
    return text;
}

SheetText growthSheet(const PlanRequest& request, const std::vector<PlanGrowthRow>& rows)
{
    SheetText text;
    const bool training = request.base.task == Task::Training;
    text.header << (training ? tr("Tokens") : tr("Load")) << tr("Cheapest");
    std::vector<PlanColumn> shown;
    for (const PlanColumn& column : planColumns(request.base.task))
        for (const std::string_view id : {"cost_per_hour", "utilization", "seconds_to_train", "cost_to_train"})
            if (column.id == id)
                shown.push_back(column);
    for (const PlanColumn& column : shown) {
        text.figures.insert(static_cast<int>(text.header.size()));
        text.header << toQString(say(column.label));
    }
    text.header << tr("Layout");
    for (const PlanGrowthRow& row : rows) {
        QStringList cells{fullNumber(row.multiple) + u'×'};
        if (row.best) {
            cells << machine(*row.best);
            for (const PlanColumn& column : shown)
                cells << figure(column, *row.best);
            cells << toQString(layoutText(*row.best));
        } else {
            cells << tr("none");
            for (std::size_t i = 0; i < shown.size(); ++i)
                cells << QStringLiteral("–");
            cells << toQString(row.reason);
        }
        text.rows.push_back(cells);
    }
    return text;
}

QString growthHint(const PlanRequest& request, const std::vector<PlanGrowthRow>& rows)
{
    const bool grows = request.base.task == Task::Training ? request.base.training.trainingTokens.has_value()
                                                           : request.users || request.base.inference.requestsPerS;
    if (!grows)
        return tr("State a load, or the tokens of a training run, to see what multiples of it need.");
    const std::string missing = missingMultiples(growthMultiples, rows);
    return missing.empty() ? tr("The cheapest deployment as the load (of a training run: its tokens) becomes a "
                                "multiple of today's.")
                           : toQString(missing) + u'.';
}

} // namespace headroom::ui
