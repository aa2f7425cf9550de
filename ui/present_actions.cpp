// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present_actions.hpp"

#include "ui/main_window.hpp"
#include "ui/present/presenter.hpp"

namespace headroom::ui
{

void connectPresent(MainWindow& window)
{
    const Actions& a = window.actions();
    auto* presenter = new Presenter(window);
    const auto presentThis = [presenter] { presenter->begin({presenter->present()}); };
    QObject::connect(a[ActionId::Present], &QAction::triggered, presenter, presentThis);
    QObject::connect(a[ActionId::PresentThis], &QAction::triggered, presenter, presentThis);
}

Presenter& presenterOf(MainWindow& window)
{
    return *window.findChild<Presenter*>(QStringLiteral("presenter"), Qt::FindDirectChildrenOnly);
}

} // namespace headroom::ui
