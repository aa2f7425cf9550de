// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/scenario (it includes nlohmann/json): what reads a section of a scenario file from the list of its
// keys (scenario_fields.hpp).
#pragma once

#include "core/scenario/parameter_access.hpp"
#include "core/scenario/value_forms.hpp"

namespace headroom
{

/// The settings that a measurement was made with, where they are not the scenario's.
inline constexpr std::string_view measuredWithPath = "/measured_with";

/// The key's range in files, from the parameter registry (path "/workload/batch"); empty for keys without a row.
[[nodiscard]] const NumberRange* rangeOfKey(std::string_view path);
/// The same of a key of the object that is read.
[[nodiscard]] const NumberRange* rangeOfKey(const ObjectReader& reader, std::string_view key);

/// Adds to the error of an optional key that it can be left out: 0 for a price that nobody knows is no price.
void hintToLeaveOut(ObjectReader& reader);

/// Whole and real numbers whose range the parameter registry declares.
template <typename Target>
void readWhole(ObjectReader& reader, std::string_view key, Target& target)
{
    const Json* found = reader.value(key);
    if (found == nullptr)
        return;
    const NumberRange* range = rangeOfKey(reader, key);
    const NumberRange whole = range != nullptr ? *range : NumberRange{1, 1e15};
    reader.integerOf(key, *found, target, static_cast<std::int64_t>(whole.minimum),
                     static_cast<std::int64_t>(whole.maximum));
}
template <typename Target>
void readReal(ObjectReader& reader, std::string_view key, Target& target)
{
    const Json* found = reader.value(key);
    if (found == nullptr)
        return;
    const NumberRange* range = rangeOfKey(reader, key);
    if (!reader.numberOf(key, *found, target, range != nullptr ? *range : NumberRange::positive()) &&
        isOptional<Target>)
        hintToLeaveOut(reader);
}

/// Warns of a figure that the task does not measure.
void warnUnused(ObjectReader& reader, std::string_view key, Task measures);
/// Adapters that are described as usual look like none: that 'method' asks for none is told here. Of others the result
/// tells (key_effects.hpp).
void warnOfIdleAdapters(ObjectReader& workload, const TrainingWorkload& w);

/// Walks a list of scenario_fields.hpp and reads `target`, a section or the document.
template <typename Section>
class FieldReader final
{
public:
    FieldReader(ObjectReader& reader, Section& target, Task task) : m_reader(reader), m_target(target), m_task(task) {}

    /// A number in the range that the registry declares for it, a truth, a text or a value with forms of its own.
    template <typename Value>
    void key(std::string_view key, Value Section::*member)
    {
        using Own = ValueOf<Value>;
        Value& value = m_target.*member;
        if constexpr (std::is_same_v<Own, bool>)
            m_reader.boolean(key, value);
        else if constexpr (std::is_integral_v<Own>)
            readWhole(m_reader, key, value);
        else if constexpr (std::is_floating_point_v<Own>)
            readReal(m_reader, key, value);
        else if constexpr (std::is_same_v<Own, std::string>)
            m_reader.string(key, value);
        else
            readForm(m_reader, key, value);
    }
    /// A number in a range of its own.
    template <typename Value>
    void key(std::string_view key, Value Section::*member, NumberRange range)
    {
        if constexpr (std::is_integral_v<ValueOf<Value>>)
            m_reader.integer(key, m_target.*member, static_cast<std::int64_t>(range.minimum),
                             static_cast<std::int64_t>(range.maximum));
        else
            m_reader.number(key, m_target.*member, range);
    }
    /// A number in the range of another key, named by its path.
    template <typename Value>
    void like(std::string_view key, Value Section::*member, std::string_view path)
    {
        this->key(key, member, *rangeOfKey(path));
    }
    /// A name of a closed list.
    template <typename Value, typename Name, std::size_t count>
    void key(std::string_view key, Value Section::*member, const std::array<NamedValue<Name>, count>& names)
    {
        m_reader.choice(key, m_target.*member, names);
    }
    /// Two members in one value.
    template <typename First, typename Second>
    void key(std::string_view key, First Section::*first, Second Section::*second)
    {
        readForm(m_reader, key, m_target.*first, m_target.*second);
    }
    template <typename Keys>
    void object(std::string_view key, Keys keys)
    {
        m_reader.object(key, [this, &keys](ObjectReader& inner) {
            FieldReader reader(inner, m_target, m_task);
            keys(reader);
        });
    }
    /// A member with members of its own.
    template <typename Part, typename Keys>
    void part(std::string_view key, Part Section::*member, Keys keys)
    {
        m_reader.object(key, [&](ObjectReader& inner) {
            FieldReader<Part> reader(inner, m_target.*member, m_task);
            keys(reader);
        });
    }
    template <typename Keys>
    void only(Task task, Keys keys)
    {
        keys(*this);
        if (task != m_task) {
            Unused unused{m_reader, task};
            keys(unused);
        }
    }

private:
    struct Unused {
        ObjectReader& reader;
        Task measures;
        template <typename... Value>
        void key(std::string_view key, const Value&...)
        {
            if (reader.value(key) != nullptr)
                warnUnused(reader, key, measures);
        }
    };

    ObjectReader& m_reader;
    Section& m_target;
    Task m_task;
};

/// "expected", "ideal" or an object of multipliers.
void readEfficiency(ObjectReader& document, Efficiency& efficiency, FittedOn& fittedOn);

} // namespace headroom
