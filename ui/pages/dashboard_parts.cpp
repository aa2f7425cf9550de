// SPDX-License-Identifier: GPL-3.0-or-later
// What is on the dashboard beside its grid: the menu of each chart, and the messages at its foot.
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/chart_menu.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/message_bar.hpp"

#include <QMenu>
#include <QScrollBar>
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

bool DashboardPage::layMessages()
{
    int foot = 0;
    if (m_messages && !m_messages->isHidden()) {
        const int width = viewport()->width(), height = m_messages->heightIn(width);
        const QPoint corner = mapTo(m_messages->parentWidget(), QPoint(viewport()->x(), this->height() - height));
        m_messages->setGeometry({corner, QSize(width, height)});
        m_messages->raise();
        foot = height + messageGap;
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
