// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/steady_scroll.hpp"

#include "ui/widgets/thin_scroll_bar.hpp"

#include <QApplication>
#include <QCursor>
#include <QLayout>
#include <QScrollBar>
#include <algorithm>

namespace headroom::ui
{

SteadyScroll::SteadyScroll(QWidget* content, QWidget* parent)
    : QScrollArea(parent), m_spare(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Fixed))
{
    makeQuiet(*this);
    setWidgetResizable(true);
    content->layout()->addItem(m_spare);
    setWidget(content);
    content->setAutoFillBackground(false); // setWidget() turned it on: what is around shows through
}

QWidget* SteadyScroll::inHand() const
{
    // Where the pointer is now: a row that was shown under it may not have heard that it left. A heading counts, too;
    // between two rows the one below would move.
    const QWidget* content = widget();
    const QPoint at = content->mapFromGlobal(QCursor::pos());
    const bool here = underMouse() && viewport()->rect().contains(content->mapTo(this, at));
    QWidget *focused = nullptr, *below = nullptr;
    for (QObject* object : content->children()) {
        auto* part = qobject_cast<QWidget*>(object);
        if (!part || !part->isVisible())
            continue;
        if (here && part->geometry().bottom() >= at.y() && (!below || part->y() < below->y()))
            below = part;
        if (part->isAncestorOf(QApplication::focusWidget()))
            focused = part;
    }
    return below ? below : focused;
}

void SteadyScroll::keepInHand(const std::function<Rows()>& change)
{
    const QWidget* hand = inHand();
    const auto place = [this, hand] { return hand ? hand->mapTo(viewport(), QPoint()).y() : 0; };
    const int before = place();
    const Rows changed = change();
    if (!hand || changed.empty())
        return;
    for (const QWidget* row : changed)
        row->layout()->activate();
    layOutRows();
    const int wanted = verticalScrollBar()->value() + place() - before;
    // Rows that all find room, or are scrolled to their end, have nowhere to move up to: empty room below makes it.
    const QLayout& rows = *widget()->layout();
    const int needed = std::max(rows.minimumSize().height(), rows.totalHeightForWidth(widget()->width())) -
                       m_spare->sizeHint().height();
    if (wanted > verticalScrollBar()->maximum())
        setSpare(viewport()->height() + wanted - needed);
    verticalScrollBar()->setValue(wanted);
}

void SteadyScroll::layOutRows()
{
    setSpare(m_spare->sizeHint().height());
}

void SteadyScroll::setSpare(int height)
{
    QLayout* rows = widget()->layout();
    m_spare->changeSize(0, height, QSizePolicy::Minimum, QSizePolicy::Fixed);
    rows->invalidate();
    rows->activate();
    QEvent asked(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(this, &asked);
}

void SteadyScroll::letGo()
{
    if (m_spare->sizeHint().height() > 0)
        setSpare(0);
}

} // namespace headroom::ui
