// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/markdown.hpp"

namespace headroom
{

std::string markdownText(std::string_view text)
{
    constexpr std::string_view special = "\\`*[]<>|~&";
    std::string escaped;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c == '\n' || c == '\r' ? ' ' : c;
    }
    return escaped;
}

std::string markdownCode(std::string_view text)
{
    std::string code = "`";
    for (const char c : text)
        code += c == '`' ? '\'' : c == '\n' || c == '\r' ? ' ' : c == '|' ? '/' : c;
    return code + '`';
}

} // namespace headroom
