// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/button_order.hpp"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QLayout>

namespace headroom::ui
{

void orderButtons(QDialogButtonBox& box, QWidget* last)
{
    box.setFocusProxy(nullptr); // Qt 6.4: Tab comes upon the box itself and is sent to its first button again
    const QLayout& row = *box.layout();
    for (int i = 0; i < row.count(); ++i)
        if (auto* button = qobject_cast<QAbstractButton*>(row.itemAt(i)->widget())) {
            QWidget::setTabOrder(last, button);
            last = button;
        }
}

} // namespace headroom::ui
