// SPDX-License-Identifier: GPL-3.0-or-later
// Text that has less room than it needs: which widgets of a window cut theirs off.
#pragma once

#include "ui/panels/metric_tiles.hpp"
#include "ui/present/elided_text.hpp"
#include "ui/widgets/catalog_picker.hpp"
#include "ui/widgets/elided_label.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>
#include <functional>

namespace headroom::test
{

[[nodiscard]] inline QString plain(QString text)
{
    static const QRegularExpression tag(QStringLiteral("<[^>]*>"));
    return text.remove(tag).remove(u'&').simplified();
}

/// Where to look: the classes around the widget up to the page, with their object names where they have one.
[[nodiscard]] inline QString place(const QWidget& widget)
{
    QStringList path;
    for (const QWidget* each = &widget; each && !each->isWindow(); each = each->parentWidget()) {
        const QString type = QLatin1String(each->metaObject()->className());
        const QString name = each->objectName();
        if (each == &widget || !name.isEmpty() || type.startsWith(QStringLiteral("headroom")))
            path.prepend(type.section(QStringLiteral("::"), -1) + (name.isEmpty() ? QString() : u'#' + name));
    }
    return path.join(QStringLiteral(" > "));
}

[[nodiscard]] inline QString describe(const QWidget& widget, const QString& text)
{
    return QStringLiteral("%1 “%2” (%3×%4, wants %5×%6)")
        .arg(place(widget), text)
        .arg(widget.width())
        .arg(widget.height())
        .arg(widget.sizeHint().width())
        .arg(widget.sizeHint().height());
}

[[nodiscard]] inline QString textOf(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return plain(label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return plain(button->text());
    return {};
}

/// The tab whose words reach beyond the bar, or under a button at its end; empty where none does.
[[nodiscard]] inline QString cutTab(const QTabBar& tabs)
{
    QRect room = tabs.rect();
    for (const auto* button : tabs.findChildren<QToolButton*>())
        if (button->isVisible())
            room.setRight(std::min(room.right(), button->x()));
    QFont front = tabs.font();
    front.setWeight(QFont::DemiBold); // of the one in front
    for (int i = 0; i < tabs.count(); ++i) {
        const int words =
            QFontMetrics(i == tabs.currentIndex() ? front : tabs.font()).horizontalAdvance(tabs.tabText(i));
        const QRect tab = tabs.tabRect(i);
        if (tabs.isTabVisible(i) && (tab.left() < room.left() || tab.left() + words > room.right()))
            return describe(tabs, tabs.tabText(i));
    }
    return {};
}

/// The choice of a list, shown or not, that is wider than the place where the chosen one stands; empty where none is.
[[nodiscard]] inline QString cutChoice(const QComboBox& list)
{
    QStyleOptionComboBox option;
    option.initFrom(&list);
    option.editable = list.isEditable();
    const QRect place = list.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &list);
    constexpr int sides = 2; // px that Qt leaves free beside the words
    for (int i = 0; i < list.count(); ++i)
        if (list.fontMetrics().horizontalAdvance(list.itemText(i)) > place.width() - sides)
            return describe(list, list.itemText(i));
    return {};
}

/// The text of a field, or what stands there until there is one, where it is cut.
[[nodiscard]] inline QString cutField(const QLineEdit& field)
{
    const bool empty = field.text().isEmpty();
    const QString text = empty ? field.placeholderText() : field.text();
    const int sides = empty ? 8 : 4; // px: frame and margin of a field whose own hint knows nothing of these words
    const int room = field.width() - sides;
    return field.fontMetrics().horizontalAdvance(text) > room ? describe(field, text) : QString();
}

/// What the widgets cut that paint their words themselves and say which found no room.
[[nodiscard]] inline QString cutPainted(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const ui::ElidedLabel*>(&widget))
        return label->isElided() ? describe(widget, label->text()) : QString();
    if (const auto* line = qobject_cast<const ui::ElidedText*>(&widget))
        return line->isCut() ? describe(widget, line->text()) : QString();
    if (const auto* tile = qobject_cast<const ui::MetricTile*>(&widget))
        return tile->cutText().isEmpty() ? QString() : describe(widget, tile->cutText());
    if (const auto* picker = qobject_cast<const ui::CatalogPicker*>(&widget))
        return picker->cutText().isEmpty() ? QString() : describe(widget, picker->cutText());
    return {};
}

/// What is wrong with the room a text has; empty when nothing is.
[[nodiscard]] inline QString clipped(const QWidget& widget)
{
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget))
        return cutChoice(*choice);
    if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) // what is being typed may be longer
        return field->hasFocus() ? QString() : cutField(*field);
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        return cutTab(*tabs);
    if (const QString painted = cutPainted(widget); !painted.isEmpty())
        return painted;
    const QString text = textOf(widget);
    if (text.isEmpty() || QByteArray(widget.metaObject()->className()).contains("Elided"))
        return {};
    const auto* label = qobject_cast<const QLabel*>(&widget);
    if (label && label->wordWrap())
        return label->heightForWidth(label->width()) > label->height() + 1 ? describe(widget, text) : QString();
    const auto* button = qobject_cast<const QToolButton*>(&widget);
    if (button && button->toolButtonStyle() == Qt::ToolButtonIconOnly && !button->icon().isNull())
        return {};
    const QSize wanted = widget.sizeHint();
    return wanted.width() > widget.width() + 1 || wanted.height() > widget.height() + 1 ? describe(widget, text)
                                                                                        : QString();
}

/// The widgets that make a page wider than the place it scrolls in.
[[nodiscard]] inline QString tooWide(const QScrollArea& area)
{
    const int room = area.viewport()->width();
    QStringList culprits;
    for (const QWidget* widget : area.widget()->findChildren<QWidget*>())
        if (widget->isVisible() && widget->minimumSizeHint().width() + 24 > room)
            culprits << describe(*widget, textOf(*widget));
    return QStringLiteral("%1 is wider than the %2 it scrolls in, because of: %3")
        .arg(describe(*area.widget(), {}))
        .arg(room)
        .arg(culprits.join(QStringLiteral("; ")));
}

[[nodiscard]] inline QStringList collect(const QWidget& window, const std::function<QString(const QWidget&)>& complaint)
{
    QStringList list;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible())
            if (const QString text = complaint(*widget); !text.isEmpty())
                list << text;
    return list;
}

/// What is cut off in a window: its words, and pages that are wider than the place they scroll in.
[[nodiscard]] inline QStringList cutIn(const QWidget& window)
{
    QStringList cut = collect(window, clipped);
    for (const QScrollArea* area : window.findChildren<QScrollArea*>())
        if (area->isVisible() && area->widget() && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
            area->widget()->width() > area->viewport()->width())
            cut << tooWide(*area);
    return cut;
}

} // namespace headroom::test
