// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/series_graphs.hpp"

#include "ui/charts/chart_style.hpp"
#include "ui/charts/polyline.hpp"

namespace headroom::ui
{

namespace
{

constexpr double unseen = 0.08; ///< px by which a line may pass the points it leaves out, on a fine screen too

/// A line along the edge of the plot (100 % of peak) keeps its whole width; it is stroked through the points that make
/// a difference.
class EdgeGraph final : public QCPGraph
{
public:
    using QCPGraph::QCPGraph;

protected:
    [[nodiscard]] QRect clipRect() const override { return QCPGraph::clipRect().adjusted(-1, -1, 1, 2); }
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override
    {
        QCPGraph::drawLinePlot(painter, thinned(lines, unseen));
    }
};

enum class Part { Lower, Upper, Line }; // an interval's or a layer's lower and upper edge, the line itself

struct GraphPlan {
    int series;
    Part part;
};

std::vector<GraphPlan> planned(const ChartScene& scene)
{
    std::vector<GraphPlan> plan;
    for (int s = 0; s < int(scene.spec.series.size()); ++s) {
        const Series& series = scene.spec.series[std::size_t(s)];
        if (series.kind == SeriesKind::Bar || series.kind == SeriesKind::Points)
            continue;
        if (series.kind == SeriesKind::Area || series.band) {
            plan.push_back({s, Part::Lower});
            plan.push_back({s, Part::Upper});
        }
        plan.push_back({s, Part::Line});
    }
    return plan;
}

double valueOf(const ChartScene& scene, const GraphPlan& plan, int index)
{
    const Series& series = scene.spec.series[std::size_t(plan.series)];
    const auto i = std::size_t(index);
    if (series.kind == SeriesKind::Area) {
        const double top = scene.stackedY(plan.series, index);
        return plan.part == Part::Lower ? top - series.points[i].y : top;
    }
    if (plan.part == Part::Line)
        return series.points[i].y;
    return plan.part == Part::Lower ? series.band->low[i] : series.band->high[i];
}

} // namespace

void SeriesGraphs::resize(std::size_t count, const ChartScene& scene)
{
    while (m_graphs.size() > count) {
        m_plot.removeGraph(m_graphs.back());
        m_graphs.pop_back();
    }
    while (m_graphs.size() < count) {
        auto* const graph = new EdgeGraph(scene.keyAxis, scene.valueAxis);
        graph->setSelectable(QCP::stNone);
        m_graphs.push_back(graph);
    }
}

void SeriesGraphs::apply(const ChartScene& scene)
{
    const std::vector<GraphPlan> plan = planned(scene);
    resize(plan.size(), scene);
    for (std::size_t g = 0; g < plan.size(); ++g) {
        const Series& series = scene.spec.series[std::size_t(plan[g].series)];
        QCPGraph& graph = *m_graphs[g];
        const bool line = plan[g].part == Part::Line;
        std::size_t count = series.points.size();
        if (series.band && !line && series.kind != SeriesKind::Area)
            count = std::min({count, series.band->low.size(), series.band->high.size()});
        QVector<QCPGraphData> data;
        data.reserve(qsizetype(count));
        for (std::size_t i = 0; i < count; ++i)
            data.push_back({series.points[i].x, valueOf(scene, plan[g], int(i))});
        graph.data()->set(data, true);
        graph.setKeyAxis(scene.keyAxis);
        graph.setValueAxis(scene.valueAxis);
        graph.setLineStyle(series.kind == SeriesKind::StepLine ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
        graph.setLayer(line ? QStringLiteral("main") : QStringLiteral("fills"));
        graph.setPen(line ? seriesPen(series, scene.theme, scene.lineScale) : QPen(Qt::NoPen));
        const bool fill = plan[g].part == Part::Upper;
        graph.setBrush(fill ? QBrush(fillColour(series, scene.theme)) : QBrush(Qt::NoBrush));
        graph.setChannelFillGraph(fill ? m_graphs[g - 1] : nullptr);
    }
}

} // namespace headroom::ui
