// SPDX-License-Identifier: GPL-3.0-or-later
// The way in for libFuzzer (presets fuzz and analysis).
#include "tests/fuzz/fuzz.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // By length: what is changed in its place is taken the same way again, so that coverage can guide the search.
    const auto way = static_cast<unsigned>(size % headroom::fuzz::ways);
    headroom::fuzz::feed({reinterpret_cast<const char*>(data), size}, way);
    return 0;
}
