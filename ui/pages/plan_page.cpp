// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan_page.hpp"

#include "core/charts/plan_charts.hpp"
#include "core/metrics/words.hpp"
#include "core/plan/planner_base.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/plan/pale_parts.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_form.hpp"
#include "ui/plan/plan_ranking.hpp"
#include "ui/plan/plan_search.hpp"
#include "ui/plan/plan_sheet.hpp"
#include "ui/plan/plan_table_model.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/card.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

namespace headroom::ui
{
namespace
{

constexpr int restMs = 150, chartHeight = 280;
constexpr int threeBeside = 1150, twoBeside = 760; ///< answer, map and front; answer and map

/// A deployment as the document's scenario: names, notes and accounting stay, a measurement of another layout goes.
void take(const PreparedScenario& s, Scenario& scenario)
{
    scenario.hardware = s.hardware;
    scenario.parallelism = s.parallelism;
    scenario.training = s.training;
    scenario.inference = s.inference;
    scenario.measured = {};
    if (scenario.accelerator.id != s.accelerator->id)
        scenario.accelerator = {s.accelerator->id, {}};
}

/// Without the path into a file that nobody here sees.
QString sentences(const Diagnostics& problems)
{
    QStringList all;
    for (const Diagnostic& problem : problems)
        all << toQString(withLabels(problem.message)) +
                   (problem.hint.empty() ? QString() : u"; " + toQString(withLabels(problem.hint))) + u'.';
    return all.join(u'\n');
}

} // namespace

PlanPage::PlanPage(Session& session, ShowPage show, QWidget* parent)
    : ScrolledPage(parent), m_session(session), m_show(std::move(show)),
      m_form(new PlanForm(session.store, session.recalculator, session.settings)), m_answer(new PlanAnswer),
      m_ranking(new PlanRanking), m_compared(new PlanSheet(tr("Side by side"), {})),
      m_growth(new PlanSheet(tr("Growth"), {})), m_map(new ChartView), m_front(new ChartView), m_grid(new QGridLayout),
      m_search(new PlanSearch(this)), m_pale(new PaleParts(this))
{
    column()->setSpacing(cardGap);
    m_grid->setSpacing(cardGap);
    for (ChartView* chart : {m_map, m_front}) {
        chart->setMinimumHeight(chartHeight);
        chart->setMaximumHeight(2 * chartHeight);
    }
    column()->addWidget(m_form);
    column()->addLayout(m_grid);
    column()->addWidget(m_compared);
    column()->addWidget(m_growth);
    m_compared->hide();
    auto* assumptions =
        new QLabel(tr("An analytical estimate of one layout at a time, with the efficiencies of the "
                      "calibration: measure a pilot before you buy. Under a load, latencies are those of "
                      "the sequences that it keeps in flight on average. Waiting: Erlang C over "
                      "replicas × batch places with the spread of the lengths. "
                      "Prices are US dollars, or in the currency of your price list."));
    assumptions->setWordWrap(true);
    assumptions->setForegroundRole(QPalette::PlaceholderText);
    assumptions->setContentsMargins(2, 0, 2, 8);
    column()->addWidget(assumptions);
    column()->addStretch(0); // what the charts leave
    m_map->setObjectName(QStringLiteral("chart.plan_map"));
    m_front->setObjectName(QStringLiteral("chart.plan_front"));
    arrange();
    for (ChartView* chart : {m_map, m_front})
        chart->hide(); // until there is something on it

    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &PlanPage::begin);
    connect(m_form, &PlanForm::changed, this, &PlanPage::ask);
    connect(&session.recalculator, &Recalculator::evaluated, this, &PlanPage::ask);
    connect(&session.store, &ScenarioStore::locksChanged, this, &PlanPage::ask);
    connect(m_ranking, &PlanRanking::useRequested, this, &PlanPage::useSelected);
    connect(m_ranking, &PlanRanking::csvRequested, this, &PlanPage::exportCsv);
    connect(m_ranking, &PlanRanking::reportRequested, this, &PlanPage::exportReport);
    connect(m_ranking, &PlanRanking::rowReached, this, [this](const QRect& place) {
        const QPoint centre = m_ranking->mapTo(widget(), place.center());
        ensureVisible(std::min(centre.x(), viewport()->width() / 2), centre.y(), 0, 2 * place.height());
    });
    connect(m_ranking->model(), &PlanTableModel::tickedChanged, this, &PlanPage::compareTicked);
    connectSearch();
}

