// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/catalog_page.hpp"

#include "ui/base/text.hpp"
#include "ui/catalog/catalog_editor.hpp"
#include "ui/catalog/fact_html.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/panels/table_output.hpp"
#include "ui/widgets/segmented_control.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>
#include <array>

namespace headroom::ui
{
namespace
{

constexpr std::array chartPrecisions{DataType::Bf16, DataType::Fp8, DataType::Fp4, DataType::Int8};

template <typename Entry>
QStringList idsOf(const std::vector<std::shared_ptr<const Entry>>& entries)
{
    QStringList ids;
    for (const auto& entry : entries)
        ids << toQString(entry->id);
    return ids;
}

} // namespace

void CatalogPage::connectAll()
{
    connect(m_kindChoice, &SegmentedControl::chosen, this,
            [this](int index) { showKind(index == 1 ? CatalogKind::Models : CatalogKind::Accelerators); });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_settling = true; // the facts once, when the rows and the selection have settled
        search(text);
        if (!text.trimmed().isEmpty() && side().filter->rowCount() > 0)
            m_view->selectRow(0); // what one means is first
        m_settling = false;
        showFacts();
    });
    connect(m_facet, &QComboBox::activated, this, [this](int index) {
        side().facet = index > 0 ? m_facet->itemText(index) : QString();
        applyFilter();
    });
    connect(m_own, &QCheckBox::toggled, this, &CatalogPage::applyFilter);
    connect(m_view->horizontalHeader(), &QHeaderView::sectionClicked, this, &CatalogPage::sortBy);
    connect(m_view, &QTableView::doubleClicked, this, &CatalogPage::use);
    connect(m_use, &QPushButton::clicked, this, &CatalogPage::use);
    connect(m_duplicate, &QPushButton::clicked, this, [this] { duplicate(false); });
    connect(m_edit, &QPushButton::clicked, this, [this] { duplicate(true); });
    connect(m_remove, &QPushButton::clicked, this, &CatalogPage::remove);
    connect(m_precisionChoice, &SegmentedControl::chosen, this, [this](int index) {
        m_precision = chartPrecisions[static_cast<std::size_t>(index)];
        showCharts();
    });
    for (ChartView* chart : {m_peakChart, m_priceChart})
        connect(chart, &ChartView::pointActivated, this,
                [this, chart](const QString& series, int index) { chartClicked(chart, series, index); });
    connect(&m_library, &CatalogLibrary::changed, this, [this] {
        m_stale = true;
        if (isVisible())
            reload();
    });
    connect(&m_recalculator, &Recalculator::evaluated, this, [this] {
        if (isVisible())
            showCharts();
    });
    connect(&m_editor, &CatalogEditor::saved, this, [this](const QString& id) {
        side().selected = {id};
        if (isVisible())
            reload();
    });
}

void CatalogPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        reload();
    else
        showCharts();
}

void CatalogPage::reload()
{
    m_stale = false;
    for (Side& each : m_sides) {
        const QStringList kept = each.selected;
        each.table->setCatalog(m_library.catalog());
        each.selected = kept;
    }
    if (m_sides[0].selected.isEmpty())
        m_sides[0].selected = {toQString(m_store.scenario().accelerator.id)};
    if (m_sides[1].selected.isEmpty())
        m_sides[1].selected = {toQString(m_store.scenario().model.id)};
    showNotice();
    showKind(m_kind);
}

void CatalogPage::showKind(CatalogKind kind)
{
    if (m_stale) {
        m_kind = kind;
        reload();
        return;
    }
    m_kind = kind;
    const bool models = kind == CatalogKind::Models;
    m_kindChoice->setCurrent(models ? 1 : 0);
    m_precisionChoice->setCurrent(
        static_cast<int>(std::ranges::find(chartPrecisions, m_precision) - chartPrecisions.begin()));
    const QString prompt = models ? tr("Search models") : tr("Search accelerators");
    m_search->setPlaceholderText(prompt);
    m_search->setAccessibleName(prompt);
    m_view->setAccessibleName(models ? tr("Models") : tr("Accelerators"));
    const QStringList chosen = side().selected;
    if (m_view->model() != side().filter) {
        m_view->setModel(side().filter);
        m_view->setProperty(exactRoleProperty, CatalogTableModel::sortRole);
        connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CatalogPage::showFacts);
    }
    for (QWidget* each : {m_charts, static_cast<QWidget*>(m_precisionChoice), static_cast<QWidget*>(m_precisionLabel)})
        each->setVisible(!models);
    {
        const QSignalBlocker blocked(m_search);
        m_search->setText(side().search);
    }
    fillFacets();
    m_own->setVisible(m_library.ownEntries() > 0);
    if (m_library.ownEntries() == 0)
        m_own->setChecked(false);
    search(side().search);
    m_view->resizeColumnsToContents();
    select(chosen);
}

