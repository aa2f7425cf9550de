// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/nearest_run_html.hpp"

#include "core/runs/nearest_runs.hpp"
#include "ui/base/text.hpp"

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
    return QStringLiteral("<p style='margin-top:14px;margin-bottom:2px;color:%1;font-size:small'><b>%2</b></p>"
                          "<p style='margin-top:2px;margin-bottom:2px'>%3</p>"
                          "<p style='margin-top:2px;margin-bottom:2px;color:%1;font-size:small'>%4. %5.</p>"
                          "<p style='margin-top:2px;margin-bottom:2px;font-size:small'>%6</p>")
        .arg(theme.muted.name(), QCoreApplication::translate("Explanation", "PUBLISHED RUN"),
             toRichText(nearest->sentence), toRichText(nearest->run), toRichText(nearest->difference), link);
}

} // namespace headroom::ui
