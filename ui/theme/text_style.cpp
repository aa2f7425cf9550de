// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text_style.hpp"

#include <QApplication>
#include <QEvent>
#include <QPointer>
#include <QWidget>

namespace headroom::ui
{
namespace
{

class StyleFollower final : public QObject
{
public:
    StyleFollower(QWidget* widget, TextStyle style) : QObject(widget), m_widget(widget), m_style(style)
    {
        widget->installEventFilter(this);
        follow();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == m_widget && event->type() == QEvent::ParentChange)
            follow();
        else if (watched == m_parent && event->type() == QEvent::FontChange)
            apply();
        return QObject::eventFilter(watched, event);
    }

private:
    void follow()
    {
        if (m_parent)
            m_parent->removeEventFilter(this);
        m_parent = m_widget->parentWidget();
        if (m_parent)
            m_parent->installEventFilter(this);
        apply();
    }

    void apply() { m_widget->setFont(styled(m_parent ? m_parent->font() : QApplication::font(), m_style)); }

    QWidget* m_widget;
    QPointer<QWidget> m_parent;
    TextStyle m_style;
};

} // namespace

void setTextStyle(QWidget* widget, TextStyle style)
{
    new StyleFollower(widget, style);
}

} // namespace headroom::ui
