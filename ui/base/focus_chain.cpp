// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/focus_chain.hpp"

#include <QWidget>
#include <vector>

namespace headroom::ui
{
namespace
{

/// A widget and what is in it, as Tab comes to them.
std::vector<QWidget*> wayThrough(QWidget& part)
{
    std::vector<QWidget*> way{&part};
    for (QWidget* each = part.nextInFocusChain(); part.isAncestorOf(each); each = each->nextInFocusChain())
        way.push_back(each);
    return way;
}

/// Qt 6.4 orders only what takes the keyboard now; a lock, say, takes it later.
class TakesKeyboard final
{
public:
    explicit TakesKeyboard(QWidget& widget) : m_widget(widget), m_policy(widget.focusPolicy())
    {
        if (m_policy == Qt::NoFocus)
            m_widget.setFocusPolicy(Qt::TabFocus);
    }
    ~TakesKeyboard() { m_widget.setFocusPolicy(m_policy); }
    Q_DISABLE_COPY_MOVE(TakesKeyboard)

private:
    QWidget& m_widget;
    Qt::FocusPolicy m_policy;
};

} // namespace

void followInFocusChain(QWidget& part, QWidget& before)
{
    QWidget* last = wayThrough(before).back();
    for (QWidget* each : wayThrough(part)) {
        const TakesKeyboard first(*last), second(*each);
        QWidget::setTabOrder(last, each);
        last = each;
    }
}

} // namespace headroom::ui
