// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/record_keys.hpp"

#include "core/catalog/accelerator_keys.hpp"
#include "core/catalog/architecture_keys.hpp"
#include "core/support/key_words.hpp"
#include "core/support/language.hpp"

namespace headroom
{
namespace
{

template <typename T>
constexpr bool isNumber()
{
    return std::is_arithmetic_v<ValueOf<T>> && !std::is_same_v<ValueOf<T>, bool>;
}

/// What is to be done with the number at a path.
struct Sought {
    std::optional<double> value; ///< what was found
    std::optional<double> put;   ///< what is to stand there
};

/// Walks a list of keys to the one at `path`, which begins without a slash.
template <typename Record>
class NumberFinder final
{
public:
    NumberFinder(Record& record, std::string_view path, Sought& sought)
        : m_record(record), m_path(path), m_sought(sought)
    {
    }

    template <typename Value, typename... Kind>
    void key(std::string_view key, Value Record::*member, const Kind&...)
    {
        if constexpr (isNumber<Value>()) {
            if (key != m_path)
                return;
            Value& value = m_record.*member;
            if (m_sought.put)
                value = static_cast<ValueOf<Value>>(*m_sought.put);
            if constexpr (std::is_arithmetic_v<Value>)
                m_sought.value = static_cast<double>(value);
            else if (value)
                m_sought.value = static_cast<double>(*value);
        }
    }
    template <typename Value, typename... Kind>
    void needed(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        this->key(key, member, kind...);
    }
    template <typename Value, typename... Kind>
    void always(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        this->key(key, member, kind...);
    }
    template <typename Part, typename Keys>
    void part(std::string_view key, Part Record::*member, Keys list)
    {
        within(key, m_record.*member, list);
    }
    template <typename Part, typename Value, typename Names, typename Keys>
    void named(std::string_view key, Part Record::*member, Value Part::*, const Names&, Keys list)
    {
        within(key, m_record.*member, list);
    }
    template <typename Part, typename Keys>
    void optional(std::string_view key, std::optional<Part> Record::*member, Keys list)
    {
        if (m_record.*member)
            within(key, *(m_record.*member), list);
    }
    template <typename Part, typename Keys>
    void whole(std::string_view key, std::optional<Part> Record::*member, Keys list)
    {
        optional(key, member, list);
    }
    // clang-format off
    template <typename... Anything> void also(const Anything&...) {}
    template <typename... Anything> void inner(const Anything&...) {}
    template <typename... Anything> void own(const Anything&...) {}
    template <typename... Anything> void object(const Anything&...) {}
    template <typename... Anything> void parts(const Anything&...) {}
    template <typename... Anything> void byName(const Anything&...) {}
    // clang-format on
    void ignored(std::initializer_list<std::string_view>) {}

private:
    template <typename Part, typename Keys>
    void within(std::string_view key, Part& part, Keys list)
    {
        if (!m_path.starts_with(key) || m_path.size() <= key.size() || m_path[key.size()] != '/')
            return;
        NumberFinder<Part> finder(part, m_path.substr(key.size() + 1), m_sought);
        list(finder);
    }

    Record& m_record;
    std::string_view m_path;
    Sought& m_sought;
};

Sought& seek(Accelerator& a, std::string_view path, Sought& sought)
{
    NumberFinder finder(a, path.substr(std::min<std::size_t>(1, path.size())), sought);
    fields::accelerator(finder);
    return sought;
}

/// Walks a list of keys and writes down what each may hold.
template <typename Record>
class KeyLister final
{
public:
    KeyLister(std::vector<RecordKey>& keys, std::string path) : m_keys(keys), m_path(std::move(path)) {}

