// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panes.hpp"

#include <QApplication>
#include <QScrollArea>
#include <algorithm>

namespace headroom::ui
{
namespace
{

bool takesKeyboard(const QWidget& widget)
{
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0;
}

/// The first of a part that takes the keyboard, in the order of Tab; null where nothing does.
QWidget* firstIn(QWidget& pane)
{
    QWidget* each = &pane;
    do {
        if ((each == &pane || pane.isAncestorOf(each)) && takesKeyboard(*each))
            return each;
        each = each->nextInFocusChain();
    } while (each != &pane);
    return nullptr;
}

} // namespace

Panes::Panes(std::vector<QWidget*> list, QObject* parent) : QObject(parent), m_list(std::move(list)) {}

void Panes::step(int direction)
{
    std::vector<QWidget*> panes = m_list;
    std::erase_if(panes, [](QWidget* pane) { return !pane->isVisible() || !firstIn(*pane); });
    if (panes.empty())
        return;
    QWidget* hand = QApplication::focusWidget();
    const auto here = std::ranges::find_if(
        panes, [hand](const QWidget* pane) { return hand && (pane == hand || pane->isAncestorOf(hand)); });
    const int count = static_cast<int>(panes.size());
    int next = direction > 0 ? 0 : count - 1;
    if (here != panes.end()) {
        m_last[*here] = hand;
        next = (static_cast<int>(here - panes.begin()) + direction + count) % count;
    }
    QWidget* pane = panes[static_cast<std::size_t>(next)];
    QWidget* before = m_last.value(pane);
    QWidget* target = before && pane->isAncestorOf(before) && takesKeyboard(*before) ? before : firstIn(*pane);
    target->setFocus(Qt::ShortcutFocusReason);
    for (QWidget* around = target->parentWidget(); around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around))
            area->ensureWidgetVisible(target);
}

} // namespace headroom::ui
