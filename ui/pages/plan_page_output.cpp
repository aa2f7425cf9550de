// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the plan page: the ranking as CSV, the page for the meeting as PDF and Markdown.
#include "core/plan/planner_possible.hpp"
#include "core/plan/planner_table.hpp"
#include "ui/base/tell.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/plan/pale_parts.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_ranking.hpp"
#include "ui/plan/plan_report.hpp"
#include "ui/plan/plan_table_model.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/platform/files.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"

#include <QDir>
#include <QFileInfo>

namespace headroom::ui
{

void PlanPage::exportCsv()
{
    const QString folder = m_session.settings.value(SettingKey::LastFolder).toString();
    const QString path = m_session.dialogs.exportFile(
        this, QDir(folder).filePath(tr("plan.csv")), tr("Export the ranking"), tr("CSV tables (*.csv);;All files (*)"));
    if (path.isEmpty())
        return;
    if (const QString error = writeFile(path, planCsv(model()->task(), model()->options())); !error.isEmpty())
        m_session.dialogs.showError(this, tr("The table could not be written"),
                                    tr("%1: %2").arg(QDir::toNativeSeparators(path), error));
    else
        tell(*this, tr("The ranking is in %1.").arg(QFileInfo(path).fileName()));
}

void PlanPage::exportReport()
{
    const PlanOption* chosen = m_ranking->chosen();
    if ((!chosen && !m_isImpossible) || !m_session.recalculator.context())
        return;
    const auto isOfRanking = [this](const QWidget* part) { return m_pale->belongTogether(part, m_ranking); };
    PlanReport plan{m_request, QStringList(m_answer->verdict()) + m_answer->reasons().split(u'\n'), model()->options(),
                    isOfRanking(m_growth) ? m_grown : std::vector<PlanGrowthRow>()};
    for (const PlanOption* ticked : model()->ticked())
        plan.ticked.push_back(*ticked);
    plan.shown = chosen ? std::optional(*chosen) : m_nearest;
    std::vector<ChartSpec> charts;
    for (const ChartView* chart : {m_map, m_front})
        if (!chart->isHidden() && !chart->spec().id.empty() && isOfRanking(chart))
            charts.push_back(chart->spec());
    // A search may end while the dialog is open.
    const ReportContent content = planReportContent(plan, *m_session.recalculator.context(), charts);
    const QString folder = m_session.settings.value(SettingKey::LastFolder).toString();
    const QString path =
        m_session.dialogs.exportFile(this, QDir(folder).filePath(tr("plan.pdf")), tr("Export the plan"),
                                     tr("PDF (*.pdf);;Markdown (*.md);;All files (*)"));
    if (path.isEmpty())
        return;
    const bool isText = path.endsWith(QLatin1String(".md"), Qt::CaseInsensitive);
    const QString error = isText ? writeFile(path, toUtf8(planReportMarkdown(plan))) : writeReport(content, path);
    if (!error.isEmpty())
        m_session.dialogs.showError(this, tr("The report was not written."), error);
    else
        tell(*this, tr("The report is in %1.").arg(QFileInfo(path).fileName()));
}

void PlanPage::takeNearest(const PlanResult& result)
{
    m_isImpossible = result.ranked.empty() && !result.cancelled;
    m_nearest.reset();
    if (!m_isImpossible)
        return;
    m_ranking->offerReport(); // that nothing will do, and what would, is an answer for the meeting too
    if (auto possible = planPossible(m_request, result))
        m_nearest = std::move(possible->option);
    else if (!result.rejected.empty())
        m_nearest = result.rejected.front().nearest;
}

} // namespace headroom::ui
