// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan_page.hpp"

#include "core/charts/plan_charts.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/controls/thin_scroll_bar.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_form.hpp"
#include "ui/plan/plan_search.hpp"
#include "ui/plan/plan_sheet.hpp"
#include "ui/plan/plan_table_model.hpp"
#include "ui/settings/settings.hpp"
#include "ui/text.hpp"

#include <QDir>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr int gap = 12, restMs = 150, chartHeight = 320, tableRows = 10;
constexpr int widestLayout = 420;
constexpr int sideBySide = 760; ///< below, the charts stand under each other

/// A deployment as the document's scenario: names, notes and accounting stay, a measurement of another layout goes.
void take(const PlanOption& option, Scenario& scenario)
{
    const PreparedScenario& s = option.scenario;
    scenario.hardware = s.hardware;
    scenario.parallelism = s.parallelism;
    scenario.training = s.training;
    scenario.inference = s.inference;
    scenario.measured = {};
    if (scenario.accelerator.id != s.accelerator->id)
        scenario.accelerator = {s.accelerator->id, {}};
}

} // namespace

PlanPage::PlanPage(const PageServices& services, QWidget* parent)
    : QScrollArea(parent), m_services(services),
      m_form(new PlanForm(services.store, services.recalculator, services.settings)), m_answer(new PlanAnswer),
      m_model(new PlanTableModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_compared(new PlanSheet(tr("Side by side"), tr("Tick up to four deployments in the first column."))),
      m_growth(new PlanSheet(tr("Growth"), tr("The cheapest deployment as the load (of a training run: its tokens) "
                                              "becomes a multiple of today's."))),
      m_map(new ChartView), m_front(new ChartView), m_charts(new QWidget), m_search(new PlanSearch(this))
{
    setVerticalScrollBar(new ThinScrollBar);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    viewport()->setAutoFillBackground(false);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap);
    column->addWidget(m_form);
    column->addWidget(m_answer);
    column->addWidget(buildTable());
    column->addWidget(m_compared);
    auto* grid = new QGridLayout(m_charts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(gap);
    for (ChartView* chart : {m_map, m_front})
        chart->setFixedHeight(chartHeight);
    column->addWidget(m_charts);
    column->addWidget(m_growth);
    auto* assumptions = new QLabel(tr("An analytical estimate of one layout at a time, with the efficiencies of the "
                                      "calibration: measure a pilot before you buy. Waiting: Erlang C over replicas × "
                                      "batch places with the spread of the lengths; the batch is taken as full."));
    assumptions->setWordWrap(true);
    assumptions->setForegroundRole(QPalette::PlaceholderText);
    assumptions->setContentsMargins(2, 0, 2, 8);
    column->addWidget(assumptions);
    column->addStretch(1);
    setWidget(content);
    content->setAutoFillBackground(false);
    m_map->setObjectName(QStringLiteral("chart.plan_map"));
    m_front->setObjectName(QStringLiteral("chart.plan_front"));

    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &PlanPage::begin);
    connect(m_form, &PlanForm::changed, this, &PlanPage::ask);
    connect(&services.recalculator, &Recalculator::evaluated, this, &PlanPage::ask);
    connect(&services.store, &ScenarioStore::locksChanged, this, &PlanPage::ask);
    connectSearch();
    updateButtons();
}

PlanPage::~PlanPage() = default;

