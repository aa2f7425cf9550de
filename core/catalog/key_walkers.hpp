// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog (it includes nlohmann/json): what walks the list of a record's keys (accelerator_keys.hpp,
// architecture_keys.hpp). KeyReader reads them, KeyWriter writes them; record_keys.cpp finds and lists them.
//
// What a list says of a key:
//   key       a value; written where it differs from the default
//   needed    a value without which no record is read; always written
//   always    a value that has a default and is written all the same
//   also      another spelling of a value, or one with its home elsewhere: read, never written
//   inner     a value of a part
//   own       a value with a form of its own: functions that read and, where JSON's own form is not it, write it
//   ignored   keys that files have and nothing here depends on
//   object    an object whose values are the record's
//   part, named, optional, whole, parts, byName    records within the record
#pragma once

#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"

#include <map>
#include <nlohmann/json.hpp>

namespace headroom
{

/// Reads one JSON object into a record; what the object leaves out stays as it is. `needed`: whether a needed key may
/// be missing (an entry that changes another has it from there).
template <typename Record>
class KeyReader final
{
public:
    KeyReader(ObjectReader& reader, Record& record, Presence needed = Presence::Required)
        : m_reader(reader), m_record(record), m_needed(needed)
    {
    }

    template <typename Value, typename... Kind>
    void key(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        read(key, m_record.*member, Presence::Optional, kind...);
    }
    template <typename Value, typename... Kind>
    void needed(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        read(key, m_record.*member, m_needed, kind...);
    }
    template <typename Value, typename... Kind>
    void always(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        read(key, m_record.*member, Presence::Optional, kind...);
    }
    template <typename Value, typename... Kind>
    void also(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        read(key, m_record.*member, Presence::Optional, kind...);
    }
    template <typename Part, typename Value>
    void inner(std::string_view key, Part Record::*part, Value Part::*member)
    {
        read(key, m_record.*part.*member, Presence::Optional);
    }
    template <typename Value, typename Read, typename... Write>
    void own(std::string_view key, Value Record::*member, Read form, const Write&...)
    {
        if (m_reader.value(key) != nullptr)
            form(m_reader, key, m_record.*member);
    }
    void ignored(std::initializer_list<std::string_view> keys) { m_reader.ignore(keys); }

    template <typename Keys>
    void object(std::string_view key, Keys list)
    {
        m_reader.object(key, [&](ObjectReader& child) { walk(child, m_record, m_needed, list); });
    }
    template <typename Part, typename Keys>
    void part(std::string_view key, Part Record::*member, Keys list)
    {
        m_reader.object(key, [&](ObjectReader& child) { walk(child, m_record.*member, m_needed, list); });
    }
    /// A part, or the name that stands for it.
    template <typename Part, typename Value, typename Names, typename Keys>
    void named(std::string_view key, Part Record::*member, Value Part::*name, const Names& names, Keys list)
    {
        if (const Json* value = m_reader.value(key); value != nullptr && value->is_string())
            m_reader.choice(key, m_record.*member.*name, names);
        else
            part(key, member, list);
    }
    /// A part that a record may lack; what is there already is changed key by key.
    template <typename Part, typename Keys>
    void optional(std::string_view key, std::optional<Part> Record::*member, Keys list)
    {
        m_reader.object(key, [&](ObjectReader& child) {
            std::optional<Part>& part = m_record.*member;
            walk(child, part ? *part : part.emplace(), m_needed, list);
        });
    }
    /// A part that a record may lack and that is replaced as a whole: a price keeps no date of another.
    template <typename Part, typename Keys>
    void whole(std::string_view key, std::optional<Part> Record::*member, Keys list)
    {
        m_reader.object(
            key, [&](ObjectReader& child) { walk(child, (m_record.*member).emplace(), Presence::Required, list); });
    }
    template <typename Part, typename Keys>
    void parts(std::string_view key, std::vector<Part> Record::*member, Keys list)
    {
        std::vector<Part> all;
        if (m_reader.objects(key,
                             [&](ObjectReader& child) { walk(child, all.emplace_back(), Presence::Required, list); }))
            m_record.*member = std::move(all);
    }
    template <typename Part, typename Keys>
    void byName(std::string_view key, std::map<std::string, Part> Record::*member, Keys list)
    {
        const Json* value = m_reader.value(key);
        if (value == nullptr)
            return;
        if (!value->is_object()) {
            m_reader.wrongType(key, *value, said("an object of layer kinds"));
            return;
        }
        for (const auto& entry : value->items()) {
            ObjectReader child(entry.value(), childPath(m_reader.pathOf(key), entry.key()), m_reader.diagnostics(),
                               Nulls::Absent);
            walk(child, (m_record.*member)[entry.key()], m_needed, list);
            child.finish();
        }
    }

private:
    template <typename Part, typename Keys>
    static void walk(ObjectReader& reader, Part& part, Presence needed, Keys list)
    {
        KeyReader<Part> keys(reader, part, needed);
        list(keys);
    }
    template <typename Value, typename Name, std::size_t count>
    void read(std::string_view key, Value& value, Presence presence, const std::array<NamedValue<Name>, count>& names)
    {
        m_reader.choice(key, value, names, presence);
    }
    template <typename Value>
    void read(std::string_view key, Value& value, Presence presence, NumberRange range)
    {
        if constexpr (std::is_integral_v<ValueOf<Value>>)
            m_reader.integer(key, value, static_cast<std::int64_t>(range.minimum),
                             static_cast<std::int64_t>(range.maximum), presence);
        else
            m_reader.number(key, value, range, presence);
    }
    template <typename Value>
    void read(std::string_view key, Value& value, Presence presence)
    {
        if constexpr (std::is_same_v<ValueOf<Value>, bool>)
            m_reader.boolean(key, value, presence);
        else if constexpr (std::is_same_v<Value, std::string>)
            m_reader.string(key, value, presence);
        else
            m_reader.strings(key, value, presence);
    }

