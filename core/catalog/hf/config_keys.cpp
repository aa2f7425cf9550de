// SPDX-License-Identifier: GPL-3.0-or-later
// Every number is checked for type, wholeness and range here: nlohmann's get<int>() would convert 3.9 or 2^40 silently.
#include "core/catalog/hf/config_keys.hpp"
#include "core/catalog/hf/plain_words.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::hf
{

using nlohmann::json;

std::string shown(const json& value)
{
    constexpr std::size_t longest = 40;
    if (value.is_object())
        return said("an object");
    if (value.is_array())
        return say("a list of {}", value.size());
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() <= longest)
        return text;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) // not in the middle of a character
        --end;
    return text.substr(0, end) + "…";
}

ConfigKeys::ConfigKeys(const json& object, std::string path, Diagnostics& problems)
    : m_object(&object), m_path(std::move(path)), m_problems(&problems)
{
}

const json* ConfigKeys::find(std::string_view name) const
{
    if (!m_object->is_object())
        return nullptr;
    const auto found = m_object->find(name);
    return found == m_object->end() || found->is_null() ? nullptr : &*found;
}

bool ConfigKeys::mentions(std::string_view name) const
{
    return m_object->is_object() && m_object->contains(name);
}

std::vector<std::string> ConfigKeys::names() const
{
    std::vector<std::string> all;
    if (m_object->is_object())
        for (const auto& [name, value] : m_object->items())
            all.push_back(name);
    return all;
}

void ConfigKeys::problem(std::string code, std::string_view name, std::string message, std::string hint) const
{
    Diagnostic fault{Severity::Error,
                     std::move(code),
                     fmt::format("{}/{}", m_path, name),
                     std::move(message),
                     std::move(hint),
                     {},
                     0};
    if (std::ranges::find(*m_problems, fault) == m_problems->end()) // several readers ask for some keys
        m_problems->push_back(std::move(fault));
}

void ConfigKeys::missing(Names names, std::string hint) const
{
    if (names.size() > 1 && hint.empty())
        hint = say("the same fact may also be named {}", fmt::join(names.begin() + 1, names.end(), ", "));
    problem("missing-key", *names.begin(), say("the key {} is missing", *names.begin()), std::move(hint));
}

std::int64_t ConfigKeys::wholeOf(const json& value, std::string_view place, Bounds bounds) const
{
    const auto right = [&] { return say("use a whole number from {} to {}", bounds.low, bounds.high); };
    const std::int64_t harmless = std::max<std::int64_t>(bounds.low, 1);
    if (!value.is_number()) {
        problem("wrong-type", place, say("must be a number (found {})", shown(value)), right());
        return harmless;
    }
    const double number = value.get<double>();
    if (!(number >= double(bounds.low) && number <= double(bounds.high))) {
        problem("out-of-range", place, say("{} is out of range", shown(value)), right());
        return harmless;
    }
    if (number != std::floor(number)) {
        problem("out-of-range", place, say("{} is not a whole number", shown(value)), right());
        return harmless;
    }
    return static_cast<std::int64_t>(number); // exact: bounds lie within 2^53
}

std::optional<std::int64_t> ConfigKeys::whole(Names names, Bounds bounds) const
{
    for (const std::string_view name : names)
        if (const json* value = find(name))
            return wholeOf(*value, name, bounds);
    return std::nullopt;
}

std::int64_t ConfigKeys::required(Names names, Bounds bounds) const
{
    if (const auto value = whole(names, bounds))
        return *value;
    missing(names);
    return std::max<std::int64_t>(bounds.low, 1);
}

std::int64_t ConfigKeys::size(Names names, std::int64_t fallback) const
{
    return whole(names, sizes).value_or(fallback);
}

std::int64_t ConfigKeys::count(Names names, std::int64_t fallback) const
{
    return whole(names, counts).value_or(fallback);
}

double ConfigKeys::real(Names names, double fallback, double low, double high) const
{
    for (const std::string_view name : names) {
        const json* value = find(name);
        if (value == nullptr)
            continue;
        const double number = value->is_number() ? value->get<double>() : low - 1;
        if (number >= low && number <= high)
            return number;
        problem(value->is_number() ? "out-of-range" : "wrong-type", name, say("{} cannot be used here", shown(*value)),
                say("use a number from {} to {}", low, high));
        return fallback;
    }
    return fallback;
}

bool ConfigKeys::flag(Names names, bool fallback) const
{
    for (const std::string_view name : names) {
        const json* value = find(name);
        if (value == nullptr)
            continue;
        if (value->is_boolean())
            return value->get<bool>();
        if (value->is_number_integer() &&
            (*value == 0 || *value == 1)) // NOLINT(misc-redundant-expression): two numbers
            return *value == 1;
        problem("wrong-type", name, say("must be true or false (found {})", shown(*value)), said("use true or false"));
        return fallback;
    }
    return fallback;
}

std::string ConfigKeys::text(Names names, std::string fallback) const
{
    for (const std::string_view name : names) {
        const json* value = find(name);
        if (value == nullptr)
            continue;
        if (value->is_string() && !isBareWord(value->get_ref<const std::string&>()))
            return value->get<std::string>();
        problem("wrong-type", name, say("must be a text (found {})", shown(*value)), said("use a text in quotes"));
        return fallback;
    }
    return fallback;
}

std::vector<std::int64_t> ConfigKeys::numbers(std::string_view name, Bounds bounds) const
{
    std::vector<std::int64_t> result;
    const json* value = find(name);
    if (value == nullptr)
        return result;
    if (!value->is_array()) {
        problem("wrong-type", name, say("must be a list of whole numbers (found {})", shown(*value)));
        return result;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        const std::size_t before = m_problems->size();
        const json& item = (*value)[i];
        result.push_back(item.is_boolean() ? std::int64_t{item.get<bool>()}
                                           : wholeOf(item, fmt::format("{}/{}", name, i), bounds));
        if (m_problems->size() > before)
            break; // one message for a list is enough
    }
    return result;
}

std::vector<std::string> ConfigKeys::words(std::string_view name) const
{
    std::vector<std::string> result;
    const json* value = find(name);
    if (value == nullptr)
        return result;
    const bool good =
        value->is_array() && std::all_of(value->begin(), value->end(), [](const json& x) { return x.is_string(); });
    if (!good) {
        problem("wrong-type", name, say("must be a list of texts (found {})", shown(*value)));
        return result;
    }
    for (const json& item : *value)
        result.push_back(item.get<std::string>());
    return result;
}

ConfigKeys ConfigKeys::object(std::string_view name) const
{
    static const json none = json::object();
    const json* value = find(name);
    if (value != nullptr && !value->is_object())
        problem("wrong-type", name, say("must be an object (found {})", shown(*value)));
    return {value == nullptr ? none : *value, fmt::format("{}/{}", m_path, name), *m_problems};
}

std::vector<ConfigKeys> ConfigKeys::objects(std::string_view name) const
{
    std::vector<ConfigKeys> result;
    const json* value = find(name);
    if (value == nullptr)
        return result;
    const bool good =
        value->is_array() && std::all_of(value->begin(), value->end(), [](const json& x) { return x.is_object(); });
    if (!good) {
        problem("wrong-type", name, say("must be a list of objects (found {})", shown(*value)));
        return result;
    }
    for (std::size_t i = 0; i < value->size(); ++i)
        result.emplace_back((*value)[i], fmt::format("{}/{}/{}", m_path, name, i), *m_problems);
    return result;
}

} // namespace headroom::hf
