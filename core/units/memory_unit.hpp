// SPDX-License-Identifier: GPL-3.0-or-later
// MemoryUnit: whether amounts of memory are printed in GB (10^9 bytes) or GiB (2^30 bytes).
#pragma once

#include <cstdint>
#include <string_view>

namespace headroom
{

enum class MemoryUnit : std::uint8_t { Gigabyte, Gibibyte };

/// How formatValue() prints ValueFormat::Bytes in this process from now on; a matter of display, as the language is:
/// values, files and CSV stay in bytes or GB. Bandwidths stay decimal. GB until it is called.
void setMemoryUnit(MemoryUnit unit);
[[nodiscard]] MemoryUnit memoryUnit();

/// "GB" or "GiB", for an axis.
[[nodiscard]] std::string_view memoryUnitName();

} // namespace headroom
