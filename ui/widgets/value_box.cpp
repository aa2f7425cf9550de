// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/value_box.hpp"

#include "ui/theme/fonts.hpp"
#include "ui/theme/theme.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int sidePadding = 8, boxHeight = 24, narrowest = 48, widest = 150, boxRadius = 4;

/// The box has a palette of its own: the theme is that of what it stands on.
const Theme& coloursAround(const QWidget& box)
{
    return themeOf(box.parentWidget() ? box.parentWidget()->palette() : QPalette());
}

} // namespace

ValueBox::ValueBox(QWidget* parent) : QLineEdit(parent)
{
    setFrame(false);
    setAlignment(Qt::AlignRight);
    setTextMargins(sidePadding - 2, 0, sidePadding - 2, 0);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(this, &QLineEdit::textChanged, this, [this] { updateGeometry(); });
    updateColours();
}

void ValueBox::setTexts(const QString& shown, const QString& editable)
{
    const bool same = shown == m_shown && editable == m_editable;
    m_shown = shown;
    m_editable = editable;
    if (same && (m_refused || isModified()))
        return;
    setRefused(false);
    if (!hasFocus())
        rest();
    else if (!isModified()) {
        setText(editable);
        selectAll();
    }
}

void ValueBox::setAutomatic(bool automatic)
{
    if (m_automatic == automatic)
        return;
    m_automatic = automatic;
    updateColours();
}

void ValueBox::setRefused(bool refused)
{
    if (m_refused == refused)
        return;
    m_refused = refused;
    updateColours();
}

void ValueBox::beginWith(const QString& key)
{
    setFocus(Qt::ShortcutFocusReason);
    setText(key);
    setModified(true);
}

void ValueBox::rest()
{
    setText(m_shown);
    setModified(false);
    setCursorPosition(0);
}

void ValueBox::commit()
{
    if (isModified())
        emit committed(text());
    if (!m_refused)
        setModified(false);
}

int ValueBox::widthFor(const QString& text) const
{
    constexpr int lines = 10; // of type: large type needs more than `widest`
    return std::clamp(fontMetrics().horizontalAdvance(text) + 2 * sidePadding + 2, narrowest,
                      std::max(widest, lines * fontMetrics().height()));
}

QSize ValueBox::sizeHint() const
{
    return {widthFor(text()), std::max(boxHeight, fontMetrics().height() + 6)};
}

void ValueBox::focusInEvent(QFocusEvent* event)
{
    QLineEdit::focusInEvent(event);
    if (!m_refused) {
        setText(m_editable);
        setModified(false);
    }
    selectAll();
    m_firstClick = event->reason() == Qt::MouseFocusReason;
}

void ValueBox::mousePressEvent(QMouseEvent* event)
{
    const bool first = m_firstClick;
    QLineEdit::mousePressEvent(event);
    m_firstClick = first && event->button() == Qt::LeftButton;
    if (m_firstClick)
        selectAll(); // the press has put the caret between digits
}

void ValueBox::mouseReleaseEvent(QMouseEvent* event)
{
    QLineEdit::mouseReleaseEvent(event);
    m_firstClick = false; // a second click puts the caret where it is
}

void ValueBox::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() == Qt::PopupFocusReason)
        return;
    commit();
    deselect();
    if (!m_refused)
        rest();
}

bool ValueBox::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && !isModified()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        // Until something is typed, undo and redo mean the scenario's.
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void ValueBox::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        commit();
        if (!m_refused) {
            setText(m_editable);
            selectAll();
        }
        return;
    }
    if (event->key() == Qt::Key_Escape && (isModified() || m_refused)) {
        setRefused(false);
        setText(m_editable);
        setModified(false);
        selectAll();
        emit givenUp();
        return;
    }
    if (!isModified() && (event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo))) {
        event->ignore();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void ValueBox::changeEvent(QEvent* event)
{
    QLineEdit::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) && !m_updatingColours)
        updateColours();
}

void ValueBox::updateColours()
{
    m_updatingColours = true;
    const Theme& colours = coloursAround(*this);
    QPalette own;
    own.setColor(QPalette::Base, Qt::transparent);
    own.setColor(QPalette::Text, m_refused ? colours.danger : m_automatic ? colours.muted : colours.text);
    setPalette(own);
    QFont weight; // alone: the size stays that of what is around it, whose own may change
    weight.setWeight(m_automatic ? QFont::Normal : QFont::DemiBold);
    setFont(weight);
    m_updatingColours = false;
}

void ValueBox::paintEvent(QPaintEvent* event)
{
    const Theme& colours = coloursAround(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor frame = m_refused ? colours.danger : hasFocus() ? colours.accent : colours.border;
    painter.setPen(QPen(frame, hasFocus() ? 1.5 : 1));
    painter.setBrush(isEnabled() ? (hasFocus() ? colours.surface : mixed(colours.surface, colours.window, 0.7))
                                 : colours.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), boxRadius, boxRadius);
    if (m_refused) {
        painter.setPen(QPen(colours.danger, 2));
        painter.drawLine(QPointF(sidePadding, height() - 3.5), QPointF(width() - sidePadding, height() - 3.5));
    }
    painter.end();
    QLineEdit::paintEvent(event);
}

} // namespace headroom::ui
