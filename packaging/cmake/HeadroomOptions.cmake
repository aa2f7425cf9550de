# SPDX-License-Identifier: GPL-3.0-or-later
# One interface target carries every compile option of the project.
add_library(headroom_options INTERFACE)
target_compile_features(headroom_options INTERFACE cxx_std_20)
target_include_directories(headroom_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(headroom_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wcast-align $<$<BOOL:${HEADROOM_WERROR}>:-Werror>)
# Paths of the build machine must not reach what is released (reproducible builds). Elsewhere the option would keep the
# compiler cache from serving two working trees.
target_compile_options(headroom_options INTERFACE $<$<CONFIG:Release>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.>)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported()
if(HEADROOM_SANITIZE)
    target_compile_options(headroom_options INTERFACE -fsanitize=${HEADROOM_SANITIZE} -fno-omit-frame-pointer
        -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS)
    target_link_options(headroom_options INTERFACE -fsanitize=${HEADROOM_SANITIZE})
else()
    # What hardens a program: the linker's part in every build, the compiler's in releases (it costs the others time).
    if(NOT WIN32) # whose programs have no such tables; that addresses and data are safe is the linker's default there
        target_link_options(headroom_options INTERFACE -Wl,-z,relro,-z,now)
    endif()
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
        target_compile_options(headroom_options INTERFACE -fstack-protector-strong -D_FORTIFY_SOURCE=2)
        if(MINGW)
            target_link_options(headroom_options INTERFACE -fstack-protector-strong) # their functions, from libssp
        endif()
        # At -O3 alone, g++ 12 sees overflows in the standard library's own strings, already in
        # "x" + std::string(n, ' ') and in strings.push_back("more than fifteen letters"). Other builds keep these
        # warnings.
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
            target_compile_options(headroom_options INTERFACE -Wno-stringop-overflow -Wno-stringop-overread
                -Wno-array-bounds -Wno-restrict)
        endif()
    endif()
endif()
# Shows libFuzzer which ways an input takes through a target. What tells it nothing new but costs it most of its time is
# left out.
function(headroom_steer_fuzzer target)
    if(HEADROOM_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link
            -fsanitize-coverage-ignorelist=${CMAKE_SOURCE_DIR}/tests/fuzz/unsteered.txt)
    endif()
endfunction()
# One build for all that clang can find (packaging/analyse). Shared libraries: they link in no time, and coverage is
# then asked of two files in place of each test program.
set(HEADROOM_LIBRARY STATIC)
if(HEADROOM_ANALYSIS)
    set(HEADROOM_LIBRARY SHARED)
endif()
# Counts the lines of a library that run. Its own copies of inline functions shall count, not those of test programs.
function(headroom_measure_coverage library)
    if(HEADROOM_ANALYSIS)
        target_compile_options(${library} PRIVATE -fprofile-instr-generate -fcoverage-mapping)
        target_link_options(${library} PRIVATE -fprofile-instr-generate -Wl,-Bsymbolic-functions)
    endif()
endfunction()

# What the Qt parts add.
set(HEADROOM_CLAZY_CHECKS level1)
add_library(headroom_qt_options INTERFACE)
target_compile_definitions(headroom_qt_options INTERFACE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
    QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
    QT_USE_QSTRINGBUILDER QT_DISABLE_DEPRECATED_BEFORE=0x060400)
if(HEADROOM_ANALYSIS)
    # As the script /usr/bin/clazy does. With -Werror what it finds is an error.
    foreach(argument IN ITEMS -load ClazyPlugin.so -add-plugin clazy -plugin-arg-clazy ${HEADROOM_CLAZY_CHECKS})
        target_compile_options(headroom_qt_options INTERFACE "SHELL:-Xclang ${argument}")
    endforeach()
endif()

# Tests are some hundred programs: a fast linker, where there is one, spares minutes. Releases keep the platform's own.
# Not mold: Debian 12's (1.10) now and then makes a program that the loader refuses (github.com/rui314/mold/issues/1151),
# or never ends.
find_program(LLD ld.lld)
mark_as_advanced(LLD)
if(LLD AND HEADROOM_TESTS AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(headroom_options INTERFACE -fuse-ld=lld)
endif()
