// SPDX-License-Identifier: GPL-3.0-or-later
// memoryUse(): what this process holds right now, for tests that watch it over time.
#pragma once

#include <cstddef>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace headroom::test
{

struct MemoryUse {
    std::size_t heap = 0;     ///< bytes handed out by malloc and not given back; 0 where a sanitizer replaces it
    std::size_t resident = 0; ///< bytes of memory the system has given to the process
};

/// What was freed is handed back to the system first.
inline MemoryUse memoryUse()
{
    malloc_trim(0);
    const struct mallinfo2 info = mallinfo2();
    std::size_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return {info.uordblks + info.hblkhd, resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))};
}

} // namespace headroom::test
