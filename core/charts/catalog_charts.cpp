// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/catalog_charts.hpp"

#include "core/charts/axis.hpp"
#include "core/support/say.hpp"
#include "core/units/currency.hpp"
#include "core/units/format.hpp"
#include "core/units/memory_unit.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace headroom
{
namespace
{

struct Place {
    double x = 0, y = 0;
};
using PlaceOf = std::optional<Place> (*)(const Accelerator&, DataType);

constexpr std::array ridgeTypes{DataType::Bf16, DataType::Fp8, DataType::Int8, DataType::Fp4};

/// A roof of the current device: its peak, and the precisions that share it ("FP8, INT8").
struct Roof {
    std::string id, names;
    double peak = 0; ///< FLOP/s
};

std::string upperName(DataType type)
{
    std::string name(toId(type));
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return name;
}

std::optional<Place> peakPlace(const Accelerator& a, DataType type)
{
    const double peak = a.peakFlops(type);
    return peak > 0 && a.memoryBandwidthGbPerS > 0 ? std::optional(Place{a.memoryBandwidth(), peak}) : std::nullopt;
}

std::vector<Roof> roofsOf(const Accelerator* device)
{
    std::vector<Roof> roofs;
    for (const DataType type : ridgeTypes) {
        const auto place = device ? peakPlace(*device, type) : std::nullopt;
        if (!place)
            continue;
        const auto same = std::ranges::find(roofs, place->y, &Roof::peak);
        if (same == roofs.end())
            roofs.push_back({fmt::format("ridge-{}", toId(type)), upperName(type), place->y});
        else
            same->names += ", " + upperName(type);
    }
    return roofs;
}

std::optional<Place> pricePlace(const Accelerator& a, DataType)
{
    return a.price && a.price->usdPerHour > 0 && a.usableMemoryBytes() > 0
               ? std::optional(Place{a.price->usdPerHour, a.usableMemoryBytes()})
               : std::nullopt;
}

bool isCurrent(const Accelerator& a, const CatalogChartInput& input)
{
    return input.current && a.id == input.current->id;
}

bool isSelected(const Accelerator& a, const CatalogChartInput& input)
{
    return std::ranges::find(input.selected, a.id) != input.selected.end();
}

/// The crowd, the selected and the current one: each device is in one of them.
std::vector<Series> pointSeries(const CatalogChartInput& input, PlaceOf placeOf)
{
    const auto empty = [](std::string id, SeriesRole role, int slot) {
        return Series{.id = std::move(id), .label = {}, .role = role, .kind = SeriesKind::Points, .slot = slot};
    };
    Series current = empty("current", SeriesRole::Current, 0);
    Series selected = empty("selected", SeriesRole::Secondary, 1);
    Series others = empty("others", SeriesRole::Tertiary, 5);
    const auto add = [&](const Accelerator& a) {
        const auto place = placeOf(a, input.precision);
        if (!place)
            return;
        const bool own = isCurrent(a, input), chosen = isSelected(a, input);
        Series& series = own ? current : chosen ? selected : others;
        series.points.push_back({.x = place->x,
                                 .y = place->y,
                                 .size = own || chosen ? 0.06 : 0.02,
                                 .label = a.name,
                                 .origin = {PointOrigin::Kind::Device, a.id}});
    };
    for (const auto& a : input.shown)
        add(*a);
    if (input.current && std::ranges::none_of(input.shown, [&](const auto& a) { return isCurrent(*a, input); }))
        add(*input.current);
    std::vector<Series> series;
    for (Series* each : {&current, &selected, &others})
        if (!each->points.empty())
            series.push_back(std::move(*each));
    return series;
}

DataRange rangeOf(const std::vector<Series>& series, double Point::*coordinate)
{
    DataRange range;
    for (const Series& each : series)
        for (const Point& point : each.points)
            range.add(point.*coordinate);
    return range;
}

/// y = slope·x within the axes: a straight line where both are logarithmic.
Series slopeLine(std::string id, std::string label, double slope, const ChartSpec& spec, int slot)
{
    Series line{.id = std::move(id), .label = std::move(label), .role = SeriesRole::Secondary, .slot = slot};
    const double from = std::max(spec.x.minimum, spec.y.minimum / slope);
    const double to = std::min(spec.x.maximum, spec.y.maximum / slope);
    if (from < to)
        for (const double x : {from, to})
            line.points.push_back({.x = x, .y = slope * x});
    return line;
}

void addLine(ChartSpec& spec, Series line)
{
    if (!line.points.empty())
        spec.series.push_back(std::move(line));
}

std::size_t pointsIn(const ChartSpec& spec)
{
    std::size_t count = 0;
    for (const Series& series : spec.series)
        count += series.kind == SeriesKind::Points ? series.points.size() : 0;
    return count;
}

} // namespace

std::string acceleratorAt(const ChartSpec& spec, std::string_view seriesId, int index)
{
    const auto series = std::ranges::find(spec.series, seriesId, &Series::id);
    if (series == spec.series.end() || index < 0 || index >= std::ssize(series->points))
        return {};
    const PointOrigin& origin = series->points[static_cast<std::size_t>(index)].origin;
    return origin.kind == PointOrigin::Kind::Device ? origin.id : std::string();
}

ChartSpec peakOverBandwidth(const CatalogChartInput& input)
{
    ChartSpec spec;
    const std::string precision = upperName(input.precision);
    spec.id = "catalog-peak-bandwidth";
    spec.title = say("{} peak over memory bandwidth", precision);
    spec.series = pointSeries(input, peakPlace);
    DataRange peaks = rangeOf(spec.series, &Point::y);
    const Accelerator* current = input.current.get();
    const std::vector<Roof> roofs = roofsOf(current);
    for (const Roof& roof : roofs) // the lines must not leave with the precision in hand
        peaks.add(roof.peak);
    spec.x = logAxis("memory_bandwidth", said("Memory bandwidth"), "", ValueFormat::BytesPerS,
                     rangeOf(spec.series, &Point::x));
    spec.y = logAxis("dense_peak", said("Dense peak"), "", ValueFormat::FlopPerS, peaks);
    int slot = 2;
    for (const Roof& roof : roofs) {
        const double ridge = roof.peak / current->memoryBandwidth();
        addLine(spec, slopeLine(roof.id, fmt::format("{} {}", roof.names, wholeText(ridge)), ridge, spec, slot++));
    }
    const auto own = current ? peakPlace(*current, input.precision) : std::nullopt;
    spec.reading = own ? say("{} is busy in {} from {} FLOP per byte on; what lies above its line needs more.",
                             current->name, precision, wholeText(own->y / own->x))
                       : said("The farther up and left, the more FLOP per byte a device needs to be busy.");
    spec.summary = say("{} accelerators by memory bandwidth and {} peak, both logarithmic", pointsIn(spec), precision);
    const auto without =
        std::ranges::count_if(input.shown, [&](const auto& a) { return !peakPlace(*a, input.precision); });
    if (without > 0)
        spec.note = say("{} without a published {} rate are not shown.", without, precision);
    return spec;
}

ChartSpec memoryOverPrice(const CatalogChartInput& input)
{
    ChartSpec spec;
    spec.id = "catalog-memory-price";
    spec.title = said("Memory over price");
    spec.series = pointSeries(input, pricePlace);
    spec.x = logAxis("price_per_hour", said("Price per hour"), "USD",
                     currencyCode() == usDollars ? ValueFormat::Money : ValueFormat::Plain, // of no other currency
                     rangeOf(spec.series, &Point::x));
    spec.y = logAxis("memory_bytes", said("Memory"), memoryUnit() == MemoryUnit::Gibibyte ? "GiB" : "",
                     ValueFormat::Bytes, rangeOf(spec.series, &Point::y));
    const auto own = input.current ? pricePlace(*input.current, input.precision) : std::nullopt;
    if (own)
        addLine(spec, slopeLine("price-per-byte",
                                say("{} cents per GB", withLocalMark(fmt::format("{:.1f}", 1e11 * own->x / own->y))),
                                own->y / own->x, spec, 2));
    spec.reading = own ? say("Above the line a gigabyte costs less than in the {}.", input.current->name)
                       : said("The farther up and left, the cheaper a gigabyte.");
    spec.summary = say("{} accelerators by price per hour and memory, both logarithmic", pointsIn(spec));
    const auto without =
        std::ranges::count_if(input.shown, [](const auto& a) { return !pricePlace(*a, DataType::Bf16); });
    if (without > 0)
        spec.note = say("{} without a known price are not shown.", without);
    return spec;
}

} // namespace headroom
