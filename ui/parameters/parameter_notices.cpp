// SPDX-License-Identifier: GPL-3.0-or-later
// The notices under the rows of the parameter panel: they come and go without moving what is under the pointer.
#include "core/explore/advice.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/row_notice.hpp"

#include <QApplication>
#include <QCursor>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

namespace headroom::ui
{

QWidget* ParameterPanel::inHand() const
{
    // Where the pointer is now: a row that was shown under it may not have heard that it left. A heading counts, too;
    // between two rows the one below would move.
    const QWidget* content = m_scroll->widget();
    const QPoint at = content->mapFromGlobal(QCursor::pos());
    const bool here = m_scroll->underMouse() && m_scroll->viewport()->rect().contains(content->mapTo(m_scroll, at));
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

void ParameterPanel::refreshWarnings()
{
    if (m_store.isHeld()) // it would jump about under the hand; when it lets go, they come
        return;
    struct Notice {
        QString text;
        std::optional<Advice> fix;
    };
    QHash<QString, Notice> notices;
    const ChartContext* context = m_recalculator.isRefused() ? nullptr : m_recalculator.context();
    for (const ResultNote& note : m_recalculator.notes()) {
        if (!context || !note.row)
            continue; // the status line has them all
        Notice& notice = notices[toQString(note.row->id)];
        notice.text += (notice.text.isEmpty() ? QString() : QStringLiteral(" ")) + toQString(note.text);
        if (!notice.fix)
            notice.fix = withoutWarning(context->scenario, note.code, *note.row, m_store.locks());
    }
    const QWidget* hand = inHand();
    const int before = hand ? hand->mapTo(m_scroll->viewport(), QPoint()).y() : 0;
    std::vector<ParameterRowWidget*> changed;
    for (auto each = m_rows.cbegin(); each != m_rows.cend(); ++each) {
        ParameterRowWidget* row = each.value();
        const QString said = row->notice().words();
        const Notice notice = notices.value(each.key());
        if (said.isEmpty() && notice.text.isEmpty())
            continue;
        row->notice().setPlaceHeld(m_scroll->underMouse());
        row->notice().warn(notice.text, notice.fix);
        if (row->notice().words() != said)
            changed.push_back(row);
    }
    if (hand && !changed.empty())
        keepInHand(changed, hand, before);
}

void ParameterPanel::setSpare(int height)
{
    QLayout* rows = m_scroll->widget()->layout();
    m_spare->changeSize(0, height, QSizePolicy::Minimum, QSizePolicy::Fixed);
    rows->invalidate();
    rows->activate();
    QEvent asked(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(m_scroll, &asked);
}

void ParameterPanel::keepInHand(const std::vector<ParameterRowWidget*>& changed, const QWidget* hand, int before)
{
    for (ParameterRowWidget* row : changed)
        row->layout()->activate();
    setSpare(m_spare->sizeHint().height());
    QScrollBar* bar = m_scroll->verticalScrollBar();
    const int wanted = bar->value() + hand->mapTo(m_scroll->viewport(), QPoint()).y() - before;
    // Rows that all find room, or are scrolled to their end, have nowhere to move up to: empty room below makes it.
    const QWidget* content = m_scroll->widget();
    const QLayout& rows = *content->layout();
    const int needed = std::max(rows.minimumSize().height(), rows.totalHeightForWidth(content->width())) -
                       m_spare->sizeHint().height();
    if (wanted > bar->maximum())
        setSpare(m_scroll->viewport()->height() + wanted - needed);
    bar->setValue(wanted);
}

void ParameterPanel::leaveEvent(QEvent* event)
{
    Card::leaveEvent(event);
    for (ParameterRowWidget* row : std::as_const(m_rows))
        row->notice().setPlaceHeld(false);
    if (m_spare->sizeHint().height() > 0)
        setSpare(0);
}

} // namespace headroom::ui
