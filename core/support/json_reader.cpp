// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/json_reader.hpp"

#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

/// Whole numbers beyond this are not exact as doubles.
constexpr double largestWhole = 9007199254740992.0; // 2^53

const Json& emptyObject()
{
    static const Json empty = Json::object();
    return empty;
}

std::string integerRangeText(std::int64_t minimum, std::int64_t maximum)
{
    if (maximum == std::numeric_limits<std::int64_t>::max())
        return say("must be at least {}", minimum);
    return say("must lie between {} and {}", minimum, maximum);
}

std::optional<std::int64_t> wholeNumber(const Json& value)
{
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    const double number = value.get<double>();
    if (std::fabs(number) > largestWhole || std::trunc(number) != number)
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

/// One bit of 64 for a key. Most keys that are looked for are absent, and most of those have a bit that no key of the
/// object has: nothing is compared for them.
std::uint64_t markOf(std::string_view key)
{
    if (key.empty())
        return 1;
    const auto first = static_cast<unsigned char>(key.front()), last = static_cast<unsigned char>(key.back());
    return std::uint64_t(1) << ((7 * key.size() + first + std::size_t(3) * last) % 64);
}

/// Null where there is none.
const Json* memberOf(const Json& object, std::string_view key, Nulls nulls)
{
    const auto& members = object.get_ref<const Json::object_t&>();
    const auto found = members.find(key);
    return found == members.end() || (nulls == Nulls::Absent && found->second.is_null()) ? nullptr : &found->second;
}

} // namespace

std::string NumberRange::text() const
{
    const bool bounded = maximum < std::numeric_limits<double>::max();
    if (!bounded)
        return aboveMinimum ? say("must be greater than {}", minimum) : say("must be at least {}", minimum);
    if (aboveMinimum)
        return say("must be greater than {} and at most {}", minimum, maximum);
    return say("must lie between {} and {}", minimum, maximum);
}

ObjectReader::ObjectReader(const Json& value, std::string path, Diagnostics& diagnostics, Nulls nulls)
    : m_object(value.is_object() ? &value : nullptr), m_path(std::move(path)), m_diagnostics(diagnostics),
      m_nulls(nulls)
{
    if (m_object == nullptr)
        addDiagnostic(m_diagnostics, "wrong-type", m_path, say("must be an object (found {})", describeJson(value)));
    else
        for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
            const std::uint64_t mark = markOf(key);
            m_sharedMarks |= m_marks & mark;
            m_marks |= mark;
        }
    m_known.reserve(32);
}

const Json& ObjectReader::json() const
{
    return m_object != nullptr ? *m_object : emptyObject();
}

const Json* ObjectReader::find(std::string_view key, Presence presence)
{
    m_known.push_back(key);
    if (m_object == nullptr)
        return nullptr;
    const std::uint64_t mark = markOf(key);
    const Json* found = (m_marks & mark) != 0 ? memberOf(*m_object, key, m_nulls) : nullptr;
    if (found != nullptr)
        m_foundMarks |= mark;
    else if (presence == Presence::Required)
        addDiagnostic(m_diagnostics, "missing-key", m_path, say("the key '{}' is missing", key));
    return found;
}

bool ObjectReader::integerValue(std::string_view key, const Json& found, std::int64_t& value, std::int64_t minimum,
                                std::int64_t maximum)
{
    if (!found.is_number()) {
        wrongType(key, found, say("a whole number"));
        return false;
    }
    const auto whole = wholeNumber(found);
    if (!whole && std::fabs(found.get<double>()) < largestWhole) {
        error(key, "not-whole", say("must be a whole number (found {})", found.dump()));
        return false;
    }
    if (!whole || *whole < minimum || *whole > maximum) {
        error(key, "out-of-range", say("{} (found {})", integerRangeText(minimum, maximum), found.dump()));
        return false;
    }
    value = *whole;
    return true;
}

bool ObjectReader::numberValue(std::string_view key, const Json& found, double& value, const NumberRange& range)
{
    if (!found.is_number()) {
        wrongType(key, found, say("a number"));
        return false;
    }
    const auto number = found.get<double>();
    if (!std::isfinite(number) || !range.holds(number)) {
        error(key, "out-of-range", say("{} (found {})", range.text(), found.dump()));
        return false;
    }
    value = number;
    return true;
}

bool ObjectReader::isBoolean(const Json& found, std::string_view key)
{
    if (!found.is_boolean())
        wrongType(key, found, say("true or false"));
    return found.is_boolean();
}

bool ObjectReader::isString(const Json& found, std::string_view key)
{
    if (!found.is_string())
        wrongType(key, found, say("text"));
    return found.is_string();
}

bool ObjectReader::isArray(const Json& found, std::string_view key)
{
    if (!found.is_array())
        wrongType(key, found, say("an array"));
    return found.is_array();
}

