// SPDX-License-Identifier: GPL-3.0-or-later
// DataType: the number formats that weights, caches and matmuls use, with their sizes and names in files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom
{

/// Number formats. Native = "as the checkpoint ships" (weights of an inference scenario only).
enum class DataType : std::uint8_t { Fp32, Tf32, Fp16, Bf16, Fp8, Mxfp8, Int8, Int4, Fp4, Mxfp4, Native };

struct DataTypeRow {
    DataType type;
    std::string_view id;   ///< name in files and on the command line
    double storedBytes;    ///< bytes per stored value, block scales included
    std::string_view note; ///< where storedBytes comes from
};

/// One row per format, in the order of the enumeration.
/// Block formats: Int4 4.25 bits (AWQ, GPTQ), Fp4 = NVFP4 4 + 8/16 bits,
/// Mxfp4 4 + 8/32 bits, Mxfp8 8 + 8/32 bits (OCP microscaling formats specification 1.0).
inline constexpr std::array<DataTypeRow, 11> dataTypeTable{{
    {DataType::Fp32, "fp32", 4.0, "IEEE 754 binary32"},
    {DataType::Tf32, "tf32", 4.0, "stored as binary32, multiplied with 10 mantissa bits"},
    {DataType::Fp16, "fp16", 2.0, "IEEE 754 binary16"},
    {DataType::Bf16, "bf16", 2.0, "bfloat16"},
    {DataType::Fp8, "fp8", 1.0, "E4M3/E5M2; per-tensor or per-block scales are below 0.1 %"},
    {DataType::Mxfp8, "mxfp8", 1.03125, "8 + 8/32 bits"},
    {DataType::Int8, "int8", 1.0, "per-row scales are below 0.1 %"},
    {DataType::Int4, "int4", 0.53125, "4.25 bits: a 16-bit scale per 64 weights, or scale and zero point per 128"},
    {DataType::Fp4, "fp4", 0.5625, "NVFP4: 4 + 8/16 bits"},
    {DataType::Mxfp4, "mxfp4", 0.53125, "4 + 8/32 bits"},
    {DataType::Native, "native", 2.0, "resolved from the model's quantization; 2 where it has none"},
}};

/// The row of a type: its name in files, its label, its bits.
[[nodiscard]] constexpr const DataTypeRow& dataTypeRow(DataType type)
{
    return dataTypeTable[static_cast<std::size_t>(type)];
}

/// The type's name in files.
[[nodiscard]] constexpr std::string_view toId(DataType type)
{
    return dataTypeRow(type).id;
}

/// Bytes that one stored value takes.
[[nodiscard]] constexpr double storedBytes(DataType type)
{
    return dataTypeRow(type).storedBytes;
}

/// The type of a name in files; empty where none is called so.
[[nodiscard]] std::optional<DataType> dataTypeFromId(std::string_view id);

} // namespace headroom
