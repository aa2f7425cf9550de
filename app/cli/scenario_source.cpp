// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_source.hpp"

#include "app/cli/command.hpp"
#include "core/support/file_name.hpp"

#include <algorithm>
#include <utility>

namespace headroom::cli
{
namespace
{

constexpr std::size_t pieceSize = 256u << 10;
/// Readers accept 16 MiB at most (a scenario with a config.json); more is cut off here, so that memory stays bounded.
constexpr std::size_t longestText = (16u << 20) + 1;
constexpr std::string_view blanks = " \t\r\n";

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(blanks) == text.npos;
}

/// Finds the end of one JSON value by its brackets, without judging it.
class ValueScanner final
{
public:
    /// Reads on from where it stopped. True: `end` is just behind the value.
    bool scan(std::string_view text)
    {
        for (; end < text.size(); ++end) {
            if (step(text[end], end + 1 < text.size() ? text[end + 1] : '\0')) {
                ++end;
                return true;
            }
        }
        return false;
    }
    std::size_t end = 0;

private:
    enum class State { Value, String, Escape, LineComment, BlockComment };

    bool step(char c, char next)
    {
        if (m_skip) { // the second character of /* or */
            m_skip = false;
            return false;
        }
        switch (m_state) {
        case State::Escape:
            m_state = State::String;
            return false;
        case State::String:
            m_state = c == '\\' ? State::Escape : c == '"' ? State::Value : State::String;
            return false;
        case State::LineComment:
            m_state = c == '\n' ? State::Value : m_state;
            return false;
        case State::BlockComment:
            m_skip = c == '*' && next == '/';
            m_state = m_skip ? State::Value : m_state;
            return false;
        case State::Value:
            break;
        }
        if (c == '"')
            m_state = State::String;
        else if (c == '/' && (next == '/' || next == '*')) {
            m_state = next == '/' ? State::LineComment : State::BlockComment;
            m_skip = true;
        } else if (c == '{' || c == '[')
            ++m_depth;
        else if (c == '}' || c == ']')
            return --m_depth <= 0;
        return false;
    }
    State m_state = State::Value;
    bool m_skip = false;
    int m_depth = 0;
};

Layout layoutOf(const std::string& name)
{
    if (name == "-")
        return Layout::Detect;
    return name.ends_with(".jsonl") ? Layout::Lines : Layout::Document;
}

} // namespace

Expected<ScenarioSource> ScenarioSource::open(const std::string& name)
{
    std::FILE* file = name == "-" ? stdin : openToRead(name);
    // A folder opens like a file and fails at its first byte.
    const int first = file != nullptr ? std::getc(file) : EOF;
    if (file == nullptr || std::ferror(file) != 0) {
        auto failure = fail("unreadable", "", "the file cannot be read: " + systemError());
        failure.value().front().file = name;
        if (file != nullptr && file != stdin)
            std::fclose(file);
        return failure;
    }
    if (first != EOF)
        std::ungetc(first, file);
    return ScenarioSource(name == "-" ? "standard input" : name, file, layoutOf(name));
}

ScenarioSource::ScenarioSource(std::string name, std::FILE* file, Layout layout)
    : m_name(std::move(name)), m_file(file), m_layout(layout)
{
}

ScenarioSource::ScenarioSource(ScenarioSource&& other) noexcept
    : m_name(std::move(other.m_name)), m_file(std::exchange(other.m_file, nullptr)), m_layout(other.m_layout),
      m_buffer(std::move(other.m_buffer)), m_at(other.m_at), m_line(other.m_line), m_end(other.m_end)
{
}

ScenarioSource::~ScenarioSource()
{
    if (m_file != nullptr && m_file != stdin)
        std::fclose(m_file);
}

std::optional<ScenarioText> ScenarioSource::next()
{
    if (m_layout == Layout::Detect)
        detect();
    if (m_layout == Layout::Lines)
        return nextLine();
    return nextDocument(m_layout == Layout::Several);
}

