// SPDX-License-Identifier: GPL-3.0-or-later
// Nearest name: which of the known names a misspelt one was meant to be.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment).
/// Letters compare without case; '-' and '_' are alike. `limit` stands for all that is not less: a list of names is
/// searched several times as fast by the best so far.
[[nodiscard]] int editDistance(std::string_view a, std::string_view b, int limit = std::numeric_limits<int>::max());

/// The known name nearest to `name`, or empty where none is near enough to be worth suggesting.
[[nodiscard]] std::string_view nearestName(std::string_view name, std::span<const std::string_view> known);

/// "did you mean 'batch'?"; empty where nothing is near.
[[nodiscard]] std::string didYouMean(std::string_view name, std::span<const std::string_view> known);

/// "a, b, c, …": at most `most` of the names.
[[nodiscard]] std::string listOf(std::span<const std::string_view> names, std::size_t most = 40);

/// "did you mean 'batch'?", or "one of: a, b, c" where nothing is near; at most `listed` names are listed.
[[nodiscard]] std::string suggestName(std::string_view name, std::span<const std::string_view> known,
                                      std::size_t listed = 40);

/// Of ids in several words: those that begin with the same word, nearest first ("h100-sxm-80gb" for "h100"), and one
/// that differs in a letter or two, and less than the others, alone; else, as one that begins with another word stands
/// for something else, the nearest that is near; empty where nothing is.
[[nodiscard]] std::string suggestId(std::string_view id, std::span<const std::string_view> known);

/// The names of rows, to choose from: `member` of each.
template <typename Rows, typename Member>
[[nodiscard]] std::vector<std::string_view> namesOf(const Rows& rows, Member member)
{
    std::vector<std::string_view> names;
    for (const auto& row : rows)
        names.push_back(std::invoke(member, row));
    return names;
}

} // namespace headroom