void CatalogPage::fillFacets()
{
    m_facet->clear();
    m_facet->addItem(m_kind == CatalogKind::Models ? tr("All families") : tr("All vendors"));
    m_facet->setAccessibleName(m_kind == CatalogKind::Models ? tr("Family") : tr("Vendor"));
    m_facet->addItems(side().table->facets());
    m_facet->setCurrentIndex(std::max(0, m_facet->findText(side().facet)));
}

void CatalogPage::search(const QString& text)
{
    side().search = text;
    const std::string query = toUtf8(text.trimmed());
    if (query.empty())
        side().filter->setMatches(std::nullopt);
    else if (m_kind == CatalogKind::Models)
        side().filter->setMatches(idsOf(m_library.catalog().searchModels(query)));
    else
        side().filter->setMatches(idsOf(m_library.catalog().searchAccelerators(query)));
    applyFilter();
}

void CatalogPage::applyFilter()
{
    CatalogFilter& filter = *side().filter;
    filter.setFacet(side().facet);
    filter.setOwnOnly(m_own->isChecked());
    filter.orderBy(side().sortColumn, side().order);
    m_view->horizontalHeader()->setSortIndicator(side().sortColumn, side().order);
    m_count->setText(tr("%1 of %2").arg(filter.rowCount()).arg(side().table->rowCount()));
    showFacts();
}

void CatalogPage::sortBy(int column)
{
    // First the end that one looks for: the largest number, the first word; the third click is the catalogue's order.
    const bool number =
        side().table->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight;
    const Qt::SortOrder first = number ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (side().sortColumn != column) {
        side().sortColumn = column;
        side().order = first;
    } else if (side().order == first) {
        side().order = number ? Qt::AscendingOrder : Qt::DescendingOrder;
    } else {
        side().sortColumn = -1;
    }
    applyFilter();
}

void CatalogPage::select(const QStringList& ids)
{
    QItemSelection selection;
    QModelIndex first;
    for (const QString& id : ids) {
        const int row = side().table->rowOf(id);
        const QModelIndex index = row < 0 ? QModelIndex() : side().filter->mapFromSource(side().table->index(row, 0));
        if (!index.isValid())
            continue;
        selection.select(index, index);
        first = first.isValid() ? first : index;
    }
    if (!first.isValid()) {
        showFacts();
        return;
    }
    m_view->setCurrentIndex(first);
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_view->scrollTo(first);
    showFacts();
}

QStringList CatalogPage::selected() const
{
    QStringList ids;
    if (m_view->selectionModel())
        for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
            ids << side().filter->idAt(index.row());
    return ids;
}

QString CatalogPage::currentId() const
{
    const QStringList ids = selected();
    return ids.isEmpty() ? QString() : ids.front();
}

void CatalogPage::showFacts()
{
    if (m_settling)
        return;
    const QStringList ids = selected();
    if (!ids.isEmpty())
        side().selected = ids;
    const int shown = std::min(static_cast<int>(ids.size()), mostSideBySide);
    QString html;
    if (m_kind == CatalogKind::Models) {
        std::vector<ModelEntry> entries;
        for (const QString& id : ids.first(shown))
            entries.push_back(side().table->modelAt(side().table->rowOf(id)));
        html = factHtml(entries, themeOf(palette()));
    } else {
        std::vector<std::shared_ptr<const Accelerator>> entries;
        for (const QString& id : ids.first(shown))
            entries.push_back(side().table->acceleratorAt(side().table->rowOf(id)));
        html = factHtml(entries, themeOf(palette()));
    }
    m_facts->setHtml(html);
    m_hint->setText(ids.size() > mostSideBySide ? tr("The first four of %1 that are selected").arg(ids.size())
                                                : tr("Ctrl+click or Shift+arrow: up to four side by side"));
    constexpr int one = 380, each = 135;
    const int wanted = shown < 2 ? one : one + (shown - 1) * each;
    if (m_split->width() > 0 && m_facts->property("columns").toInt() != std::max(shown, 1)) {
        m_facts->setProperty("columns", std::max(shown, 1));
        m_split->setSizes({m_split->width() - wanted, wanted});
    }
    showButtons();
    showCharts();
}

