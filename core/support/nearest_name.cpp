// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headroom
{
namespace
{

/// Longer names are never suggested for: the table below is quadratic in the length.
constexpr std::size_t longestName = 80;

char folded(char c)
{
    if (c >= 'A' && c <= 'Z')
        return static_cast<char>(c - 'A' + 'a');
    return c == '-' ? '_' : c;
}

constexpr std::string_view separators = "-_ .";

/// "h100" of "h100-sxm-80gb".
std::string_view firstWord(std::string_view id)
{
    return id.substr(0, id.find_first_of(separators));
}

/// "h100sxm" of "H100-SXM".
std::string squeezed(std::string_view id)
{
    std::string text;
    for (const char c : id)
        if (separators.find(c) == std::string_view::npos)
            text.push_back(folded(c));
    return text;
}

/// Whether two ids begin with the same word, or one with all of the other: "gpt2" and "gpt-2-xl".
bool isAlike(std::string_view id, std::string_view other)
{
    return editDistance(firstWord(id), firstWord(other), 1) < 1 || squeezed(other).starts_with(squeezed(id));
}

/// The words of an id, as they compare.
std::set<std::string> wordsOf(std::string_view id)
{
    std::set<std::string> found;
    while (!id.empty()) {
        const std::size_t end = std::min(id.find_first_of(separators), id.size());
        found.insert(squeezed(id.substr(0, end)));
        id.remove_prefix(std::min(end + 1, id.size()));
    }
    return found;
}

} // namespace

int editDistance(std::string_view a, std::string_view b, int limit)
{
    // Each letter that one name has more is a change: most names of a list are told apart by their length alone.
    if (std::cmp_greater_equal(a.size() > b.size() ? a.size() - b.size() : b.size() - a.size(), limit))
        return limit;
    const std::size_t width = b.size() + 1;
    std::vector<int> table((a.size() + 1) * width);
    const auto at = [cells = table.data(), width](std::size_t i, std::size_t j) -> int& {
        return cells[i * width + j];
    };
    for (std::size_t i = 0; i <= a.size(); ++i)
        at(i, 0) = static_cast<int>(i);
    for (std::size_t j = 0; j <= b.size(); ++j)
        at(0, j) = static_cast<int>(j);
    int least = 0; // of the row before: no later row falls below two that have reached the limit
    for (std::size_t i = 1; i <= a.size(); ++i) {
        const int leastBefore = std::exchange(least, at(i, 0));
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = folded(a[i - 1]) == folded(b[j - 1]);
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1)});
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
            least = std::min(least, at(i, j));
        }
        if (std::min(least, leastBefore) >= limit)
            return limit;
    }
    return std::min(at(a.size(), b.size()), limit);
}

std::string_view nearestName(std::string_view name, std::span<const std::string_view> known)
{
    if (name.empty() || name.size() > longestName)
        return {};
    std::string_view best;
    int bestDistance = std::max(2, static_cast<int>(name.size()) / 3) + 1;
    for (const std::string_view candidate : known) {
        if (candidate.size() > longestName)
            continue;
        const int distance = editDistance(name, candidate, bestDistance);
        // A name of three letters shares nothing with one that differs in two of them.
        if (distance < bestDistance && distance < static_cast<int>(std::max(name.size(), candidate.size()) + 1) / 2) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

std::string didYouMean(std::string_view name, std::span<const std::string_view> known)
{
    const std::string_view near = nearestName(name, known);
    return near.empty() ? std::string() : say("did you mean '{}'?", near);
}

std::string listOf(std::span<const std::string_view> names, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text.append(i > 0 ? ", " : "").append(names[i]);
    return names.size() > most ? text + ", …" : text;
}

std::string suggestName(std::string_view name, std::span<const std::string_view> known, std::size_t listed)
{
    std::string hint = didYouMean(name, known);
    return hint.empty() && !known.empty() ? say("one of: {}", listOf(known, listed)) : hint;
}

std::string suggestId(std::string_view id, std::span<const std::string_view> known)
{
    constexpr int slip = 3; // fewer changes than these are a slip of the fingers
    std::vector<std::string_view> alike;
    if (squeezed(id.substr(0, 1)).empty() || id.size() > longestName)
        return didYouMean(id, known);
    std::ranges::copy_if(known, std::back_inserter(alike), [id](std::string_view other) { return isAlike(id, other); });
    if (alike.empty())
        return didYouMean(id, known);
    std::ranges::stable_sort(alike, {}, [id](std::string_view other) { return editDistance(id, other); });
    // Who leaves a word out means an id with all the others: "llama-70b" is "llama-3-70b" and not "llama-7b".
    std::vector<std::string_view> whole;
    std::ranges::copy_if(alike, std::back_inserter(whole), [asked = wordsOf(id)](std::string_view other) {
        return std::ranges::includes(wordsOf(other), asked);
    });
    if (!whole.empty())
        return whole.size() == 1 ? say("did you mean '{}'?", whole.front()) : say("one of: {}", listOf(whole, 8));
    const int first = editDistance(id, alike.front());
    if (alike.size() == 1 || (first < slip && first < editDistance(id, alike[1])))
        return say("did you mean '{}'?", alike.front());
    return say("one of: {}", listOf(alike, 8));
}

} // namespace headroom
