// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog_search.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

bool isWordCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) > 127;
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Places of a query word in a name, best first.
constexpr int wholeWord = 2, wordBeginning = 3, nameBeginning = 4, withinWord = 6, acrossWords = 9, nowhere = 1000;
constexpr int lesserName = 2; ///< added for family and generation
constexpr int apart = 1;      ///< added for two query words that stand beside each other in no name

/// A name without what separates its words, with the places where words begin.
struct SqueezedName {
    std::string text;
    std::vector<std::size_t> beginnings;

    explicit SqueezedName(std::string_view name) : text(name)
    {
        std::size_t size = 0; // so far, never beyond what has been read
        bool between = true;
        for (const char c : name) {
            if (isWordCharacter(c)) {
                if (between)
                    beginnings.push_back(size);
                text[size++] = lower(c);
            }
            between = !isWordCharacter(c);
        }
        text.resize(size);
    }

    [[nodiscard]] int placeOf(std::string_view word) const
    {
        int best = nowhere;
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
            best = std::min(best, placeAt(at, word.size()));
        return best;
    }

private:
    [[nodiscard]] int placeAt(std::size_t at, std::size_t length) const
    {
        const auto next = std::ranges::upper_bound(beginnings, at);
        const std::size_t wordEnd = next == beginnings.end() ? text.size() : *next;
        const bool begins = *(next - 1) == at;
        if (at + length > wordEnd)
            return at == 0 ? nameBeginning : acrossWords;
        if (!begins)
            return withinWord;
        return at + length == wordEnd ? wholeWord : wordBeginning;
    }
};

} // namespace

bool equalNames(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

SearchQuery::SearchQuery(std::string_view text) : m_text(text)
{
    std::string word;
    for (const char c : text) {
        if (isWordCharacter(c)) {
            word.push_back(lower(c));
        } else if (!word.empty()) {
            m_words.push_back(std::move(word));
            word.clear();
        }
    }
    if (!word.empty())
        m_words.push_back(std::move(word));
    for (const std::string& part : m_words)
        m_squeezed += part;
}

std::optional<int> SearchQuery::penalty(std::span<const std::string_view> names,
                                        std::span<const std::string_view> lesserNames) const
{
    std::vector<int> best(m_words.size(), nowhere);
    std::vector<bool> beside(m_words.size(), false); // a word and the one before it
    const auto look = [&](std::string_view name, int added) {
        const SqueezedName squeezed(name);
        for (std::size_t i = 0; i < m_words.size(); ++i)
            best[i] = std::min(best[i], squeezed.placeOf(m_words[i]) + added);
        for (std::size_t i = 1; i < m_words.size(); ++i)
            beside[i] = beside[i] || squeezed.text.find(m_words[i - 1] + m_words[i]) != std::string::npos;
        return squeezed.text == m_squeezed;
    };
    bool exact = false;
    for (const std::string_view name : names)
        exact = look(name, 0) || exact;
    if (!names.empty() && equalNames(names.front(), m_text)) // "opt-1.3b" and "opt-13b" squeeze to the same
        return 0;
    if (exact)
        return 1;
    for (const std::string_view name : lesserNames)
        look(name, lesserName);
    int sum = 0;
    for (const int place : best) {
        if (place >= nowhere)
            return std::nullopt;
        sum += place;
    }
    // "llama 3.3" means the 3.3: in "Llama 3.2" both words are there, but not side by side.
    for (std::size_t i = 1; i < beside.size(); ++i)
        sum += beside[i] ? 0 : apart;
    return sum;
}

} // namespace headroom
