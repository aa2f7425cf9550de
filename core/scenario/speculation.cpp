// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/speculation.hpp"

#include <algorithm>

namespace headroom
{

std::optional<CatalogId> CatalogId::from(std::string_view text) noexcept
{
    if (text.empty() || text.size() > longest)
        return {};
    CatalogId id;
    std::ranges::copy(text, id.m_text.begin());
    return id;
}

double tokensPerCycle(const Acceptance& acceptance, double decay, double draftTokens) noexcept
{
    double tokens = 1, survives = 1, chance = 0;
    for (std::size_t i = 0; i < Acceptance::most && static_cast<double>(i) < draftTokens; ++i) {
        chance = i < acceptance.stated ? acceptance.byPosition[i] : chance * decay;
        survives *= std::clamp(chance, 0.0, 1.0);
        tokens += survives;
    }
    return tokens;
}

double acceptanceOfLength(double length, double decay, double draftTokens) noexcept
{
    const auto yields = [&](double first) { return tokensPerCycle(Acceptance::of(first), decay, draftTokens); };
    double low = 0, high = 1;
    if (length >= yields(high))
        return high;
    constexpr int halvings = 60; // beyond the last digit of a double
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (yields(middle) < length ? low : high) = middle;
    }
    return low;
}

} // namespace headroom
