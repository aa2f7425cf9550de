// SPDX-License-Identifier: GPL-3.0-or-later
// The notices under the rows of the parameter panel: they come and go without moving what is under the pointer.
#include "core/explore/advice.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QApplication>
#include <QCursor>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>

namespace headroom::ui
{

ParameterRowWidget* ParameterPanel::rowInHand() const
{
    // Where the pointer is now: a row that was shown under it may not have heard that it left.
    ParameterRowWidget* focused = nullptr;
    for (ParameterRowWidget* row : m_rows) {
        if (!row->isVisible())
            continue;
        if (row->isPointedAt() && row->rect().contains(row->mapFromGlobal(QCursor::pos())))
            return row;
        if (row->isAncestorOf(QApplication::focusWidget()))
            focused = row;
    }
    return focused;
}

void ParameterPanel::refreshWarnings()
{
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
    const ParameterRowWidget* hand = rowInHand();
    const int before = hand ? hand->mapTo(m_scroll->viewport(), QPoint()).y() : 0;
    std::vector<ParameterRowWidget*> changed;
    for (auto each = m_rows.cbegin(); each != m_rows.cend(); ++each) {
        ParameterRowWidget* row = each.value();
        const QString said = row->warningText();
        const Notice notice = notices.value(each.key());
        if (said.isEmpty() && notice.text.isEmpty())
            continue;
        row->setNoticeHeld(m_scroll->underMouse());
        row->setWarning(notice.text, notice.fix);
        if (row->warningText() != said)
            changed.push_back(row);
    }
    if (hand && !changed.empty())
        keepInHand(changed, hand, before);
}

void ParameterPanel::keepInHand(const std::vector<ParameterRowWidget*>& changed, const ParameterRowWidget* hand,
                                int before)
{
    for (ParameterRowWidget* row : changed)
        row->layout()->activate();
    m_scroll->widget()->layout()->activate();
    QEvent asked(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(m_scroll, &asked);
    const int moved = hand->mapTo(m_scroll->viewport(), QPoint()).y() - before;
    m_scroll->verticalScrollBar()->setValue(m_scroll->verticalScrollBar()->value() + moved);
}

void ParameterPanel::leaveEvent(QEvent* event)
{
    Card::leaveEvent(event);
    for (ParameterRowWidget* row : std::as_const(m_rows))
        row->setNoticeHeld(false);
}

} // namespace headroom::ui
