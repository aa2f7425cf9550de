// SPDX-License-Identifier: GPL-3.0-or-later
// WhatIsThis: after Shift+F1 a click on anything, or Enter for what has the keyboard, says what it is.
#pragma once

#include "ui/help/widget_help.hpp"

#include <QFrame>
#include <QObject>
#include <QPointer>
#include <functional>

class QTextBrowser;

namespace headroom::ui
{

/// The words beside the widget; Tab reaches the link, Escape closes.
class HelpBubble final : public QFrame
{
    Q_OBJECT

public:
    HelpBubble(const WidgetHelp& help, const QWidget& about, QWidget* parent);
    /// Shows it, as high as its words, with the keyboard.
    void open();
    [[nodiscard]] const WidgetHelp& help() const { return m_help; }
    [[nodiscard]] QTextBrowser* browser() const { return m_browser; }

signals:
    void linkFollowed(const QString& link);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();

    WidgetHelp m_help;
    const QWidget& m_about;
    QTextBrowser* m_browser;
};

class WhatIsThis final : public QObject
{
    Q_OBJECT

public:
    /// `windowPage` names the page in front.
    WhatIsThis(QWidget* window, std::function<QString()> windowPage);
    ~WhatIsThis() override;

    /// What a tool tip stands for is said at once; else the next click chooses, or, asked again, the keyboard.
    void ask();
    [[nodiscard]] bool isAsking() const { return m_asking; }
    void explain(QWidget& widget);

signals:
    void linkFollowed(const QString& link);
    void askingChanged(bool asking);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setAsking(bool asking);
    void explainFocus();

    QWidget* m_window;
    std::function<QString()> m_windowPage;
    QPointer<QWidget> m_focus; ///< what had the keyboard when it was asked
    bool m_asking = false;
};

} // namespace headroom::ui
