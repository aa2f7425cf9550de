// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/accelerator.hpp"
// PLACEHOLDER, replaced by the catalogue work.
namespace headroom {
std::string_view toId(AcceleratorFamily) { return "other"; }
std::optional<AcceleratorFamily> acceleratorFamilyFromId(std::string_view) { return std::nullopt; }
double Accelerator::usableMemoryBytes() const { return memoryUsableGib ? *memoryUsableGib * 1073741824.0 : memoryGb * 1e9; }
double Accelerator::peakFlops(DataType) const { return peak.bf16 * 1e12; }
} // namespace headroom
