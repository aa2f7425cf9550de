// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_answer.hpp"

#include "core/metrics/words.hpp"
#include "core/plan/planner_possible.hpp"
#include "core/plan/planner_table.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/theme/text_style.hpp"

#include <QAccessible>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int progressSteps = 1000;

QString money(double value)
{
    return toQString(formatText(value, ValueFormat::Money));
}

QString count(std::uint64_t n)
{
    return toQString(wholeText(double(n)));
}

QString countsText(const PlanCounts& c)
{
    return PlanAnswer::tr("%1 configurations decided: %2 evaluated; excluded by a bound: %3 do not fit, %4 are "
                          "too slow, %5 cost too much")
        .arg(count(c.decided()), count(c.evaluated), count(c.excludedByMemory), count(c.excludedByTime),
             count(c.excludedByLimit));
}

} // namespace

QString verdictText(const PlanRequest& request, const PlanOption& best)
{
    const Evaluation& e = best.evaluation;
    const auto number = [](double gpus) { return toQString(wholeText(gpus)); };
    QString text = PlanAnswer::tr("%1 × %2").arg(number(e.rl ? e.rl->gpus : double(best.scenario.hardware.count)),
                                                 toQString(best.scenario.accelerator->name));
    if (e.rl && e.rl->gpus > e.rl->trainGpus)
        text += PlanAnswer::tr(" (%1 train, %2 generate)").arg(number(e.rl->trainGpus), number(e.rl->rolloutGpus));
    if (e.pools) {
        const auto& reader = best.scenario.prefillAccelerator;
        text = PlanAnswer::tr("%1 × %2 read, %3 decode")
                   .arg(count(static_cast<std::uint64_t>(e.pools->prefill.devices)),
                        toQString(reader ? reader->name : best.scenario.accelerator->name), text);
    }
    if (e.task == Task::Training && e.secondsToTrain)
        text += (e.goodput ? PlanAnswer::tr(", %1 of calendar time") : PlanAnswer::tr(", %1 of training"))
                    .arg(toQString(secondsText(*e.secondsToTrain)));
    if (e.costToTrain)
        text += PlanAnswer::tr(", %1 in all").arg(money(*e.costToTrain));
    else if (e.costPerHour)
        text += PlanAnswer::tr(", %1 an hour").arg(money(*e.costPerHour));
    if (e.task == Task::Training && e.mfu && !e.rl) // that would be the update's
        text += PlanAnswer::tr(", MFU %1").arg(toQString(percentText(*e.mfu)));
    if (e.queue)
        text += PlanAnswer::tr(", %1 of its capacity used").arg(toQString(percentText(e.queue->utilization)));
    const QString binding = toQString(bindingConstraint(request, best));
    return text + (binding.isEmpty() ? QString() : PlanAnswer::tr("; tightest: %1").arg(binding));
}

PlanAnswer::PlanAnswer(QWidget* parent)
    : Card(parent), m_verdict(new QLabel), m_layout(new QLabel), m_reasons(new QLabel), m_counts(new QLabel),
      m_progress(new QProgressBar), m_cancel(new QPushButton(tr("Stop")))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(5);
    setTextStyle(m_verdict, TextStyle::ChartTitle);
    for (QLabel* label : {m_verdict, m_layout, m_reasons}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    for (QLabel* label : {m_layout, m_reasons})
        label->setProperty("fromCore", true); // words of the planner
    m_layout->setAccessibleName(tr("Layout"));
    m_verdict->setAccessibleName(tr("Answer"));
    m_reasons->setAccessibleName(tr("Why the next cheaper options fail"));
    setTextStyle(m_counts, TextStyle::Caption);
    m_counts->setForegroundRole(QPalette::PlaceholderText);
    m_counts->setWordWrap(true);
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(90, 6);
    m_progress->setAccessibleName(tr("Progress of the search"));
    m_cancel->setToolTip(tr("Stop the search; what was found so far stays"));
    m_cancel->setAutoDefault(false);
    auto* title = new QLabel(tr("Answer"));
    setTextStyle(title, TextStyle::Caption);
    title->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(title, 1);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    column->addLayout(row);
    column->addWidget(m_verdict);
    column->addWidget(m_layout);
    column->addWidget(m_reasons);
    column->addStretch(1);
    column->addWidget(m_counts);
    for (QWidget* part : {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_cancel)}) {
        QSizePolicy stays = part->sizePolicy();
        stays.setRetainSizeWhenHidden(true); // nothing jumps when a search ends
        part->setSizePolicy(stays);
    }
    showFinished(false);
}

