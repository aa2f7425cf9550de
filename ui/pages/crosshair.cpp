// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/crosshair.hpp"

#include "core/charts/axis.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"

#include <algorithm>
#include <optional>

namespace headroom::ui
{
namespace
{

/// The x of a point on a line or of a cell; single points (operators, published runs) have one of their own.
std::optional<double> xOf(const ChartSpec& spec, const QString& seriesId, int index)
{
    const auto at = static_cast<std::size_t>(index);
    if (spec.heatMap)
        return at < spec.heatMap->value.size() ? std::optional(spec.heatMap->x[at % spec.heatMap->x.size()])
                                               : std::nullopt;
    const auto series = std::find_if(spec.series.begin(), spec.series.end(),
                                     [id = toUtf8(seriesId)](const Series& s) { return s.id == id; });
    const bool isLine =
        series != spec.series.end() && series->kind != SeriesKind::Points && series->kind != SeriesKind::Bar;
    return isLine && at < series->points.size() ? std::optional(series->points[at].x) : std::nullopt;
}

} // namespace

void Crosshair::follow(ChartView* view)
{
    m_views.push_back(view);
    connect(view, &ChartView::hovered, this,
            [this, view](const QString& seriesId, int index) { mark(*view, seriesId, index); });
    connect(view, &ChartView::cleared, this, &Crosshair::clear);
    connect(view, &QObject::destroyed, this, [this, view] { std::erase(m_views, view); });
}

void Crosshair::mark(const ChartView& from, const QString& seriesId, int index)
{
    const auto x = xOf(from.spec(), seriesId, index);
    for (ChartView* view : m_views)
        if (x && view->isVisible() && sameQuantity(view->spec().x, from.spec().x))
            view->setCrosshair(*x);
        else
            view->clearCrosshair();
}

void Crosshair::clear()
{
    for (ChartView* view : m_views)
        view->clearCrosshair();
}

} // namespace headroom::ui
