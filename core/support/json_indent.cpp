// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/json_text.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// Where the string that begins at `begin` ends: behind its closing quote.
std::size_t endOfString(std::string_view text, std::size_t begin)
{
    std::size_t at = begin + 1;
    while (at < text.size() && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text.size());
}

bool isEmptyAt(std::string_view text, std::size_t bracket)
{
    return bracket + 1 < text.size() && (text[bracket + 1] == '}' || text[bracket + 1] == ']');
}

} // namespace

std::string indentedJson(std::string_view compact, int indent)
{
    std::string text;
    text.reserve(2 * compact.size());
    std::size_t depth = 0;
    const auto newLine = [&] { text.append("\n").append(depth * static_cast<std::size_t>(indent), ' '); };
    for (std::size_t i = 0; i < compact.size(); ++i) {
        const char c = compact[i];
        switch (c) {
        case '"': {
            const std::size_t end = endOfString(compact, i);
            text.append(compact.substr(i, end - i));
            i = end - 1;
            break;
        }
        case '{':
        case '[':
            text += c;
            if (isEmptyAt(compact, i)) {
                text += compact[++i];
                break;
            }
            ++depth;
            newLine();
            break;
        case '}':
        case ']':
            --depth;
            newLine();
            text += c;
            break;
        case ',':
            text += c;
            newLine();
            break;
        case ':':
            text += ": ";
            break;
        default:
            text += c;
        }
    }
    return text;
}

} // namespace headroom
