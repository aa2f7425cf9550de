// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

namespace
{

/// A hair of tolerance, so that 0.2 / 0.1 does not climb to the next bound.
constexpr double slack = 1e-9;

Axis axisOf(std::string quantity, std::string label, std::string unit, AxisScale scale, ValueFormat format,
            double minimum, double maximum)
{
    Axis axis;
    axis.quantity = std::move(quantity);
    axis.label = std::move(label);
    axis.unit = std::move(unit);
    axis.scale = scale;
    axis.format = format;
    axis.minimum = minimum;
    axis.maximum = maximum;
    return axis;
}

} // namespace

void DataRange::add(double value)
{
    low = std::min(low, value);
    high = std::max(high, value);
}

void DataRange::add(const Series& series)
{
    for (const Point& point : series.points) {
        add(point.y);
        if (point.base)
            add(*point.base);
    }
    if (series.band) {
        std::ranges::for_each(series.band->low, [this](double value) { add(value); });
        std::ranges::for_each(series.band->high, [this](double value) { add(value); });
    }
}

void DataRange::add(const std::vector<Series>& series)
{
    for (const Series& each : series)
        add(each);
}

DataRanges rangesOf(const ChartSpec& spec)
{
    DataRanges ranges;
    ranges.y.add(spec.series);
    for (const Series& series : spec.series)
        for (const Point& point : series.points)
            ranges.x.add(point.x);
    for (const Guide& guide : spec.guides) {
        ranges.x.add(guide.x);
        ranges.y.add(guide.y);
    }
    return ranges;
}

double niceCeil(double value)
{
    const double decade = std::pow(10, std::floor(std::log10(value) + slack));
    for (const double step : {1.0, 2.0, 5.0})
        if (value <= step * decade * (1 + slack))
            return step * decade;
    return 10 * decade;
}

double niceFloor(double value)
{
    const double decade = std::pow(10, std::floor(std::log10(value) + slack));
    for (const double step : {5.0, 2.0})
        if (value >= step * decade * (1 - slack))
            return step * decade;
    return decade;
}

Axis logAxis(std::string quantity, std::string label, std::string unit, ValueFormat format, const DataRange& data)
{
    const bool usable = !data.empty() && data.low > 0;
    const double low = usable ? niceFloor(data.low) : 1;
    const double high = std::max(usable ? niceCeil(data.high) : 10, low * 10);
    return axisOf(std::move(quantity), std::move(label), std::move(unit), AxisScale::Log, format, low, high);
}

std::string timeUnit(double seconds)
{
    const std::string unit = formatValue(seconds, ValueFormat::Seconds).unit;
    constexpr double shortest = 60;
    return std::abs(seconds) < shortest || unit == "s" ? std::string(say("seconds")) : unit;
}

Axis linearAxis(std::string quantity, std::string label, std::string unit, ValueFormat format, const DataRange& data)
{
    const double low = data.empty() ? 0 : std::min(0.0, data.low);
    const double high = data.empty() ? 1 : std::max(0.0, data.high);
    const double span = high > low ? high - low : 1;
    const double step = niceCeil(span / 6);
    const double top = std::max(step, std::ceil(high / step - slack) * step);
    return axisOf(std::move(quantity), std::move(label), std::move(unit), AxisScale::Linear, format,
                  std::floor(low / step + slack) * step, high > 0 || low == 0 ? top : 0);
}

Axis closeAxis(std::string quantity, std::string label, std::string unit, ValueFormat format, const DataRange& data)
{
    if (data.empty())
        return linearAxis(std::move(quantity), std::move(label), std::move(unit), format, data);
    const double most = std::max(std::abs(data.low), std::abs(data.high));
    constexpr double narrowest = 0.02; // of the largest value: what differs by less looks the same
    const double span = std::max(data.high - data.low, most > 0 ? narrowest * most : 1);
    const double step = niceCeil(span / 4);
    const double low = std::floor(data.low / step + slack) * step, high = std::ceil(data.high / step - slack) * step;
    return axisOf(std::move(quantity), std::move(label), std::move(unit), AxisScale::Linear, format, low,
                  std::max(high, low + step));
}

Axis shareAxis(std::string quantity, std::string label, const DataRange& data)
{
    const double high = data.empty() ? 1 : data.high;
    double top = 1;
    if (high > 1)
        top = std::ceil(high * 5 - slack) / 5;
    else if (high <= 0.01)
        top = 0.01;
    else if (high <= 0.1)
        top = 0.1;
    return axisOf(std::move(quantity), std::move(label), said("% of peak"), AxisScale::Linear, ValueFormat::Percent, 0,
                  top);
}

Axis categoryAxis(std::string quantity, std::string label, const std::vector<std::string>& names)
{
    Axis axis = axisOf(std::move(quantity), std::move(label), {}, AxisScale::Linear, ValueFormat::Plain, -0.5,
                       static_cast<double>(names.size()) - 0.5);
    for (std::size_t i = 0; i < names.size(); ++i)
        axis.ticks.push_back({static_cast<double>(i), names[i]});
    return axis;
}

bool sameQuantity(const Axis& a, const Axis& b)
{
    return a.quantity == b.quantity && a.scale == b.scale && a.format == b.format;
}

void holdAxis(Axis& axis, const Axis& before)
{
    if (!sameQuantity(axis, before))
        return;
    axis.minimum = std::min(axis.minimum, before.minimum);
    axis.maximum = std::max(axis.maximum, before.maximum);
}

void holdAxes(ChartSpec& spec, const ChartSpec& before)
{
    if (spec.id != before.id)
        return;
    const bool categories = std::ranges::any_of(spec.series, [](const Series& s) { return s.kind == SeriesKind::Bar; });
    if (!categories)
        holdAxis(spec.x, before.x);
    holdAxis(spec.y, before.y);
}

} // namespace headroom
