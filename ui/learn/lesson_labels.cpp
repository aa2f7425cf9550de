// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lesson_labels.hpp"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace headroom::ui
{
namespace
{

/// Keeps its step of the interface font when the user changes the size of type.
class StyledLabel final : public QLabel
{
public:
    explicit StyledLabel(TextStyle style) : m_style(style) { apply(); }

protected:
    void changeEvent(QEvent* event) override
    {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::ApplicationFontChange)
            apply();
    }

private:
    void apply()
    {
        if (m_style != TextStyle::Body)
            setFont(styled(QApplication::font(), m_style));
    }

    TextStyle m_style;
};

} // namespace

QLabel* lessonLabel(TextStyle style)
{
    auto* label = new StyledLabel(style);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignLeading | Qt::AlignTop);
    return label;
}

QLabel* lessonCaption(const QString& words)
{
    auto* label = new StyledLabel(TextStyle::Caption);
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
