// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/json_parse.hpp"

#include "core/support/json_syntax.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <rapidjson/reader.h>
#include <vector>

namespace headroom
{
namespace
{

/// Reads a text and shows others how far it came: the parser tells its listener no positions.
class WatchedIterator final
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    WatchedIterator(const char* at, const char** seen) : m_at(at), m_seen(seen) {}
    reference operator*() const { return *m_at; }
    WatchedIterator& operator++()
    {
        *m_seen = ++m_at;
        return *this;
    }
    WatchedIterator operator++(int)
    {
        WatchedIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const WatchedIterator& other) const { return m_at == other.m_at; }
    bool operator!=(const WatchedIterator& other) const { return m_at != other.m_at; }

private:
    const char* m_at;
    const char** m_seen;
};

struct Position {
    int line = 1, column = 1;
};

Position positionAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return {static_cast<int>(lines) + 1, static_cast<int>(offset - start) + 1};
}

/// Builds the value from the parser's events and stops at the first thing that is refused.
class Builder final : public nlohmann::json_sax<Json>
{
public:
    Builder(std::string_view text, const JsonLimits& limits) : m_text(text), m_limits(limits), m_seen(text.data()) {}

    Json root;
    Diagnostics diagnostics;
    std::string_view wanted; ///< lineOfJsonPath: note the line of this path
    bool locating = false;
    int wantedLine = 0;

    [[nodiscard]] const char** seen() { return &m_seen; }

    bool null() override { return put(nullptr) != nullptr; }
    bool boolean(bool value) override { return put(value) != nullptr; }
    bool number_integer(number_integer_t value) override { return put(value) != nullptr; }
    bool number_unsigned(number_unsigned_t value) override { return put(value) != nullptr; }
    bool number_float(number_float_t value, const string_t&) override { return put(value) != nullptr; }
    bool string(string_t& value) override { return put(withoutControls(std::move(value))) != nullptr; }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override
    {
        auto& object = m_levels.back().container->get_ref<Json::object_t&>();
        const auto [entry, added] = object.try_emplace(std::move(name), nullptr);
        m_levels.back().key = &entry->first;
        m_levels.back().member = &entry->second;
        if (!added)
            refuse("duplicate-key", say("the key '{}' is given twice", printable(entry->first)),
                   said("keep one of them"));
        return added;
    }

    bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& error) override
    {
        constexpr int numberOverflow = 406; // nlohmann/json, out_of_range.406
        if (error.id == numberOverflow) {
            refuse("out-of-range", say("the number {} is too large", printable(token)),
                   said("numbers must be finite and below 1.8e308"));
            return false;
        }
        std::string hint;
        std::string_view rest = m_text.substr(std::min(offset(), m_text.size()));
        const std::string_view tail = m_text.substr(offset() > 3 ? offset() - 3 : 0, 12);
        const bool notNumber = tail.find("NaN") != tail.npos || tail.find("Inf") != tail.npos ||
                               tail.find("nan") != tail.npos || tail.find("inf") != tail.npos;
        if (notNumber)
            return refuse("not-a-number", said("NaN and Infinity are not JSON numbers"),
                          said("leave the key out where a value is unknown"));
        if (m_levels.empty() && root.is_null() && rest.empty() && m_text.find_first_not_of(" \t\r\n") == m_text.npos)
            return refuse("syntax", said("there is nothing in it"), said("a JSON object is expected"));
        if (rest.empty())
            hint = said("the text ends too early: is it cut off?");
        return refuse("syntax", syntaxText(m_text), std::move(hint));
    }

