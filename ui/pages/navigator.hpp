// SPDX-License-Identifier: GPL-3.0-or-later
// Navigator: the pages of the centre behind their tabs; a page is made when it is first shown or asked for.
#pragma once

#include "ui/pages/page_registry.hpp"

#include <QHash>
#include <QObject>
#include <QPointer>

class QStackedWidget;
class QTabBar;

namespace headroom::ui
{

class Navigator final : public QObject
{
    Q_OBJECT

public:
    /// Shows the registry's first page. The tabs and the stack belong to whatever layout takes them.
    explicit Navigator(Session& session, QObject* parent = nullptr);

    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }
    [[nodiscard]] QStackedWidget* stack() const { return m_stack; }

    /// False when there is no such page.
    bool show(const QString& id);
    /// The same for one who comes by a key: the keyboard goes where it was when the page was left, or to its tab, which
    /// is heard.
    bool visit(const QString& id);
    [[nodiscard]] const PageRow& current() const;
    /// The page itself, made if need be; null when there is none of that name.
    [[nodiscard]] QWidget* page(const QString& id);

    /// The same by the page's class, which the registry holds once.
    template <typename Page>
    Page& show()
    {
        show(QLatin1String(Page::pageId));
        return page<Page>();
    }
    template <typename Page>
    [[nodiscard]] Page& page()
    {
        return *qobject_cast<Page*>(page(QLatin1String(Page::pageId)));
    }
    template <typename Page>
    [[nodiscard]] bool isAt() const
    {
        return QLatin1String(current().id) == QLatin1String(Page::pageId);
    }

signals:
    void currentChanged();
    /// A page was made: once for each, before it is shown.
    void created(QWidget* page);

private:
    Session& m_session;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    QHash<QString, QWidget*> m_pages;
    QHash<QString, QPointer<QWidget>> m_left; ///< what had the keyboard when the page was left
};

} // namespace headroom::ui
