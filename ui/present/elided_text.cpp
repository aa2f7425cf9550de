// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/elided_text.hpp"

#include "ui/charts/chart_layout.hpp"
#include "ui/present/stage_grid.hpp"
#include "ui/theme/theme.hpp"

#include <QPainter>
#include <cmath>

namespace headroom::ui
{

ElidedText::ElidedText(TextStyle style, int lines, QWidget* parent) : QLabel(parent), m_style(style), m_lines(lines)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedText::setLines(int lines, double scale)
{
    if (m_lines == lines && m_scale == scale)
        return;
    m_lines = lines;
    m_scale = scale;
    updateGeometry();
}

void ElidedText::setStyle(TextStyle style)
{
    m_style = style;
    updateGeometry();
    update();
}

int ElidedText::linesNeeded(int width, int most) const
{
    return static_cast<int>(broken(styled(font(), m_style), width, most).size());
}

void ElidedText::setLeastScale(double scale)
{
    m_leastScale = scale;
    update();
}

ElidedText::Fitted ElidedText::fitted(int width) const
{
    constexpr double step = 0.05;
    const QFont full = styled(font(), m_style);
    Fitted found{scaled(full, m_scale), {}};
    found.lines = broken(found.type, width, m_lines);
    for (double scale = m_scale - step; found.isCut() && scale >= m_leastScale; scale -= step) {
        found.type = scaled(full, scale);
        found.lines = broken(found.type, width, m_lines);
    }
    return found;
}

QStringList ElidedText::broken(const QFont& type, int width, int lines) const
{
    QString words = text();
    words.replace(u'\n', lines > 1 ? QChar(QChar::LineSeparator) : QChar(u' '));
    QStringList result = wrapped(words, type, width, lines);
    result.replaceInStrings(QString(QChar::LineSeparator), QStringLiteral(" "));
    return result;
}

QSize ElidedText::sizeHint() const
{
    const QFontMetricsF metrics(scaled(styled(font(), m_style), m_scale));
    return {200, static_cast<int>(std::ceil(metrics.height() * m_lines)) + 1};
}

void ElidedText::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    QPainter painter(this);
    const Fitted found = fitted(width());
    painter.setFont(found.type);
    painter.setPen(colours.text);
    const QFontMetricsF metrics(painter.font());
    double baseline = metrics.ascent();
    for (const QString& line : found.lines) {
        painter.drawText(QPointF(0, baseline), line);
        baseline += metrics.height();
    }
}

} // namespace headroom::ui
