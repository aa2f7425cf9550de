// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/dashboard.hpp"

#include "core/charts/axis.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/chart_menu_button.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"
#include "ui/widgets/veil.hpp"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <algorithm>

namespace headroom::ui
{
namespace
{

// A chart is never narrower nor lower; the page scrolls instead. In pixels, and in lines of the type that is used.
constexpr int narrowest = 300, narrowestLines = 17;
constexpr int lowest = 260, lowestLines = 17;
// With messages at the foot two rows of them still stand above it on a small screen.
constexpr int lowestAboveMessages = 240, lowestLinesAboveMessages = 16;

/// Six charts read best as two rows of three; more of them share the width, four stand in a square.
int mostColumns(int count)
{
    return count > 6 ? 4 : count == 4 ? 2 : std::min(count, 3);
}

struct Grid {
    int columns = 1, rows = 1, width = 0, height = 0; ///< px, of each chart
    [[nodiscard]] int total() const { return rows * height + (rows - 1) * cardGap; }
    bool operator==(const Grid&) const = default;
};

Grid gridIn(QSize room, int count, int line, bool messages)
{
    const int least = std::max(narrowest, narrowestLines * line);
    Grid grid;
    grid.columns = std::clamp((room.width() + cardGap) / (least + cardGap), 1, mostColumns(count));
    grid.rows = (count + grid.columns - 1) / grid.columns;
    grid.width = (room.width() - (grid.columns - 1) * cardGap) / grid.columns;
    const int low = messages ? std::max(lowestAboveMessages, lowestLinesAboveMessages * line)
                             : std::max(lowest, lowestLines * line);
    grid.height = std::max(low, (room.height() - (grid.rows - 1) * cardGap) / grid.rows);
    return grid;
}

} // namespace

DashboardPage::DashboardPage(Session& session, QWidget* parent)
    : QScrollArea(parent), m_recalculator(session.recalculator), m_settings(session.settings),
      m_dialogs(session.dialogs), m_undo(session.store.undoStack()), m_choice(session.recalculator, session.settings)
{
    makeQuiet(*this);
    auto* content = new QWidget;
    setWidget(content);
    content->setAutoFillBackground(false);
    m_veil = new Veil(viewport());
    connect(&m_choice, &ChartChoice::changed, this, [this](Task task) {
        if (m_task == task)
            rebuildSlots();
    });
    connect(&m_recalculator, &Recalculator::evaluated, this, &DashboardPage::markStale);
    connect(&m_recalculator.store(), &ScenarioStore::heldChanged, this, [this](bool held) {
        if (!held)
            markStale(); // axes that were held fit the figures again
    });
}

ChartView* DashboardPage::chart(const QString& chartId) const
{
    for (const Slot& slot : m_slots)
        if (toQString(slot.row->id) == chartId)
            return slot.view;
    return nullptr;
}

std::vector<ChartView*> DashboardPage::charts() const
{
    std::vector<ChartView*> views;
    for (const Slot& slot : m_slots)
        views.push_back(slot.view);
    return views;
}

void DashboardPage::markStale()
{
    const ChartContext* context = m_recalculator.context();
    if (!context)
        return;
    // The last good result stays in sight, pale: it no longer answers the scenario.
    m_veil->setVisible(m_recalculator.isRefused());
    m_veil->raise();
    if (m_recalculator.isRefused())
        return;
    if (m_task != context->scenario.task || m_ofContent != m_choice.chartsOfContent(context->scenario.task)) {
        m_task = context->scenario.task;
        m_ofContent = m_choice.chartsOfContent(context->scenario.task);
        rebuildSlots();
    }
    for (Slot& slot : m_slots)
        slot.stale = true;
    refresh();
}

void DashboardPage::rebuildSlots()
{
    m_full = nullptr;
    for (const Slot& slot : m_slots)
        delete slot.view;
    m_slots.clear();
    for (const QString& id : m_choice.shownIds(*m_task)) {
        auto* view = new ChartView(widget());
        view->setObjectName(QStringLiteral("chart.") + id);
        view->installEventFilter(this);
        connect(view, &ChartView::pointActivated, this,
                [this, view](const QString& series, int index) { emit pointActivated(view, series, index); });
        auto* button = new ChartMenuButton(view);
        connect(button, &ChartMenuButton::clicked, this,
                [this, view, button] { showMenu(view, button->mapToGlobal(button->rect().bottomLeft())); });
        m_crosshair.follow(view);
        const ChartRow* row = chartRow(toUtf8(id));
        view->setMaker([this, row, view] {
            if (!m_recalculator.context())
                return view->spec();
            ChartContext context = *m_recalculator.context();
            context.curves.reset(); // their axis speaks the window's language
            if (row->swept)
                shareCurves(context);
            return row->build(context);
        });
        m_slots.push_back({row, view, true});
        view->show();
    }
    arrange();
    scheduleRefresh();
    emit chartsChanged();
}

void DashboardPage::refresh()
{
    const ChartContext* context = m_recalculator.context();
    if (!context || !isVisible())
        return;
    m_arrangement.flush();
    for (const bool swept : {false, true}) // while curves are evaluated, the charts without any are drawn
        for (Slot& slot : m_slots) {
            if (slot.row->swept != swept || !slot.stale || !slot.view->isVisible() ||
                slot.view->visibleRegion().isEmpty())
                continue;
            slot.stale = false;
            ++m_built;
            slot.view->setSpec(specOf(slot));
            slot.view->replotNow(m_painters);
        }
    m_painters.finish();
}

ChartSpec DashboardPage::specOf(const Slot& slot)
{
    ChartSpec spec = slot.row->build(slot.row->swept ? *m_recalculator.sweptContext() : *m_recalculator.context());
    if (m_recalculator.store().isHeld())
        holdAxes(spec, slot.view->spec());
    if (const auto kept = m_keptAxes.find(toQString(slot.row->id)); kept != m_keptAxes.end())
        for (const auto& [axis, as] : {std::pair(&spec.x, &kept->first), std::pair(&spec.y, &kept->second)})
            if (sameQuantity(*axis, *as)) {
                axis->minimum = as->minimum;
                axis->maximum = as->maximum;
            }
    return spec;
}

void DashboardPage::setAxesKept(const QString& chartId, bool kept)
{
    const ChartView* view = chart(chartId);
    if (kept && view)
        m_keptAxes.insert(chartId, {view->spec().x, view->spec().y});
    else
        m_keptAxes.remove(chartId);
    markStale();
}

void DashboardPage::scheduleRefresh()
{
    const bool stale = std::any_of(m_slots.begin(), m_slots.end(), [](const Slot& slot) { return slot.stale; });
    if (stale)
        m_refresh.schedule();
}

void DashboardPage::arrange()
{
    if (m_slots.empty() || m_arranging)
        return;
    const QScopedValueRollback<bool> arranging(m_arranging, true);
    ++m_arranged;
    const auto room = [this] { return viewport()->size() - QSize(0, m_settledFoot); };
    if (m_full) {
        setContentHeight(room().height());
        m_full->setGeometry(QRect({0, 0}, room()));
        return;
    }
    const int count = static_cast<int>(m_slots.size());
    Grid grid = gridIn(room(), count, fontMetrics().height(), m_settledFoot > 0);
    setContentHeight(grid.total());
    // A scroll bar that comes or goes changes the room. Charts are placed when it has.
    if (const Grid after = gridIn(room(), count, fontMetrics().height(), m_settledFoot > 0); after != grid) {
        grid = after;
        setContentHeight(grid.total());
    }
    for (int i = 0; i < count; ++i) {
        const int column = i % grid.columns;
        // The last column takes what division left over, so that the right edge lines up with the tiles.
        const int left = column * (grid.width + cardGap);
        const int right = column + 1 == grid.columns ? room().width() : left + grid.width;
        m_slots[static_cast<std::size_t>(i)].view->setGeometry(left, i / grid.columns * (grid.height + cardGap),
                                                               right - left, grid.height);
    }
}

void DashboardPage::arrangeLast()
{
    {
        const QScopedValueRollback<bool> arranging(m_arranging, true);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    }
    arrange();
}

void DashboardPage::toggleFullSize(ChartView* chart)
{
    m_full = m_full ? nullptr : chart;
    for (const Slot& slot : m_slots)
        slot.view->setVisible(!m_full || slot.view == m_full);
    if (m_full)
        m_full->setFocus(Qt::OtherFocusReason); // so that Escape leads back
    verticalScrollBar()->setValue(0);
    arrange();
    scheduleRefresh();
}

void DashboardPage::showLarge(const QString& chartId)
{
    m_choice.setChartShown(chartId, true);
    if (ChartView* view = chart(chartId); view && !m_full)
        toggleFullSize(view);
}

ChartView* DashboardPage::chartInHand() const
{
    for (const Slot& slot : m_slots)
        if (slot.view->hasFocus() || slot.view->isAncestorOf(focusWidget()) || slot.view->underMouse())
            return slot.view;
    return m_full;
}

bool DashboardPage::eventFilter(QObject* watched, QEvent* event)
{
    // Larger type. Asked in this order: what is being destroyed sends events too, and is no MessageBar any more.
    if (event->type() == QEvent::LayoutRequest && watched == m_messages)
        placeMessages();
    auto* chart = qobject_cast<ChartView*>(watched);
    if (!chart) // QScrollArea watches its content, too
        return QScrollArea::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonDblClick) {
        toggleFullSize(chart);
        return true;
    }
    if (event->type() == QEvent::ContextMenu) {
        showMenu(chart, static_cast<QContextMenuEvent*>(event)->globalPos());
        return true;
    }
    return QScrollArea::eventFilter(watched, event);
}

void DashboardPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_full)
        toggleFullSize(m_full);
    else
        QScrollArea::keyPressEvent(event);
}

void DashboardPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    m_veil->setGeometry(viewport()->rect());
    (void)layMessages();
    m_settledFoot = m_foot;
    if (!m_arranging) // of its own scroll bar, which it has seen
        m_arrangement.schedule();
    scheduleRefresh();
    emit scrollBarShown(width() - viewport()->width());
}

void DashboardPage::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        arrange();
        scheduleRefresh();
    }
}

void DashboardPage::scrollContentsBy(int dx, int dy)
{
    QScrollArea::scrollContentsBy(dx, dy);
    scheduleRefresh();
}

void DashboardPage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    settle();
    scheduleRefresh();
}

} // namespace headroom::ui
