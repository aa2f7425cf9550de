// SPDX-License-Identifier: GPL-3.0-or-later
// ChartMark: something drawn straight from the scene onto one layer of the plot.
#pragma once

#include "ui/charts/chart_scene.hpp"

#include <qcustomplot.h>

namespace headroom::ui
{

class ChartMark : public QCPLayerable
{
public:
    ChartMark(QCustomPlot* plot, const QString& layer, const ChartScene& scene)
        : QCPLayerable(plot, layer), m_scene(scene)
    {
    }

protected:
    // The base class translates the clip by a pixel, hence one more here.
    [[nodiscard]] QRect clipRect() const override { return parentPlot()->viewport().adjusted(0, 0, 0, 1); }
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }

    const ChartScene& m_scene;
};

/// Behind the grid: bands between two values, and hatching where the scenario cannot run.
class BackdropMark final : public ChartMark
{
public:
    using ChartMark::ChartMark;

protected:
    void draw(QCPPainter* painter) override;
};

/// Cells of a heat map, its scale at the right, the current cell.
class HeatMapMark final : public ChartMark
{
public:
    using ChartMark::ChartMark;

protected:
    void draw(QCPPainter* painter) override;
};

/// Bars, upright or lying, floating or not, with their values.
class BarMark final : public ChartMark
{
public:
    using ChartMark::ChartMark;

protected:
    void draw(QCPPainter* painter) override;
};

/// Points sized by area; published and measured runs as open circles.
class PointMark final : public ChartMark
{
public:
    using ChartMark::ChartMark;

protected:
    void draw(QCPPainter* painter) override;
};

/// Guides: lines across the plot and the operating point.
class GuideMark final : public ChartMark
{
public:
    using ChartMark::ChartMark;

protected:
    void draw(QCPPainter* painter) override;
};

struct PlacedLabel {
    QRectF rect;
    QString text;
    bool offLines = true; ///< no line of the chart runs through it
};

/// Names at the ends of lines, nudged apart, and beside the points of a sparse chart. Labels never overlap: the less
/// important one is left to hover and table.
class LabelMark final : public ChartMark
{
public:
    using ChartMark::ChartMark;
    /// What the last replot wrote.
    [[nodiscard]] const std::vector<PlacedLabel>& placed() const { return m_placed; }

protected:
    void draw(QCPPainter* painter) override;

private:
    void addCategories();

    std::vector<PlacedLabel> m_placed;
};

/// Title, reading, y unit and note.
class HeaderMark final : public ChartMark
{
public:
    using ChartMark::ChartMark;

protected:
    void draw(QCPPainter* painter) override;
};

/// Ring, crosshair and label of what is hovered: over the picture of all marks, which stays.
void drawHover(QPainter& painter, const ChartScene& scene);

} // namespace headroom::ui
