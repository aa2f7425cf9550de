// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/language.hpp"

#include "core/support/embedded.hpp"
#include "core/support/json_parse.hpp"

#include <algorithm>
#include <atomic>

namespace headroom
{

namespace
{

std::atomic<const Phrases*> inForce = nullptr;
thread_local bool inEnglish = false;

/// Of this thread, now; nullptr = English.
const Phrases* table() noexcept
{
    const Phrases* phrases = inForce.load(std::memory_order_acquire);
    return phrases && !inEnglish ? phrases : nullptr;
}

const std::vector<std::string> malformed{std::string()};

} // namespace

std::vector<std::string> placeholders(std::string_view text)
{
    std::vector<std::string> found;
    int automatic = 0;
    bool numbered = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{' && text[i] != '}')
            continue;
        if (i + 1 < text.size() && text[i + 1] == text[i]) { // "{{" prints a brace
            ++i;
            continue;
        }
        const auto end = text.find_first_of("{}", i + 1);
        if (text[i] == '}' || end == std::string_view::npos || text[end] == '{')
            return malformed;
        const std::string_view inside = text.substr(i + 1, end - i - 1);
        const auto colon = std::min(inside.find(':'), inside.size());
        std::string argument(inside.substr(0, colon));
        if (argument.empty())
            argument = std::to_string(automatic++);
        else
            numbered = true;
        found.push_back(std::move(argument) + std::string(inside.substr(colon)));
        i = end;
    }
    if (automatic > 0 && numbered) // fmt refuses the mixture
        return malformed;
    std::ranges::sort(found);
    return found;
}

Phrases::Phrases(std::span<const Pair> pairs)
{
    m_table.reserve(pairs.size());
    for (const auto& [english, other] : pairs) {
        const auto wanted = placeholders(english);
        if (wanted != malformed && wanted == placeholders(other))
            m_table.emplace(english, other);
    }
}

std::vector<Phrases::Pair> Phrases::pairs(std::string_view language)
{
    std::vector<Pair> pairs;
    for (const EmbeddedFile& file : embeddedFolder("translations/" + std::string(language) + "/")) {
        const auto json = parseJson(file.text);
        if (!json)
            continue;
        const auto text = [](const Json& value) {
            return value.is_string() ? value.get_ref<const std::string&>() : std::string();
        };
        for (const auto& [key, value] : json->items())
            pairs.emplace_back(json->is_array() ? text(value) : key, text(value));
    }
    std::erase_if(pairs, [](const Pair& pair) { return pair.second.empty(); });
    return pairs;
}

Phrases Phrases::embedded(std::string_view language)
{
    return Phrases(pairs(language));
}

std::string_view Phrases::of(std::string_view english) const noexcept
{
    const auto found = m_table.find(english);
    return found == m_table.end() ? english : std::string_view(found->second);
}

void speak(const Phrases* phrases) noexcept
{
    inForce.store(phrases, std::memory_order_release);
}

bool speaksEnglish() noexcept
{
    return table() == nullptr;
}

InEnglish::InEnglish() noexcept : m_before(std::exchange(inEnglish, true)) {}

InEnglish::~InEnglish()
{
    inEnglish = m_before;
}

std::string_view say(std::string_view english) noexcept
{
    const Phrases* phrases = table();
    return phrases ? phrases->of(english) : english;
}

} // namespace headroom