PlanPage::~PlanPage() = default;

void PlanPage::compareTicked()
{
    const auto ticked = m_ranking->model()->ticked();
    m_compared->show(comparison(m_request, ticked));
    m_compared->setVisible(!ticked.empty());
}

QTableView* PlanPage::table() const
{
    return m_ranking->table();
}

PlanTableModel* PlanPage::model() const
{
    return m_ranking->model();
}

void PlanPage::connectSearch()
{
    connect(m_answer->cancelButton(), &QPushButton::clicked, this, [this] {
        m_stopped = true;
        m_search->stop();
    });
    m_pale->add(m_answer->figures() + QList<QWidget*>{m_ranking, m_compared, m_growth, m_map, m_front});
    connect(m_pale, &PaleParts::changed, m_answer, &PlanAnswer::showPale);
    connect(m_search, &PlanSearch::progressed, this, [this](const PlanProgress& progress) {
        m_answer->showProgress(m_asked, progress);
        if (progress.best.empty())
            return;
        takeRequest();
        m_ranking->show(m_request, progress.best);
    });
    connect(m_search, &PlanSearch::found, this, [this](const PlanResult& result) {
        takeRequest();
        m_answer->showResult(m_request, result, objectiveRemark());
        m_ranking->show(m_request, result.ranked);
        takeNearest(result);
        m_best = result.ranked.empty() ? std::nullopt : std::optional(result.ranked.front());
        m_front->setMaker([request = m_request, result] { return charts::planFront(request, result); });
        m_front->setSpec(charts::planFront(m_request, result));
        m_front->setVisible(!result.ranked.empty());
        m_pale->answer({m_front});
    });
    connect(m_search, &PlanSearch::refused, this, [this](const Diagnostics& problems) { refuse(sentences(problems)); });
    connect(m_search, &PlanSearch::grown, this, &PlanPage::showGrowth);
    connect(m_search, &PlanSearch::mapped, this, [this](const PlanMap& map) {
        const auto make = [request = m_request, map, best = m_best] {
            return charts::planMap(request, map, best ? &*best : nullptr);
        };
        m_map->setMaker(make);
        m_map->setSpec(make());
        m_map->show();
        m_pale->answer({m_map});
        m_isMapped = true;
    });
    connect(m_search, &PlanSearch::finished, this, [this] {
        m_map->setVisible(m_isMapped); // a stopped search leaves nothing of the question before
        m_pale->end();
        m_answer->showFinished(m_stopped);
        shareRoom();
        fillHeight();
        tellBusy();
    });
}

void PlanPage::takeRequest()
{
    m_request = m_asked;
    m_pale->answer(m_answer->figures() + QList<QWidget*>{m_ranking, m_compared});
}

void PlanPage::showGrowth(const std::vector<PlanGrowthRow>& rows)
{
    m_pale->answer({m_growth});
    m_grown = rows;
    m_growth->show(rows.empty() ? SheetText{} : growthSheet(m_request, rows));
    m_growth->setHint(growthHint(m_request, rows));
}

bool PlanPage::isBusy() const
{
    return m_stale || m_rest.isActive() || m_search->isRunning();
}

void PlanPage::ask()
{
    m_stale = true;
    if (isVisible())
        m_rest.start();
    tellBusy();
}

void PlanPage::begin()
{
    m_stale = false;
    m_stopped = false;
    m_isMapped = m_isImpossible = false;
    if (const QString reason = m_form->refusal(); !reason.isEmpty())
        return refuse(reason);
    const auto base = searchBase();
    if (!base)
        return refuse(tr("The scenario cannot be evaluated: %1").arg(sentences(base.error())));
    m_asked = planRequest(m_form->question(), *base, m_session.recalculator.catalog(), m_session.store.locks());
    m_form->showObjective(m_asked.objective);
    for (QWidget* part : {static_cast<QWidget*>(m_ranking), static_cast<QWidget*>(m_growth)})
        part->show();
    m_answer->showSearching();
    m_pale->begin();
    m_search->start(m_asked);
}

Expected<PreparedScenario> PlanPage::searchBase() const
{
    const Recalculator& results = m_session.recalculator;
    if (results.context() && !results.isRefused())
        return results.context()->scenario;
    const IsDimensionHeld isLocked = m_session.store.locks();
    return prepare(planBase(m_session.store.scenario(), freedom(m_form->question(), isLocked), isLocked("count")),
                   results.catalog(), Calibration::builtIn());
}

