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

/// Appends JSON to a text, commas where they belong. Quicker than a document tree by an order of magnitude.
class JsonText final
{
public:
    explicit JsonText(std::string& text) : m_text(text) {}

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
        Piece piece;
        start(piece, name);
        append(piece, value);
        m_text.append(piece.buffer.data(), piece.end);
    }
    void number(std::string_view name, const std::optional<double>& value)
    {
        value ? number(name, *value) : undefined(name);
    }
    /// Two numbers as an array.
    void pair(std::string_view name, double first, double second)
    {
        key(name);
        m_text += '[';
        append(first);
        m_text += ',';
        append(second);
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
    /// A key and a number, put together before they are appended: a result has two hundred of each.
    struct Piece {
        std::array<char, 128> buffer;
        char* end = buffer.data();
        void add(char c) { *end++ = c; }
        void add(std::string_view text) { end = std::copy(text.begin(), text.end(), end); }
    };

    /// Names are those of this file: short.
    void start(Piece& piece, std::string_view name)
    {
        if (!m_first)
            piece.add(',');
        m_first = false;
        piece.add('"');
        piece.add(name);
        piece.add("\":");
    }
    static void append(Piece& piece, double value)
    {
        // Whole numbers that fmt writes without an exponent: the same digits, sooner.
        constexpr double most = 1e15;
        if (value > -most && value < most && value == std::trunc(value) && (value != 0 || !std::signbit(value)))
            piece.end =
                std::to_chars(piece.end, piece.buffer.data() + piece.buffer.size(), static_cast<std::int64_t>(value))
                    .ptr;
        else
            piece.end = fmt::format_to(piece.end, FMT_COMPILE("{}"), value);
    }
    void key(std::string_view name)
    {
        Piece piece;
        start(piece, name);
        m_text.append(piece.buffer.data(), piece.end);
    }
    void append(double value)
    {
        Piece piece;
        append(piece, value);
        m_text.append(piece.buffer.data(), piece.end);
    }
    void null() { m_text += "null"; }

    std::string& m_text;
    bool m_first = true;
};

} // namespace headroom
