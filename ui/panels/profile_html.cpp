// SPDX-License-Identifier: GPL-3.0-or-later
// The profile in the explanation of a step's time: every part predicted, measured, apart, with its likely cause.
#include "core/profile/profile_table.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/panels/explanation_html.hpp"

namespace headroom::ui
{
namespace
{

QString cell(const QString& richText, const QString& style = {})
{
    return QStringLiteral("<td align='right' style='padding:3px 0 0 6px;%2'><nobr>%1</nobr></td>").arg(richText, style);
}

/// The panel is narrow: a cause stands on a line of its own below its part.
QString rowsOf(const profile::ProfileTableRow& row, const Theme& theme, bool step)
{
    const QString muted = QStringLiteral("color:%1;").arg(theme.muted.name());
    const QString weight = step ? QStringLiteral("font-weight:bold;") : QString();
    QString html =
        QStringLiteral("<tr><td width='42%' style='padding:3px 0 0 0;%1'>%2</td>").arg(weight, toRichText(row.part));
    html += cell(toRichText(row.predicted), muted) + cell(toRichText(row.measured)) +
            cell(toRichText(row.difference), QStringLiteral("font-weight:bold;")) + QStringLiteral("</tr>");
    if (!row.cause.empty())
        html += QStringLiteral("<tr><td colspan='4' style='padding:0 0 2px 8px;font-size:small;%1'>%2</td></tr>")
                    .arg(muted, toRichText(row.cause));
    return html;
}

} // namespace

bool showsProfile(const QString& metricId, const ChartContext& context)
{
    const bool time = metricId == QLatin1String("step_time_s") || metricId == QLatin1String("tpot_s");
    return time && context.scenario.measured.profile.any();
}

QString profileHtml(const profile::ProfileComparison& comparison, const std::vector<profile::ProfileAdvice>& advice,
                    const ProfiledKernels* kernels, const Theme& theme)
{
    const auto table = profile::profileTable(comparison);
    const QString small = QStringLiteral("font-size:small;color:%1;").arg(theme.muted.name());
    QString html = headingHtml(tr("Profile"), theme) +
                   QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0'><tr><td></td>") +
                   cell(tr("predicted"), small) + cell(tr("measured"), small) + cell(tr("difference"), small) +
                   QStringLiteral("</tr>");
    for (std::size_t i = 0; i < table.size(); ++i)
        html += rowsOf(table[i], theme, i + 1 == table.size());
    html += QStringLiteral("</table>");
    if (!advice.empty())
        html += headingHtml(tr("What the profile says to change"), theme);
    for (std::size_t i = 0; i < advice.size(); ++i) {
        html += QStringLiteral("<p style='margin-top:2px;margin-bottom:2px'>%1</p>")
                    .arg(toRichText(advice[i].finding.text));
        if (advice[i].change)
            html += choiceHtml(advice[i].change->text, QStringLiteral("profile:%1").arg(i), theme);
    }
    if (kernels != nullptr) {
        constexpr std::size_t most = 8;
        html += headingHtml(tr("Kernels by name"), theme);
        for (const profile::KernelRow& row : profile::kernelRows(*kernels, most))
            html += QStringLiteral("<p style='margin-top:2px;margin-bottom:2px;font-size:small'>%1<br>"
                                   "<span style='color:%2'>%3</span></p>")
                        .arg(toRichText(row.name), theme.muted.name(), toRichText(row.words));
    }
    for (const std::string& note : comparison.notes)
        html += QStringLiteral("<p style='margin-top:2px;margin-bottom:2px;%1'>%2</p>").arg(small, toRichText(note));
    return html;
}

} // namespace headroom::ui
