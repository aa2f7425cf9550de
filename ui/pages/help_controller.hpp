// SPDX-License-Identifier: GPL-3.0-or-later
// HelpController: brings the help to the front and leads back from it; answers "what is this?".
#pragma once

#include <QObject>
#include <QPointer>

class QMainWindow;

namespace headroom::ui
{

class Navigator;
class WhatIsThis;

class HelpController final : public QObject
{
    Q_OBJECT

public:
    HelpController(Navigator& pages, QMainWindow* window);

    /// The help about what has the keyboard; where it is in front already, back to where one was.
    void toggle();
    /// The next click says what it is on.
    void ask();

signals:
    /// What one is to do next, for the status line; empty = nothing more.
    void said(const QString& words);

private:
    void show(const QString& helpPage);
    void goBack();
    void follow(const QString& link);

    Navigator& m_pages;
    WhatIsThis* m_what;
    QString m_page;            ///< where one was before the help came to the front
    QPointer<QWidget> m_focus; ///< and what had the keyboard
};

} // namespace headroom::ui
