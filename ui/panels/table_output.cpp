// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/table_output.hpp"

#include "core/metrics/evaluation_text.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/tell.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/platform/files.hpp"
#include "ui/settings/settings.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMimeData>
#include <QTableView>

namespace headroom::ui
{
namespace
{

QString cellText(const QTableView& table, const QModelIndex& index)
{
    const QVariant role = table.property(exactRoleProperty);
    const QVariant exact = role.isValid() ? index.data(role.toInt()) : QVariant();
    return exact.typeId() == QMetaType::Double ? toQString(exactNumber(exact.toDouble()))
                                               : index.data(Qt::DisplayRole).toString();
}

/// The header and then the rows, as they stand on the screen.
QList<QStringList> cells(const QTableView& table)
{
    const QAbstractItemModel& model = *table.model();
    const bool named = table.verticalHeader()->isVisibleTo(&table);
    QList<QStringList> lines(model.rowCount() + 1);
    if (named)
        lines[0] << QString();
    for (int row = 0; row < model.rowCount() && named; ++row)
        lines[row + 1] << model.headerData(row, Qt::Vertical).toString();
    for (int visual = 0; visual < model.columnCount(); ++visual) {
        const int column = table.horizontalHeader()->logicalIndex(visual);
        if (table.isColumnHidden(column))
            continue;
        lines[0] << model.headerData(column, Qt::Horizontal).toString();
        for (int row = 0; row < model.rowCount(); ++row)
            lines[row + 1] << cellText(table, model.index(row, column));
    }
    for (QStringList& line : lines)
        line.replaceInStrings(QStringLiteral("\n"), QStringLiteral(" "));
    return lines;
}

} // namespace

QByteArray tableCsv(const QTableView& table)
{
    const InEnglish file;
    std::string text;
    for (const QStringList& line : cells(table)) {
        for (qsizetype i = 0; i < line.size(); ++i)
            text += (i > 0 ? "," : "") + csvCell(toUtf8(line[i]));
        text += "\n";
    }
    return QByteArray::fromStdString(text);
}

void copyTable(const QTableView& table)
{
    QString text;
    for (QStringList line : cells(table)) {
        line.replaceInStrings(QStringLiteral("\t"), QStringLiteral(" "));
        text += line.join(u'\t') + u'\n';
    }
    auto* data = new QMimeData;
    data->setText(text);
    data->setData(QStringLiteral("text/csv"), tableCsv(table));
    QGuiApplication::clipboard()->setMimeData(data);
    tell(table, tr("The table is in the clipboard."));
}

void exportTable(QTableView& table, Dialogs& dialogs, Settings& settings)
{
    const QString folder = settings.value(SettingKey::LastFolder).toString();
    const QString path = dialogs.exportFile(&table, QDir(folder).filePath(QStringLiteral("table.csv")),
                                            tr("Export table"), tr("Numbers (*.csv);;All files (*)"));
    if (path.isEmpty())
        return;
    if (const QString error = writeFile(path, tableCsv(table)); !error.isEmpty()) {
        dialogs.showError(&table, tr("“%1” cannot be written.").arg(path), error);
        return;
    }
    settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
    tell(table, tr("The table is in %1.").arg(QFileInfo(path).fileName()));
}

} // namespace headroom::ui
