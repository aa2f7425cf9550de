// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of 16 bit where only one of the two formats has a rate in the catalogue.
#pragma once

#include "core/catalog/accelerator.hpp"

namespace headroom
{

/// Whether peakFlops() gives the rate of fp16 for bf16, or that of bf16 for fp16: V100 and T4, TPUs.
[[nodiscard]] inline bool takesOtherSixteen(const Accelerator& accelerator, DataType type)
{
    const PeakRates& peak = accelerator.peak;
    return (type == DataType::Bf16 && peak.bf16 <= 0 && peak.fp16 > 0) ||
           (type == DataType::Fp16 && peak.fp16 <= 0 && peak.bf16 > 0);
}

} // namespace headroom
