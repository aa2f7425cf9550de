// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/help_controller.hpp"

#include "ui/help/help_pages.hpp"
#include "ui/help/what_is_this.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/help_dialog.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/navigator.hpp"

#include <QApplication>
#include <QMainWindow>

namespace headroom::ui
{

HelpController::HelpController(Navigator& pages, QMainWindow* window)
    : QObject(window), m_pages(pages),
      m_what(new WhatIsThis(window, [&pages] { return QLatin1String(pages.current().id); })),
      m_page(QLatin1String(DashboardPage::pageId))
{
    new DialogHelp(window);
    connect(&m_pages, &Navigator::created, this, [this](QWidget* page) {
        auto* help = qobject_cast<HelpView*>(page);
        if (!help)
            return;
        connect(help, &HelpView::closeRequested, this, &HelpController::goBack);
        connect(help, &HelpView::termRequested, this,
                [this](const QString& term) { m_pages.show<GlossaryPage>().showTerm(term); });
    });
    connect(m_what, &WhatIsThis::askingChanged, this, [this](bool asking) {
        emit said(asking ? tr("Click an item, or press Enter for the one with the keyboard focus. Escape leaves.")
                         : QString());
    });
    connect(m_what, &WhatIsThis::linkFollowed, this, &HelpController::follow);
}

void HelpController::toggle()
{
    if (m_pages.isAt<HelpView>())
        goBack();
    else
        show(helpPageOf(QApplication::focusWidget(), QLatin1String(m_pages.current().id)));
}

void HelpController::ask()
{
    m_what->ask();
}

void HelpController::show(const QString& helpPage)
{
    if (!m_pages.isAt<HelpView>()) {
        m_page = QLatin1String(m_pages.current().id);
        m_focus = QApplication::focusWidget();
    }
    auto& help = m_pages.page<HelpView>();
    help.open(helpPage);
    m_pages.show<HelpView>();
    help.setFocus(Qt::OtherFocusReason);
}

void HelpController::goBack()
{
    m_pages.show(m_page);
    if (m_focus && m_focus->isVisible())
        m_focus->setFocus(Qt::OtherFocusReason);
}

void HelpController::follow(const QString& link)
{
    const QString target = link.section(u':', 1);
    if (link.startsWith(QLatin1String(HelpView::pageId)))
        show(target);
    else
        m_pages.show<GlossaryPage>().showEntry(target);
}

} // namespace headroom::ui
