// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/json_syntax.hpp"

#include "core/support/say.hpp"

#include <rapidjson/reader.h>

namespace headroom
{
namespace
{

/// By the parser's number of what is wrong; empty where it says nothing that helps.
std::string_view wordsOf(rapidjson::ParseErrorCode code)
{
    switch (code) {
    case rapidjson::kParseErrorDocumentRootNotSingular:
        return phrase("text follows the end of the document");
    case rapidjson::kParseErrorValueInvalid:
        return phrase("a value is missing, or is no JSON value");
    case rapidjson::kParseErrorObjectMissName:
        return phrase("a key in quotation marks is missing");
    case rapidjson::kParseErrorObjectMissColon:
        return phrase("':' is missing behind a key");
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
        return phrase("a comma or the end of the object is missing");
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
        return phrase("a comma or the end of the list is missing");
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
        return phrase("four hexadecimal digits are missing behind '\\u'");
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
        return phrase("half of a surrogate pair stands alone");
    case rapidjson::kParseErrorStringEscapeInvalid:
        return phrase("a backslash stands before a character that needs none");
    case rapidjson::kParseErrorStringMissQuotationMark:
        return phrase("a text has no closing quotation mark");
    case rapidjson::kParseErrorStringInvalidEncoding:
        return phrase("a control character in a text has to be written as '\\u' and four digits");
    case rapidjson::kParseErrorNumberMissFraction:
        return phrase("a number has no digit behind its point");
    case rapidjson::kParseErrorNumberMissExponent:
        return phrase("a number has no digit in its exponent");
    default:
        return {};
    }
}

/// Keeps nothing. The parser calls itself for each level: below the deepest that any limit allows it stops.
class Levels final : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Levels>
{
public:
    bool StartObject() { return enter(); }
    bool StartArray() { return enter(); }
    bool EndObject(rapidjson::SizeType) { return leave(); }
    bool EndArray(rapidjson::SizeType) { return leave(); }

private:
    bool enter() { return ++m_depth <= 1000; }
    bool leave()
    {
        --m_depth;
        return true;
    }
    int m_depth = 0;
};

} // namespace

std::string syntaxText(std::string_view text)
{
    // In place: RapidJSON's own stack adds to a null pointer before it has memory, which is undefined.
    constexpr unsigned how =
        rapidjson::kParseInsituFlag | rapidjson::kParseCommentsFlag | rapidjson::kParseNumbersAsStringsFlag;
    std::string copy(text);
    rapidjson::InsituStringStream stream(copy.data());
    rapidjson::Reader reader;
    Levels levels;
    const std::string_view words = wordsOf(reader.Parse<how>(stream, levels).Code());
    return words.empty() ? said("this is no JSON") : said(words);
}

} // namespace headroom