QWidget* PlanPage::buildTable()
{
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(2, 2, 2, 8);
    column->setSpacing(8);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(PlanTableModel::sortRole);
    m_table = new QTableView;
    m_table->setModel(m_sorted);
    m_table->setAccessibleName(tr("Ranked deployments"));
    m_table->setAccessibleDescription(tr("Space ticks a row for comparison, Return makes it the scenario"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollBar(new ThinScrollBar);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PlanTableModel::Rank, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    const int line = m_table->fontMetrics().height() + 8;
    m_table->verticalHeader()->setDefaultSectionSize(line);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setFixedHeight((tableRows + 2) * line);
    m_table->installEventFilter(this);
    column->addWidget(m_table);
    m_use = new QPushButton(tr("Use this"));
    m_use->setToolTip(tr("Make the selected deployment, else the best, the scenario (Return)"));
    m_export = new QPushButton(tr("Export CSV…"));
    m_export->setToolTip(tr("Write the ranking at full precision"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 0, 10, 0);
    row->addWidget(m_use);
    row->addWidget(m_export);
    row->addStretch(1);
    column->addLayout(row);
    connect(m_use, &QPushButton::clicked, this, &PlanPage::useSelected);
    connect(m_export, &QPushButton::clicked, this, &PlanPage::exportCsv);
    connect(m_table, &QTableView::doubleClicked, this, &PlanPage::useSelected);
    connect(m_model, &PlanTableModel::tickedChanged, this,
            [this] { m_compared->show(comparison(m_request, m_model->ticked())); });
    return card;
}

void PlanPage::connectSearch()
{
    connect(m_answer->cancelButton(), &QPushButton::clicked, this, [this] {
        m_stopped = true;
        m_search->cancel();
    });
    connect(m_search, &PlanSearch::progressed, this, [this](const PlanProgress& progress) {
        m_answer->showProgress(m_request, progress);
        if (!progress.best.empty())
            rank(progress.best);
    });
    connect(m_search, &PlanSearch::found, this, [this](const PlanResult& result) {
        m_answer->showResult(m_request, result);
        rank(result.ranked);
        m_front->setSpec(charts::planFront(m_request, result));
    });
    connect(m_search, &PlanSearch::refused, this,
            [this](const Diagnostics& problems) { m_answer->showRefusal(diagnosticsText(problems)); });
    connect(m_search, &PlanSearch::grown, this,
            [this](const std::vector<PlanGrowthRow>& rows) { m_growth->show(growthSheet(m_request, rows)); });
    connect(m_search, &PlanSearch::mapped, this,
            [this](const PlanMap& map) { m_map->setSpec(charts::planMap(m_request, map)); });
    connect(m_search, &PlanSearch::finished, this, [this] { m_answer->showFinished(m_stopped); });
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
}

void PlanPage::begin()
{
    m_stale = false;
    m_stopped = false;
    const ChartContext* context = m_services.recalculator.context();
    const auto refuse = [this](const QString& reason) {
        m_search->cancel();
        rank({});
        m_answer->showRefusal(reason);
    };
    if (const QString reason = m_form->refusal(); !reason.isEmpty())
        return refuse(reason);
    if (!context || m_services.recalculator.isRefused())
        return refuse(
            tr("The scenario cannot be evaluated: %1").arg(diagnosticsText(m_services.recalculator.refusal())));
    const auto locked = [this](std::string_view id) { return m_services.store.isLocked(id); };
    auto request = planRequest(m_form->inputs(), context->scenario, m_services.recalculator.catalog(), locked);
    if (!request)
        return refuse(diagnosticsText(request.error()));
    m_request = std::move(*request);
    m_answer->showSearching();
    m_search->start(m_request);
}

void PlanPage::rank(const std::vector<PlanOption>& options)
{
    m_model->show(m_request, options);
    QHeaderView* header = m_table->horizontalHeader();
    m_table->resizeColumnsToContents();
    if (m_model->columnCount() > PlanTableModel::Layout && header->sectionSize(PlanTableModel::Layout) > widestLayout)
        header->resizeSection(PlanTableModel::Layout, widestLayout);
    updateButtons();
}

void PlanPage::updateButtons()
{
    const bool any = m_model->rowCount() > 0;
    m_use->setEnabled(any);
    m_export->setEnabled(any);
}

const PlanOption* PlanPage::selected() const
{
    if (m_model->options().empty())
        return nullptr;
    const QModelIndex current = m_sorted->mapToSource(m_table->currentIndex());
    const auto row = current.isValid() ? static_cast<std::size_t>(current.row()) : 0;
    return &m_model->options()[row];
}

void PlanPage::useSelected()
{
    const PlanOption* option = selected();
    if (!option)
        return;
    const PlanOption chosen = *option; // the edit starts a new search
    m_services.store.edit(
        0, tr("Use %1 × %2").arg(chosen.scenario.hardware.count).arg(toQString(chosen.scenario.accelerator->name)),
        [&chosen](Scenario& scenario) { take(chosen, scenario); });
    if (m_services.show)
        m_services.show(QStringLiteral("dashboard"));
}

void PlanPage::exportCsv()
{
    const QString folder = m_services.settings.value(SettingKey::LastFolder).toString();
    const QString path = m_services.dialogs.exportFile(
        this, QDir(folder).filePath(tr("plan.csv")), tr("Export the ranking"), tr("CSV tables (*.csv);;All files (*)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const std::string text = planCsv(m_model->task(), m_model->options());
    const bool written =
        file.open(QIODevice::WriteOnly) &&
        file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()) && file.commit();
    if (!written)
        m_services.dialogs.showError(this, tr("The table could not be written"),
                                     tr("%1: %2").arg(QDir::toNativeSeparators(path), file.errorString()));
}

void PlanPage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    if (m_stale)
        m_rest.start(0);
}

void PlanPage::hideEvent(QHideEvent* event)
{
    QScrollArea::hideEvent(event);
    if (m_search->isRunning() || m_rest.isActive())
        m_stale = true; // begun anew when it is seen again
    m_rest.stop();
    m_search->cancel();
}

void PlanPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrangeCharts();
}

void PlanPage::arrangeCharts()
{
    auto* grid = static_cast<QGridLayout*>(m_charts->layout());
    const bool wide = viewport()->width() >= sideBySide;
    grid->addWidget(m_map, 0, 0);
    grid->addWidget(m_front, wide ? 0 : 1, wide ? 1 : 0);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, wide ? 1 : 0);
}

bool PlanPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex row = m_table->currentIndex();
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            useSelected();
            return true;
        }
        if (key->key() == Qt::Key_Space && row.isValid()) {
            const QModelIndex tick = row.siblingAtColumn(PlanTableModel::Rank);
            const bool on = m_sorted->data(tick, Qt::CheckStateRole).toInt() == Qt::Checked;
            m_sorted->setData(tick, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
            return true;
        }
    }
    return QScrollArea::eventFilter(watched, event);
}

} // namespace headroom::ui
