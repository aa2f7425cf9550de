// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/report_html.hpp"

#include "core/comparison/comparison.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/result_notes.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/prices.hpp"
#include "core/predict/source_peak.hpp"
#include "core/profile/profile_advice.hpp"
#include "core/profile/profile_table.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/document/parameter_groups.hpp"
#include "ui/theme/theme.hpp"

#include <QDate>
#include <QLocale>
#include <algorithm>

namespace headroom::ui
{
namespace
{

QString muted(const QString& text)
{
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(theme(ThemeKind::Light).muted.name(), text);
}

QString listed(const std::vector<std::string>& lines)
{
    QString html;
    for (const std::string& line : lines)
        html +=
            QStringLiteral("<p style='margin-top:0;margin-bottom:3px;font-size:8.5pt'>%1</p>").arg(toRichText(line));
    return html;
}

/// Figures that belong on paper: the headline ones, money and energy, what was measured.
bool isReported(const MetricRow& metric, Task task)
{
    return appliesTo(metric, task) &&
           (metric.tile || metric.id.starts_with("cost") || metric.id.starts_with("energy") ||
            metric.id.starts_with("observed") || metric.id.starts_with("phases") || metric.id.starts_with("rl.") ||
            metric.id == "request_latency_s" || metric.id == "seconds_to_train");
}

QString groupName(ParameterGroup group)
{
    for (const ParameterGroupRow& row : parameterGroups())
        if (row.group == group)
            return groupTitle(row);
    return {};
}

/// Lines that the derivations of the headline figures name, each once.
QString section(const QString& title, const ChartContext& context, std::vector<std::string> Derivation::*lines)
{
    std::vector<std::string> all;
    for (const MetricRow& metric : metricRegistry()) {
        if (!metric.tile || !appliesTo(metric, context.scenario.task) || !metric.value(context.evaluation))
            continue;
        const Derivation derivation = derive(metric.id, context.scenario, context.evaluation);
        for (const std::string& line : derivation.*lines)
            if (std::find(all.begin(), all.end(), line) == all.end())
                all.push_back(line);
    }
    return all.empty() ? QString() : reportHeading(title) + listed(all);
}

} // namespace

QString reportHeading(const QString& text)
{
    return QStringLiteral("<h2 style='margin-top:18px;margin-bottom:4px;font-size:13pt'>%1</h2>")
        .arg(text.toHtmlEscaped());
}

QString reportRow(const QStringList& richCells)
{
    QString html = QStringLiteral("<tr>");
    for (const QString& cell : richCells)
        html += QStringLiteral("<td style='padding:2px 14px 2px 0'>%1</td>").arg(cell);
    return html + QStringLiteral("</tr>");
}

QString reportTable(const QString& rows)
{
    return QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0'>") + rows + QStringLiteral("</table>");
}

QString reportDate(QDate date)
{
    const QLocale locale;
    const bool german = locale.language() == QLocale::German;
    return locale.toString(date, german ? QStringLiteral("d. MMMM yyyy") : QStringLiteral("d MMMM yyyy"));
}

QString reportHead(const ReportContent& content)
{
    const Evaluation& e = content.context.evaluation;
    const QString name = content.leadAlone ? QString() : toQString(shortName(content.context.scenario));
    QString html = QStringLiteral("<h1 style='margin-bottom:2px;font-size:18pt'>%1</h1>")
                       .arg(content.title.isEmpty() ? toRichText(name) : toRichText(content.title));
    html +=
        QStringLiteral("<p style='margin-top:0'>%1</p>")
            .arg(muted((content.title.isEmpty() || name.isEmpty() ? QString()
                                                                  : QString(toRichText(name) + QStringLiteral(" · "))) +
                       reportDate(QDate::currentDate()) + QStringLiteral(" · Headroom ") +
                       QLatin1String(HEADROOM_VERSION)));
    if (content.leadAlone)
        return html;
    const MemoryNeed need = decisiveMemory(e);
    const QString memory = tr("%1 of %2 per GPU")
                               .arg(toQString(formatText(need.usedBytes, ValueFormat::Bytes)),
                                    toQString(formatText(need.capacityBytes, ValueFormat::Bytes)));
    const QString bound = toQString(say(label(e.boundBy)));
    const QString answer =
        stepFits(e) ? tr("Fits: %1. The step is %2.").arg(memory, bound)
                    : tr("Does not fit: %1; %2. The step is %3.")
                          .arg(memory, toQString(timesWhereItDoesNotFit(content.context.scenario.task)), bound);
    html += QStringLiteral("<p><b>%1</b></p>").arg(toRichText(answer));
    if (!content.measurement.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(toRichText(content.measurement));
    if (!content.notes.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(toRichText(content.notes).replace(u'\n', QStringLiteral("<br>")));
    return html;
}

QString reportResults(const ChartContext& context)
{
    const bool own = !context.scenario.efficiency.isPlain();
    PreparedScenario plain = context.scenario;
    plain.efficiency = plain.efficiency.plain();
    const Evaluation builtIn = own ? evaluate(plain) : context.evaluation;
    QString rows;
    for (const MetricRow& metric : metricRegistry()) {
        const auto value = metric.value(context.evaluation);
        if (!isReported(metric, context.scenario.task) || !value)
            continue;
        const bool observed = metric.id.starts_with("observed");
        const bool calibrated = own && metric.value(builtIn) != value;
        // Beside a predicted share of the device's peak, as the comparison has it.
        const double ratio = isOfSourcePeak(metric.id) ? sourcePeakRatio(context.scenario, context.evaluation) : 1;
        const std::string label =
            ratio == 1 ? said(metric.label) : say("{}, of the device's own peak", said(metric.label));
        rows += reportRow({toRichText(label),
                           QStringLiteral("<b>%1</b>").arg(toRichText(formatText(*value / ratio, metric.format))),
                           muted(observed     ? tr("measured")
                                 : calibrated ? tr("calibrated")
                                              : tr("predicted")),
                           muted(toRichText(say(metric.longName)))});
    }
    QString html = reportHeading(tr("Result")) + reportTable(rows);
    for (const std::string& source : priceSources(context.scenario))
        html += QStringLiteral("<p>%1</p>").arg(muted(toRichText(source)));
    return html;
}

namespace
{

/// Their profiles side by side; empty where fewer than two have one.
QString profilesTable(const profile::ProfilesAcross& across)
{
    if (across.parts.empty())
        return {};
    QStringList head{muted(tr("Part, as profiled"))};
    for (const std::string& letter : across.letters)
        head << QStringLiteral("<b>%1</b>").arg(letter.empty() ? tr("Now") : toQString(letter));
    QString rows = reportRow(head);
    for (const profile::PartAcross& part : across.parts) {
        QStringList cells{toRichText(capitalized(said(part.label)))};
        for (const auto& seconds : part.measuredS)
            cells << (seconds ? toRichText(secondsText(*seconds)) : QStringLiteral("–"));
        rows += reportRow(cells);
    }
    return reportTable(rows);
}

} // namespace

QString reportComparison(const ChartContext& context)
{
    if (context.pins.empty())
        return {};
    const Comparison comparison = compare(context.scenario, context.evaluation, context.pins);
    QStringList head{QString()};
    for (const ComparisonColumn& column : comparison.columns)
        head << QStringLiteral("<b>%1</b> %2")
                    .arg(column.letter.empty() ? tr("Now") : toQString(column.letter), muted(toRichText(column.name)));
    QString rows = reportRow(head);
    for (const ComparisonRow& figures : comparison.rows) {
        if (!isReported(*figures.metric, context.scenario.task))
            continue;
        QStringList cells{toRichText(figures.label)};
        for (std::size_t i = 0; i < figures.values.size(); ++i) {
            QString text = figures.values[i] ? toRichText(formatText(*figures.values[i], figures.metric->format))
                                             : QStringLiteral("–");
            if (figures.best == i)
                text = QStringLiteral("<b>%1</b>").arg(text);
            cells << (figures.words[i].empty()
                          ? text
                          : text + QStringLiteral("<br>") + muted(tr("now %1").arg(toRichText(figures.words[i]))));
        }
        rows += reportRow(cells);
    }
    QString html = reportHeading(tr("Beside what is pinned")) + reportTable(rows);
    std::vector<ComparedScenario> all{{.prepared = &context.scenario, .evaluation = &context.evaluation}};
    for (const PinnedScenario& pin : context.pins)
        all.push_back({.letter = std::string(1, pin.letter), .prepared = &pin.prepared, .evaluation = &pin.evaluation});
    html += profilesTable(profile::profilesAcross(all));
    for (const ComparisonColumn& column : comparison.columns)
        if (!column.otherMeasurement.empty())
            html += QStringLiteral("<p style='margin-top:0;margin-bottom:2px'><b>%1</b> %2</p>")
                        .arg(toRichText(column.letter), toRichText(column.otherMeasurement));
    for (const ComparisonColumn& column : comparison.columns)
        for (const ScenarioDifference& change : column.changes)
            html += QStringLiteral("<p style='margin-top:0;margin-bottom:2px'>%1</p>")
                        .arg(muted(tr("From %1: %2 %3 → %4")
                                       .arg(toRichText(column.letter), toRichText(change.label),
                                            toRichText(change.before), toRichText(change.after))));
    return html;
}

QString reportProfile(const ChartContext& context)
{
    const auto comparison =
        profile::compareProfile(context.scenario.measured.profile, context.scenario, context.evaluation);
    const auto table = profile::profileTable(comparison);
    if (table.empty())
        return {};
    const auto right = [](const QString& text) { return QStringLiteral("<div align='right'>%1</div>").arg(text); };
    QString rows = reportRow({muted(tr("Part")), right(muted(tr("predicted"))), right(muted(tr("measured"))),
                              right(muted(tr("difference")))});
    for (const profile::ProfileTableRow& row : table) {
        rows += reportRow({toRichText(row.part), right(toRichText(row.predicted)), right(toRichText(row.measured)),
                           right(QStringLiteral("<b>%1</b>").arg(toRichText(row.difference)))});
        if (!row.cause.empty())
            rows += QStringLiteral("<tr><td colspan='4' style='padding:0 14px 4px 12px;font-size:8.5pt'>%1</td></tr>")
                        .arg(muted(toRichText(row.cause)));
    }
    QString html = reportHeading(tr("Profile beside the prediction")) + reportTable(rows);
    if (const auto advice = profile::profileAdvice(comparison, context.scenario, context.evaluation); !advice.empty()) {
        html += QStringLiteral("<p style='margin-bottom:2px'><b>%1</b></p>")
                    .arg(tr("What it says to change, largest gain first"));
        for (const profile::ProfileAdvice& each : advice) {
            html +=
                QStringLiteral("<p style='margin-top:0;margin-bottom:3px'>%1</p>").arg(toRichText(each.finding.text));
            if (each.change)
                html += QStringLiteral("<p style='margin-top:0;margin-bottom:3px;margin-left:12px'>%1</p>")
                            .arg(toRichText(each.change->text));
        }
    }
    if (context.scenario.kernels) {
        constexpr std::size_t most = 20;
        html += QStringLiteral("<p style='margin-bottom:2px'><b>%1</b></p>").arg(tr("Kernels by name"));
        for (const profile::KernelRow& row : profile::kernelRows(*context.scenario.kernels, most))
            html += QStringLiteral("<p style='margin-top:0;margin-bottom:3px'>%1: %2</p>")
                        .arg(toRichText(row.name), muted(toRichText(row.words)));
    }
    return html + listed(comparison.notes);
}

namespace
{

/// What a phase states: its tokens, and where it differs from the scenario.
QString phaseText(const PreparedScenario& scenario, const TrainingPhase& phase)
{
    const PreparedScenario own = phaseScenario(scenario, phase);
    QStringList parts{toQString(say("{} tokens", formatText(phase.tokens, ValueFormat::Parameters)))};
    for (const ParameterRow& row : parameterRegistry())
        if (row.id != "training_tokens" && row.isSet(own) && row.get(own) != row.get(scenario))
            parts << toQString(say(row.label)) + QStringLiteral(": ") + toQString(parameterText(row, row.get(own)));
    return toRichText(parts.join(QStringLiteral("; ")));
}

} // namespace

QString reportInputs(const ChartContext& context)
{
    const PreparedScenario& scenario = context.scenario;
    QString rows = reportRow({tr("Model"), toRichText(scenario.model->architecture.name), QString()});
    rows += reportRow({tr("Accelerator"), toRichText(scenario.accelerator->name), QString()});
    rows += reportRow({tr("Task"), scenario.task == Task::Training ? tr("training") : tr("inference"), QString()});
    for (const ParameterRow& parameter : parameterRegistry()) {
        const bool applies = isOffered(parameter, scenario);
        const bool set = parameter.isSet(scenario);
        const bool unknown = parameter.group == ParameterGroup::Measured && !set;
        if (!applies || unknown || (!set && !parameter.everyday))
            continue;
        const bool overruled = isOverruled(parameter, scenario); // the batch, by as many as fit
        const double value = overruled ? fullBatch(context.evaluation) : parameter.get(scenario);
        const QString origin = overruled || (parameter.optional && !set) ? tr(", automatic")
                               : set                                     ? QString()
                                                                         : tr(", default");
        rows += reportRow({toRichText(say(parameter.label)), toRichText(parameterText(parameter, value)),
                           muted(groupName(parameter.group) + origin)});
    }
    for (std::size_t i = 0; scenario.phases && i < scenario.phases->size(); ++i) {
        const TrainingPhase& phase = (*scenario.phases)[i];
        rows += reportRow({toRichText(capitalized(phaseName(phase, i))), phaseText(scenario, phase),
                           muted(tr("Phases of the training"))});
    }
    return reportHeading(tr("Inputs")) + reportTable(rows);
}

QString reportAdvice(const ChartContext& context)
{
    const auto advice = whatNext(context.scenario, context.evaluation);
    if (advice.empty())
        return {};
    QString html = reportHeading(toQString(adviceHeading(context.evaluation)));
    for (const Advice& one : advice)
        html += QStringLiteral("<p style='margin-top:0;margin-bottom:3px'>%1</p>").arg(toRichText(one.text));
    return html;
}

QString reportNotes(const ChartContext& context)
{
    const auto notes = noteTexts(context.scenario, context.evaluation);
    return notes.empty() ? QString() : reportHeading(tr("Notes on this result")) + listed(notes);
}

QString reportAssumptions(const ChartContext& context)
{
    return section(tr("Assumptions"), context, &Derivation::assumptions);
}

QString reportSources(const ChartContext& context)
{
    return section(tr("Sources and calibration"), context, &Derivation::sources);
}

} // namespace headroom::ui