    ObjectReader& m_reader;
    Record& m_record;
    Presence m_needed;
};

/// Writes a record in the order of its list.
template <typename Record>
class KeyWriter final
{
public:
    using Ordered = nlohmann::ordered_json;
    KeyWriter(Ordered& json, const Record& record) : m_json(json), m_record(record) {}

    template <typename Value, typename... Kind>
    void key(const char* key, Value Record::*member, const Kind&... kind)
    {
        if (m_record.*member != m_usual.*member)
            m_json[key] = jsonOf(plain(m_record.*member), kind...);
    }
    template <typename Value, typename... Kind>
    void needed(const char* key, Value Record::*member, const Kind&... kind)
    {
        m_json[key] = jsonOf(plain(m_record.*member), kind...);
    }
    template <typename Value, typename... Kind>
    void always(const char* key, Value Record::*member, const Kind&... kind)
    {
        m_json[key] = jsonOf(plain(m_record.*member), kind...);
    }
    template <typename... Anything>
    void also(const Anything&...)
    {
    }
    template <typename Part, typename Value>
    void inner(const char* key, Part Record::*part, Value Part::*member)
    {
        if (m_record.*part.*member != m_usual.*part.*member)
            m_json[key] = m_record.*part.*member;
    }
    template <typename Value, typename Read, typename... Write>
    void own(const char* key, Value Record::*member, Read, const Write&... write)
    {
        if (m_record.*member == m_usual.*member)
            return;
        if constexpr (sizeof...(Write) > 0)
            m_json[key] = (write(m_record.*member), ...);
        else
            m_json[key] = m_record.*member;
    }
    void ignored(std::initializer_list<std::string_view>) {}

    template <typename Keys>
    void object(const char* key, Keys list)
    {
        put(key, written(m_record, list));
    }
    template <typename Part, typename Keys>
    void part(const char* key, Part Record::*member, Keys list)
    {
        if (m_record.*member != Part{})
            put(key, written(m_record.*member, list));
    }
    template <typename Part, typename Value, typename Names, typename Keys>
    void named(const char* key, Part Record::*member, Value Part::*, const Names&, Keys list)
    {
        put(key, written(m_record.*member, list));
    }
    template <typename Part, typename Keys>
    void optional(const char* key, std::optional<Part> Record::*member, Keys list)
    {
        if (m_record.*member)
            m_json[key] = written(*(m_record.*member), list);
    }
    template <typename Part, typename Keys>
    void whole(const char* key, std::optional<Part> Record::*member, Keys list)
    {
        optional(key, member, list);
    }
    template <typename Part, typename Keys>
    void parts(const char* key, std::vector<Part> Record::*member, Keys list)
    {
        for (const Part& part : m_record.*member)
            m_json[key].push_back(written(part, list));
    }
    template <typename Part, typename Keys>
    void byName(const char* key, std::map<std::string, Part> Record::*member, Keys list)
    {
        for (const auto& [name, part] : m_record.*member)
            m_json[key][name] = written(part, list);
    }

private:
    template <typename Part, typename Keys>
    static Ordered written(const Part& part, Keys list)
    {
        Ordered json = Ordered::object();
        KeyWriter<Part> keys(json, part);
        list(keys);
        return json;
    }
    void put(const char* key, Ordered part)
    {
        if (!part.empty())
            m_json[key] = std::move(part);
    }
    template <typename Value>
    static Ordered jsonOf(const Value& value)
    {
        return value;
    }
    template <typename Value>
    static Ordered jsonOf(const Value& value, NumberRange)
    {
        return value;
    }
    template <typename Value, typename Name, std::size_t count>
    static Ordered jsonOf(const Value& value, const std::array<NamedValue<Name>, count>& names)
    {
        return nameOf(names, value);
    }
    template <typename Value>
    static const Value& plain(const Value& value)
    {
        return value;
    }
    template <typename Value>
    static const Value& plain(const std::optional<Value>& value)
    {
        return *value; // what differs from an empty default is there
    }

    Ordered& m_json;
    const Record& m_record;
    const Record m_usual{};
};

} // namespace headroom
