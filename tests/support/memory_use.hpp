// SPDX-License-Identifier: GPL-3.0-or-later
// memoryUse(): what this process holds right now, for tests that watch it over time.
#pragma once

#include "tests/support/sanitized.hpp"

#include <cstddef>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

// Of the address sanitizer, which has an allocator of its own.
extern "C" [[gnu::weak]] std::size_t __sanitizer_get_current_allocated_bytes();

namespace headroom::test
{

struct MemoryUse {
    std::size_t heap = 0;     ///< bytes handed out by malloc and not given back
    std::size_t resident = 0; ///< bytes of memory the system has given to the process
};

/// What was freed is handed back to the system first.
inline MemoryUse memoryUse()
{
    malloc_trim(0);
    const struct mallinfo2 info = mallinfo2();
    std::size_t heap = info.uordblks + info.hblkhd;
    if constexpr (underAddressSanitizer)
        heap = __sanitizer_get_current_allocated_bytes();
    std::size_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return {heap, resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))};
}

} // namespace headroom::test
