// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/catalog_page.hpp"

#include "ui/base/text.hpp"
#include "ui/catalog/catalog_charts.hpp"
#include "ui/catalog/catalog_list.hpp"
#include "ui/catalog/entry_buttons.hpp"
#include "ui/catalog/fact_panel.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/nothing_found.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/wrap_layout.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int factsWidth = 380;

} // namespace

CatalogPage::CatalogPage(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_list(new CatalogList(session.library)), m_facts(new FactPanel),
      m_charts(new CatalogCharts), m_buttons(new EntryButtons(*m_list, session.catalogEditor))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(cardGap);
    buildBar();
    buildNotice();
    buildBody();
    connectAll();
}

void CatalogPage::buildBar()
{
    auto* bar = new QWidget;
    auto* row = new WrapLayout(8);
    row->setContentsMargins(0, 0, 0, 0);
    bar->setLayout(row);
    m_kindChoice = new SegmentedControl({tr("Accelerators"), tr("Models")});
    m_kindChoice->setName(tr("Catalogue of"));
    m_kindChoice->setMinimumWidth(220);
    m_kindChoice->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_search = new QLineEdit;
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(260);
    m_search->installEventFilter(this);
    m_nothing = new NothingFound(*m_list->view(), *m_search);
    m_facet = new QComboBox;
    m_facet->setMinimumWidth(130);
    m_facet->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_own = new QCheckBox(tr("Only yours"));
    m_own->setAccessibleName(m_own->text());
    m_count = new QLabel;
    row->addWidget(m_kindChoice);
    row->addWidget(m_search);
    row->addWidget(m_facet);
    row->addWidget(m_own);
    row->addWidget(m_count);
    row->addWidget(m_charts->precisionChoice());
    row->addWidget(m_buttons);
    layout()->addWidget(bar);
}

void CatalogPage::buildNotice()
{
    m_notice = new QLabel;
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_notice->setVisible(false);
    layout()->addWidget(m_notice);
}

void CatalogPage::buildBody()
{
    auto* left = new QSplitter(Qt::Vertical);
    left->setHandleWidth(cardGap);
    left->setChildrenCollapsible(false);
    left->addWidget(m_list);
    left->addWidget(m_charts);
    left->setStretchFactor(0, 1);
    m_split = new QSplitter(Qt::Horizontal);
    m_split->setHandleWidth(cardGap);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(left);
    m_split->addWidget(m_facts);
    m_split->setStretchFactor(0, 1);
    m_split->setSizes({3 * factsWidth, factsWidth});
    static_cast<QBoxLayout*>(layout())->addWidget(m_split, 1);
}

/// Where a table of a few rows is all that would be left, the charts give way to it.
void CatalogPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int rows = 4, frame = 16; // px around the table
    const int ofTable = table()->horizontalHeader()->sizeHint().height() +
                        rows * table()->verticalHeader()->defaultSectionSize() + frame;
    m_charts->setVisible(m_split->height() >= ofTable + cardGap + m_charts->sizeHint().height());
}

void CatalogPage::connectAll()
{
    connect(m_kindChoice, &SegmentedControl::chosen, this,
            [this](int index) { showKind(index == 1 ? CatalogKind::Models : CatalogKind::Accelerators); });
    connect(m_search, &QLineEdit::textChanged, m_list, &CatalogList::search);
    connect(m_facet, &QComboBox::activated, m_list,
            [this](int index) { m_list->setFacet(index > 0 ? m_facet->itemText(index) : QString()); });
    connect(m_own, &QCheckBox::toggled, m_list, &CatalogList::setOwnOnly);
    connect(m_list, &CatalogList::changed, this, &CatalogPage::showSelection);
    m_list->view()->installEventFilter(this);
    connect(m_list->view(), &QTableView::doubleClicked, m_buttons, &EntryButtons::use);
    connect(m_charts, &CatalogCharts::chosen, this, [this](const QString& id) { select({id}); });
    connect(&m_session.library, &CatalogLibrary::changed, this, [this] {
        m_stale = true;
        if (isVisible())
            reload();
    });
    connect(&m_session.recalculator, &Recalculator::evaluated, this, [this] {
        if (isVisible())
            showCharts();
    });
    connect(&m_session.catalogEditor, &CatalogEditor::saved, this, [this](const QString& id) {
        m_list->remember(id);
        if (isVisible())
            reload();
    });
}

