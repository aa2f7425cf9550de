// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/navigator.hpp"

#include "ui/pages/page_output.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/page_tabs.hpp"
#include "ui/widgets/wheel_guard.hpp"

#include <QApplication>
#include <QStackedWidget>
#include <QTabBar>

namespace headroom::ui
{
namespace
{

/// A stack is as wide as the widest of its pages: only the one in front may ask for room.
void askForRoom(QWidget& page, bool asks)
{
    const QSizePolicy::Policy policy = asks ? QSizePolicy::Preferred : QSizePolicy::Ignored;
    page.setSizePolicy(policy, policy);
}

} // namespace

Navigator::Navigator(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_tabs(new PageTabs), m_stack(new QStackedWidget)
{
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    (new WheelGuard(this))->guard(m_tabs);
    m_tabs->setAccessibleName(tr("Pages"));
    // Words with a line under the one in front: a tab's frame would compete with the cards below.
    m_tabs->setStyleSheet(
        QStringLiteral("QTabBar::tab { border: 0; border-bottom: 2px solid transparent; background: transparent;"
                       " padding: 3px 2px; margin-right: 18px; color: palette(window-text); }"
                       "QTabBar::tab:selected { border-bottom-color: palette(highlight); font-weight: 600; }"
                       "QTabBar::tab:hover:!selected { border-bottom-color: palette(mid); }"
                       "QTabBar::tab:focus { border-bottom-color: palette(highlight); }"));
    for (const PageRow& row : pageRegistry()) {
        const int tab = m_tabs->addTab(pageWords(row.title));
        m_tabs->setTabToolTip(tab, pageWords(row.tip));
    }
    m_tabs->setVisible(pageRegistry().size() > 1); // one page needs no choice
    QWidget* first = page(QLatin1String(pageRegistry().front().id));
    askForRoom(*first, true);
    m_stack->setCurrentWidget(first);
    connect(m_tabs, &QTabBar::currentChanged, this,
            [this](int tab) { show(QLatin1String(pageRegistry()[static_cast<std::size_t>(tab)].id)); });
}

bool Navigator::show(const QString& id)
{
    QWidget* shown = page(id);
    if (!shown)
        return false;
    if (shown == m_stack->currentWidget())
        return true;
    askForRoom(*m_stack->currentWidget(), false);
    askForRoom(*shown, true);
    m_stack->setCurrentWidget(shown);
    m_tabs->setCurrentIndex(static_cast<int>(pageRow(id) - pageRegistry().data()));
    emit currentChanged();
    return true;
}

bool Navigator::visit(const QString& id)
{
    const QString before = QLatin1String(current().id);
    QWidget* here = QApplication::focusWidget();
    if (id == before || !show(id))
        return id == before;
    if (here && here->window() == m_stack->window())
        m_left[before] = here;
    QWidget* back = m_left.value(id);
    (back && back->isVisible() && back->isEnabled() ? back : m_tabs)->setFocus(Qt::ShortcutFocusReason);
    return true;
}

const PageRow& Navigator::current() const
{
    return pageRegistry()[static_cast<std::size_t>(m_tabs->currentIndex())];
}

QWidget* Navigator::page(const QString& id)
{
    const PageRow* row = pageRow(id);
    if (!row)
        return nullptr;
    QWidget*& made = m_pages[id];
    if (!made) {
        made = row->create(m_session, [this](const QString& other) { show(other); });
        new PageOutput(*made, m_session.dialogs, m_session.settings);
        askForRoom(*made, false);
        m_stack->addWidget(made);
        emit created(made);
    }
    return made;
}

} // namespace headroom::ui
