// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrap_layout.hpp"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace headroom::ui
{

WrapLayout::WrapLayout(int spacing)
{
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

void WrapLayout::addItem(QLayoutItem* item)
{
    m_items.emplace_back(item);
}

QLayoutItem* WrapLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* WrapLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    const auto at = m_items.begin() + index;
    QLayoutItem* const item = at->release();
    m_items.erase(at);
    return item;
}

QSize WrapLayout::sizeHint() const
{
    QSize size(0, 0);
    for (const auto& item : m_items)
        if (!item->isEmpty())
            size = {size.width() + (size.width() > 0 ? spacing() : 0) + item->sizeHint().width(),
                    std::max(size.height(), item->sizeHint().height())};
    return size;
}

QSize WrapLayout::minimumSize() const
{
    QSize size(0, 0);
    for (const auto& item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    return size;
}

void WrapLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    place(rect, true);
}

int WrapLayout::place(const QRect& rect, bool moves) const
{
    const Qt::LayoutDirection direction = parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    const auto lineHeight = [this](std::size_t begin, std::size_t end) {
        int height = 0;
        for (std::size_t i = begin; i < end; ++i)
            if (!m_items[i]->isEmpty())
                height = std::max(height, m_items[i]->sizeHint().height());
        return height;
    };
    int top = rect.top();
    for (std::size_t begin = 0; begin < m_items.size();) {
        int used = 0;
        std::size_t end = begin;
        for (; end < m_items.size(); ++end) {
            if (m_items[end]->isEmpty())
                continue;
            const int wanted = (used > 0 ? spacing() : 0) + m_items[end]->sizeHint().width();
            if (used > 0 && used + wanted > rect.width())
                break;
            used += wanted;
        }
        const int height = lineHeight(begin, end);
        int left = rect.left();
        for (std::size_t i = begin; i < end && moves; ++i) {
            if (m_items[i]->isEmpty())
                continue;
            const QSize size(std::min(m_items[i]->sizeHint().width(), rect.width()), m_items[i]->sizeHint().height());
            const QRect spot(QPoint(left, top + (height - size.height()) / 2), size);
            m_items[i]->setGeometry(QStyle::visualRect(direction, rect, spot));
            left += size.width() + spacing();
        }
        top += height + (end < m_items.size() ? spacing() / 2 : 0);
        begin = end;
    }
    return top - rect.top();
}

} // namespace headroom::ui