private:
    struct Level {
        Json* container = nullptr;
        const std::string* key = nullptr; ///< within an object: the key being read
        Json* member = nullptr;           ///< and the place of its value
    };

    [[nodiscard]] std::size_t offset() const
    {
        // The last character read belongs to the token or is one look-ahead beyond a number.
        const auto read = static_cast<std::size_t>(m_seen - m_text.data());
        return read > 0 ? read - 1 : 0;
    }

    [[nodiscard]] std::string path() const
    {
        std::string path;
        for (const Level& level : m_levels) {
            if (level.container->is_array())
                path += '/' + std::to_string(std::max<std::size_t>(level.container->size(), 1) - 1);
            else if (level.key != nullptr)
                path = childPath(path, *level.key);
        }
        return path;
    }

    bool refuse(std::string code, const std::string& message, std::string hint)
    {
        const Position position = positionAt(m_text, offset());
        Diagnostic diagnostic;
        diagnostic.code = std::move(code);
        diagnostic.path = path();
        diagnostic.message = say("{} (column {})", message, position.column);
        diagnostic.hint = std::move(hint);
        diagnostic.line = position.line;
        diagnostics.push_back(std::move(diagnostic));
        return false;
    }

    /// Null where there are too many.
    template <typename Value>
    Json* put(Value&& value)
    {
        if (++m_values > m_limits.values) {
            refuse("too-large", say("there are more than {} values", m_limits.values), {});
            return nullptr;
        }
        Json* place = &root;
        if (!m_levels.empty()) {
            const Level& level = m_levels.back();
            place = level.container->is_array() ? &level.container->emplace_back() : level.member;
        }
        *place = std::forward<Value>(value);
        if (locating && wantedLine == 0 && path() == wanted)
            wantedLine = positionAt(m_text, offset()).line;
        return place;
    }

    bool open(Json container)
    {
        Json* place = put(std::move(container));
        if (place == nullptr)
            return false;
        if (static_cast<int>(m_levels.size()) >= m_limits.depth) {
            return refuse("too-deep", say("arrays and objects are nested more than {} deep", m_limits.depth),
                          said("nothing in this format nests that far"));
        }
        m_levels.push_back({place, nullptr, nullptr});
        return true;
    }

    bool close()
    {
        m_levels.pop_back();
        return true;
    }

    std::string_view m_text;
    JsonLimits m_limits;
    std::size_t m_values = 0;
    const char* m_seen;
    std::vector<Level> m_levels;
};

void run(Builder& builder, std::string_view text, bool comments)
{
    const WatchedIterator first(text.data(), builder.seen());
    const WatchedIterator last(text.data() + text.size(), builder.seen());
    Json::sax_parse(first, last, &builder, Json::input_format_t::json, true, comments);
}

/// Gives a Builder what RapidJSON reads. Numbers come as they are written.
class PlainEvents final : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, PlainEvents>
{
public:
    explicit PlainEvents(Builder& builder) : m_builder(builder) {}

    bool Null() { return m_builder.null(); }
    bool Bool(bool value) { return m_builder.boolean(value); }
    bool RawNumber(const char* digits, rapidjson::SizeType length, bool)
    {
        const std::string_view text(digits, length);
        if (text.find_first_of(".eE") == text.npos) {
            Json::number_unsigned_t natural = 0;
            if (isAll(text, natural))
                return m_builder.number_unsigned(natural);
            Json::number_integer_t whole = 0;
            if (isAll(text, whole))
                return m_builder.number_integer(whole);
        }
        Json::number_float_t real = 0;
        return isAll(text, real) && m_builder.number_float(real, {});
    }
    bool String(const char* text, rapidjson::SizeType length, bool)
    {
        std::string value(text, length);
        return m_builder.string(value);
    }
    bool Key(const char* text, rapidjson::SizeType length, bool)
    {
        std::string name(text, length);
        return m_builder.key(name);
    }
    bool StartObject() { return m_builder.start_object(0); }
    bool StartArray() { return m_builder.start_array(0); }
    bool EndObject(rapidjson::SizeType) { return m_builder.end_object(); }
    bool EndArray(rapidjson::SizeType) { return m_builder.end_array(); }

private:
    template <typename Number>
    static bool isAll(std::string_view text, Number& number)
    {
        const char* const end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data(), end, number);
        return at == end && error == std::errc();
    }

    Builder& m_builder;
};

