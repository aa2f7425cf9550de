// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/nearest_run_html.hpp"

#include "core/runs/nearest_runs.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/explanation_html.hpp"

#include <QCoreApplication>

namespace headroom::ui
{

QString nearestRunHtml(const QString& metricId, const ChartContext& context, const Theme& theme)
{
    if (!context.runs || !context.runs->published)
        return {};
    const auto nearest =
        nearestRunText(*context.runs->published, toUtf8(metricId), context.scenario, context.evaluation);
    if (!nearest)
        return {};
    const QString source = toRichText(nearest->source);
    const QString link = nearest->url.empty() ? source
                                              : QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
                                                    .arg(toRichText(nearest->url), theme.accent.name(), source);
    return headingHtml(QCoreApplication::translate("Explanation", "PUBLISHED RUN"), theme) +
           QStringLiteral("<p style='margin-top:2px;margin-bottom:2px'>%2</p>"
                          "<p style='margin-top:2px;margin-bottom:2px;color:%1;font-size:small'>%3. %4.</p>"
                          "<p style='margin-top:2px;margin-bottom:2px;font-size:small'>%5</p>")
               .arg(theme.muted.name(), toRichText(nearest->sentence), toRichText(nearest->run),
                    toRichText(nearest->difference), link);
}

} // namespace headroom::ui
