// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the catalogue page and where they stand.
#include "ui/charts/chart_view.hpp"
#include "ui/pages/catalog_page.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr int gap = 12, factsWidth = 380, chartHeight = 270;

QPushButton* button(const QString& text, const QString& tip)
{
    auto* made = new QPushButton(text);
    made->setToolTip(tip);
    made->setAccessibleName(QString(text).remove(u'…'));
    made->setAccessibleDescription(tip);
    return made;
}

} // namespace

QWidget* CatalogPage::buildBar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_kindChoice = new SegmentedControl({tr("Accelerators"), tr("Models")});
    m_kindChoice->setName(tr("Catalogue of"));
    m_kindChoice->setMinimumWidth(220);
    m_kindChoice->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_search = new QLineEdit;
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(160);
    m_search->installEventFilter(this);
    m_search->setMaximumWidth(320);
    m_facet = new QComboBox;
    m_facet->setMinimumWidth(130);
    m_facet->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_own = new QCheckBox(tr("Only yours"));
    m_own->setAccessibleName(m_own->text());
    m_count = new QLabel;
    m_precisionLabel = new QLabel(tr("Chart the peak in"));
    m_precisionChoice = new SegmentedControl({tr("BF16"), tr("FP8"), tr("FP4"), tr("INT8")});
    m_precisionChoice->setName(tr("Precision of the charted peak"));
    m_precisionChoice->setCompact(true);
    m_precisionChoice->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_use = button(tr("Use in the scenario"), tr("Put the selected entry into the scenario (Return)"));
    m_duplicate = button(tr("Duplicate…"), tr("Make an entry of your own from the selected one"));
    m_edit = button(tr("Edit…"), tr("Change your entry"));
    m_remove = button(tr("Remove"), tr("Delete the file of your entry"));
    row->addWidget(m_kindChoice);
    row->addWidget(m_search, 1);
    row->addWidget(m_facet);
    row->addWidget(m_own);
    row->addWidget(m_count);
    row->addStretch(1);
    row->addWidget(m_precisionLabel);
    row->addWidget(m_precisionChoice);
    row->addSpacing(8);
    for (QPushButton* each : {m_remove, m_edit, m_duplicate, m_use})
        row->addWidget(each);
    return bar;
}

QWidget* CatalogPage::buildTable()
{
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(2, 2, 2, 2);
    m_view = new QTableView;
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setVerticalScrollBar(new ThinScrollBar);
    m_view->setHorizontalScrollBar(new ThinScrollBar(Qt::Horizontal));
    m_view->setCornerWidget(new QWidget); // else the style draws its own between the two
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 8);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setSectionsClickable(true);
    m_view->horizontalHeader()->setSortIndicatorShown(true);
    m_view->installEventFilter(this);
    m_view->setStyleSheet(QStringLiteral(
        "QTableView { background: transparent; }"
        "QTableView::item { padding: 0 7px; border: 0; }"
        "QHeaderView { background: transparent; }"
        "QHeaderView::section { background: transparent; border: 0; border-bottom: 1px solid palette(mid);"
        " padding: 5px 9px; font-weight: 600; }"));
    column->addWidget(m_view);
    return card;
}

QWidget* CatalogPage::buildFacts()
{
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(8, 4, 2, 8);
    column->setSpacing(2);
    m_facts = new QTextBrowser;
    m_facts->setVerticalScrollBar(new ThinScrollBar);
    m_facts->setHorizontalScrollBar(new ThinScrollBar(Qt::Horizontal));
    m_facts->setFrameShape(QFrame::NoFrame);
    m_facts->setOpenExternalLinks(true);
    m_facts->viewport()->setAutoFillBackground(false);
    m_facts->setAccessibleName(tr("Facts of what is selected"));
    m_hint = new QLabel(tr("Ctrl+click or Shift+arrow: up to four side by side"));
    m_hint->setFont(styled(m_hint->font(), TextStyle::Caption));
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setWordWrap(true);
    m_hint->setContentsMargins(6, 0, 6, 0);
    column->addWidget(m_facts, 1);
    column->addWidget(m_hint);
    card->setMinimumWidth(300);
    return card;
}

QWidget* CatalogPage::buildCharts()
{
    m_charts = new QWidget;
    auto* row = new QHBoxLayout(m_charts);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(gap);
    m_peakChart = new ChartView;
    m_priceChart = new ChartView;
    for (ChartView* chart : {m_peakChart, m_priceChart}) {
        chart->setMinimumHeight(chartHeight);
        row->addWidget(chart, 1);
    }
    return m_charts;
}

CatalogPage::CatalogPage(Session& session, QWidget* parent)
    : QWidget(parent), m_recalculator(session.recalculator), m_store(session.store), m_library(session.library),
      m_editor(session.catalogEditor)
{
    for (const CatalogKind kind : {CatalogKind::Accelerators, CatalogKind::Models}) {
        Side& side = m_sides[kind == CatalogKind::Models ? 1 : 0];
        side.table = new CatalogTableModel(kind, this);
        side.filter = new CatalogFilter(*side.table, this);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap);
    column->addWidget(buildBar());
    m_notice = new QLabel;
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_notice->setVisible(false);
    column->addWidget(m_notice);
    auto* left = new QSplitter(Qt::Vertical);
    left->setHandleWidth(gap);
    left->setChildrenCollapsible(false);
    left->addWidget(buildTable());
    left->addWidget(buildCharts());
    left->setStretchFactor(0, 1);
    m_split = new QSplitter(Qt::Horizontal);
    m_split->setHandleWidth(gap);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(left);
    m_split->addWidget(buildFacts());
    m_split->setStretchFactor(0, 1);
    m_split->setSizes({3 * factsWidth, factsWidth});
    column->addWidget(m_split, 1);
    connectAll();
}

} // namespace headroom::ui
