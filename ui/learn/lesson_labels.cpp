// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lesson_labels.hpp"

#include "ui/theme/text_style.hpp"

#include <QLabel>

namespace headroom::ui
{

QLabel* lessonLabel(TextStyle style)
{
    auto* label = new QLabel;
    if (style != TextStyle::Body)
        setTextStyle(label, style);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignLeading | Qt::AlignTop);
    return label;
}

QLabel* lessonCaption(const QString& words)
{
    auto* label = new QLabel;
    setTextStyle(label, TextStyle::Caption);
    label->setText(words.toUpper());
    label->setAccessibleName(words);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void setLessonText(QLabel& label, const QString& html, const QString& spoken)
{
    const bool links = html.contains(QLatin1String("<a "));
    label.setTextInteractionFlags(links ? Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard
                                        : Qt::NoTextInteraction);
    label.setText(html);
    label.setAccessibleName(spoken);
    label.setVisible(!html.isEmpty());
}

} // namespace headroom::ui
