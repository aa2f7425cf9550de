// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace headroom
{
namespace
{

/// Length of the well-formed sequence at `at`, 0 where there is none.
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto tail = [&byte](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
    const unsigned lead = byte(at);
    const unsigned next = byte(at + 1);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return tail(at + 1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const bool overlong = lead == 0xE0 && next < 0xA0;
        const bool surrogate = lead == 0xED && next > 0x9F;
        return !overlong && !surrogate && tail(at + 1) && tail(at + 2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const bool outside = (lead == 0xF0 && next < 0x90) || (lead == 0xF4 && next > 0x8F);
        return !outside && tail(at + 1) && tail(at + 2) && tail(at + 3) ? 4 : 0;
    }
    return 0;
}

/// Whether a byte can begin a control character that a terminal obeys: below a space, but no end of a line; DEL; or
/// 0xC2, which is the first of two. No branches: a compiler takes sixteen bytes at once. Tabs, which are none, are
/// rare.
bool mayBeControl(unsigned char byte)
{
    const bool below = (byte < 0x20) & (byte != '\n');
    return below | (byte == 0x7F) | (byte == 0xC2);
}

constexpr std::size_t controlBlock = 64; // of text that is looked at together

bool mayHoldControl(const char* block)
{
    unsigned char any = 0;
    for (std::size_t i = 0; i < controlBlock; ++i)
        any |= static_cast<unsigned char>(mayBeControl(static_cast<unsigned char>(block[i])));
    return any != 0;
}

/// Where a control character may begin, from `at` on; the size of the text where none does. Most text holds none:
/// blocks of it are passed over.
std::size_t nextSuspect(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        if (at + controlBlock <= text.size() && !mayHoldControl(text.data() + at)) {
            at += controlBlock;
            continue;
        }
        for (const std::size_t end = std::min(at + controlBlock, text.size()); at < end; ++at)
            if (mayBeControl(static_cast<unsigned char>(text[at])))
                return at;
    }
    return at;
}

/// Bytes of the control character at `at`, 0 where there is none; tabs and ends of lines are none.
std::size_t controlLength(std::string_view text, std::size_t at)
{
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F)
        return 1;
    // U+0080 to U+009F take two bytes.
    return byte == 0xC2 && at + 1 < text.size() && (static_cast<unsigned char>(text[at + 1]) & 0xE0) == 0x80 ? 2 : 0;
}

} // namespace

std::size_t characterCount(std::string_view text)
{
    // Continuation bytes are none.
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::optional<std::size_t> firstInvalidUtf8(std::string_view text)
{
    constexpr std::uint64_t highBits = 0x8080808080808080u;
    std::size_t at = 0;
    while (at < text.size()) {
        if (std::uint64_t word = 0; at + sizeof word <= text.size()) {
            std::memcpy(&word, text.data() + at, sizeof word);
            if ((word & highBits) == 0) {
                at += sizeof word;
                continue;
            }
        }
        const std::size_t length = sequenceLength(text, at);
        if (length == 0)
            return at;
        at += length;
    }
    return std::nullopt;
}

ControlCharacter nextControl(std::string_view text, std::size_t from)
{
    for (std::size_t at = nextSuspect(text, from); at < text.size(); at = nextSuspect(text, at + 1))
        if (const std::size_t length = controlLength(text, at))
            return {at, length};
    return {text.size(), 0};
}

std::string withoutControls(std::string text)
{
    for (auto found = nextControl(text, 0); found.length > 0; found = nextControl(text, found.at + 1))
        text.replace(found.at, found.length, 1, '?');
    return text;
}

std::string printable(std::string_view text, std::size_t longest)
{
    const auto isPlain = [](char c) { return c >= 0x20 && c < 0x7F; };
    if (text.size() <= longest && std::all_of(text.begin(), text.end(), isPlain)) // nearly all are
        return std::string(text);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        if (result.size() >= longest)
            return result + "…";
        const std::size_t length = sequenceLength(text, at);
        const bool control = static_cast<unsigned char>(text[at]) < 0x20 || text[at] == 0x7F;
        if (length == 0 || control)
            result += '?';
        else
            result += text.substr(at, length);
        at += length == 0 ? 1 : length;
    }
    return result;
}

} // namespace headroom
