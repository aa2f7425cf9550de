// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/pin_marks.hpp"
#include "core/units/format.hpp"
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <algorithm>
#include <array>

namespace headroom::ui
{

namespace
{

// Control points of viridis (van der Walt and Smith, matplotlib 2.0, CC0), at equal steps.
constexpr std::array<QRgb, 9> viridis{0xFF440154, 0xFF472D7B, 0xFF3B528B, 0xFF2C728E, 0xFF21918C,
                                      0xFF28AE80, 0xFF5EC962, 0xFFADDC30, 0xFFFDE725};

QColor heatColour(double fraction)
{
    const double at = std::clamp(fraction, 0.0, 1.0) * (viridis.size() - 1);
    const auto low = std::min(std::size_t(at), viridis.size() - 2);
    return mixed(QColor(viridis[low]), QColor(viridis[low + 1]), at - double(low));
}

void drawScale(QCPPainter& painter, const ChartScene& scene)
{
    const HeatMap& map = *scene.spec.heatMap;
    const QRectF area = scene.plotArea();
    const QRectF bar(area.right() + 12, area.top(), 8, area.height());
    QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
    for (std::size_t i = 0; i < viridis.size(); ++i)
        gradient.setColorAt(double(i) / (viridis.size() - 1), QColor(viridis[i]));
    painter.fillRect(bar, gradient);
    painter.setFont(styled(scene.font, TextStyle::Caption));
    painter.setPen(QPen(scene.theme.muted));
    const QFontMetricsF metrics(painter.font());
    const double x = bar.right() + 4;
    const auto write = [&](double value, double baseline) {
        painter.drawText(QPointF(x, baseline), QString::fromStdString(formatText(value, map.format)));
    };
    write(map.maximum, bar.top() + metrics.ascent());
    write(map.minimum, bar.bottom() - metrics.descent() + 1);
    if (bar.height() > 5 * metrics.height())
        write((map.minimum + map.maximum) / 2, bar.center().y() + metrics.ascent() / 2 - 1);
}

/// The letter of its cause in each cell without a value, where it has room.
void drawCauses(QCPPainter& painter, const ChartScene& scene)
{
    const HeatMap& map = *scene.spec.heatMap;
    painter.setFont(styled(scene.font, TextStyle::Caption));
    painter.setPen(QPen(scene.theme.muted));
    const QFontMetricsF metrics(painter.font());
    for (std::size_t cell = 0; cell < std::min(map.value.size(), map.infeasible.size()); ++cell) {
        const std::size_t code = map.infeasible[cell];
        if (code == 0 || code > map.causes.size())
            continue;
        const QRectF rect = scene.cellRect(int(cell));
        const QString mark = QString::fromStdString(map.causes[code - 1].mark);
        if (rect.width() > metrics.horizontalAdvance(mark) && rect.height() > metrics.ascent())
            painter.drawText(rect, Qt::AlignCenter, mark);
    }
}

/// Neighbours of a row are hatched as one: the cost goes with the area, not with the number of cells.
void hatchInfeasible(QCPPainter& painter, const ChartScene& scene, std::size_t cells)
{
    const HeatMap& map = *scene.spec.heatMap;
    const QColor colour = mixed(scene.theme.surface, scene.theme.muted, 0.45);
    for (std::size_t row = 0; row < cells; row += map.x.size()) {
        const std::size_t end = std::min(row + map.x.size(), cells);
        for (std::size_t first = row; first < end; ++first) {
            if (map.infeasible[first] == 0)
                continue;
            std::size_t last = first;
            while (last + 1 < end && map.infeasible[last + 1] != 0)
                ++last;
            drawHatch(painter, scene.cellRect(int(first)).united(scene.cellRect(int(last))), colour);
            first = last;
        }
    }
}

/// Frames a cell; a pin's carries its letter.
void frameCell(QCPPainter& painter, const ChartScene& scene, const Guide& guide, const QRectF& rect)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(scene.theme.surface, 4));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
    const char letter = pinLetter(guide.role);
    const QColor colour = letter != 0 ? guideColour(guide, scene.spec, scene.theme) : scene.theme.text;
    painter.setPen(QPen(colour, 2));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
    if (letter == 0)
        return;
    constexpr double radius = 7;
    painter.setPen(QPen(scene.theme.surface, 1));
    painter.setBrush(colour);
    painter.drawEllipse(rect.center(), radius, radius);
    drawPinLetter(painter, rect.center(), letter, colour, scene.theme, scene.font);
}

} // namespace

void HeatMapMark::draw(QCPPainter* painter)
{
    if (!m_scene.spec.heatMap)
        return;
    const HeatMap& map = *m_scene.spec.heatMap;
    const std::size_t columns = map.x.size();
    const std::size_t cells = std::min(map.value.size(), columns * map.y.size());
    const double span = map.maximum > map.minimum ? map.maximum - map.minimum : 1;
    painter->setAntialiasing(false);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const QRectF rect = m_scene.cellRect(int(cell));
        const bool infeasible = cell < map.infeasible.size() && map.infeasible[cell] != 0;
        // One pixel more, so that no seam shows between neighbours at fractional positions.
        const QRectF whole = rect.adjusted(0, 0, 0.5, 0.5);
        painter->fillRect(whole, infeasible ? m_scene.theme.grid : heatColour((map.value[cell] - map.minimum) / span));
    }
    painter->setAntialiasing(true);
    if (map.causes.empty())
        hatchInfeasible(*painter, m_scene, std::min(cells, map.infeasible.size()));
    else
        drawCauses(*painter, m_scene);

    for (const Guide& guide : m_scene.spec.guides) {
        if (guide.kind != GuideKind::OperatingPoint)
            continue;
        const QPointF at = m_scene.toPixel(guide.x, guide.y);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const QRectF rect = m_scene.cellRect(int(cell));
            if (!rect.contains(at))
                continue;
            frameCell(*painter, m_scene, guide, rect);
            break;
        }
    }
    drawScale(*painter, m_scene);
}

} // namespace headroom::ui
