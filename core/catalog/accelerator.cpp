// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/accelerator.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

double firstOf(double rate, double standIn)
{
    return rate > 0 ? rate : standIn;
}

double teraflops(const PeakRates& peak, DataType type)
{
    switch (type) {
    case DataType::Fp32:
        return peak.fp32;
    case DataType::Tf32:
        return peak.tf32;
    case DataType::Fp16:
        return firstOf(peak.fp16, peak.bf16);
    case DataType::Bf16:
    case DataType::Native: // no matmul runs in "native": what it resolves to asks again
        return firstOf(peak.bf16, peak.fp16);
    case DataType::Fp8:
        return peak.fp8;
    case DataType::Mxfp8: // scales of blocks in the matmul came with the 4-bit units (Blackwell, CDNA 4)
        return peak.fp4 > 0 ? peak.fp8 : 0;
    case DataType::Int8:
        return peak.int8;
    case DataType::Int4:
        return peak.int4;
    case DataType::Fp4:
    case DataType::Mxfp4:
        return peak.fp4;
    }
    return 0;
}

} // namespace

std::string_view toId(AcceleratorFamily family)
{
    return acceleratorFamilyIds[static_cast<std::size_t>(family)];
}

AcceleratorFamily familyFromArchitecture(const Accelerator& a)
{
    using enum AcceleratorFamily;
    struct Row {
        std::string_view vendor, architecture;
        AcceleratorFamily server, card; ///< with stacked memory (HBM), without
        double fastestCardGbPerS;       ///< no card of this architecture has more bandwidth
    };
    constexpr std::array<Row, 8> rows{{{"NVIDIA", "Volta", V100, V100, 0},
                                       {"NVIDIA", "Ampere", A100, Ada, 1010},
                                       {"NVIDIA", "Ada", Ada, Ada, 0},
                                       {"NVIDIA", "Hopper", Hopper, Hopper, 0},
                                       {"NVIDIA", "Blackwell", Blackwell, Ada, 1800},
                                       {"AMD", "CDNA 3", Cdna3, Cdna3, 0},
                                       {"AMD", "CDNA 4", Cdna4, Cdna4, 0},
                                       {"Google", "TPU", Tpu, Tpu, 0}}};
    for (const Row& row : rows) {
        if (a.vendor != row.vendor || a.architecture.find(row.architecture) == std::string::npos)
            continue;
        const bool stacked = a.memoryType.empty() ? a.memoryBandwidthGbPerS > row.fastestCardGbPerS
                                                  : a.memoryType.find("HBM") != std::string::npos;
        return stacked ? row.server : row.card;
    }
    return Other;
}

double Accelerator::usableMemoryBytes() const
{
    constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
    return memoryUsableGib ? *memoryUsableGib * gibibyte : memoryGb * 1e9;
}

double Accelerator::peakFlops(DataType type) const
{
    return teraflops(peak, type) * 1e12;
}

std::vector<std::string> Accelerator::missingFacts() const
{
    std::vector<std::string> missing;
    if (memoryGb <= 0)
        missing.emplace_back("memory_gb");
    if (memoryBandwidthGbPerS <= 0)
        missing.emplace_back("memory_bandwidth_gbps_bytes");
    if (peak.bf16 <= 0 && peak.fp16 <= 0 && peak.tf32 <= 0 && peak.fp32 <= 0)
        missing.emplace_back("peak_tflops");
    return missing;
}

} // namespace headroom