void CatalogPage::showButtons()
{
    const QString id = currentId();
    const int row = id.isEmpty() ? -1 : side().table->rowOf(id);
    const bool one = row >= 0 && selected().size() == 1;
    const bool own = one && side().table->isOwn(row);
    QStringList lacking;
    if (one && m_kind == CatalogKind::Accelerators)
        for (const std::string& key : side().table->acceleratorAt(row)->missingFacts())
            lacking << toQString(key);
    m_use->setEnabled(one && lacking.isEmpty());
    m_use->setToolTip(lacking.isEmpty() ? tr("Put the selected entry into the scenario (Return)")
                                        : tr("Not published: %1").arg(lacking.join(QStringLiteral(", "))));
    m_duplicate->setEnabled(one);
    m_edit->setVisible(own);
    m_remove->setVisible(own);
}

void CatalogPage::showNotice()
{
    QStringList lines;
    for (const Diagnostic& problem : m_library.skipped())
        lines << toQString(toText(problem));
    constexpr int most = 4;
    const qsizetype all = lines.size();
    if (all > most)
        lines = lines.first(most) << tr("… and %1 more").arg(all - most);
    m_notice->setText(tr("Files of your catalogue that were passed over:") + u'\n' + lines.join(u'\n'));
    m_notice->setVisible(all > 0);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, themeOf(palette()).danger);
    m_notice->setPalette(colours);
}

CatalogChartInput CatalogPage::chartInput(std::vector<std::shared_ptr<const Accelerator>>& shown) const
{
    const Side& accelerators = m_sides[0];
    for (int row = 0; row < accelerators.filter->rowCount(); ++row)
        shown.push_back(accelerators.table->acceleratorAt(
            accelerators.filter->mapToSource(accelerators.filter->index(row, 0)).row()));
    CatalogChartInput input;
    input.shown = shown;
    input.precision = m_precision;
    for (const QString& id : selected())
        if (static_cast<int>(input.selected.size()) < mostSideBySide)
            input.selected.push_back(toUtf8(id));
    if (const ChartContext* context = m_recalculator.context())
        input.current = context->scenario.accelerator;
    return input;
}

void CatalogPage::showCharts()
{
    if (m_kind != CatalogKind::Accelerators || m_stale)
        return;
    using Builder = ChartSpec (*)(const CatalogChartInput&);
    for (const auto& [chart, build] : {std::pair<ChartView*, Builder>(m_peakChart, peakOverBandwidth),
                                       std::pair<ChartView*, Builder>(m_priceChart, memoryOverPrice)}) {
        const auto make = [this, draw = build] { // clang 14 captures no structured binding by its name
            std::vector<std::shared_ptr<const Accelerator>> shown;
            return draw(chartInput(shown));
        };
        chart->setMaker(make);
        chart->setSpec(make());
    }
}

void CatalogPage::chartClicked(ChartView* chart, const QString& seriesId, int index)
{
    const std::string id = acceleratorAt(chart->spec(), toUtf8(seriesId), index);
    if (!id.empty())
        select({toQString(id)});
}

void CatalogPage::use()
{
    if (!m_use->isEnabled())
        return;
    const std::string id = toUtf8(currentId());
    if (m_kind == CatalogKind::Models)
        m_editor.useModel(id);
    else
        m_editor.useAccelerator(id);
}

void CatalogPage::duplicate(bool inPlace)
{
    const int row = side().table->rowOf(currentId());
    if (row < 0)
        return;
    if (m_kind == CatalogKind::Models)
        m_editor.duplicate(*side().table->modelAt(row).model, inPlace);
    else
        m_editor.duplicate(*side().table->acceleratorAt(row), inPlace);
}

void CatalogPage::remove()
{
    m_editor.remove(m_kind == CatalogKind::Models, toUtf8(currentId()));
}

void CatalogPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_facts && !m_stale) {
        showNotice();
        showFacts();
    }
}

bool CatalogPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            use();
            return true;
        }
        if (watched == m_search && (key == Qt::Key_Down || key == Qt::Key_PageDown)) { // on to what was found
            m_view->setFocus(Qt::TabFocusReason);
            if (selected().isEmpty() && side().filter->rowCount() > 0)
                m_view->selectRow(0);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::ui
