// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/plain_words.hpp"

namespace headroom::hf
{
namespace
{

/// Length of the bare word at the start of `rest`, which is not empty; 0 where there is none.
std::size_t bareWord(std::string_view rest)
{
    if (rest.front() != '-' && rest.front() != 'I' && rest.front() != 'N') // as nearly all of a file
        return 0;
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
        if (rest.starts_with(word))
            return word.size();
    return 0;
}

} // namespace

bool isBareWord(std::string_view text)
{
    return !text.empty() && bareWord(text) == text.size();
}

std::string withoutBareWords(std::string_view text)
{
    if (text.find("NaN") == text.npos && text.find("Infinity") == text.npos) // as nearly all files
        return std::string(text);
    std::string result;
    result.reserve(text.size());
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t word = quoted ? 0 : bareWord(text.substr(i));
        if (word > 0) {
            result += '"';
            result += text.substr(i, word);
            result += '"';
            i += word - 1;
            continue;
        }
        result += text[i];
        if (quoted && text[i] == '\\' && i + 1 < text.size())
            result += text[++i]; // whatever is escaped does not end the string
        else if (text[i] == '"')
            quoted = !quoted;
    }
    return result;
}

} // namespace headroom::hf
