// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history_page.hpp"

#include "core/charts/run_history.hpp"
#include "core/scenario/measurement.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/history_model.hpp"
#include "ui/panels/table_output.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/nothing_found.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"
#include "ui/widgets/wrap_layout.hpp"

#include <QDir>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

namespace headroom::ui
{
namespace
{

constexpr int lowestChart = 220, cellRoom = 12, widestColumn = 320;

} // namespace

HistoryPage::HistoryPage(Session& session, ShowPage show, QWidget* parent)
    : ScrolledPage(parent), m_session(session), m_show(std::move(show)),
      m_model(new HistoryModel(session.runLibrary, this)), m_sorted(new QSortFilterProxyModel(this)),
      m_table(new QTableView), m_filter(new QLineEdit), m_hint(new QLabel), m_card(new Card), m_chart(new ChartView),
      m_nothing(new NothingFound(*m_table, *m_filter))
{
    column()->setSpacing(cardGap);
    auto* tools = new WrapLayout(6);
    buildTools(*tools);
    column()->addLayout(tools);
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    column()->addWidget(m_hint);
    buildTable();
    auto* inner = new QVBoxLayout(m_card);
    inner->setContentsMargins(2, 2, 2, 2);
    inner->addWidget(m_table);
    column()->addWidget(m_card, 3);
    m_chart->setMinimumHeight(lowestChart);
    m_chart->setObjectName(QStringLiteral("chart.run_history"));
    column()->addWidget(m_chart, 2);
    column()->addStretch(0); // where nothing is listed the hint stays at the top
    connect(&session.runLibrary, &RunLibrary::changed, this, &HistoryPage::refresh);
    connect(&session.store, &ScenarioStore::scenarioChanged, this, &HistoryPage::updateTools);
    connect(m_chart, &ChartView::pointActivated, this, [this](const QString& id, int index) {
        const auto& series = m_chart->spec().series;
        const auto found = std::ranges::find(series, toUtf8(id), &Series::id);
        const auto& own = m_session.runLibrary.shelf()->own;
        if (found == series.end() || !own)
            return;
        const std::string& run = found->points.at(static_cast<std::size_t>(index)).origin.id;
        const auto place = std::ranges::find(*own, run, &MeasuredRun::id) - own->begin();
        m_table->selectRow(m_sorted->mapFromSource(m_model->index(static_cast<int>(place), 0)).row());
    });
    refresh();
}

void HistoryPage::buildTools(WrapLayout& tools)
{
    m_filter->setPlaceholderText(tr("Search the runs"));
    m_filter->setAccessibleName(tr("Search the runs"));
    m_filter->setToolTip(tr("By model, accelerator or note"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(30 * m_filter->fontMetrics().averageCharWidth());
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_sorted->setFilterFixedString(text.trimmed());
        refresh();
    });
    tools.addWidget(m_filter);
    const auto button = [&](const QString& text, const QString& tip, auto act) {
        auto* made = new QPushButton(text);
        made->setToolTip(tip);
        made->setAutoDefault(true);
        connect(made, &QPushButton::clicked, this, act);
        tools.addWidget(made);
        return made;
    };
    m_keep = button(tr("Keep the run in hand"), tr("The measured scenario in hand becomes a run of this history"),
                    [this] { keepCurrent(); });
    button(tr("Import…"), tr("Read runs of your own from a log or a table"),
           [this] { m_session.runs.askAndImport(m_session.settings.value(SettingKey::LastFolder).toString()); });
    m_open = button(tr("Open"), tr("The run becomes the scenario, with what it measured"), [this] { openSelected(); });
    m_compare = button(tr("Compare"), tr("Up to three runs become the pins of the compare page"),
                       [this] { compareSelected(); });
    m_remove = button(tr("Remove"), tr("Take the selected runs out of the history; undo takes that back"),
                      [this] { removeSelected(); });
}

void HistoryPage::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setFilterKeyColumn(-1); // any of them
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setSortRole(HistoryModel::sortRole);
    m_table->setModel(m_sorted);
    m_table->setProperty(exactRoleProperty, HistoryModel::sortRole);
    m_table->setAccessibleName(tr("Runs over time"));
    makeQuiet(*m_table);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(HistoryModel::When, Qt::DescendingOrder); // the last one first
    m_table->setProperty("fromCore", true);                         // names and the user's own words
    m_table->setStyleSheet(QStringLiteral(
        "QTableView { background: transparent; } QTableView::item { padding: 0 7px; border: 0; }"
        "QTableView::item:selected { background: palette(highlight); color: palette(highlighted-text); }"
        "QHeaderView { background: transparent; }"
        "QHeaderView::section { background: transparent; border: 0; border-bottom: 1px solid palette(mid);"
        " padding: 5px 9px; font-weight: 600; }"));
    m_table->installEventFilter(this);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        index.column() == HistoryModel::Note ? m_table->edit(index) : openSelected();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::updateTools);
}

