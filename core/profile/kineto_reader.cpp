// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kineto_events.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::profile
{
namespace
{

/// What the parser reads: the blocks of a stream one after the other, and where in the whole it stands.
struct Feed {
    TraceStream& stream;
    const char *begin = nullptr, *at = nullptr, *end = nullptr;
    std::uint64_t bytesBefore = 0;
    int linesBefore = 0;

    bool refill()
    {
        if (begin == end && begin != nullptr)
            return false; // ended before
        bytesBefore += static_cast<std::uint64_t>(end - begin);
        linesBefore += static_cast<int>(std::count(begin, end, '\n'));
        const std::string_view block = stream.next();
        begin = at = block.data() != nullptr ? block.data() : "";
        end = begin + block.size();
        return at != end;
    }
    [[nodiscard]] std::uint64_t offset() const { return bytesBefore + static_cast<std::uint64_t>(at - begin); }
    [[nodiscard]] int line() const { return linesBefore + static_cast<int>(std::count(begin, at, '\n')) + 1; }
};

/// All copies of it read the same feed; the end is where the feed has no more.
class FeedIterator final
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    explicit FeedIterator(Feed* feed) : m_feed(feed) {}
    reference operator*() const { return *m_feed->at; }
    FeedIterator& operator++()
    {
        ++m_feed->at;
        return *this;
    }
    FeedIterator operator++(int) { return ++*this; }
    /// Of one with the end, the only comparison the parser makes.
    bool operator==(const FeedIterator&) const { return m_feed->at == m_feed->end && !m_feed->refill(); }
    bool operator!=(const FeedIterator& other) const { return !(*this == other); }

private:
    Feed* m_feed;
};

enum class Key : std::uint8_t {
    Unknown,
    Phase,
    Category,
    Name,
    Process,
    Start,
    Duration,
    Arguments,
    Device,
    Correlation,
    External,
    CollectiveName,
    InputDims,
    InputType,
    Events,
    Properties,
    Distributed,
    Rank,
    WorldSize,
    Id
};

struct KeyName {
    std::string_view text;
    Key key;
};
constexpr KeyName ofEvent[] = {{"ph", Key::Phase},      {"cat", Key::Category}, {"name", Key::Name},
                               {"pid", Key::Process},   {"ts", Key::Start},     {"dur", Key::Duration},
                               {"args", Key::Arguments}};
constexpr KeyName ofArguments[] = {{"device", Key::Device},
                                   {"correlation", Key::Correlation},
                                   {"External id", Key::External},
                                   {"external id", Key::External},
                                   {"Collective name", Key::CollectiveName},
                                   {"Input Dims", Key::InputDims},
                                   {"Input dims", Key::InputDims},
                                   {"Input type", Key::InputType}};
constexpr KeyName ofDocument[] = {
    {"traceEvents", Key::Events}, {"deviceProperties", Key::Properties}, {"distributedInfo", Key::Distributed}};
constexpr KeyName ofProperties[] = {{"id", Key::Id}, {"name", Key::Name}};
constexpr KeyName ofDistributed[] = {{"rank", Key::Rank}, {"world_size", Key::WorldSize}};

template <std::size_t count>
Key find(const KeyName (&names)[count], std::string_view text)
{
    for (const KeyName& name : names)
        if (name.text == text)
            return name.key;
    return Key::Unknown;
}

/// Follows the parser through the document and fills one event after the other.
class Listener final
{
public:
    using Sax = nlohmann::json;

    Listener(Feed& feed, TraceEvents& events, const KernelRules& rules)
        : m_feed(feed), m_events(events), m_taker(events, rules)
    {
    }

    std::optional<Diagnostic> problem;
    bool sawList = false, sawEvents = false;

    void finish()
    {
        m_taker.finish();
        for (TraceDevice& device : m_events.devices)
            if (const auto named = m_deviceNames.find(device.id); named != m_deviceNames.end())
                device.name = named->second;
    }

    bool null() { return true; }
    bool boolean(bool) { return true; }
    bool number_integer(Sax::number_integer_t value) { return whole(value); }
    bool number_unsigned(Sax::number_unsigned_t value)
    {
        return whole(static_cast<std::int64_t>(std::min<std::uint64_t>(value, std::uint64_t(latest) * 2)));
    }
    bool number_float(Sax::number_float_t, const std::string& text)
    {
        if (atEvent() && (m_key == Key::Start || m_key == Key::Duration))
            setTime(nanoseconds(text));
        return true;
    }
    bool string(std::string& value)
    {
        if (atEvent())
            setText(value);
        else if (m_inArguments)
            setArgumentText(value);
        else if (m_section == Key::Properties && m_depth == m_sectionDepth + 2 && m_key == Key::Name)
            m_deviceNames[m_deviceId] = printable(value);
        return true;
    }
    bool binary(Sax::binary_t&) { return true; }

    bool start_object(std::size_t)
    {
        if (!deeper())
            return false;
        if (atEvent())
            m_event.clear();
        if (m_section == Key::Properties && m_depth == m_sectionDepth + 2)
            m_deviceId = -1;
        m_inArguments =
            m_inArguments || (m_depth == m_sectionDepth + 3 && m_section == Key::Events && m_key == Key::Arguments);
        return true;
    }
    bool key(std::string& text)
    {
        m_key = atEvent()                                                        ? find(ofEvent, text)
                : inArguments()                                                  ? find(ofArguments, text)
                : m_depth == 1                                                   ? find(ofDocument, text)
                : m_section == Key::Properties && m_depth == m_sectionDepth + 2  ? find(ofProperties, text)
                : m_section == Key::Distributed && m_depth == m_sectionDepth + 1 ? find(ofDistributed, text)
                                                                                 : Key::Unknown;
        if (m_depth == 1) {
            m_section = m_key;
            m_sectionDepth = 1;
        }
        return true;
    }
    bool end_object()
    {
        const bool wasEvent = atEvent();
        if (inArguments())
            m_inArguments = false;
        --m_depth;
        if (wasEvent) {
            sawEvents = true;
            if (auto reason = m_taker.take(m_event))
                return refuse(*std::move(reason));
        }
        return true;
    }
    bool start_array(std::size_t)
    {
        if (!deeper())
            return false;
        if (m_depth == 1) { // the events alone
            m_section = Key::Events;
            m_sectionDepth = 0;
        }
        sawList = sawList || (m_section == Key::Events && m_depth == m_sectionDepth + 1);
        if (m_inArguments && m_key == Key::InputDims && m_depth == m_sectionDepth + 5 &&
            m_event.dims.size() < mostInputs)
            m_event.dims.emplace_back();
        return true;
    }
    bool end_array()
    {
        --m_depth;
        return true;
    }

    bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& error)
    {
        if (const auto& why = m_feed.stream.problem())
            return refuse(*why);
        Diagnostic reason{Severity::Error, "syntax", {}, {}, {}, {}, 0};
        constexpr int numberOverflow = 406; // nlohmann/json, out_of_range.406
        const bool isNumber = error.id == numberOverflow || token.ends_with('N') || token.ends_with('I') ||
                              token.ends_with("na") || token.ends_with("in");
        reason.code = isNumber ? "not-a-number" : "syntax";
        reason.message = isNumber ? said("holds a number that JSON has none of: NaN, Infinity or one beyond 1.8e308")
                                  : say("this is no JSON: '{}'", printable(token));
        if (m_feed.at == m_feed.end)
            reason.hint = said("the text ends too early: is it cut off?");
        return refuse(std::move(reason));
    }

private:
    static constexpr std::size_t mostInputs = 64;

    /// In an event itself, between its braces.
    [[nodiscard]] bool atEvent() const { return m_section == Key::Events && m_depth == m_sectionDepth + 2; }
    [[nodiscard]] bool inArguments() const { return m_inArguments && m_depth == m_sectionDepth + 3; }

    bool deeper()
    {
        constexpr int deepest = 64; // Kineto's own nesting is 6
        if (++m_depth > deepest)
            return refuse({Severity::Error,
                           "too-deep",
                           {},
                           say("is nested more than {} deep", deepest),
                           said("no profiler writes that"),
                           {},
                           0});
        return true;
    }

    bool refuse(Diagnostic reason)
    {
        if (reason.line == 0 && reason.code != "unreadable" && reason.code != "cancelled") {
            reason.line = m_feed.line();
            reason.message = say("{} (byte {})", reason.message, m_feed.offset());
        }
        problem = std::move(reason);
        return false;
    }

    void setTime(std::optional<std::int64_t> value)
    {
        m_event.badTime = m_event.badTime || !value;
        (m_key == Key::Start ? m_event.start : m_event.duration) = value;
    }

    bool whole(std::int64_t value)
    {
        if (atEvent()) {
            if (m_key == Key::Start || m_key == Key::Duration)
                setTime(value > -latest / 1000 && value < latest / 1000 ? std::optional(value * 1000) : std::nullopt);
            else if (m_key == Key::Process)
                m_event.process = value;
        } else if (inArguments()) {
            if (m_key == Key::Device)
                m_event.device = value;
            else if (m_key == Key::Correlation)
                m_event.correlation = value;
            else if (m_key == Key::External)
                m_event.external = value;
        } else if (m_inArguments && m_key == Key::InputDims && m_depth == m_sectionDepth + 5) {
            if (!m_event.dims.empty() && m_event.dims.back().size() < mostInputs)
                m_event.dims.back().push_back(value);
        } else if (m_section == Key::Properties && m_depth == m_sectionDepth + 2 && m_key == Key::Id) {
            m_deviceId = value;
        } else if (m_section == Key::Distributed && m_depth == m_sectionDepth + 1) {
            if (m_key == Key::Rank)
                m_events.rank = value;
            else if (m_key == Key::WorldSize)
                m_events.worldSize = value;
        }
        return true;
    }

    void setText(std::string& value)
    {
        if (m_key == Key::Name)
            m_event.name.swap(value);
        else if (m_key == Key::Category)
            m_event.category.swap(value);
        else if (m_key == Key::Phase)
            m_event.phase.swap(value);
        else if (m_key == Key::Start || m_key == Key::Duration)
            setTime(nanoseconds(value)); // "12.5" within quotes
    }

    void setArgumentText(std::string& value)
    {
        if (inArguments() && m_key == Key::CollectiveName)
            m_event.collective.swap(value);
        else if (m_key == Key::InputType && m_depth == m_sectionDepth + 4 && m_event.types.size() < mostInputs)
            m_event.types.push_back(value);
    }

    Feed& m_feed;
    TraceEvents& m_events;
    EventTaker m_taker;
    ChromeEvent m_event;
    Key m_key = Key::Unknown, m_section = Key::Unknown;
    int m_depth = 0, m_sectionDepth = 0;
    bool m_inArguments = false;
    std::int64_t m_deviceId = -1;
    std::unordered_map<std::int64_t, std::string> m_deviceNames;
};

} // namespace

Expected<TraceEvents> readKineto(TraceStream& stream, const KernelRules& rules)
{
    TraceEvents events;
    events.format = said("PyTorch profiler trace");
    Feed feed{stream};
    Listener listener(feed, events, rules);
    const bool whole = nlohmann::json::sax_parse(FeedIterator(&feed), FeedIterator(&feed), &listener);
    if (!listener.problem && stream.problem())
        listener.problem = stream.problem();
    if (!whole || listener.problem)
        return tl::unexpected(Diagnostics{listener.problem.value_or(Diagnostic{})});
    if (!listener.sawList)
        return unknownProfile();
    if (!listener.sawEvents)
        return fail("no-events", "/traceEvents", said("holds no events"), said("import a trace that a profiler wrote"));
    listener.finish();
    return events;
}

} // namespace headroom::profile
