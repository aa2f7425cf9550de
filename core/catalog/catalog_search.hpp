// SPDX-License-Identifier: GPL-3.0-or-later
// SearchQuery: the words of a catalogue search and how well an entry's names answer them.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// Compares ASCII letters without case.
[[nodiscard]] bool equalNames(std::string_view a, std::string_view b);

/// A query split into words at everything that is neither letter nor digit, lower case.
class SearchQuery final
{
public:
    explicit SearchQuery(std::string_view text);

    [[nodiscard]] bool empty() const { return m_words.empty(); }

    /// 0 = exactly the first name (the id), 1 = exactly another, larger = worse; nothing where some word of the query
    /// has no place in any name. Each word counts by its best place: a whole word, the beginning of one, the beginning
    /// of a name written without gaps ("gpt2"), within a word, across words. Names of lesser rank (family, generation)
    /// count a little less.
    [[nodiscard]] std::optional<int> penalty(std::span<const std::string_view> names,
                                             std::span<const std::string_view> lesserNames) const;

private:
    std::vector<std::string> m_words;
    std::string m_text, m_squeezed;
};

} // namespace headroom
