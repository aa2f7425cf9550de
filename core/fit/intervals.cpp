// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
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

/// One group's ratios, by what a band can be drawn without (intervals.hpp).
using Members = std::map<std::string, std::vector<double>>;

/// `left`: whose ratios to leave out; null for nobody's.
std::vector<double> sortedWithout(const Members& members, const std::string* left)
{
    std::vector<double> ratios;
    for (const auto& [name, values] : members)
        if (!left || name != *left)
            ratios.insert(ratios.end(), values.begin(), values.end());
    std::ranges::sort(ratios);
    return ratios;
}

struct Band {
    double low = 1, high = 1;
    [[nodiscard]] bool holds(double ratio) const { return ratio >= low && ratio <= high; }
};

Band bandOf(std::vector<double> sorted, BandShape shape, double stretch)
{
    if (shape == BandShape::Balanced) { // as far down as up: what eight in ten stay within
        for (double& ratio : sorted)
            ratio = std::max(ratio, 1 / ratio);
        std::ranges::sort(sorted);
        const double high = std::pow(quantile(sorted, 0.8), stretch);
        return {1 / high, high};
    }
    const double middle = quantile(sorted, 0.5);
    const auto bound = [&](double share) { return middle * std::pow(quantile(sorted, share) / middle, stretch); };
    return {bound(0.1), bound(0.9)};
}

/// Bands drawn without each member in turn; none where there is but one.
std::map<std::string, Band> bandsWithout(const Members& members, BandShape shape, double stretch)
{
    std::map<std::string, Band> bands;
    if (members.size() > 1)
        for (const auto& [name, own] : members)
            bands[name] = bandOf(sortedWithout(members, &name), shape, stretch);
    return bands;
}

double crossedShare(const Members& members, BandShape shape, double stretch)
{
    const std::map<std::string, Band> bands = bandsWithout(members, shape, stretch);
    std::size_t inside = 0, all = 0;
    for (const auto& [name, own] : members) {
        all += own.size();
        for (const double ratio : own)
            inside += bands.contains(name) && bands.at(name).holds(ratio) ? 1 : 0;
    }
    return double(inside) / double(all);
}

struct Group {
    Members members;
    std::size_t sources = 0, runs = 0;
    double stretch = 1;
};
using Groups = std::map<std::pair<std::string, std::string>, Group>; ///< by group and metric

std::string memberOf(const HeldOutResidual& residual, const Group& group, BandShape shape)
{
    if (shape == BandShape::Balanced)
        return residual.origin + ": " + residual.model;
    return group.sources > 1 ? residual.origin : residual.model;
}

Groups residualGroups(std::span<const HeldOutResidual> residuals, BandShape shape)
{
    std::map<std::pair<std::string, std::string>, std::set<std::string>> sources;
    for (const HeldOutResidual& residual : residuals)
        sources[{residual.group, residual.metric}].insert(residual.origin);
    Groups groups;
    for (const HeldOutResidual& residual : residuals) {
        Group& group = groups[{residual.group, residual.metric}];
        group.sources = sources[{residual.group, residual.metric}].size();
        ++group.runs;
        group.members[memberOf(residual, group, shape)].push_back(residual.ratio);
    }
    constexpr double wanted = 0.775, step = 0.02, longest = 3;
    constexpr std::size_t fewest = 30; // of fewer runs no share tells how far to stretch a band between models
    for (auto& [key, group] : groups) {
        if (shape == BandShape::Balanced && group.runs < fewest)
            continue;
        if (group.members.size() > 1)
            while (crossedShare(group.members, shape, group.stretch) < wanted && group.stretch + step <= longest)
                group.stretch += step;
    }
    return groups;
}

} // namespace

std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals, BandShape shape)
{
    std::vector<ResidualBandRow> rows;
    for (const auto& [key, group] : residualGroups(residuals, shape)) {
        const std::vector<double> all = sortedWithout(group.members, nullptr);
        const Band band = bandOf(all, shape, group.stretch);
        ResidualBandRow row{key.first, key.second, band.low, band.high, group.stretch, 0, all.size(), group.sources};
        if (group.members.size() > 1)
            row.inside = crossedShare(group.members, shape, group.stretch);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::optional<bool>> insideOthersBands(std::span<const HeldOutResidual> residuals, BandShape shape)
{
    std::map<std::pair<std::string, std::string>, std::map<std::string, Band>> bands;
    const Groups groups = residualGroups(residuals, shape);
    for (const auto& [key, group] : groups)
        bands[key] = bandsWithout(group.members, shape, group.stretch);
    std::vector<std::optional<bool>> inside;
    for (const HeldOutResidual& residual : residuals) {
        const std::pair key(residual.group, residual.metric);
        const auto band = bands[key].find(memberOf(residual, groups.at(key), shape));
        inside.push_back(band == bands[key].end() ? std::nullopt : std::optional(band->second.holds(residual.ratio)));
    }
    return inside;
}

std::optional<ResidualBandRow> newSourceBand(std::span<const HeldOutResidual> residuals)
{
    std::map<std::string, std::size_t> runs;
    for (const HeldOutResidual& residual : residuals)
        ++runs[residual.origin];
    const double votes = double(runs.size()) + 1, wanted = 0.8;
    std::vector<std::pair<double, double>> distances; // a factor of at least 1, and its share of the votes
    for (const HeldOutResidual& residual : residuals)
        distances.emplace_back(std::max(residual.ratio, 1 / residual.ratio),
                               1 / (votes * double(runs.at(residual.origin))));
    std::ranges::sort(distances);
    double sum = 0;
    for (const auto& [distance, vote] : distances) {
        sum += vote;
        if (sum >= wanted - 1e-12)
            return ResidualBandRow{{}, {}, 1 / distance, distance, 1, sum, residuals.size(), runs.size()};
    }
    return std::nullopt;
}

} // namespace headroom
