// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_pages.hpp"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QWidget>

namespace headroom::ui
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto folder = ":/help/"_L1;

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

HelpPage read(const QString& name, const QString& language)
{
    static const QRegularExpression first(QStringLiteral("^<!-- for: ([^>]*) -->\\n"));
    static const QRegularExpression heading(QStringLiteral("^# (.*)$"), QRegularExpression::MultilineOption);
    HelpPage page;
    page.id = name.section(u'-', 1).section(u'.', 0, 0);
    page.markdown = textOf(folder + language + u'/' + name);
    if (page.markdown.isEmpty())
        page.markdown = textOf(folder + name);
    // Where a page belongs is the same in every language.
    const QString english = textOf(folder + name);
    if (const auto match = first.match(english); match.hasMatch())
        page.belongsTo = match.captured(1).split(u' ', Qt::SkipEmptyParts);
    page.markdown.remove(first);
    page.title = heading.match(page.markdown).captured(1);
    return page;
}

std::vector<HelpPage> readAll(const QString& language)
{
    std::vector<HelpPage> pages;
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
        pages.push_back(read(name, language));
    return pages;
}

} // namespace

const std::vector<HelpPage>& helpPages(const QString& language)
{
    static QHash<QString, std::vector<HelpPage>> all;
    if (!all.contains(language))
        all.insert(language, readAll(language));
    return all[language];
}

const HelpPage* helpPage(const QString& id)
{
    for (const HelpPage& page : helpPages())
        if (page.id == id)
            return &page;
    return nullptr;
}

QString helpPageOf(const QWidget* widget, const QString& windowPage)
{
    const auto about = [](const QString& place) {
        for (const HelpPage& page : helpPages())
            if (page.belongsTo.contains(place))
                return page.id;
        return QString();
    };
    QString last;
    for (const QWidget* each = widget; each; each = each->parentWidget()) {
        last = about(QString(QLatin1String(each->metaObject()->className())).section(QStringLiteral("::"), -1));
        if (each->isWindow())
            break; // what belongs to the whole window comes after its page
        if (!last.isEmpty())
            return last;
    }
    const QString page = about(windowPage);
    return !page.isEmpty() ? page : last.isEmpty() ? helpPages().front().id : last;
}

std::vector<HelpPicture> picturesOf(const HelpPage& page)
{
    static const QRegularExpression image(QStringLiteral("!\\[([^\\]]*)\\]\\(([^ )]+) \"([^\"]*)\"\\)"));
    std::vector<HelpPicture> pictures;
    for (auto it = image.globalMatch(page.markdown); it.hasNext();) {
        const auto match = it.next();
        pictures.push_back({match.captured(2), match.captured(1), match.captured(3).split(u' ', Qt::SkipEmptyParts)});
    }
    return pictures;
}

} // namespace headroom::ui
