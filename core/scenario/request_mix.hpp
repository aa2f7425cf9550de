// SPDX-License-Identifier: GPL-3.0-or-later
// RequestMix: classes of requests that a service gets side by side, such as chat and code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headroom
{

/// Requests of one kind.
struct RequestClass {
    double share = 0; ///< of all requests, 0…1
    std::int64_t promptTokens = 1, outputTokens = 1;
    bool operator==(const RequestClass&) const = default;
};

/// Held in place, so that a Setup stays trivially copyable. The shares add up to 1.
struct RequestMix {
    static constexpr std::size_t most = 8;
    std::array<RequestClass, most> all{};
    std::uint8_t count = 0;
    [[nodiscard]] std::span<const RequestClass> classes() const noexcept { return {all.data(), count}; }
    [[nodiscard]] double meanPrompt() const noexcept { return meanOf(&RequestClass::promptTokens); } ///< tokens
    [[nodiscard]] double meanOutput() const noexcept { return meanOf(&RequestClass::outputTokens); } ///< tokens
    bool operator==(const RequestMix&) const = default;

private:
    [[nodiscard]] double meanOf(std::int64_t RequestClass::*length) const noexcept
    {
        double mean = 0;
        for (const RequestClass& c : classes())
            mean += c.share * static_cast<double>(c.*length);
        return mean;
    }
};

} // namespace headroom