/// Reads another piece behind what is there; false at the end of the file.
bool ScenarioSource::fill()
{
    if (m_end)
        return false;
    m_buffer.erase(0, m_at);
    m_at = 0;
    const std::size_t before = m_buffer.size();
    m_buffer.resize(before + pieceSize);
    const std::size_t count = std::fread(m_buffer.data() + before, 1, pieceSize, m_file);
    m_buffer.resize(before + count);
    m_end = count == 0;
    return !m_end;
}

void ScenarioSource::skipBlank()
{
    while (true) {
        const std::size_t skip = std::min(rest().find_first_not_of(blanks), rest().size());
        m_line += static_cast<int>(std::ranges::count(rest().substr(0, skip), '\n'));
        m_at += skip;
        if (!rest().empty() || !fill())
            return;
    }
}

/// Lines where the first line is a whole document, or where the second begins with an object of its own (then the first
/// was cut off). Otherwise documents that end where their brackets do.
void ScenarioSource::detect()
{
    skipBlank();
    m_layout = rest().empty() ? Layout::Document : Layout::Several;
    std::size_t newline = rest().find('\n');
    while (newline == std::string_view::npos && rest().size() < longestText && fill())
        newline = rest().find('\n');
    ValueScanner scanner;
    const std::string_view line = rest().substr(0, newline);
    if (scanner.scan(line) && isBlank(line.substr(scanner.end))) {
        m_layout = Layout::Lines;
        return;
    }
    if (newline == std::string_view::npos)
        return;
    while (rest().size() < newline + 2 && fill()) {
    }
    if (const std::size_t second = rest().find_first_not_of("\r\n", newline);
        second != std::string_view::npos && rest()[second] == '{' && line.size() > 1 && !isBlank(line.substr(1)))
        m_layout = Layout::Lines;
}

ScenarioText ScenarioSource::take(std::size_t length, bool tooLarge)
{
    const ScenarioText text{rest().substr(0, length), m_line, tooLarge};
    if (m_layout != Layout::Lines) // a line ends before its end
        m_line += static_cast<int>(std::ranges::count(text.text, '\n'));
    m_at += length;
    return text;
}

std::optional<ScenarioText> ScenarioSource::nextLine()
{
    skipBlank();
    std::size_t searched = 0;
    std::size_t newline = rest().find('\n');
    while (newline == std::string_view::npos && rest().size() < longestText) {
        searched = rest().size();
        if (!fill())
            break;
        newline = rest().find('\n', searched);
    }
    if (rest().empty())
        return std::nullopt;
    if (newline <= longestText) // npos is beyond
        return take(newline, false);
    if (rest().size() <= longestText)
        return take(rest().size(), false);
    // Far too long: its beginning is kept for the message, the rest passed over.
    constexpr std::size_t beginning = 4096;
    m_head = rest().substr(0, beginning);
    while (newline == std::string_view::npos) {
        m_at = m_buffer.size();
        if (!fill())
            break;
        newline = rest().find('\n');
    }
    m_at += newline == std::string_view::npos ? rest().size() : newline;
    return ScenarioText{m_head, m_line, true};
}

std::optional<ScenarioText> ScenarioSource::nextDocument(bool several)
{
    if (several)
        skipBlank();
    ValueScanner scanner;
    bool ended = false;
    do {
        ended = several && scanner.scan(rest());
    } while (!ended && rest().size() <= longestText && fill());
    if (ended)
        return take(scanner.end, false);
    const bool tooLarge = rest().size() > longestText;
    if (rest().empty() && (several || m_line < 0))
        return std::nullopt;
    const ScenarioText text = take(rest().size(), tooLarge);
    m_end = true;
    // An empty file is one (bad) document, and only one.
    m_line = several ? m_line : -1;
    return text;
}

} // namespace headroom::cli
