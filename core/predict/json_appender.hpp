// SPDX-License-Identifier: GPL-3.0-or-later
// JsonAppender: writes an evaluation as JSON text, value after value.
#pragma once

#include "core/predict/evaluation.hpp"
#include "core/support/json_text.hpp"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace headroom
{

/// Appends JSON to a text, commas where they belong. Quicker than a document tree by an order of magnitude.
class JsonAppender final
{
public:
    explicit JsonAppender(std::string& text) : m_text(text) {}

    void open(std::string_view name)
    {
        key(name);
        m_text += '{';
        m_first = true;
    }
    void close()
    {
        m_text += '}';
        m_first = false;
    }
    void number(std::string_view name, double value)
    {
        key(name);
        append(value);
    }
    void number(std::string_view name, const std::optional<double>& value)
    {
        key(name);
        value ? append(*value) : null();
    }
    void range(std::string_view name, const std::optional<Interval>& interval)
    {
        key(name);
        if (!interval)
            return null();
        m_text += '[';
        append(interval->low);
        m_text += ',';
        append(interval->high);
        m_text += ']';
    }
    void boolean(std::string_view name, bool value)
    {
        key(name);
        m_text += value ? "true" : "false";
    }
    /// For names of closed lists: nothing to escape.
    void plain(std::string_view name, std::string_view value)
    {
        key(name);
        m_text.append("\"").append(value).append("\"");
    }
    void string(std::string_view name, std::string_view value)
    {
        key(name);
        m_text += jsonString(value);
    }
    void nameOrNull(std::string_view name, std::string_view value)
    {
        key(name);
        value.empty() ? null() : static_cast<void>(m_text += jsonString(value));
    }
    void undefined(std::string_view name)
    {
        key(name);
        null();
    }
    void openArray(std::string_view name)
    {
        key(name);
        m_text += '[';
        m_first = true;
    }
    void closeArray()
    {
        m_text += ']';
        m_first = false;
    }
    /// An object within an array.
    void element()
    {
        if (!m_first)
            m_text += ',';
        m_text += '{';
        m_first = true;
    }

private:
    void key(std::string_view name)
    {
        if (!m_first)
            m_text += ',';
        m_first = false;
        m_text.append("\"").append(name).append("\":");
    }
    void append(double value)
    {
        std::array<char, 40> buffer;
        const char* end = fmt::format_to(buffer.data(), "{}", value);
        m_text.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    }
    void null() { m_text += "null"; }

    std::string& m_text;
    bool m_first = true;
};

} // namespace headroom
