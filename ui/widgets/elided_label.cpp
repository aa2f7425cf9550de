// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.hpp"

#include <QPainter>
#include <QResizeEvent>
#include <QTextLayout>
#include <algorithm>

namespace headroom::ui
{

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setLines(int lines)
{
    if (m_lines == lines)
        return;
    m_lines = lines;
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const
{
    const QSize hint = QLabel::sizeHint();
    const int needed = m_lines > 1 && isVisible() ? static_cast<int>(lines().size()) : 1;
    return {hint.width(), hint.height() + (needed - 1) * fontMetrics().lineSpacing()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    if (m_lines > 1 && event->size().width() != event->oldSize().width())
        updateGeometry();
}

QStringList ElidedLabel::lines(bool* elided) const
{
    const QFontMetrics metrics = fontMetrics();
    const int width = contentsRect().width();
    QStringList result;
    QString rest = text();
    while (result.size() + 1 < m_lines && metrics.horizontalAdvance(rest) > width) {
        QTextLayout layout(rest, font());
        layout.beginLayout();
        QTextLine first = layout.createLine();
        first.setLineWidth(width);
        layout.endLayout();
        result << rest.left(first.textLength()).trimmed();
        rest = rest.mid(first.textLength());
    }
    const bool cut = metrics.horizontalAdvance(rest) > width;
    if (elided)
        *elided = cut || std::ranges::any_of(
                             result, [&](const QString& line) { return metrics.horizontalAdvance(line) > width; });
    return result << (cut ? metrics.elidedText(rest, Qt::ElideRight, width) : rest);
}

bool ElidedLabel::isElided() const
{
    bool elided = false;
    (void)lines(&elided);
    return elided;
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Normal : QPalette::Disabled, foregroundRole()));
    const QStringList shown = lines();
    const QRect box = contentsRect();
    const int line = fontMetrics().lineSpacing();
    int top = box.center().y() - static_cast<int>(shown.size()) * line / 2;
    for (const QString& each : shown) {
        painter.drawText(QRect(box.left(), top, box.width(), line),
                         static_cast<int>((alignment() & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter), each);
        top += line;
    }
}

} // namespace headroom::ui
