// SPDX-License-Identifier: GPL-3.0-or-later
// SoftwareVersion: a stack's version as its maker writes it, "0.14.1" or "26.04", compared number by number.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace headroom
{

/// Held in place, so that a Setup stays trivially copyable.
class SoftwareVersion final
{
public:
    static constexpr std::size_t longest = 31;

    /// Empty where the text is no version: a digit first (a "v" before it is left out), then at most 31 letters, digits
    /// and . + - _ in all.
    [[nodiscard]] static std::optional<SoftwareVersion> from(std::string_view text) noexcept;

    [[nodiscard]] std::string_view text() const noexcept { return m_text.data(); }
    /// Whether this release came before `other`, by the leading numbers: 0.9 before 0.14, 1.2.0rc6 as 1.2.0.
    [[nodiscard]] bool before(std::string_view other) const noexcept;

    bool operator==(const SoftwareVersion&) const = default;

private:
    std::array<char, longest + 1> m_text{};
};

} // namespace headroom