void PlanAnswer::showBest(const QString& verdict, const PlanOption* best)
{
    m_layout->setText(best ? toQString(layoutText(*best)) : QString());
    m_layout->setVisible(best != nullptr);
    if (verdict == m_verdict->text())
        return;
    m_verdict->setText(verdict);
    QAccessibleEvent spoken(m_verdict, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&spoken);
}

void PlanAnswer::showSearching()
{
    m_counted.clear(); // of the question before
    if (m_isPale)
        showCounts();
    m_progress->setValue(0);
    m_progress->show();
    m_cancel->show();
}

void PlanAnswer::showProgress(const PlanRequest& request, const PlanProgress& progress)
{
    m_progress->setValue(static_cast<int>(progress.share * progressSteps));
    m_counted = countsText(progress.counts);
    showCounts();
    if (progress.best.empty())
        return;
    m_reasons->clear(); // of the question before
    m_reasons->hide();
    showBest(tr("So far: %1").arg(verdictText(request, progress.best.front())), &progress.best.front());
}

void PlanAnswer::showResult(const PlanRequest& request, const PlanResult& result, const QString& remark)
{
    const bool none = result.ranked.empty();
    none ? showBest(result.cancelled ? tr("Stopped before anything was found.")
                                     : tr("No deployment fits and meets the targets."),
                    nullptr)
         : showBest(verdictText(request, result.ranked.front()), &result.ranked.front());
    QStringList lines;
    if (!remark.isEmpty())
        lines << remark;
    if (const std::string risk = none ? std::string() : riskText(request, result.ranked.front()); !risk.empty())
        lines << toQString(risk) + u'.';
    if (const std::string safer = saferText(request, result); !safer.empty())
        lines << toQString(safer) + u'.';
    if (const auto possible = planPossible(request, result))
        lines << toQString(possible->text) + u'.';
    for (const PlanRejection& rejection : result.rejected)
        lines << toQString(rejection.reason) + u'.';
    const bool pools = !none && result.ranked.front().evaluation.pools.has_value(); // what one would do is a note
    if (result.rejected.empty() && !none && !pools && !result.cancelled)
        lines << (planGpus(result.ranked.front()) > double(std::ranges::min(request.gpuCounts))
                      ? tr("Fewer GPUs also meet the targets; by this objective they rank lower.")
                      : tr("No smaller number of GPUs was searched."));
    for (const std::string& note : result.notes)
        lines << toQString(withLabels(note)) + u'.';
    m_reasons->setText(lines.join(u'\n'));
    m_reasons->show();
    m_counted = countsText(result.counts);
    showCounts();
}

void PlanAnswer::showRefusal(const QString& reason)
{
    showBest(reason, nullptr);
    m_reasons->clear();
    m_reasons->hide();
    m_counted.clear();
    showCounts();
    showFinished(false);
}

void PlanAnswer::showFinished(bool cancelled)
{
    m_progress->hide();
    m_cancel->hide();
    if (cancelled)
        m_counted = tr("Stopped. %1").arg(m_counted);
    showCounts();
}

void PlanAnswer::showPale(bool pale)
{
    m_isPale = pale;
    showCounts();
}

void PlanAnswer::showCounts()
{
    QStringList lines(m_counted);
    if (m_isPale)
        lines << tr("What is pale answers the question before.");
    lines.removeAll(QString());
    m_counts->setText(lines.join(u'\n'));
}

QList<QWidget*> PlanAnswer::figures() const
{
    return {m_verdict, m_layout, m_reasons};
}

QString PlanAnswer::verdict() const
{
    return m_verdict->text();
}

QString PlanAnswer::reasons() const
{
    return m_reasons->text();
}

QString PlanAnswer::counts() const
{
    return m_counts->text();
}

} // namespace headroom::ui
