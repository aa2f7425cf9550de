// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window from a table: its rows, to the clipboard or into a CSV file.
#pragma once

#include <QByteArray>
#include <QString>

class QTableView;

namespace headroom::ui
{

class Dialogs;
class Settings;

/// Property of a table whose model knows more than it shows: the role under which a figure is a number.
inline constexpr const char* exactRoleProperty = "exactRole";

/// The rows as they are sorted and filtered, hidden columns left out, figures in full precision where the model has
/// them. RFC 4180 with line feeds. For machines: English with decimal points in every language.
[[nodiscard]] QByteArray tableCsv(const QTableView& table);

/// The same tab-separated in the window's language, as spreadsheets paste it, and as CSV under text/csv.
void copyTable(const QTableView& table);

/// Asks for a place and writes the CSV. Tells what went wrong.
void exportTable(QTableView& table, Dialogs& dialogs, Settings& settings);

} // namespace headroom::ui
