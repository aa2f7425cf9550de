// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/software_version.hpp"

#include <algorithm>
#include <charconv>

namespace headroom
{
namespace
{

bool isDigit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

bool mayStand(char c) noexcept
{
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || isDigit(c) || c == '.' || c == '+' || c == '-' || c == '_';
}

/// The next of a version's leading numbers, and takes it off the text; 0 where there is none left.
long number(std::string_view& text) noexcept
{
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) {
        text = {};
        return 0;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    // What stands behind a number and is no further number (rc3, post1) ends the comparison.
    if (text.size() >= 2 && text.front() == '.' && isDigit(text[1]))
        text.remove_prefix(1);
    else
        text = {};
    return value;
}

} // namespace

std::optional<SoftwareVersion> SoftwareVersion::from(std::string_view text) noexcept
{
    if (text.size() >= 2 && text.front() == 'v')
        text.remove_prefix(1);
    if (text.empty() || text.size() > longest || !isDigit(text.front()) || !std::ranges::all_of(text, mayStand))
        return std::nullopt;
    SoftwareVersion version;
    std::ranges::copy(text, version.m_text.begin());
    return version;
}

bool SoftwareVersion::before(std::string_view other) const noexcept
{
    std::string_view own = text();
    while (!own.empty() || !other.empty()) {
        const long mine = number(own), others = number(other);
        if (mine != others)
            return mine < others;
    }
    return false;
}

} // namespace headroom