CatalogKind CatalogPage::kind() const
{
    return m_list->kind();
}

QTableView* CatalogPage::table() const
{
    return m_list->view();
}

QTextBrowser* CatalogPage::facts() const
{
    return m_facts->browser();
}

ChartView* CatalogPage::peakChart() const
{
    return m_charts->peak();
}

ChartView* CatalogPage::priceChart() const
{
    return m_charts->price();
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
    const Scenario& scenario = m_session.store.scenario();
    m_list->reload(toQString(scenario.accelerator.id), toQString(scenario.model.id));
    showNotice();
    showKind(kind());
}

void CatalogPage::showKind(CatalogKind kind)
{
    if (m_stale) // before it is shown for the first time, too
        reload();
    const bool models = kind == CatalogKind::Models;
    m_kindChoice->setCurrent(models ? 1 : 0);
    const QString prompt = models ? tr("Search models") : tr("Search accelerators");
    m_search->setPlaceholderText(prompt);
    m_search->setAccessibleName(prompt);
    m_charts->setVisible(!models);
    m_charts->precisionChoice()->setVisible(!models);
    m_own->setVisible(m_session.library.ownEntries() > 0);
    if (m_session.library.ownEntries() == 0)
        m_own->setChecked(false);
    m_list->setKind(kind);
    fillFacets();
    const QSignalBlocker blocked(m_search);
    m_search->setText(m_list->searched());
}

void CatalogPage::fillFacets()
{
    m_facet->clear();
    m_facet->addItem(ofModels() ? tr("All families") : tr("All vendors"));
    m_facet->setAccessibleName(ofModels() ? tr("Family") : tr("Vendor"));
    m_facet->addItems(m_list->facets());
    m_facet->setCurrentIndex(std::max(0, m_facet->findText(m_list->facet())));
}

void CatalogPage::select(const QStringList& ids)
{
    m_list->select(ids);
}

QStringList CatalogPage::selected() const
{
    return m_list->selected();
}

void CatalogPage::showSelection()
{
    m_nothing->tell(m_list->listed() > 0);
    m_count->setText(tr("%1 of %2").arg(m_list->listed()).arg(m_list->all()));
    constexpr double most = 0.45; // of the page: the table comes first
    const int wanted = std::min(m_facts->show(*m_list), static_cast<int>(most * m_split->width()));
    if (m_split->width() > 0 && m_factsWidth != wanted) {
        m_factsWidth = wanted;
        m_split->setSizes({m_split->width() - wanted, wanted});
    }
    m_buttons->refresh();
    showCharts();
}

void CatalogPage::showNotice()
{
    QStringList lines;
    for (const Diagnostic& problem : m_session.library.skipped())
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

void CatalogPage::showCharts()
{
    if (ofModels() || m_stale)
        return;
    const ChartContext* context = m_session.recalculator.context();
    m_charts->show(m_list->listedAccelerators(), m_list->sideBySide(),
                   context ? context->scenario.accelerator : nullptr);
}

void CatalogPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_split && !m_stale) {
        showNotice();
        showSelection();
    }
}

bool CatalogPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            m_buttons->use();
            return true;
        }
        if (watched == m_search && (key == Qt::Key_Down || key == Qt::Key_PageDown)) { // on to what was found
            table()->setFocus(Qt::TabFocusReason);
            if (selected().isEmpty() && m_list->listed() > 0)
                table()->selectRow(0);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::ui
