// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/json_syntax.hpp"

#include "core/support/say.hpp"

#include <array>

namespace headroom
{
namespace
{

/// The lexer's and the parser's words (nlohmann/json 3.11), so that the test of translations finds them.
[[maybe_unused]] constexpr std::array words{
    phrase("invalid BOM; must be 0xEF 0xBB 0xBF if given"),
    phrase("invalid comment; expecting '/' or '*' after '/'"),
    phrase("invalid comment; missing closing '*/'"),
    phrase("invalid literal"),
    phrase("invalid number; expected digit after '-'"),
    phrase("invalid number; expected digit after '.'"),
    phrase("invalid number; expected '+', '-', or digit after exponent"),
    phrase("invalid number; expected digit after exponent sign"),
    phrase("invalid string: '\\u' must be followed by 4 hex digits"),
    phrase("invalid string: forbidden character after backslash"),
    phrase("invalid string: missing closing quote"),
    phrase("invalid string: surrogate U+D800..U+DBFF must be followed by U+DC00..U+DFFF"),
    phrase("invalid string: surrogate U+DC00..U+DFFF must follow U+D800..U+DBFF"),
    phrase("true literal"),
    phrase("false literal"),
    phrase("null literal"),
    phrase("string literal"),
    phrase("number literal"),
    phrase("end of input"),
};

constexpr std::string_view control = "invalid string: control character ", unexpected = "unexpected ";

std::string tokenText(std::string_view english)
{
    return english == "'[', '{', or a literal" ? say("'[', '{}', or a literal", '{') : said(english);
}

std::string errorText(std::string_view english)
{
    if (english.starts_with(unexpected))
        return say("unexpected {}", tokenText(english.substr(unexpected.size())));
    if (english.starts_with(control)) { // "U+0009 (HT) must be escaped to \u0009 or \t"
        const std::string_view name = english.substr(control.size());
        return say("invalid string: control character {} must be escaped", name.substr(0, name.find(" must")));
    }
    return said(english);
}

} // namespace

std::string syntaxText(std::string_view english)
{
    if (speaksEnglish())
        return std::string(english);
    constexpr std::string_view lastRead = "; last read: '", expected = "; expected ";
    if (const auto at = english.find(lastRead); at != std::string_view::npos) {
        std::string_view token = english.substr(at + lastRead.size());
        token.remove_suffix(token.ends_with('\'') ? 1 : 0);
        return say("{}; last read: '{}'", errorText(english.substr(0, at)), token);
    }
    if (const auto at = english.find(expected); at != std::string_view::npos)
        return say("{}; expected {}", errorText(english.substr(0, at)),
                   tokenText(english.substr(at + expected.size())));
    return errorText(english);
}

} // namespace headroom