    template <typename Value, typename... Kind>
    void key(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        add(key, words<Value>(kind...), usualOf(m_usual.*member, kind...));
    }
    template <typename Value, typename... Kind>
    void needed(std::string_view key, Value Record::*, const Kind&... kind)
    {
        add(key, words<Value>(kind...), {});
        m_keys.back().needed = true;
    }
    template <typename Value, typename... Kind>
    void always(std::string_view key, Value Record::*member, const Kind&... kind)
    {
        this->key(key, member, kind...);
    }
    template <typename Part, typename Value>
    void inner(std::string_view key, Part Record::*part, Value Part::*member)
    {
        add(key, words<Value>(), usualOf(m_usual.*part.*member));
    }
    template <typename Value, typename... Form>
    void own(std::string_view key, Value Record::*, const Form&...)
    {
        using Blocks = decltype(ModelArchitecture::customBlocks);
        const char* form = std::is_same_v<Value, std::vector<LayerRun>>
                               ? "array of [count, mixer, feed-forward] or [repeat, [such entries]]"
                           : std::is_same_v<Value, Blocks>                      ? "array of [mixer, feed-forward width]"
                           : std::is_same_v<Value, decltype(MtpShape::pattern)> ? "array of [mixer, feed-forward]"
                           : std::is_same_v<Value, std::vector<std::int64_t>>   ? "whole number, or an array of them"
                           : std::is_same_v<Value, std::int64_t>                ? "whole number; -1 is a whole row"
                                                                                : "object of texts";
        add(key, form, {});
    }
    template <typename Keys>
    void object(std::string_view key, Keys list)
    {
        const std::string outer = std::exchange(m_path, childPath(m_path, key));
        list(*this);
        m_path = outer;
    }
    template <typename Part, typename Keys>
    void part(std::string_view key, Part Record::*, Keys list)
    {
        within<Part>(childPath(m_path, key), list);
    }
    template <typename Part, typename Value, typename Names, typename Keys>
    void named(std::string_view key, Part Record::*, Value Part::*, const Names&, Keys list)
    {
        within<Part>(childPath(m_path, key), list);
    }
    template <typename Part, typename Keys>
    void optional(std::string_view key, std::optional<Part> Record::*, Keys list)
    {
        within<Part>(childPath(m_path, key), list);
    }
    template <typename Part, typename Keys>
    void whole(std::string_view key, std::optional<Part> Record::*, Keys list)
    {
        within<Part>(childPath(m_path, key), list);
    }
    template <typename Part, typename Keys>
    void parts(std::string_view key, std::vector<Part> Record::*, Keys list)
    {
        within<Part>(childPath(m_path, key) + "/…", list);
    }
    template <typename Part, typename Keys>
    void byName(std::string_view key, std::map<std::string, Part> Record::*, Keys list)
    {
        within<Part>(childPath(m_path, key) + "/MIXER", list);
    }
    template <typename... Anything>
    void also(const Anything&...)
    {
    }
    void ignored(std::initializer_list<std::string_view>) {}

private:
    template <typename Part, typename Keys>
    void within(std::string path, Keys list)
    {
        KeyLister<Part> lister(m_keys, std::move(path));
        list(lister);
    }
    template <typename Value>
    static std::string words()
    {
        if constexpr (std::is_same_v<ValueOf<Value>, bool>)
            return "true or false";
        else
            return std::is_same_v<Value, std::string> ? "text" : "array of texts";
    }
    template <typename Value>
    static std::string words(const NumberRange& range)
    {
        constexpr double guard = 1e12; // a bound that keeps sums finite and tells nobody anything
        if (range.minimum <= -guard)
            return std::is_integral_v<ValueOf<Value>> ? "whole number" : "number";
        NumberRange told = range;
        if (told.maximum >= guard)
            told.maximum = std::numeric_limits<double>::max();
        return rangeWords(std::is_integral_v<ValueOf<Value>> ? "whole number" : "number", told);
    }
    template <typename Value, typename Name, std::size_t count>
    static std::string words(const std::array<NamedValue<Name>, count>& names)
    {
        return nameWords(names);
    }
    /// 0 and nothing stand for what is not known.
    template <typename Value, typename... Range>
    static std::string usualOf(const Value& value, const Range&...)
    {
        if constexpr (std::is_same_v<Value, bool>)
            return value ? "true" : "false";
        else if constexpr (std::is_arithmetic_v<Value>)
            return value != 0 ? fmt::format("{}", value) : std::string();
        else if constexpr (std::is_same_v<Value, std::string>)
            return value;
        else
            return {};
    }
    template <typename Value, typename Name, std::size_t count>
    static std::string usualOf(const Value& value, const std::array<NamedValue<Name>, count>& names)
    {
        if constexpr (!isOptional<Value>)
            return std::string(nameOf(names, value));
        else
            return {};
    }
    void add(std::string_view key, std::string values, std::string usual)
    {
        m_keys.push_back({childPath(m_path, key), std::move(values), std::move(usual), false});
    }

