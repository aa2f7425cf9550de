// SPDX-License-Identifier: GPL-3.0-or-later
// LoadProfile: how the load of a service changes over the hours of a day.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace headroom
{

/// Hours: each is stated. Sine: highest at 14:00, lowest at 2:00. Office: high from 8:00 to 18:00, low else.
enum class LoadShape : std::uint8_t { Hours, Sine, Office };

/// Held in place, so that a Setup stays trivially copyable. Between two hours the load steps.
struct LoadProfile {
    static constexpr std::size_t hours = 24;
    static constexpr double steepest = 1000; ///< peak over trough that a shape may have

    LoadShape shape = LoadShape::Hours;
    double peakToTrough = 1;             ///< of a shape with a name, 1…steepest
    std::array<double, hours> factors{}; ///< load of each hour from midnight on, over the day's mean

    /// The shape with its factors, whose mean is 1.
    [[nodiscard]] static LoadProfile shaped(LoadShape shape, double peakToTrough) noexcept;
    [[nodiscard]] double mean() const noexcept; ///< of the factors: 1, or nearly 1 as people round them
    /// The busiest hour over the quietest, at most `steepest`.
    [[nodiscard]] double ratio() const noexcept;
    bool operator==(const LoadProfile&) const = default;
};

} // namespace headroom
