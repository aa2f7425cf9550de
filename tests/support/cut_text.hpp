// SPDX-License-Identifier: GPL-3.0-or-later
// Text that has less room than it needs: which widgets of a window cut theirs off.
#pragma once

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
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

/// What is wrong with the room a text has; empty when nothing is. Labels that shorten their text themselves are fine.
[[nodiscard]] inline QString clipped(const QWidget& widget)
{
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) { // its frame and its arrow beside the words
        const int words = choice->fontMetrics().horizontalAdvance(choice->currentText());
        return words + choice->fontMetrics().height() > choice->width() ? describe(widget, choice->currentText())
                                                                        : QString();
    }
    if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) // what is being typed may be longer
        return !field->hasFocus() && field->fontMetrics().horizontalAdvance(field->text()) + 4 > field->width()
                   ? describe(widget, field->text())
                   : QString();
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        return cutTab(*tabs);
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
