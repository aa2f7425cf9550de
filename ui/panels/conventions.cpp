// SPDX-License-Identifier: GPL-3.0-or-later
// The same run's MFU as each convention counts it, side by side.
#include "core/predict/utilization.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/explanation_html.hpp"

#include <QCoreApplication>

namespace headroom::ui
{

QString conventionsHtml(const PreparedScenario& prepared, const Evaluation& evaluation, const Theme& theme)
{
    QString html = headingHtml(QCoreApplication::translate("Explanation", "OTHER CONVENTIONS"), theme) +
                   QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0'>");
    for (const ConventionRow& row : conventionTable()) {
        const auto value = evaluation.conventions[static_cast<std::size_t>(row.convention)];
        const bool current = row.convention == prepared.accounting;
        const QString name =
            current ? QStringLiteral("<b>%1</b>").arg(toRichText(say(row.label)))
                    : linkHtml(QStringLiteral("convention:") + toQString(row.id), toRichText(say(row.label)), theme);
        const QString number = value ? toRichText(percentText(*value)) : QStringLiteral("—");
        html += QStringLiteral("<tr><td style='padding:3px 8px 0 0'>%1</td>"
                               "<td align='right' style='padding:3px 0 0 0'>%2</td></tr>"
                               "<tr><td colspan='2' style='font-size:small;color:%3'>%4</td></tr>")
                    .arg(name, current ? QStringLiteral("<b>%1</b>").arg(number) : number, theme.muted.name(),
                         toRichText(say(row.formula)));
    }
    return html + QStringLiteral("</table>");
}

} // namespace headroom::ui
