// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lesson_markup.hpp"

#include "ui/base/firm_units.hpp"
#include "ui/base/text.hpp"

#include <QColor>
#include <QRegularExpression>

namespace headroom::ui
{
namespace
{

const QRegularExpression& links()
{
    static const QRegularExpression pattern(QStringLiteral("\\[([^\\]]*)\\]\\((glossary:[a-z0-9-]+)\\)"));
    return pattern;
}

const QRegularExpression& bold()
{
    static const QRegularExpression pattern(QStringLiteral("\\*\\*([^*]+)\\*\\*"));
    return pattern;
}

} // namespace

QString lessonHtml(std::string_view text, const QColor& link)
{
    QString html = toRichText(keepUnits(toQString(text)));
    html.replace(links(), QStringLiteral("<a href='\\2' style='color:%1'>\\1</a>").arg(link.name()));
    return html.replace(bold(), QStringLiteral("<b>\\1</b>"));
}

QString lessonPlain(std::string_view text)
{
    return toQString(text).replace(links(), QStringLiteral("\\1")).replace(bold(), QStringLiteral("\\1"));
}

} // namespace headroom::ui
