// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to *_json.cpp and its kin (it includes nlohmann/json): ObjectReader, typed reading of one JSON object.
#pragma once

#include "core/support/diagnostic.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/named_value.hpp"
#include "core/support/nearest_name.hpp"
#include "core/support/value_type.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace headroom
{

/// Numbers that a key may hold.
struct NumberRange {
    double minimum = std::numeric_limits<double>::lowest();
    double maximum = std::numeric_limits<double>::max();
    bool aboveMinimum = false; ///< the minimum itself is refused

    [[nodiscard]] static constexpr NumberRange positive(double most = std::numeric_limits<double>::max())
    {
        return {0, most, true};
    }
    [[nodiscard]] static constexpr NumberRange fraction() { return {0, 1}; }
    [[nodiscard]] bool holds(double value) const
    {
        return value <= maximum && (aboveMinimum ? value > minimum : value >= minimum);
    }
    [[nodiscard]] std::string text() const; ///< "must be at least 1", "must lie between 0 and 1"
};

enum class Presence : std::uint8_t { Optional, Required };
/// What `null` means: an error (scenarios), or the same as no key (facts files, config.json).
enum class Nulls : std::uint8_t { Refused, Absent };

/// Reads the keys of one JSON object into variables. A key that is absent leaves its variable alone; one that is wrong
/// adds a Diagnostic with its JSON path and leaves it alone too. finish() reports the keys nobody asked for.
/// Key names are kept as views: pass literals. Targets are T or std::optional<T>.
class ObjectReader final
{
public:
    /// A `value` that is not an object adds "wrong-type" and reads as an empty one.
    ObjectReader(const Json& value, std::string path, Diagnostics& diagnostics, Nulls nulls = Nulls::Refused);

    /// Whole numbers only ("1e3" and "8.0" are whole).
    template <typename Target>
    bool integer(std::string_view key, Target& target, std::int64_t minimum, std::int64_t maximum,
                 Presence presence = Presence::Optional)
    {
        const Json* found = find(key, presence);
        return found != nullptr && integerOf(key, *found, target, minimum, maximum);
    }
    /// The same of a value() that is there.
    template <typename Target>
    bool integerOf(std::string_view key, const Json& found, Target& target, std::int64_t minimum, std::int64_t maximum)
    {
        std::int64_t value = 0;
        if (!integerValue(key, found, value, minimum, maximum))
            return false;
        target = static_cast<ValueOf<Target>>(value);
        return true;
    }
    template <typename Target>
    bool number(std::string_view key, Target& target, NumberRange range = {}, Presence presence = Presence::Optional)
    {
        const Json* found = find(key, presence);
        return found != nullptr && numberOf(key, *found, target, range);
    }
    /// The same of a value() that is there.
    template <typename Target>
    bool numberOf(std::string_view key, const Json& found, Target& target, const NumberRange& range)
    {
        double value = 0;
        if (!numberValue(key, found, value, range))
            return false;
        target = value;
        return true;
    }
    template <typename Target>
    bool boolean(std::string_view key, Target& target, Presence presence = Presence::Optional)
    {
        const Json* found = find(key, presence);
        if (found == nullptr || !isBoolean(*found, key))
            return false;
        target = found->get<bool>();
        return true;
    }
    template <typename Target>
    bool string(std::string_view key, Target& target, Presence presence = Presence::Optional)
    {
        const Json* found = find(key, presence);
        if (found == nullptr || !isString(*found, key))
            return false;
        target = found->get_ref<const std::string&>();
        return true;
    }
    /// A name of a closed list; `names` is a container of NamedValue.
    template <typename Target, typename Names>
    bool choice(std::string_view key, Target& target, const Names& names, Presence presence = Presence::Optional)
    {
        const Json* found = find(key, presence);
        if (found == nullptr || !isString(*found, key))
            return false;
        const std::string& id = found->get_ref<const std::string&>();
        for (const auto& name : names) {
            if (name.id == id) {
                target = name.value;
                return true;
            }
        }
        std::vector<std::string_view> ids;
        for (const auto& name : names)
            ids.push_back(name.id);
        unknownName(key, id, ids);
        return false;
    }

    bool strings(std::string_view key, std::vector<std::string>& target, Presence presence = Presence::Optional);
    bool integers(std::string_view key, std::vector<std::int64_t>& target, std::int64_t minimum, std::int64_t maximum,
                  Presence presence = Presence::Optional);

    /// read(ObjectReader&) for an object; unknown keys in it are reported afterwards.
    template <typename Read>
    bool object(std::string_view key, Read read, Presence presence = Presence::Optional)
    {
        const Json* found = find(key, presence);
        if (found == nullptr)
            return false;
        ObjectReader child(*found, pathOf(key), m_diagnostics, m_nulls);
        if (!child.isObject())
            return false;
        read(child);
        child.finish();
        return true;
    }
    /// read(ObjectReader&) for each object of an array.
    template <typename Read>
    bool objects(std::string_view key, Read read, Presence presence = Presence::Optional)
    {
        const Json* found = find(key, presence);
        if (found == nullptr || !isArray(*found, key))
            return false;
        std::size_t index = 0;
        for (const Json& element : *found) {
            ObjectReader child(element, childPath(pathOf(key), std::to_string(index++)), m_diagnostics, m_nulls);
            if (!child.isObject())
                continue;
            read(child);
            child.finish();
        }
        return true;
    }

    /// The raw value, for keys with several forms ("none" or {"mode": …}); counts as asked for. Null when absent.
    [[nodiscard]] const Json* value(std::string_view key, Presence presence = Presence::Optional)
    {
        return find(key, presence);
    }
    /// Marks keys as known without reading them.
    void ignore(std::initializer_list<std::string_view> keys);
    /// Reports every key that was not asked for, with the nearest known one.
    void finish();

    void error(std::string_view key, std::string code, std::string message, std::string hint = {});
    void wrongType(std::string_view key, const Json& found, std::string_view wanted);
    void unknownName(std::string_view key, std::string_view found, std::span<const std::string_view> known);

    [[nodiscard]] bool isObject() const { return m_object != nullptr; }
    [[nodiscard]] const Json& json() const; ///< the object itself (empty where it was none)
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string pathOf(std::string_view key) const { return childPath(m_path, key); }
    [[nodiscard]] Diagnostics& diagnostics() { return m_diagnostics; }

private:
    [[nodiscard]] const Json* find(std::string_view key, Presence presence);
    bool integerValue(std::string_view key, const Json& found, std::int64_t& value, std::int64_t minimum,
                      std::int64_t maximum);
    bool numberValue(std::string_view key, const Json& found, double& value, const NumberRange& range);
    [[nodiscard]] bool isBoolean(const Json& found, std::string_view key);
    [[nodiscard]] bool isString(const Json& found, std::string_view key);
    [[nodiscard]] bool isArray(const Json& found, std::string_view key);

    const Json* m_object;
    std::string m_path;
    Diagnostics& m_diagnostics;
    Nulls m_nulls;
    std::vector<std::string_view> m_known;
    /// One bit of 64 for each key of the object: all of them; those that several keys share; those that were found.
    std::uint64_t m_marks = 0, m_sharedMarks = 0, m_foundMarks = 0;
};

/// Further errors of one document are dropped: nobody reads the hundredth.
inline constexpr std::size_t mostDiagnostics = 50;
void addDiagnostic(Diagnostics& diagnostics, std::string code, std::string path, std::string message,
                   std::string hint = {}, Severity severity = Severity::Error);

/// "a number", "an object", "the text 'abc'": for messages.
[[nodiscard]] std::string describeJson(const Json& value);

[[nodiscard]] bool hasErrors(const Diagnostics& diagnostics);

/// The two keys that begin each kind of file of Headroom's: "format" must be `marker`, and "version" lie between 1 and
/// `newest`. False where nothing further is worth reading.
bool readFormat(ObjectReader& document, std::string_view marker);
bool readVersion(ObjectReader& document, int newest);

} // namespace headroom
