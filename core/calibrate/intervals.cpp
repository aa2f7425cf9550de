// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/intervals.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace headroom
{
namespace
{

/// Interpolated between neighbours; `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double share)
{
    const double at = share * double(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const auto high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - double(low)) * (sorted[high] - sorted[low]);
}

/// One group's ratios, by source, each sorted.
using Members = std::map<std::string, std::vector<double>>;

std::vector<double> sortedWithout(const Members& members, const std::string& source)
{
    std::vector<double> ratios;
    for (const auto& [origin, own] : members)
        if (origin != source)
            ratios.insert(ratios.end(), own.begin(), own.end());
    std::ranges::sort(ratios);
    return ratios;
}

/// Share of all runs inside the bands that were drawn without their source.
double crossedShare(const Members& members, double tail)
{
    std::size_t inside = 0, all = 0;
    for (const auto& [origin, own] : members) {
        const std::vector<double> others = sortedWithout(members, origin);
        const double low = quantile(others, tail), high = quantile(others, 1 - tail);
        all += own.size();
        inside += static_cast<std::size_t>(
            std::ranges::count_if(own, [=](double ratio) { return ratio >= low && ratio <= high; }));
    }
    return double(inside) / double(all);
}

ResidualBandRow bandOf(const Members& members)
{
    constexpr double wanted = 0.8, step = 0.005, shortest = 0.02;
    ResidualBandRow row;
    row.sources = members.size();
    if (row.sources > 1)
        for (row.inside = crossedShare(members, row.tail); row.inside < wanted && row.tail - step >= shortest;
             row.inside = crossedShare(members, row.tail))
            row.tail -= step;
    const std::vector<double> all = sortedWithout(members, {});
    row.rows = all.size();
    row.low = quantile(all, row.tail);
    row.high = quantile(all, 1 - row.tail);
    return row;
}

} // namespace

std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals)
{
    std::map<std::pair<std::string, std::string>, Members> groups;
    for (const HeldOutResidual& residual : residuals)
        groups[{residual.group, residual.metric}][residual.origin].push_back(residual.ratio);
    std::vector<ResidualBandRow> rows;
    for (const auto& [key, members] : groups) {
        rows.push_back(bandOf(members));
        rows.back().group = key.first;
        rows.back().metric = key.second;
    }
    return rows;
}

} // namespace headroom
