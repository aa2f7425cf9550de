// SPDX-License-Identifier: GPL-3.0-or-later
// Plan report: question, answer, ranking and growth as the leading section of a report.
#pragma once

#include "core/plan/planner.hpp"
#include "ui/document/report.hpp"

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace headroom::ui
{

/// What a plan's report tells before the chosen deployment's own result.
struct PlanReport {
    PlanRequest request;
    QStringList answer; ///< sentences: the verdict, why cheaper options fail, what was held
    std::vector<PlanOption> ranked;
    std::vector<PlanGrowthRow> growth;
    std::vector<PlanOption> ticked{};  ///< side by side; may be empty
    std::optional<PlanOption> shown{}; ///< the one in hand; without an answer the one that comes nearest
};

/// "5 requests/s; prompt 1,024, output 256 tokens; TTFT at most 1.00 s; 1 to 1,024 GPUs; best by cost"
[[nodiscard]] QString questionText(const PlanRequest& request);
/// Rich text.
[[nodiscard]] QString planReportHtml(const PlanReport& report);
/// The report on paper, of the chosen deployment as far as there is one, with these charts of the plan. `context` is
/// the window's.
[[nodiscard]] ReportContent planReportContent(const PlanReport& report, ChartContext context,
                                              const std::vector<ChartSpec>& charts);
/// The same as a page of Markdown, for a wiki or a chat.
[[nodiscard]] QString planReportMarkdown(const PlanReport& report);

} // namespace headroom::ui
