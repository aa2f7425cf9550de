// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/typed.hpp"

#include <QLineEdit>
#include <QPointer>

namespace headroom::ui
{

void commitTyped(QWidget& window)
{
    const QPointer<QLineEdit> field(qobject_cast<QLineEdit*>(window.focusWidget()));
    if (!field || !field->hasFocus() || !field->isModified())
        return;
    field->clearFocus();
    if (field) // a table's goes when it is left
        field->setFocus(Qt::OtherFocusReason);
}

} // namespace headroom::ui