    std::vector<RecordKey>& m_keys;
    std::string m_path;
    const Record m_usual{};
};

std::string table(const std::vector<RecordKey>& keys)
{
    std::string text = "| key | value | default |\n|---|---|---|\n";
    for (const RecordKey& key : keys) {
        const std::string usual = key.needed ? "needed" : key.usual.empty() ? "" : "`" + key.usual + "`";
        text += fmt::format("| `{}` | {} | {} |\n", key.path, key.values, usual);
    }
    return text;
}

} // namespace

std::optional<double> numberAt(const Accelerator& accelerator, std::string_view path)
{
    Accelerator copy = accelerator;
    Sought sought;
    return seek(copy, path, sought).value;
}

std::optional<double> numberAt(const ModelArchitecture& architecture, std::string_view path)
{
    ModelArchitecture copy = architecture;
    Sought sought;
    NumberFinder finder(copy, path.substr(std::min<std::size_t>(1, path.size())), sought);
    fields::shape(finder);
    return sought.value;
}

bool setNumberAt(Accelerator& accelerator, std::string_view path, double value)
{
    Sought sought;
    sought.put = value;
    return seek(accelerator, path, sought).value.has_value();
}

std::vector<RecordKey> acceleratorKeys()
{
    std::vector<RecordKey> keys;
    KeyLister<Accelerator> lister(keys, "");
    fields::accelerator(lister);
    return keys;
}

std::vector<RecordKey> architectureKeys()
{
    std::vector<RecordKey> keys;
    KeyLister<ModelArchitecture> lister(keys, "");
    lister.key("name", &ModelArchitecture::name);
    lister.key("family", &ModelArchitecture::family);
    fields::publication(lister);
    fields::shape(lister);
    fields::published(lister);
    return keys;
}

std::string catalogFormatPage()
{
    const InEnglish english;
    return "# The files of the catalogue\n\n"
           "One JSON object is one accelerator or one model, in the catalogue, in a user's folder and within a "
           "scenario "
           "(`/hardware/accelerator`, `/model/architecture`). [Your own accelerators and models](catalog.md) says what "
           "the keys that one meets first mean. This page is made from the lists that read and write the files "
           "(`HEADROOM_UPDATE_FORMAT_PAGE=1 build/dev/tests/core_tests test_catalog_keys`); do not edit it.\n\n"
           "Every object may have an `id` of its own; without it the file's name is the id. A key that is left out is "
           "not known or has its default; one that is not listed is refused. `…` stands for each element of an array, "
           "`MIXER` for the name of a kind of layer.\n\n"
           "## An accelerator\n"
           "At least one 16-bit or 32-bit rate, `/memory_gb` and `/memory_bandwidth_gbps_bytes` are needed where "
           "anything is to be evaluated. `scaleup_bandwidth_bidir_gbps_bytes`, both directions together, may stand in "
           "place of one.\n\n" +
           table(acceleratorKeys()) +
           "\n## A model\n"
           "A model needs a feed-forward width or experts, too. In a scenario the figures of its publication "
           "(`/hf_id`, `/year`, `/model_type`, `/source`, `/published`) are passed over. `/attention` may be the name "
           "of its kind alone.\n\n" +
           table(architectureKeys());
}

} // namespace headroom
