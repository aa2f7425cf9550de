// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/intervals.hpp"

#include <algorithm>
#include <map>
#include <set>

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

} // namespace

std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals)
{
    struct Members {
        std::vector<double> ratios;
        std::set<std::string> origins;
    };
    std::map<std::pair<std::string, std::string>, Members> groups;
    for (const HeldOutResidual& residual : residuals) {
        Members& members = groups[{residual.group, residual.metric}];
        members.ratios.push_back(residual.ratio);
        members.origins.insert(residual.origin);
    }
    std::vector<ResidualBandRow> rows;
    for (auto& [key, members] : groups) {
        std::ranges::sort(members.ratios);
        rows.push_back({key.first, key.second, quantile(members.ratios, 0.1), quantile(members.ratios, 0.9),
                        members.ratios.size(), members.origins.size()});
    }
    return rows;
}

} // namespace headroom
