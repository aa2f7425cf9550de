// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the help that are made from the registries: parameters, metrics, charts, keys and what else is declared.
#pragma once

#include <QString>
#include <QStringList>

namespace headroom::ui
{

[[nodiscard]] QStringList helpTableNames();
/// Markdown; empty = there is no such table.
[[nodiscard]] QString helpTable(const QString& name);

/// With what Markdown would take for its own marked as text.
[[nodiscard]] QString markdownText(const QString& text);

} // namespace headroom::ui
