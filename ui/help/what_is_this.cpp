// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/what_is_this.hpp"

#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScreen>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolTip>
#include <QUrl>
#include <QVBoxLayout>

namespace headroom::ui
{

HelpBubble::HelpBubble(const WidgetHelp& help, const QWidget& about, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_help(help), m_about(about), m_browser(new QTextBrowser)
{
    constexpr int wide = 380, border = 12;
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::Box);
    setAccessibleName(help.title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(border, border, border, border);
    column->addWidget(m_browser);
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setOpenLinks(false);
    m_browser->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_browser->viewport()->setAutoFillBackground(false);
    m_browser->document()->setDocumentMargin(0);
    m_browser->document()->setDefaultStyleSheet(
        QStringLiteral("a { color: %1; text-decoration: none; }").arg(themeOf(palette()).accent.name()));
    m_browser->setHtml(QStringLiteral("<p style='margin-top:0;margin-bottom:6px'><b>%1</b></p>%2")
                           .arg(help.title.toHtmlEscaped(), help.html));
    m_browser->setAccessibleName(help.title);
    ensurePolished(); // in the type that it will have
    m_browser->ensurePolished();
    m_browser->document()->setDefaultFont(m_browser->font());
    m_browser->document()->setTextWidth(wide);
    m_browser->setFixedSize(wide, static_cast<int>(m_browser->document()->size().height()) + 4);
    setFocusProxy(m_browser);
    connect(m_browser, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        emit linkFollowed(link.toString());
        close();
    });
    adjustSize();
    place();
}

void HelpBubble::place()
{
    const QRect room = m_about.screen()->availableGeometry();
    QPoint at = m_about.mapToGlobal(QPoint(0, m_about.height() + 4));
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())));
    if (at.y() + height() > room.bottom()) // above it where there is no room below
        at.setY(std::max(room.top(), m_about.mapToGlobal(QPoint(0, -height() - 4)).y()));
    move(at);
}

void HelpBubble::open()
{
    show();
    if (const int hidden = m_browser->verticalScrollBar()->maximum(); hidden > 0) { // laid out, it needs this much more
        m_browser->setFixedHeight(m_browser->height() + hidden);
        adjustSize();
        place();
    }
    setFocus();
}

void HelpBubble::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QFrame::keyPressEvent(event);
}

WhatIsThis::WhatIsThis(QWidget* window, std::function<QString()> windowPage)
    : QObject(window), m_window(window), m_windowPage(std::move(windowPage))
{
}

WhatIsThis::~WhatIsThis()
{
    setAsking(false);
}

void WhatIsThis::ask()
{
    if (m_asking) {
        explainFocus();
        return;
    }
    QWidget* pointedAt = QToolTip::isVisible() ? QApplication::widgetAt(QCursor::pos()) : nullptr;
    if (pointedAt && pointedAt->window() == m_window) {
        QToolTip::hideText();
        explain(*pointedAt);
        return;
    }
    m_focus = m_window->focusWidget();
    setAsking(true);
}

void WhatIsThis::setAsking(bool asking)
{
    if (m_asking == asking)
        return;
    m_asking = asking;
    if (asking) {
        qApp->installEventFilter(this);
        QApplication::setOverrideCursor(Qt::WhatsThisCursor);
    } else {
        qApp->removeEventFilter(this);
        QApplication::restoreOverrideCursor();
    }
    emit askingChanged(asking);
}

void WhatIsThis::explainFocus()
{
    QWidget* focus = m_focus ? m_focus.get() : m_window;
    setAsking(false);
    explain(*focus);
}

void WhatIsThis::explain(QWidget& widget)
{
    auto* bubble = new HelpBubble(widgetHelp(widget, m_windowPage()), widget, m_window);
    connect(bubble, &HelpBubble::linkFollowed, this, &WhatIsThis::linkFollowed);
    bubble->open();
}

bool WhatIsThis::eventFilter(QObject* watched, QEvent* event)
{
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget)
        return false; // what reaches a window reaches one of its widgets next
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        setAsking(false);
        if (widget->window() == m_window)
            explain(*widget);
        return true;
    }
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease:
    case QEvent::ContextMenu:
        return true;
    case QEvent::KeyPress: {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)
            explainFocus();
        else if (key != Qt::Key_Shift && key != Qt::Key_Control && key != Qt::Key_Alt && key != Qt::Key_Meta)
            setAsking(false); // whatever it was, it was no answer
        return true;
    }
    default:
        return false;
    }
}

} // namespace headroom::ui
