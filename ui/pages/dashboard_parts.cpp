// SPDX-License-Identifier: GPL-3.0-or-later
// What is on the dashboard beside its grid: the menu of each chart, and the messages at its foot.
#include "ui/charts/chart_view.hpp"
#include "ui/pages/chart_menu.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/message_bar.hpp"

#include <QMenu>
#include <QScrollBar>
#include <QStyle>
#include <QUndoStack>
#include <algorithm>
#include <utility>

namespace headroom::ui
{

void DashboardPage::showMenu(ChartView* view, QPoint global)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillChartMenu(*menu, *view, {*this, m_recalculator, m_settings, m_dialogs});
    menu->popup(global);
}

void DashboardPage::setMessages(MessageBar* messages)
{
    m_messages = messages;
    connect(messages, &MessageBar::changed, this, &DashboardPage::placeMessages);
    messages->installEventFilter(this);
}

void DashboardPage::setCovered(int px)
{
    m_covered = px;
    placeMessages();
}

bool DashboardPage::layMessages()
{
    int foot = 0;
    if (m_messages && !m_messages->isHidden()) {
        const QRect whole(viewport()->x(), 0, viewport()->width(), this->height());
        QRect place = whole.adjusted(0, 0, -m_covered, 0);
        // In what a drawer leaves free it hides half of the charts at most.
        const int most = m_covered > 0 ? whole.height() / 2 : whole.height();
        place.setTop(place.bottom() + 1 - m_messages->heightIn(place.width(), most));
        place = QStyle::visualRect(layoutDirection(), whole, place);
        m_messages->setGeometry(place.translated(mapTo(m_messages->parentWidget(), QPoint())));
        m_messages->raise();
        foot = place.height() + messageGap;
    }
    return std::exchange(m_foot, foot) != foot;
}

void DashboardPage::placeMessages()
{
    if (!layMessages())
        return;
    // A document that was just opened has nobody's hand on it yet.
    m_undo.count() == 0 ? settle() : arrange();
}

void DashboardPage::settle()
{
    m_settledFoot = m_foot;
    arrange();
}

void DashboardPage::setContentHeight(int height)
{
    // What is covered can be scrolled out; no scroll bar comes for it, which would make the charts narrower.
    const bool bar = height > viewport()->height() - m_settledFoot;
    setVerticalScrollBarPolicy(bar ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    widget()->resize(viewport()->width(), height + m_foot);
}

} // namespace headroom::ui
