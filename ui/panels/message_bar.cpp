// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/message_bar.hpp"

#include "ui/base/plain_tip.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/wrap_layout.hpp"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <utility>

namespace headroom::ui
{

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this)), m_label(new QLabel),
      m_buttons(new WrapLayout(6))
{
    m_layout->setContentsMargins(34, 6, 8, 6);
    m_layout->setSpacing(8);
    m_label->setTextFormat(Qt::PlainText); // of names and keys in files, among others
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_layout->addWidget(m_label, 1);
    m_layout->addLayout(m_buttons);
    m_layout->setAlignment(m_buttons, Qt::AlignLeft | Qt::AlignVCenter);
    setVisible(false);
}

void MessageBar::show(MessageKind kind, const QString& text, const QString& brief, std::vector<Remedy> remedies,
                      const QString& oneLine)
{
    m_kind = kind;
    m_text = text;
    m_briefText = brief;
    m_oneLine = oneLine;
    setAccessibleName(text);
    m_remedies = std::move(remedies);
    freeKeyboard();
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Remedy& remedy : m_remedies) {
        auto* button = new QPushButton(remedy.text);
        button->setAccessibleName(tr("Remedy: %1").arg(button->text()));
        // The bar rebuilds its buttons when the scenario changes: the click must not outlive its button.
        connect(button, &QPushButton::clicked, this, remedy.apply, Qt::QueuedConnection);
        m_buttons->addWidget(button);
    }
    m_room = {};
    write(Form::Whole);
    setVisible(true);
    update();
    emit changed();
}

void MessageBar::write(Form form)
{
    m_label->setText(form == Form::Brief ? m_briefText : form == Form::OneLine ? m_oneLine : m_text);
    setToolTip(form == Form::Whole ? QString() : plainTip(m_text));
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setVisible(form != Form::Brief);
    m_layout->update(); // a button that was not yet seen does not say that it went
    arrange();
}

int MessageBar::besideButtons() const
{
    const QMargins margins = m_layout->contentsMargins();
    return width() - margins.left() - margins.right() - m_layout->spacing() - m_buttons->sizeHint().width();
}

/// Beside more than two lines of words the buttons would make a high, narrow column of them: there they stand below.
void MessageBar::arrange()
{
    const bool below = m_label->fontMetrics().horizontalAdvance(m_label->text()) > 2 * besideButtons();
    const auto direction = below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_layout->direction() == direction)
        return; // an alignment that is set is laid out anew, the same one too
    m_layout->setDirection(direction);
    // Below they have the whole width, for as many lines of them as it takes.
    m_layout->setAlignment(m_buttons, below ? Qt::Alignment() : Qt::AlignLeft | Qt::AlignVCenter);
}

void MessageBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    arrange();
}

void MessageBar::freeKeyboard()
{
    if (isAncestorOf(window()->focusWidget()))
        emit keyboardLeaves();
}

void MessageBar::clear()
{
    m_remedies.clear();
    freeKeyboard();
    setVisible(false);
    emit changed();
}

int MessageBar::heightIn(int width, int most)
{
    if (Room room{width, most, m_label->fontMetrics().height(), m_text}; room != m_room) {
        m_room = std::move(room);
        write(Form::Whole);
        const int whole = heightNow(width);
        const bool fits = m_label->fontMetrics().horizontalAdvance(m_oneLine) < besideButtons();
        if (!m_oneLine.isEmpty() && fits && m_layout->direction() == QBoxLayout::TopToBottom)
            write(Form::OneLine);
        if (std::min(whole, heightNow(width)) > most)
            write(Form::Brief);
    }
    return heightNow(width);
}

int MessageBar::heightNow(int width)
{
    resize(width, height());
    arrange();
    const int lines = m_layout->totalHeightForWidth(width);
    return lines > 0 ? lines : m_layout->totalSizeHint().height();
}

QString MessageBar::text() const
{
    return isHidden() ? QString() : m_text;
}

void MessageBar::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    const QColor colour = m_kind == MessageKind::Error ? colours.danger : colours.warning;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(mixed(colours.surface, colour, 0.5));
    painter.setBrush(mixed(colours.surface, colour, 0.08));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    // A triangle with a mark: the icon says it as well as the colour.
    const QPointF centre(20, height() / 2.0);
    painter.setPen(QPen(colour, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(QPolygonF{centre + QPointF(0, -7), centre + QPointF(8, 6), centre + QPointF(-8, 6)});
    painter.drawLine(centre + QPointF(0, -2.5), centre + QPointF(0, 1.5));
    painter.drawPoint(centre + QPointF(0, 4));
}

} // namespace headroom::ui
