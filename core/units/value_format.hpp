// SPDX-License-Identifier: GPL-3.0-or-later
// ValueFormat: what kind of quantity a number is, which decides how it is printed and read.
#pragma once

#include <cstdint>

namespace headroom
{

enum class ValueFormat : std::uint8_t {
    Plain,
    Integer,
    Percent /* value is a fraction */,
    Seconds,
    Bytes,
    FlopPerS,
    BytesPerS,
    TokensPerS,
    FlopPerByte,
    Money,
    Parameters,
    Watts,
    Flop
};

} // namespace headroom