bool ObjectReader::strings(std::string_view key, std::vector<std::string>& target, Presence presence)
{
    const Json* found = find(key, presence);
    if (found == nullptr || !isArray(*found, key))
        return false;
    std::vector<std::string> values;
    for (const Json& element : *found) {
        if (!element.is_string()) {
            addDiagnostic(m_diagnostics, "wrong-type", childPath(pathOf(key), std::to_string(values.size())),
                          say("must be text (found {})", describeJson(element)));
            return false;
        }
        values.push_back(element.get_ref<const std::string&>());
    }
    target = std::move(values);
    return true;
}

bool ObjectReader::integers(std::string_view key, std::vector<std::int64_t>& target, std::int64_t minimum,
                            std::int64_t maximum, Presence presence)
{
    const Json* found = find(key, presence);
    if (found == nullptr || !isArray(*found, key))
        return false;
    std::vector<std::int64_t> values;
    for (const Json& element : *found) {
        const auto whole = element.is_number() ? wholeNumber(element) : std::nullopt;
        if (!whole || *whole < minimum || *whole > maximum) {
            addDiagnostic(
                m_diagnostics, whole ? "out-of-range" : "wrong-type",
                childPath(pathOf(key), std::to_string(values.size())),
                say("{}, a whole number (found {})", integerRangeText(minimum, maximum), describeJson(element)));
            return false;
        }
        values.push_back(*whole);
    }
    target = std::move(values);
    return true;
}

void ObjectReader::ignore(std::initializer_list<std::string_view> keys)
{
    m_known.insert(m_known.end(), keys.begin(), keys.end());
}

namespace
{

/// Each once: a key that may be a number or an object is asked for twice.
std::vector<std::string_view> once(const std::vector<std::string_view>& keys)
{
    std::vector<std::string_view> found;
    for (const std::string_view key : keys)
        if (std::ranges::find(found, key) == found.end())
            found.push_back(key);
    return found;
}

} // namespace

void ObjectReader::finish()
{
    for (const auto& [key, member] : json().get_ref<const Json::object_t&>()) {
        const std::uint64_t mark = markOf(key);
        if ((m_foundMarks & ~m_sharedMarks & mark) != 0) // no other key of the object has it
            continue;
        if (std::ranges::find(m_known, std::string_view(key)) != m_known.end())
            continue;
        std::string hint = didYouMean(key, m_known);
        if (hint.empty() && !m_known.empty())
            hint = say("known keys: {}", listOf(once(m_known)));
        error(key, "unknown-key", say("the key '{}' is not known here", printable(key)), std::move(hint));
    }
}

void ObjectReader::error(std::string_view key, std::string code, std::string message, std::string hint)
{
    addDiagnostic(m_diagnostics, std::move(code), key.empty() ? m_path : pathOf(key), std::move(message),
                  std::move(hint));
}

void ObjectReader::wrongType(std::string_view key, const Json& found, std::string_view wanted)
{
    error(key, "wrong-type", say("must be {} (found {})", wanted, describeJson(found)));
}

void ObjectReader::unknownName(std::string_view key, std::string_view found, std::span<const std::string_view> known)
{
    error(key, "unknown-name", say("'{}' is not known here", printable(found)), suggestName(found, known));
}

void addDiagnostic(Diagnostics& diagnostics, std::string code, std::string path, std::string message, std::string hint,
                   Severity severity)
{
    if (diagnostics.size() >= mostDiagnostics)
        return;
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = std::move(code);
    diagnostic.path = std::move(path);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostics.push_back(std::move(diagnostic));
}

std::string describeJson(const Json& value)
{
    switch (value.type()) {
    case Json::value_t::null:
        return "null";
    case Json::value_t::boolean:
        return value.get<bool>() ? "true" : "false";
    case Json::value_t::string:
        return say("the text '{}'", printable(value.get_ref<const std::string&>(), 40));
    case Json::value_t::array:
        return said("an array");
    case Json::value_t::object:
        return said("an object");
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
        return say("the number {}", value.dump());
    default:
        return said("something else");
    }
}

bool hasErrors(const Diagnostics& diagnostics)
{
    return std::ranges::any_of(diagnostics,
                               [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::Error; });
}

bool readFormat(ObjectReader& document, std::string_view marker)
{
    std::string format;
    if (!document.string("format", format, Presence::Required))
        return false;
    if (format == marker)
        return true;
    document.error("format", "wrong-format", say("'{}' is another kind of file", printable(format)),
                   say("must be '{}'", marker));
    return false;
}

bool readVersion(ObjectReader& document, int newest)
{
    int version = 0;
    if (!document.integer("version", version, 1, 1'000'000, Presence::Required))
        return false;
    if (version <= newest)
        return true;
    document.error("version", "newer-version", say("version {} was written by a newer release of Headroom", version),
                   say("this release reads versions up to {}", newest));
    return false;
}

} // namespace headroom
