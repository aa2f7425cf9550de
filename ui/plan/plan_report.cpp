// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_report.hpp"

#include "core/plan/planner_table.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/markdown.hpp"
#include "core/units/currency.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/document/report_html.hpp"
#include "ui/plan/plan_sheet.hpp"
#include "ui/plan/plan_table_model.hpp"

#include <QDate>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int mostRows = 10, mostFigures = 5;

QString shown(double value, ValueFormat format)
{
    return toQString(formatText(value, format));
}

QString tokens(std::int64_t mean, const std::optional<std::int64_t>& p95)
{
    const QString text = shown(double(mean), ValueFormat::Integer);
    return p95 ? tr("%1 (95th percentile %2)").arg(text, shown(double(*p95), ValueFormat::Integer)) : text;
}

void addLoad(QStringList& parts, const PlanRequest& request)
{
    const InferenceWorkload& w = request.base.inference;
    if (request.users)
        parts << tr("%1 users who think for %2")
                     .arg(shown(request.users->count, ValueFormat::Integer),
                          shown(request.users->thinkS, ValueFormat::Seconds));
    else if (w.requestsPerS)
        parts << tr("%1 requests/s").arg(shown(*w.requestsPerS, ValueFormat::Plain));
    parts << tr("prompt %1, output %2 tokens")
                 .arg(tokens(w.promptTokens, w.promptTokensP95), tokens(w.outputTokens, w.outputTokensP95));
    if (w.ttftTargetS)
        parts << tr("TTFT at most %1").arg(shown(*w.ttftTargetS, ValueFormat::Seconds));
    if (w.tpotTargetS)
        parts << tr("TPOT at most %1").arg(shown(*w.tpotTargetS, ValueFormat::Seconds));
}

void addRun(QStringList& parts, const PlanRequest& request)
{
    const TrainingWorkload& w = request.base.training;
    if (w.trainingTokens)
        parts << tr("%1 tokens").arg(shown(*w.trainingTokens, ValueFormat::Parameters));
    if (isRl(request.base))
        parts << tr("steps of %1 prompts with %2 answers of %3 tokens")
                     .arg(shown(double(w.rl.prompts.value_or(usualRlPrompts)), ValueFormat::Integer),
                          shown(double(w.rl.samples), ValueFormat::Integer),
                          shown(double(w.rl.outputTokens), ValueFormat::Integer));
    else
        parts << tr("sequences of %1 tokens").arg(shown(double(w.sequenceLength), ValueFormat::Integer));
    if (w.globalBatch)
        parts << tr("global batch %1").arg(shown(double(*w.globalBatch), ValueFormat::Integer));
    if (countsFailures(w))
        parts << tr("failures counted");
    if (request.limits.deadlineS)
        parts << tr("within %1").arg(shown(*request.limits.deadlineS, ValueFormat::Seconds));
    if (request.limits.costToTrain)
        parts << tr("for at most %1").arg(shown(*request.limits.costToTrain, ValueFormat::Money));
}

QString objectiveName(PlanObjective objective)
{
    switch (objective) {
    case PlanObjective::Cost:
        return tr("cost");
    case PlanObjective::Time:
        return tr("time");
    case PlanObjective::Energy:
        return tr("energy");
    case PlanObjective::Gpus:
        return tr("GPUs");
    case PlanObjective::Mfu:
        break;
    }
    return tr("MFU");
}

QString small(const QString& html)
{
    return QStringLiteral("<span style='font-size:7.5pt'>%1</span>").arg(html);
}

QString sheetHtml(const SheetText& sheet)
{
    const auto cells = [](const QStringList& row, bool heading) {
        QStringList rich;
        for (const QString& cell : row)
            rich << small(heading ? QStringLiteral("<b>%1</b>").arg(toRichText(cell)) : toRichText(cell));
        return reportRow(rich);
    };
    QString html = cells(sheet.header, true);
    for (const QStringList& row : sheet.rows)
        html += cells(row, false);
    return reportTable(html);
}

QString sheetMarkdown(const SheetText& sheet)
{
    const auto line = [](const QStringList& row) {
        QString text = QStringLiteral("|");
        for (const QString& cell : row)
            text += u' ' + toQString(markdownText(toUtf8(cell))) + QStringLiteral(" |");
        return QString(text + u'\n');
    };
    QString text = line(sheet.header);
    text += u'|' + QStringLiteral("---|").repeated(static_cast<int>(sheet.header.size())) + u'\n';
    for (const QStringList& row : sheet.rows)
        text += line(row);
    return text;
}

/// "H100 SXM5 80GB at $2.50 an hour; Instinct MI300X, price unknown"
QString devicesText(const PlanRequest& request)
{
    QStringList devices;
    const auto add = [&devices](const PlanAccelerator& device) {
        const QString name = toQString(device.accelerator->name);
        if (!device.pricePerGpuHour) {
            devices << tr("%1, price unknown").arg(name);
            return;
        }
        const QString priced = tr("%1 at %2 an hour").arg(name, shown(*device.pricePerGpuHour, ValueFormat::Money));
        devices << (device.price ? QStringLiteral("%1 (%2)").arg(priced, toQString(priceOrigin(*device.price)))
                                 : priced);
    };
    for (const PlanAccelerator& each : request.accelerators)
        add(each);
    if (request.accelerators.empty())
        add({request.base.accelerator, request.base.hardware.pricePerGpuHour, request.base.price, {}});
    return devices.join(QStringLiteral("; "));
}

