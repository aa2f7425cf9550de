// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/accessible_role.hpp"

#include <QAccessibleWidget>
#include <QVariant>
#include <QWidget>

namespace headroom::ui
{
namespace
{

constexpr auto property = "accessibleRole";

QAccessibleInterface* roleInterface(const QString& /*className*/, QObject* object)
{
    const QVariant role = object ? object->property(property) : QVariant();
    return role.isValid()
               ? new QAccessibleWidget(static_cast<QWidget*>(object), static_cast<QAccessible::Role>(role.toInt()))
               : nullptr;
}

} // namespace

void setAccessibleRole(QWidget& widget, QAccessible::Role role)
{
    static const bool installed = (QAccessible::installFactory(roleInterface), true);
    (void)installed;
    widget.setProperty(property, static_cast<int>(role));
    if (QAccessibleInterface* made = QAccessible::isActive() ? QAccessible::queryAccessibleInterface(&widget) : nullptr)
        QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(made)); // it may be one with Qt's role
}

} // namespace headroom::ui
