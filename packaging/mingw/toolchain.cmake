# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles for 64-bit Windows with Debian's mingw-w64. HEADROOM_WINDOWS_PREFIX: the folder with the libraries made for it.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triplet x86_64-w64-mingw32)
# Debian has two kinds; this one has std::thread.
set(CMAKE_C_COMPILER ${triplet}-gcc-posix)
set(CMAKE_CXX_COMPILER ${triplet}-g++-posix)
set(CMAKE_RC_COMPILER ${triplet}-windres)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEADROOM_WINDOWS_PREFIX)

# Libraries, headers and packages of Windows alone: what this machine has for itself lies beside them.
set(CMAKE_FIND_ROOT_PATH ${HEADROOM_WINDOWS_PREFIX} /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The time of linking would make each build another one.
foreach(kind IN ITEMS EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT -Wl,--no-insert-timestamp)
endforeach()