void HistoryPage::fitTable()
{
    // Few runs leave the rest of the page to the chart; what says that a search found nothing has a few rows' room.
    constexpr int fewest = 3, few = 5, frame = 8;
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    const int rows = std::max(fewest, m_sorted->rowCount());
    m_card->setMinimumHeight(heightOfRows(*m_table, std::min(rows, few)) + frame);
    m_card->setMaximumHeight(heightOfRows(*m_table, rows) + frame);
}

void HistoryPage::changeEvent(QEvent* event)
{
    ScrolledPage::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        QTimer::singleShot(0, this, &HistoryPage::fitTable); // once header and rows have the new type
}

std::vector<std::size_t> HistoryPage::selected() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    std::vector<std::size_t> places;
    for (const QModelIndex& row : std::as_const(rows))
        places.push_back(static_cast<std::size_t>(m_sorted->mapToSource(row).row()));
    return places;
}

bool HistoryPage::canKeep() const
{
    const Scenario& here = m_session.store.scenario();
    return isMeasuredHere(here) && !m_session.runs.isKept(here);
}

void HistoryPage::keepCurrent()
{
    if (!canKeep())
        return;
    const Diagnostics refused = m_session.runLibrary.add({m_session.store.scenario()});
    if (!refused.empty())
        m_session.dialogs.showError(window(), tr("The run could not be kept."), diagnosticsText(refused));
}

void HistoryPage::openSelected()
{
    if (const auto places = selected(); !places.empty())
        m_session.runs.open(places.front());
}

void HistoryPage::compareSelected()
{
    const auto places = selected();
    std::vector<SavedPin> pins;
    for (std::size_t i = 0; i < std::min(places.size(), mostPins); ++i) {
        const Scenario& run = m_session.runLibrary.own()[places[i]];
        pins.push_back({run.name.substr(0, run.name.size() <= longestPinName ? run.name.size() : 0), run});
    }
    if (pins.empty())
        return;
    m_session.store.replacePins(tr("Compare runs"), pins);
    m_show(QLatin1String(ComparePage::pageId));
}

void HistoryPage::removeSelected()
{
    m_session.runs.remove(selected());
}

void HistoryPage::refresh()
{
    const auto& own = m_session.runLibrary.shelf()->own;
    const auto all = m_session.runLibrary.own().size();
    std::vector<std::size_t> places;
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        places.push_back(static_cast<std::size_t>(m_sorted->mapToSource(m_sorted->index(row, 0)).row()));
    const auto& recorded = m_session.runLibrary.recorded();
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return std::tie(recorded[a], a) < std::tie(recorded[b], b); });
    const auto make = [own, places, times = recorded] {
        std::vector<charts::DatedRun> runs;
        for (const std::size_t place : places)
            if (own && place < own->size())
                runs.push_back({&(*own)[place], times[place]});
        return charts::runHistory(runs);
    };
    m_chart->setMaker(make);
    m_chart->setSpec(make());
    m_card->setVisible(all > 0);
    m_chart->setVisible(all > 0);
    m_nothing->tell(m_sorted->rowCount() > 0);
    fitTable();
    if (all > 0)
        m_hint->setText((all == 1 ? tr("%1 of %2 run. Kept in %3.") : tr("%1 of %2 runs. Kept in %3."))
                            .arg(toQString(wholeText(double(places.size()))), toQString(wholeText(double(all))),
                                 QDir::toNativeSeparators(m_session.runLibrary.file())));
    m_table->resizeColumnsToContents();
    for (int i = 0; i < HistoryModel::Note; ++i)
        m_table->setColumnWidth(i, std::min(m_table->columnWidth(i) + cellRoom, widestColumn));
    updateTools();
}

void HistoryPage::updateTools()
{
    const bool any = !selected().empty();
    for (QPushButton* button : {m_open, m_compare, m_remove})
        button->setEnabled(any);
    m_keep->setEnabled(canKeep());
    if (m_model->rowCount() > 0)
        return;
    const QString next =
        canKeep() ? tr("The scenario in hand is a measured run: keep it as the first, or import a log.")
                  : tr("Import a log or a table, or enter what the scenario in hand measured (group “Measured” of the "
                       "parameters) and keep it.");
    m_hint->setText(tr("No runs yet. Those kept here stand over time, each with the MFU or MBU that it reached.") +
                    u'\n' + next);
}

void HistoryPage::showEvent(QShowEvent* event)
{
    ScrolledPage::showEvent(event);
    m_session.runLibrary.refresh(); // what another window has kept
    refresh();
}

bool HistoryPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openSelected();
            return true;
        }
        if (key == Qt::Key_Delete) {
            removeSelected();
            return true;
        }
    }
    return ScrolledPage::eventFilter(watched, event);
}

} // namespace headroom::ui
