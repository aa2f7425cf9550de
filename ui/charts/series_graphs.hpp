// SPDX-License-Identifier: GPL-3.0-or-later
// SeriesGraphs: the QCPGraphs of lines, areas and intervals, kept from one spec to the next.
#pragma once

#include "ui/charts/chart_scene.hpp"

#include <qcustomplot.h>
#include <vector>

namespace headroom::ui
{

class SeriesGraphs final
{
public:
    explicit SeriesGraphs(QCustomPlot& plot) : m_plot(plot) {}

    /// Gives every line its data and look; graphs are made or removed only when their number changes.
    void apply(const ChartScene& scene);

private:
    void resize(std::size_t count, const ChartScene& scene);

    QCustomPlot& m_plot;
    std::vector<QCPGraph*> m_graphs; ///< owned by the plot, in drawing order
};

} // namespace headroom::ui
