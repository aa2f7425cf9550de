// SPDX-License-Identifier: GPL-3.0-or-later
// How a parameter row turns gestures, keys and typed text into changes of the store.
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/parameters/parameter_text.hpp"
#include "ui/theme/theme.hpp"

#include <QKeyEvent>
#include <QLabel>
#include <cmath>

namespace headroom::ui
{

void ParameterRowWidget::change(double value)
{
    const bool other = value != current() || isAutomatic();
    m_store.setParameter(m_gesture, m_row, value);
    if (m_row.group == ParameterGroup::Measured && other)
        emit measurementEdited();
    if (!m_slider || !m_slider->isSliderDown())
        refresh(); // nothing changed or it was locked: show what holds
}

void ParameterRowWidget::reset()
{
    m_store.resetParameter(m_row);
    if (m_row.group == ParameterGroup::Measured)
        emit measurementEdited();
}

void ParameterRowWidget::commitText(const QString& text)
{
    if (text.trimmed().isEmpty() && m_row.optional) {
        reset();
        refresh();
        return;
    }
    const auto value = typedValue(m_row, text);
    const double bounded = value ? std::clamp(m_row.kind == ParameterKind::Integer ? std::round(*value) : *value,
                                              m_row.minimum, m_row.maximum)
                                 : current();
    if (value && bounded == *value) {
        m_box->setRefused(false);
        m_gesture = 0; // typing is a step of its own
        change(bounded);
        return;
    }
    m_box->setRefused(true);
    const QString nearest = toQString(parameterText(m_row, bounded));
    const QString reason =
        !value ? tr("“%1” is not a number.").arg(text.toHtmlEscaped())
        : *value < m_row.minimum || *value > m_row.maximum
            ? tr("From %1 to %2.")
                  .arg(toQString(parameterText(m_row, m_row.minimum)), toQString(parameterText(m_row, m_row.maximum)))
            : tr("A whole number.");
    m_fix = Advice{.edits = {{&m_row, bounded}}, .change = toUtf8(nearest)};
    m_warning->setText(QStringLiteral("<span style='color:%1'>%2</span> <a href='fix'>%3</a>")
                           .arg(themeOf(palette()).danger.name(), reason,
                                value ? tr("Use %1").arg(nearest) : tr("Keep %1").arg(nearest)));
    m_warning->show();
    connect(
        m_warning, &QLabel::linkActivated, m_box,
        [this] {
            m_box->setRefused(false);
            refresh();
        },
        Qt::SingleShotConnection);
}

bool ParameterRowWidget::handleKey(QKeyEvent* event)
{
    if (m_store.isLocked(m_row.id)) // the keyboard is on the lock, and a key that steps must not lead to the next row
        return event->key() >= Qt::Key_Home && event->key() <= Qt::Key_PageDown; // Home, End, arrows, pages
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->key() == Qt::Key_Delete || (control && event->key() == Qt::Key_Backspace)) {
        reset();
        return true;
    }
    if (!m_slider || control)
        return false;
    // A held key is one gesture, as a drag is.
    if (!event->isAutoRepeat())
        m_gesture = m_store.newGesture();
    const SliderScale& scale = m_slider->scale();
    const double value = current();
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
        change(shift ? scale.fineStep(value, 1) : scale.nextSnap(value, 1));
        return true;
    case Qt::Key_Left:
    case Qt::Key_Down:
        change(shift ? scale.fineStep(value, -1) : scale.nextSnap(value, -1));
        return true;
    case Qt::Key_PageUp:
        change(scale.pageStep(value, 1));
        return true;
    case Qt::Key_PageDown:
        change(scale.pageStep(value, -1));
        return true;
    case Qt::Key_Home:
        change(scale.minimum());
        return true;
    case Qt::Key_End:
        change(scale.maximum());
        return true;
    default:
        break;
    }
    const QString text = event->text();
    if (m_box && !text.isEmpty() && (text.front().isDigit() || text.front() == u'.')) {
        m_box->beginWith(text);
        return true;
    }
    return false;
}

} // namespace headroom::ui