void PlanPage::refuse(const QString& reason)
{
    m_search->cancel();
    m_ranking->show(m_request, {});
    m_answer->showRefusal(reason);
    for (QWidget* part : std::initializer_list<QWidget*>{m_map, m_front, m_ranking, m_growth})
        part->hide();
    shareRoom();
    tellBusy();
}

void PlanPage::tellBusy()
{
    if (const bool busy = isBusy(); busy != std::exchange(m_toldBusy, busy))
        emit busyChanged(busy);
}

QString PlanPage::objectiveRemark() const
{
    if (m_request.objective == static_cast<PlanObjective>(m_form->question().objective))
        return {};
    QStringList names;
    for (const PlanAccelerator& device : m_request.accelerators)
        if (!device.pricePerGpuHour)
            names << toQString(device.accelerator->name);
    return tr("Ranked by GPUs: no price of the %1 is known. Type one in the question above to rank by cost.")
        .arg(names.join(QStringLiteral(", ")));
}

void PlanPage::useSelected()
{
    const PlanOption* option = m_ranking->chosen();
    if (!option)
        return;
    const PreparedScenario chosen = deployed(m_request.base, *option); // the edit starts a new search
    const bool other = m_session.store.scenario().accelerator.id != chosen.accelerator->id;
    const PlanQuestion question = other ? m_form->asked().withAccelerator() : m_form->question();
    m_session.store.edit(0, tr("Use %1").arg(toQString(planMachines(*option))), [&](Scenario& scenario) {
        take(chosen, scenario);
        if (other) // the question stays what it was
            scenario.plan = question;
    });
    if (m_show)
        m_show(QStringLiteral("dashboard"));
}

void PlanPage::showEvent(QShowEvent* event)
{
    ScrolledPage::showEvent(event);
    if (m_stale)
        m_rest.start(0);
}

void PlanPage::hideEvent(QHideEvent* event)
{
    ScrolledPage::hideEvent(event);
    if (m_search->isRunning() || m_rest.isActive())
        m_stale = true; // begun anew when it is seen again
    m_rest.stop();
    m_search->cancel();
}

void PlanPage::resizeEvent(QResizeEvent* event)
{
    ScrolledPage::resizeEvent(event);
    arrange();
    fillHeight();
}

/// A high window shows more of the ranking instead of nothing.
void PlanPage::fillHeight()
{
    const int needed = widget()->layout()->totalHeightForWidth(viewport()->width());
    const int spare = viewport()->height() - (needed > 0 ? needed : widget()->layout()->totalSizeHint().height());
    m_ranking->setMoreRows(m_ranking->moreRows() +
                           static_cast<int>(std::floor(double(spare) / m_ranking->rowHeight())));
}

void PlanPage::arrange()
{
    const int width = viewport()->width();
    const int columns = width >= threeBeside ? 3 : width >= twoBeside ? 2 : 1;
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (QWidget* part : std::initializer_list<QWidget*>{m_answer, m_map, m_front, m_ranking})
        m_grid->removeWidget(part);
    m_grid->addWidget(m_answer, 0, 0);
    if (columns == 1) {
        m_grid->addWidget(m_ranking, 1, 0);
        m_grid->addWidget(m_map, 2, 0);
        m_grid->addWidget(m_front, 3, 0);
    } else {
        m_grid->addWidget(m_map, 0, 1);
        m_grid->addWidget(m_ranking, 1, 0, 1, columns);
        columns == 3 ? m_grid->addWidget(m_front, 0, 2) : m_grid->addWidget(m_front, 2, 0, 1, 2);
    }
    for (int i = 0; i < 3; ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    // A large screen has room below the ranking: the charts take it.
    for (int i = 0; i < m_grid->rowCount(); ++i) {
        const QLayoutItem* first = m_grid->itemAtPosition(i, 0);
        m_grid->setRowStretch(i, first && first->widget() != m_ranking ? 1 : 0);
    }
}

void PlanPage::shareRoom()
{
    const bool charts = !m_map->isHidden() || !m_front->isHidden();
    static_cast<QBoxLayout*>(widget()->layout())->setStretchFactor(m_grid, charts ? 1 : 0);
}

} // namespace headroom::ui
