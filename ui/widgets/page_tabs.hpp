// SPDX-License-Identifier: GPL-3.0-or-later
// PageTabs: tabs that show whole words: those that find no room stand in a menu at their end.
#pragma once

#include <QTabBar>

class QToolButton;

namespace headroom::ui
{

class PageTabs final : public QTabBar
{
    Q_OBJECT

public:
    explicit PageTabs(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// Room for the tab in front and the menu.
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Leads to the tabs that are not in sight; hidden while all are.
    [[nodiscard]] QToolButton* more() const { return m_more; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void tabInserted(int index) override;

private:
    void arrange();

    QToolButton* m_more;
    bool m_arranging = false;
};

} // namespace headroom::ui
