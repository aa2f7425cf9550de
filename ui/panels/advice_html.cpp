// SPDX-License-Identifier: GPL-3.0-or-later
// What stands around a derivation: the chart point it is of, what to change next, notes, the way to the glossary.
#include "core/explain/glossary.hpp"
#include "core/metrics/words.hpp"
#include "ui/base/firm_units.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/panels/explanation_html.hpp"

#include <algorithm>

namespace headroom::ui
{
namespace
{

QString headingOf(const Evaluation& evaluation, const Theme& theme)
{
    return headingHtml(toQString(adviceHeading(evaluation)), theme);
}

} // namespace

QString pointHtml(const QString& where, const Theme& theme)
{
    if (where.isEmpty())
        return {};
    return QStringLiteral("<table width='100%' cellspacing='0' cellpadding='6' bgcolor='%1'><tr><td>%2</td>"
                          "<td align='right'>%3</td></tr></table>")
        .arg(theme.tint(theme.accent).name(), toRichText(tr("Point of the chart %1").arg(where)),
             linkHtml(QStringLiteral("back:"), tr("Back to what is in hand").toHtmlEscaped(), theme));
}

QString choiceHtml(const std::string& text, const QString& target, const Theme& theme)
{
    return QStringLiteral("<table width='100%' cellspacing='0' cellpadding='5' bgcolor='%1' "
                          "style='margin-top:4px'><tr><td>%2</td><td align='right'>%3</td></tr></table>")
        .arg(theme.window.name(), toRichText(text), linkHtml(target, tr("Apply").toHtmlEscaped(), theme));
}

QString adviceHtml(const std::vector<Advice>& advice, const Evaluation& evaluation, const Theme& theme)
{
    if (advice.empty())
        return {};
    QString html = headingOf(evaluation, theme);
    for (std::size_t i = 0; i < advice.size(); ++i)
        html += choiceHtml(advice[i].text, QStringLiteral("advice:%1").arg(i), theme);
    return html;
}

QString nothingHtml(const Evaluation& evaluation, const Theme& theme)
{
    return headingOf(evaluation, theme) +
           QStringLiteral("<p style='margin-top:4px;margin-bottom:4px'>%1</p>")
               .arg(toRichText(tr("Headroom found no step, and no several together, with which the same work in the "
                                  "same precision would take less time.")));
}

QString noteListHtml(const std::vector<ResultNote>& notes, const Theme& theme)
{
    QString html;
    for (const ResultNote& note : notes) {
        html += QStringLiteral("<p style='margin-top:4px;margin-bottom:4px'><span style='color:%1'>⚠</span> %2")
                    .arg(note.grave ? theme.danger.name() : theme.warning.name(),
                         toRichText(keepUnits(toQString(note.text))));
        if (note.row)
            html +=
                QStringLiteral(" %1").arg(linkHtml(QStringLiteral("param:") + toQString(note.row->id),
                                                   tr("Show %1").arg(toRichText(inSentence(note.row->label))), theme));
        html += QStringLiteral("</p>");
    }
    return html;
}

QString notesHtml(const std::vector<ResultNote>& notes, const std::vector<std::string>& known, const Theme& theme)
{
    std::vector<ResultNote> fresh = notes;
    std::erase_if(fresh, [&known](const ResultNote& note) {
        return std::find(known.begin(), known.end(), note.text) != known.end();
    });
    if (fresh.empty())
        return {};
    return headingHtml(tr("Notes on this result"), theme) + noteListHtml(fresh, theme);
}

QString glossaryHtml(const QString& metricId, const Theme& theme)
{
    const auto entry = glossaryEntryOfMetric(toUtf8(metricId));
    if (!entry)
        return {};
    return QStringLiteral("<p style='margin-top:12px'>%1</p>")
        .arg(linkHtml(QStringLiteral("glossary:") + metricId,
                      tr("%1 in the glossary").arg(toQString(entry->title)).toHtmlEscaped(), theme));
}

} // namespace headroom::ui
