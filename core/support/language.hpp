// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases: core's English words and sentences in another language; say() gives a text in the language in force.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headroom
{

/// A table from English to one other language; immutable.
class Phrases final
{
public:
    using Pair = std::pair<std::string, std::string>; ///< English, other

    /// Pairs whose two texts do not hold the same placeholders are left out: their English is shown instead.
    explicit Phrases(std::span<const Pair> pairs);

    /// What resources/translations/LANGUAGE/*.json hold: objects of English and the other text, and arrays of words
    /// that are the same in both. A language without files has no entries.
    [[nodiscard]] static Phrases embedded(std::string_view language);
    /// The same before anything is left out, in the order of the files; for tests.
    [[nodiscard]] static std::vector<Pair> pairs(std::string_view language);

    /// The other language's text, or `english` itself where there is none.
    [[nodiscard]] std::string_view of(std::string_view english) const noexcept;
    [[nodiscard]] std::size_t size() const { return m_table.size(); }

private:
    struct Hash {
        using is_transparent = void; // looking up allocates nothing
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::string, Hash, std::equal_to<>> m_table;
};

/// Chooses the language in force: a program does so once, at its start, before anything is said, and keeps the table
/// until its end; nullptr = English. This is the one process-wide value of core, and harmless as a locale is: whatever
/// computes does not know of it, it changes words alone, and nobody changes it while threads run. headroom-cli leaves
/// it at English, and so is what is written to files.
void speak(const Phrases* phrases) noexcept;

/// A text in the language in force: a literal, or one of a registry's rows. Allocates nothing. Texts with placeholders
/// are said with their arguments (say.hpp).
[[nodiscard]] std::string_view say(std::string_view english) noexcept;

/// Whether texts are said as they are written: German keeps the capitals that English loses within a sentence.
[[nodiscard]] bool speaksEnglish() noexcept;

/// While one lives, its thread says texts in English: what goes into a file is the same in every language.
class InEnglish final
{
public:
    InEnglish() noexcept;
    ~InEnglish();
    InEnglish(const InEnglish&) = delete;
    InEnglish& operator=(const InEnglish&) = delete;

private:
    bool m_before;
};

/// Marks a literal of a table that is said elsewhere, so that the test of translations finds it.
[[nodiscard]] consteval std::string_view phrase(std::string_view english)
{
    return english;
}

/// The placeholders of a text for fmt or of a lesson, sorted, each as "argument:specification"; "{}" are numbered as
/// they come. A list with one empty entry: malformed.
[[nodiscard]] std::vector<std::string> placeholders(std::string_view text);

} // namespace headroom
