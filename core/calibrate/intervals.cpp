// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/intervals.hpp"

#include <algorithm>
#include <cmath>
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

struct Band {
    double low = 1, high = 1;
};

Band stretched(const std::vector<double>& sorted, double stretch)
{
    const double middle = quantile(sorted, 0.5);
    const auto bound = [&](double share) { return middle * std::pow(quantile(sorted, share) / middle, stretch); };
    return {bound(0.1), bound(0.9)};
}

/// Share of all runs inside the bands that were drawn without their source.
double crossedShare(const Members& members, double stretch)
{
    std::size_t inside = 0, all = 0;
    for (const auto& [origin, own] : members) {
        const Band band = stretched(sortedWithout(members, origin), stretch);
        all += own.size();
        inside += static_cast<std::size_t>(
            std::ranges::count_if(own, [band](double ratio) { return ratio >= band.low && ratio <= band.high; }));
    }
    return double(inside) / double(all);
}

ResidualBandRow bandOf(const Members& members)
{
    constexpr double wanted = 0.775, step = 0.02, longest = 3;
    ResidualBandRow row;
    row.sources = members.size();
    if (row.sources > 1)
        for (row.inside = crossedShare(members, row.stretch); row.inside < wanted && row.stretch + step <= longest;
             row.inside = crossedShare(members, row.stretch))
            row.stretch += step;
    const std::vector<double> all = sortedWithout(members, {});
    const Band band = stretched(all, row.stretch);
    row.rows = all.size();
    row.low = band.low;
    row.high = band.high;
    return row;
}

/// As far down as up: what eight in ten stay within.
ResidualBandRow balancedBandOf(const Members& members)
{
    std::vector<double> factors = sortedWithout(members, {});
    for (double& ratio : factors)
        ratio = std::max(ratio, 1 / ratio);
    std::ranges::sort(factors);
    ResidualBandRow row;
    row.sources = members.size();
    row.rows = factors.size();
    row.high = quantile(factors, 0.8);
    row.low = 1 / row.high;
    row.inside = double(std::ranges::count_if(factors, [&](double f) { return f <= row.high; })) / double(row.rows);
    return row;
}

} // namespace

std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals, BandShape shape)
{
    std::map<std::pair<std::string, std::string>, Members> groups;
    for (const HeldOutResidual& residual : residuals)
        groups[{residual.group, residual.metric}][residual.origin].push_back(residual.ratio);
    std::vector<ResidualBandRow> rows;
    for (const auto& [key, members] : groups) {
        rows.push_back(shape == BandShape::Balanced ? balancedBandOf(members) : bandOf(members));
        rows.back().group = key.first;
        rows.back().metric = key.second;
    }
    return rows;
}

} // namespace headroom
