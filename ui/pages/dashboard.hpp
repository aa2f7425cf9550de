// SPDX-License-Identifier: GPL-3.0-or-later
// DashboardPage: the grid of charts; only those in sight are built, the others when they come into sight.
#pragma once

#include "ui/base/before_paint.hpp"
#include "ui/charts/chart_painters.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/pages/chart_choice.hpp"
#include "ui/pages/crosshair.hpp"

#include <QHash>
#include <QPointer>
#include <QScrollArea>
#include <QStringList>
#include <vector>

class QUndoStack;

namespace headroom::ui
{

class ChartView;
class Dialogs;
class MessageBar;
class Settings;
struct Session;
class Veil;

class DashboardPage final : public QScrollArea
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "dashboard";
    static constexpr int messageGap = 12; ///< px between the messages and the charts

    explicit DashboardPage(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] ChartChoice& choice() { return m_choice; }
    [[nodiscard]] const ChartChoice& choice() const { return m_choice; }
    /// Null when the chart is not on the page.
    [[nodiscard]] ChartView* chart(const QString& chartId) const;
    [[nodiscard]] std::vector<ChartView*> charts() const;
    /// Shows one chart over the whole page; again = back to the grid.
    void toggleFullSize(ChartView* chart);
    [[nodiscard]] bool isFullSize() const { return m_full != nullptr; }
    /// Adds a chart to the page if need be and shows it over the whole page.
    void showLarge(const QString& chartId);
    /// Under the keyboard or the pointer, else the one over the whole page; null when there is neither.
    [[nodiscard]] ChartView* chartInHand() const;
    /// Keeps the axes as they are now, whatever the figures do; false = they fit the figures again.
    void setAxesKept(const QString& chartId, bool kept);
    [[nodiscard]] bool areAxesKept(const QString& chartId) const { return m_keptAxes.contains(chartId); }
    /// Words about the scenario, which lie over the foot of the charts; a child of a widget around this page.
    void setMessages(MessageBar* messages);
    /// So many px of the far side lie under something else: messages stand beside it where they have room there.
    void setCovered(int px);
    /// How many chart specs have been built (tests, status).
    [[nodiscard]] int built() const { return m_built; }
    /// How often the charts have been arranged (tests).
    [[nodiscard]] int arranged() const { return m_arranged; }

    /// Builds what is stale and in sight.
    void refresh();

signals:
    void chartsChanged();
    /// Width the scroll bar takes at the right, 0 while everything is in sight.
    void scrollBarShown(int width);
    /// A point of a chart was clicked, or Enter pressed on it.
    void pointActivated(headroom::ui::ChartView* chart, const QString& seriesId, int index);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Slot {
        const ChartRow* row = nullptr;
        ChartView* view = nullptr;
        bool stale = true;
    };

    void rebuildSlots();
    void showMenu(ChartView* view, QPoint global);
    void arrange();
    /// The same once the panes around have their place: they come and go with the width of the window.
    void arrangeLast();
    /// The messages lie over the foot of the charts, which stay where they are: nothing moves under the pointer. What
    /// is covered can be scrolled out, until the charts settle.
    void placeMessages();
    /// Puts the messages where they belong; true where they cover another height than before.
    bool layMessages();
    /// The charts make room for the messages, or take it back: where everything moves in any case.
    void settle();
    void setContentHeight(int height);
    void markStale();
    [[nodiscard]] ChartSpec specOf(const Slot& slot);
    void scheduleRefresh();

    Recalculator& m_recalculator;
    Settings& m_settings;
    Dialogs& m_dialogs;
    const QUndoStack& m_undo;
    ChartChoice m_choice;
    std::vector<Slot> m_slots;
    std::optional<Task> m_task;
    QStringList m_ofContent; ///< among the slots, the charts that came with the scenario
    ChartView* m_full = nullptr;
    Veil* m_veil = nullptr;
    QHash<QString, std::pair<Axis, Axis>> m_keptAxes; ///< x and y by chart
    Crosshair m_crosshair;
    ChartPainters m_painters;
    BeforePaint m_arrangement{[this] { arrangeLast(); }};
    BeforePaint m_refresh{[this] { refresh(); }};
    int m_built = 0, m_arranged = 0;
    bool m_arranging = false;
    QPointer<MessageBar> m_messages;
    int m_covered = 0;
    int m_foot = 0, m_settledFoot = 0; ///< px that the messages cover, and that the charts have made room for
};

} // namespace headroom::ui
