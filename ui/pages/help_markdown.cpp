// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/help_markdown.hpp"

#include "core/explain/glossary.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/pages/help_tables.hpp"

#include <QRegularExpression>
#include <functional>

namespace headroom::ui
{
namespace
{

/// Every match replaced by what `with` makes of it.
QString replaced(const QString& text, const QRegularExpression& pattern,
                 const std::function<QString(const QRegularExpressionMatch&)>& with)
{
    QString out;
    qsizetype from = 0;
    for (auto it = pattern.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        out += text.mid(from, match.capturedStart() - from) + with(match);
        from = match.capturedEnd();
    }
    return out + text.mid(from);
}

QString withTables(const QString& markdown)
{
    static const QRegularExpression table(QStringLiteral("^\\{\\{([a-z]+)\\}\\}\\n"),
                                          QRegularExpression::MultilineOption);
    return replaced(markdown, table, [](const auto& match) { return helpTable(match.captured(1)); });
}

const QRegularExpression& image()
{
    static const QRegularExpression pattern(QStringLiteral("!\\[([^\\]]*)\\]\\(([^ )]+) \"([^\"]*)\"\\)"));
    return pattern;
}

QString guideMarkdown(const HelpPage& page)
{
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\((page|help|term|doc):([^)]*)\\)"));
    QString text = replaced(withTables(page.markdown), image(), [](const auto& match) {
        return QStringLiteral("![%1](pictures/%2)").arg(match.captured(1), match.captured(2));
    });
    return replaced(text, link, [](const auto& match) {
        const QString words = match.captured(1), kind = match.captured(2), target = match.captured(3);
        if (kind == QLatin1String("page"))
            return QStringLiteral("**%1**").arg(words);
        const QString file = kind == QLatin1String("help")   ? target + QStringLiteral(".md")
                             : kind == QLatin1String("term") ? QStringLiteral("glossary.md#") + target
                                                             : QStringLiteral("../") + target;
        return QStringLiteral("[%1](%2)").arg(words, file);
    });
}

/// Where the guide comes from, for whoever is about to edit it.
QString origin(const QString& source)
{
    return QStringLiteral("<!-- Written by packaging/docs from %1: change that, not this. -->\n\n").arg(source);
}

QString glossaryFile()
{
    QString text = origin(QStringLiteral("the registries")) + QStringLiteral("# Glossary\n");
    for (const GlossaryEntry& entry : glossaryEntries()) {
        text += QStringLiteral("\n<a id=\"%1\"></a>\n**%2**: %3")
                    .arg(toQString(entry.id), markdownText(toQString(entry.title)),
                         markdownText(toQString(entry.definition)));
        if (!entry.formula.empty())
            text += QStringLiteral("  \n*%1*").arg(markdownText(toQString(entry.formula)));
        if (!entry.mistake.empty())
            text += QStringLiteral("  \nOften mistaken: %1").arg(markdownText(toQString(entry.mistake)));
        text += u'\n';
    }
    return text;
}

} // namespace

QString windowMarkdown(const HelpPage& page, bool windowInReach)
{
    static const QRegularExpression intoWindow(QStringLiteral("\\[([^\\]]*)\\]\\((?:page|term):[^)]*\\)"));
    static const QRegularExpression file(QStringLiteral("\\[([^\\]]*)\\]\\(doc:([^)]*)\\)"));
    QString text = replaced(withTables(page.markdown), image(), [windowInReach](const auto& match) {
        const QStringList options = match.captured(3).split(u' ');
        const qsizetype at = options.indexOf(QStringLiteral("--page"));
        return !windowInReach
                   ? QString()
                   : QStringLiteral("[%1](page:%2)")
                         .arg(tr("Show it: %1").arg(match.captured(1)), at < 0 ? QString() : options.value(at + 1));
    });
    if (!windowInReach)
        text.replace(intoWindow, QStringLiteral("\\1"));
    return replaced(text, file, [](const auto& match) {
        return QStringLiteral("%1 (`docs/%2`)").arg(match.captured(1), match.captured(2));
    });
}

QMap<QString, QString> guideFiles()
{
    QMap<QString, QString> files;
    QString index = origin(QStringLiteral("resources/help")) +
                    QStringLiteral("# Headroom: user guide\n\nThe same pages as in the program (F1), with pictures "
                                   "that the program drew of itself.\n\n");
    for (const HelpPage& page : helpPages()) {
        files.insert(page.id + QStringLiteral(".md"),
                     origin(QStringLiteral("resources/help")) + guideMarkdown(page).trimmed() + u'\n');
        index += QStringLiteral("- [%1](%2.md)\n").arg(page.title, page.id);
    }
    files.insert(QStringLiteral("glossary.md"), glossaryFile());
    files.insert(QStringLiteral("README.md"), index + QStringLiteral("- [Glossary](glossary.md)\n"));
    return files;
}

QString guidePath(const HelpPicture& picture)
{
    return QStringLiteral("pictures/") + picture.file;
}

} // namespace headroom::ui
