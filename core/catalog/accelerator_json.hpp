// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to *_json.cpp and its kin (nlohmann types): `accelerator` objects of scenario files, read and written.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/support/diagnostic.hpp"

#include <nlohmann/json_fwd.hpp>

namespace headroom
{

/// Whether a record may lack facts that an evaluation needs (the catalogue shows such parts; a scenario cannot).
enum class AcceleratorFacts : std::uint8_t { Complete, MayLack };

/// Reads an accelerator object strictly. Required: memory_gb, memory_bandwidth_gbps_bytes, peak_tflops with a 16-bit or
/// 32-bit rate; missing: usable memory = memory_gb × 10⁹, scale-up domain 1, links = PCIe, family other.
[[nodiscard]] Expected<Accelerator> readAccelerator(const nlohmann::json& object, const std::string& path,
                                                    AcceleratorFacts facts = AcceleratorFacts::Complete);

/// `base` with the fields of {"id": …, fields…} put over it; "id" is passed over. Another memory_gb resets the usable
/// memory unless it is given too. peak_tflops changes rate by rate.
[[nodiscard]] Expected<Accelerator> readAcceleratorOverride(const Accelerator& base, const nlohmann::json& object,
                                                            const std::string& path);

/// Canonical: unknown facts are left out; readAccelerator() gives the same value back.
[[nodiscard]] nlohmann::ordered_json writeAccelerator(const Accelerator& accelerator);

} // namespace headroom
