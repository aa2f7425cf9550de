// SPDX-License-Identifier: GPL-3.0-or-later
// HelpPage: one page of the help, a Markdown file of resources/help; the window and docs/guide are made from the same.
#pragma once

#include "ui/settings/language.hpp"

#include <QString>
#include <QStringList>
#include <vector>

class QWidget;

namespace headroom::ui
{

/// In a page, `{{name}}` on a line of its own stands for a table (help_tables.hpp), `![words](file.png "options")` for
/// a picture that the program draws of itself, and links lead to `help:` (a page), `page:` (of the window), `term:`
/// (of the glossary) and `doc:` (a file of docs/).
struct HelpPage {
    QString id;            ///< "charts": the file's name without number and ending
    QString title;         ///< its heading
    QString markdown;      ///< the source without its first line
    QStringList belongsTo; ///< pages of the window and classes of widgets, from the first line `<!-- for: … -->`
};

/// In the order of the files; pages that nobody has put into `language` (resources/help/de) are English.
[[nodiscard]] const std::vector<HelpPage>& helpPages(const QString& language = Language::current());
/// Null when there is none of that name.
[[nodiscard]] const HelpPage* helpPage(const QString& id);

/// The page about the nearest part of the window around `widget` that has one, else about the window's page in front.
[[nodiscard]] QString helpPageOf(const QWidget* widget, const QString& windowPage);

/// A picture of the window within a page.
struct HelpPicture {
    QString file;        ///< "plan.png"
    QString caption;     ///< what it shows, for those who do not see it
    QStringList options; ///< as headroom takes them; the last may name an example
};
[[nodiscard]] std::vector<HelpPicture> picturesOf(const HelpPage& page);

} // namespace headroom::ui
