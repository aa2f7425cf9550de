// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to *_json.cpp (it includes fmt): JsonText, JSON written key by key.
#pragma once

#include "core/support/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <optional>

namespace headroom
{

/// Appends JSON to a text, commas where they belong; all of it is there when this ends. Quicker than a document tree by
/// an order of magnitude: a result has two hundred keys and numbers, which are put together before they are appended.
class JsonText final
{
public:
    explicit JsonText(std::string& text) : m_text(text) {}
    ~JsonText() { flush(); }
    JsonText(const JsonText&) = delete;
    JsonText& operator=(const JsonText&) = delete;

    void open(std::string_view name)
    {
        key(name);
        add('{');
        m_first = true;
    }
    void close()
    {
        add('}');
        m_first = false;
    }
    void number(std::string_view name, double value)
    {
        key(name);
        append(value);
    }
    void number(std::string_view name, const std::optional<double>& value)
    {
        value ? number(name, *value) : undefined(name);
    }
    /// Two numbers as an array.
    void pair(std::string_view name, double first, double second)
    {
        key(name);
        add('[');
        append(first);
        add(',');
        append(second);
        add(']');
    }
    void boolean(std::string_view name, bool value)
    {
        key(name);
        add(value ? std::string_view("true") : "false");
    }
    /// For names of closed lists: nothing to escape.
    void plain(std::string_view name, std::string_view value)
    {
        key(name);
        add('"');
        add(value);
        add('"');
    }
    void string(std::string_view name, std::string_view value)
    {
        key(name);
        add(jsonString(value));
    }
    void nameOrNull(std::string_view name, std::string_view value)
    {
        value.empty() ? undefined(name) : string(name, value);
    }
    void undefined(std::string_view name)
    {
        key(name);
        add("null");
    }
    void openArray(std::string_view name)
    {
        key(name);
        add('[');
        m_first = true;
    }
    void closeArray()
    {
        add(']');
        m_first = false;
    }
    /// An object, alone or within an array.
    void element()
    {
        if (!m_first)
            add(',');
        add('{');
        m_first = true;
    }

private:
    void flush()
    {
        m_text.append(m_buffer.data(), m_end);
        m_end = m_buffer.data();
    }
    /// Room for so many characters, fewer than the buffer has.
    void reserve(std::size_t length)
    {
        if (static_cast<std::size_t>(m_buffer.data() + m_buffer.size() - m_end) < length)
            flush();
    }
    void add(char c)
    {
        reserve(1);
        *m_end++ = c;
    }
    void add(std::string_view text)
    {
        if (text.size() > m_buffer.size()) {
            flush();
            m_text += text;
            return;
        }
        reserve(text.size());
        m_end = std::copy(text.begin(), text.end(), m_end);
    }
    /// Names are those of this file: short.
    void key(std::string_view name)
    {
        reserve(name.size() + std::string_view(R"(,"":)").size());
        if (!m_first)
            *m_end++ = ',';
        m_first = false;
        *m_end++ = '"';
        m_end = std::copy(name.begin(), name.end(), m_end);
        *m_end++ = '"';
        *m_end++ = ':';
    }
    void append(double value)
    {
        constexpr std::size_t longest = 32; // -1.7976931348623157e+308 has 24
        reserve(longest);
        // Whole numbers that fmt writes without an exponent: the same digits, sooner.
        constexpr double most = 1e15;
        if (value > -most && value < most && value == std::trunc(value) && (value != 0 || !std::signbit(value)))
            m_end = std::to_chars(m_end, m_end + longest, static_cast<std::int64_t>(value)).ptr;
        else
            m_end = fmt::format_to(m_end, FMT_COMPILE("{}"), value);
    }

    std::string& m_text;
    bool m_first = true;
    std::array<char, 4096> m_buffer; ///< what is not yet appended ends at m_end
    char* m_end = m_buffer.data();
};

} // namespace headroom
