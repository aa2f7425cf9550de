// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/speculation.hpp"

#include <algorithm>
#include <array>

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

namespace
{

/// Calls `use(i, s)` for the drafts i = 0, 1, …; s is the chance that this one and all before it are kept.
template <typename Use>
void forEachDraft(const Acceptance& acceptance, double decay, double draftTokens, Use use)
{
    double survives = 1, chance = 0;
    for (std::size_t i = 0; i < Acceptance::most && static_cast<double>(i) < draftTokens; ++i) {
        chance = i < acceptance.stated ? acceptance.byPosition[i] : chance * decay;
        survives *= std::clamp(chance, 0.0, 1.0);
        use(i, survives);
    }
}

} // namespace

double tokensPerCycle(const Acceptance& acceptance, double decay, double draftTokens) noexcept
{
    double tokens = 1;
    forEachDraft(acceptance, decay, draftTokens, [&](std::size_t, double survives) { tokens += survives; });
    return tokens;
}

double cyclesOf(const Acceptance& acceptance, double decay, double draftTokens, double tokens) noexcept
{
    if (tokens <= 1) // whatever is accepted
        return 1;
    double perCycle = 1, squares = 1; // means of a cycle's tokens, and of their squares
    std::size_t longest = 1;          // tokens of a cycle
    forEachDraft(acceptance, decay, draftTokens, [&](std::size_t i, double survives) {
        perCycle += survives;
        squares += survives * (2 * static_cast<double>(i) + 3);
        ++longest;
    });
    // Of a long answer the last cycle keeps in vain what a renewal process has beyond a far point in the mean.
    constexpr std::size_t longCycles = 16;
    const auto all = static_cast<std::size_t>(std::max(tokens, 1.0));
    if (all > longCycles * longest)
        return (tokens + (squares - perCycle) / (2 * perCycle)) / perCycle;
    std::array<double, Acceptance::most + 1> kept{1}; // chance that exactly so many drafts are
    forEachDraft(acceptance, decay, draftTokens, [&](std::size_t i, double survives) {
        kept[i] -= survives;
        kept[i + 1] = survives;
    });
    std::array<double, (Acceptance::most + 1) * longCycles + 1> cycles{};
    for (std::size_t m = 1; m <= all; ++m) {
        cycles[m] = 1;
        for (std::size_t k = 0, most = std::min(longest, m - 1); k < most; ++k)
            cycles[m] += kept[k] * cycles[m - k - 1];
    }
    return cycles[all];
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
