// SPDX-License-Identifier: GPL-3.0-or-later
// dividesInto(): whole numbers that are held as double.
#pragma once

#include <cmath>

namespace headroom
{

/// Whether `n` divides into `parts` whole parts; of whole numbers up to 2^52, and of all n where `parts` is a power of
/// two. A tenth of the time of std::fmod().
[[nodiscard]] inline bool dividesInto(double n, double parts) noexcept
{
    return std::floor(n / parts) * parts == n;
}

} // namespace headroom
