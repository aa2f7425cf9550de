// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/widget_help.hpp"

#include "core/explain/glossary.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/help/help_pages.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_row_widget.hpp"

#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QToolButton>

namespace headroom::ui
{
namespace
{

std::optional<GlossaryEntry> entryOf(const QWidget& widget)
{
    for (const QWidget* each = &widget; each; each = each->parentWidget()) {
        if (const auto* row = qobject_cast<const ParameterRowWidget*>(each))
            return glossaryEntryOfParameter(row->row().id);
        if (const auto* tile = qobject_cast<const MetricTile*>(each))
            return glossaryEntryOfMetric(tile->row().id);
        if (const auto* chart = qobject_cast<const ChartView*>(each))
            return glossaryEntryOfChart(chart->spec().id);
    }
    return std::nullopt;
}

QString paragraph(const QString& text)
{
    return QStringLiteral("<p style='margin-top:0;margin-bottom:6px'>%1</p>").arg(text);
}

QString linkTo(const QString& target, const QString& words)
{
    return paragraph(QStringLiteral("<a href='%1'>%2</a>").arg(target, words.toHtmlEscaped()));
}

/// Its name for assistive technology, without the value that some names carry.
QString nameOf(const QWidget& widget)
{
    const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(&widget));
    return face ? face->text(QAccessible::Name).remove(u'&') : QString();
}

} // namespace

WidgetHelp widgetHelp(const QWidget& widget, const QString& windowPage)
{
    if (const auto entry = entryOf(widget)) {
        WidgetHelp help{toQString(entry->title), paragraph(toRichText(entry->definition)),
                        QStringLiteral("glossary:") + toQString(entry->id)};
        if (!entry->formula.empty())
            help.html += paragraph(QStringLiteral("<i>%1</i>").arg(toRichText(entry->formula)));
        if (!entry->mistake.empty())
            help.html += paragraph(tr("Often mistaken: %1").arg(toRichText(entry->mistake)));
        help.html += linkTo(help.link, tr("More in the glossary"));
        return help;
    }
    WidgetHelp help;
    for (const QWidget* each = &widget; each && !each->isWindow(); each = each->parentWidget()) {
        const auto* button = qobject_cast<const QToolButton*>(each);
        const QString words =
            button && button->defaultAction() ? button->defaultAction()->statusTip() : each->toolTip();
        if (help.title.isEmpty())
            help.title = nameOf(*each);
        if (help.html.isEmpty() && !words.isEmpty())
            help.html = paragraph(Qt::mightBeRichText(words) ? words : words.toHtmlEscaped());
    }
    const HelpPage* page = helpPage(helpPageOf(&widget, windowPage));
    if (help.title.isEmpty())
        help.title = page->title;
    help.link = QStringLiteral("help:") + page->id;
    help.html += linkTo(help.link, tr("Help: %1").arg(page->title));
    return help;
}

} // namespace headroom::ui