SheetText rankingSheet(const PlanReport& report)
{
    PlanTableModel model;
    model.show(report.request, report.ranked);
    const bool several = report.request.accelerators.size() > 1;
    const int columns = std::min(model.columnCount(), PlanTableModel::FirstFigure + mostFigures);
    const auto row = [&](const auto& text) {
        QStringList cells;
        for (int column = 0; column < columns; ++column)
            if (column != PlanTableModel::Device || several)
                cells << text(column);
        return cells;
    };
    SheetText sheet;
    sheet.header =
        row([&](int column) { return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int i = 0; i < std::min(model.rowCount(), mostRows); ++i)
        sheet.rows.push_back(row([&](int column) { // on paper each layout is in full
            return column == PlanTableModel::Layout ? toQString(layoutLines(report.ranked[std::size_t(i)]))
                                                    : model.index(i, column).data().toString();
        }));
    return sheet;
}

struct Section {
    QString heading;
    QStringList lines; ///< sentences
    SheetText sheet;   ///< may be empty
};

std::vector<Section> sectionsOf(const PlanReport& report)
{
    std::vector<Section> sections{
        {tr("Question"),
         {questionText(report.request) + u'.', tr("Compared: %1.").arg(devicesText(report.request))},
         {}},
        {tr("Answer"), report.answer, {}}};
    const auto add = [&sections](const QString& heading, SheetText sheet) {
        if (!sheet.rows.empty())
            sections.push_back({heading, {}, std::move(sheet)});
    };
    std::vector<const PlanOption*> ticked;
    for (const PlanOption& option : report.ticked)
        ticked.push_back(&option);
    const PlanOption* shown = report.shown ? &*report.shown : nullptr;
    if (shown && report.ranked.empty())
        add(tr("What comes nearest"), comparison(report.request, {shown}));
    add(tr("Side by side"), comparison(report.request, ticked));
    if (shown && std::ranges::none_of(report.ticked, [shown](const PlanOption& option) {
            return deploymentId(option) == deploymentId(*shown);
        }))
        ticked.insert(ticked.begin(), shown);
    if (const SheetText sheet = intervals(report.request, ticked); !sheet.rows.empty())
        sections.push_back(
            {tr("80 % intervals"), {tr("Four in five comparable runs lie within the brackets.")}, sheet});
    add(tr("Ranking"), rankingSheet(report));
    add(tr("Growth"), report.growth.empty() ? SheetText{} : growthSheet(report.request, report.growth));
    return sections;
}

} // namespace

QString questionText(const PlanRequest& request)
{
    QStringList parts{toQString(request.base.model->architecture.name)};
    request.base.task == Task::Inference ? addLoad(parts, request) : addRun(parts, request);
    if (request.limits.costPerHour)
        parts << tr("at most %1 an hour").arg(shown(*request.limits.costPerHour, ValueFormat::Money));
    const auto [fewest, most] = std::ranges::minmax_element(request.gpuCounts);
    if (fewest != request.gpuCounts.end())
        parts << (*fewest == *most ? tr("%1 GPUs").arg(shown(double(*most), ValueFormat::Integer))
                                   : tr("%1 to %2 GPUs")
                                         .arg(shown(double(*fewest), ValueFormat::Integer),
                                              shown(double(*most), ValueFormat::Integer)));
    if (request.slowEnd && !isRl(request.base)) // whose steps have no interval
        parts << tr("targets held at the slow end of the 80 % interval");
    parts << tr("best by %1").arg(objectiveName(request.objective));
    return parts.join(QStringLiteral("; "));
}

QString planReportHtml(const PlanReport& report)
{
    QString html;
    for (const Section& section : sectionsOf(report)) {
        html += reportHeading(section.heading);
        for (const QString& line : section.lines)
            html += QStringLiteral("<p style='margin-top:0;margin-bottom:3px'>%1</p>").arg(toRichText(line));
        if (!section.sheet.rows.empty())
            html += sheetHtml(section.sheet);
    }
    return html;
}

QString planReportMarkdown(const PlanReport& report)
{
    QString text = QStringLiteral("# %1\n").arg(tr("Plan"));
    for (const Section& section : sectionsOf(report)) {
        text += QStringLiteral("\n## %1\n\n").arg(section.heading);
        for (const QString& line : section.lines)
            text += QStringLiteral("- ") + toQString(markdownText(toUtf8(line))) + u'\n';
        if (!section.sheet.rows.empty())
            text += sheetMarkdown(section.sheet);
    }
    return text + QStringLiteral("\n%1\n").arg(tr("Predicted by Headroom %1 on %2; prices in %3.")
                                                   .arg(QLatin1String(HEADROOM_VERSION),
                                                        reportDate(QDate::currentDate()), toQString(currencyName())));
}

ReportContent planReportContent(const PlanReport& report, ChartContext context, const std::vector<ChartSpec>& charts)
{
    ReportContent content{std::move(context), tr("Plan"), {}, {}};
    content.lead = planReportHtml(report);
    content.leadCharts = charts;
    content.leadAlone = report.ranked.empty(); // no deployment to report on: what comes nearest is none
    if (content.leadAlone)
        return content;
    content.chartIds = {QStringLiteral("time_breakdown"), QStringLiteral("sensitivity")};
    content.context.scenario = report.shown->scenario;
    content.context.evaluation = report.shown->evaluation;
    content.context.pins.clear();
    content.context.curves.reset();
    return content;
}

} // namespace headroom::ui
