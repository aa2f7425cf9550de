// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/page_tabs.hpp"

#include <QEvent>
#include <QMenu>
#include <QStyle>
#include <QToolButton>

namespace headroom::ui
{

PageTabs::PageTabs(QWidget* parent) : QTabBar(parent), m_more(new QToolButton(this))
{
    setUsesScrollButtons(false); // they cut a word in two and cover the next
    m_more->setText(QStringLiteral("»"));
    m_more->setAutoRaise(true);
    m_more->setAccessibleName(tr("More pages"));
    m_more->setToolTip(tr("More pages"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    m_more->setMenu(menu);
    m_more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    m_more->hide();
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (int i = 0; i < count(); ++i)
            if (!isTabVisible(i))
                menu->addAction(tabText(i), this, [this, i] { setCurrentIndex(i); });
    });
    connect(this, &QTabBar::currentChanged, this, &PageTabs::arrange);
}

QSize PageTabs::sizeHint() const
{
    int width = 0;
    for (int i = 0; i < count(); ++i)
        width += tabSizeHint(i).width();
    return {width, QTabBar::sizeHint().height()};
}

QSize PageTabs::minimumSizeHint() const
{
    const int front = currentIndex() >= 0 ? tabSizeHint(currentIndex()).width() : 0;
    return {front + m_more->sizeHint().width(), QTabBar::sizeHint().height()};
}

/// The one in front, then from the first as many as find room.
void PageTabs::arrange()
{
    if (m_arranging || currentIndex() < 0)
        return;
    m_arranging = true;
    const QSize button = m_more->sizeHint();
    const bool all = sizeHint().width() <= width();
    int left = width() - tabSizeHint(currentIndex()).width() - (all ? 0 : button.width());
    setTabVisible(currentIndex(), true); // before others go: Qt would put another in front
    bool room = true;
    for (int i = 0; i < count(); ++i) {
        if (i == currentIndex())
            continue;
        left -= tabSizeHint(i).width();
        room = room && left >= 0;
        setTabVisible(i, room);
    }
    m_more->setVisible(!all);
    const QRect end(width() - button.width(), (height() - button.height()) / 2, button.width(), button.height());
    m_more->setGeometry(QStyle::visualRect(layoutDirection(), rect(), end));
    m_more->raise();
    m_arranging = false;
}

void PageTabs::resizeEvent(QResizeEvent* event)
{
    QTabBar::resizeEvent(event);
    arrange();
}

void PageTabs::changeEvent(QEvent* event)
{
    QTabBar::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        arrange();
}

void PageTabs::tabInserted(int index)
{
    QTabBar::tabInserted(index);
    arrange();
}

} // namespace headroom::ui