/// RapidJSON reads in half the time what nearly all texts are: valid, without comments and escapes. Empty for all else:
/// nlohmann/json reads that again and says what is wrong and where. RapidJSON calls itself for each level, of which the
/// limits allow few; an escape it would take that is half of a surrogate pair.
std::optional<Json> plainJson(std::string_view text, const JsonLimits& limits)
{
    if (text.find('\\') != text.npos)
        return std::nullopt;
    Builder builder(text, limits);
    PlainEvents events(builder);
    std::string copy(text); // may be written to, so strings stay where they are while they are read
    rapidjson::InsituStringStream stream(copy.data());
    rapidjson::Reader reader;
    if (reader.Parse<rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag>(stream, events).IsError())
        return std::nullopt;
    return std::move(builder.root);
}

tl::unexpected<Diagnostics> refused(std::string code, std::string message, std::string hint, int line)
{
    auto failure = fail(std::move(code), {}, std::move(message), std::move(hint));
    failure.value().front().line = line;
    return failure;
}

} // namespace

Expected<Json> parseJson(std::string_view text, const JsonLimits& limits)
{
    if (text.size() > limits.bytes) {
        return fail("too-large", {}, say("the text has {} bytes", text.size()),
                    say("at most {} are read", limits.bytes));
    }
    if (const auto bad = firstInvalidUtf8(text)) {
        const Position at = positionAt(text, *bad);
        return refused("not-utf8", say("{} (column {})", say("a byte is not UTF-8"), at.column),
                       said("save the file as UTF-8"), at.line);
    }
    // The parser takes a zero byte for the end of the text and would not look at what follows.
    if (const auto zero = text.find('\0'); zero != text.npos) {
        const Position at = positionAt(text, zero);
        return refused("not-utf8", say("{} (column {})", say("a zero byte"), at.column),
                       said("save the file as UTF-8 text"), at.line);
    }
    try {
        if (auto plain = plainJson(text, limits))
            return *std::move(plain);
        Builder builder(text, limits);
        run(builder, text, limits.comments);
        if (!builder.diagnostics.empty())
            return tl::unexpected(std::move(builder.diagnostics));
        return std::move(builder.root);
    } catch (const std::exception& error) { // memory, or a defect of ours: still an answer, never a crash
        return fail("syntax", {}, printable(error.what(), 160));
    }
}

int lineOfJsonPath(std::string_view text, std::string_view path)
{
    try {
        Builder builder(text, JsonLimits{});
        builder.wanted = path;
        builder.locating = true;
        run(builder, text, true);
        return builder.wantedLine;
    } catch (const std::exception&) {
        return 0;
    }
}

void addLines(Diagnostics& diagnostics, std::string_view text)
{
    for (Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.line == 0)
            diagnostic.line = lineOfJsonPath(text, diagnostic.path);
    }
}

std::string childPath(std::string_view path, std::string_view key)
{
    std::string result;
    result.reserve(path.size() + 1 + key.size());
    result.append(path).append(1, '/');
    // Nearly all keys stand in paths as they are.
    constexpr std::size_t longest = 60; // printable() cuts what is longer
    const auto isPlain = [](char c) { return c >= 0x20 && c < 0x7F && c != '~' && c != '/'; };
    if (key.size() <= longest && std::ranges::all_of(key, isPlain))
        return result.append(key);
    for (const char c : printable(key)) {
        if (c == '~')
            result += "~0";
        else if (c == '/')
            result += "~1";
        else
            result += c;
    }
    return result;
}

std::string jsonString(std::string_view text)
{
    // ASCII without anything to escape, as nearly all is: quotes around it are a hundredth of the library's work.
    const auto isPlain = [](char c) { return c >= 0x20 && c <= 0x7E && c != '"' && c != '\\'; };
    if (std::ranges::all_of(text, isPlain))
        return std::string(1, '"').append(text).append(1, '"');
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace headroom
