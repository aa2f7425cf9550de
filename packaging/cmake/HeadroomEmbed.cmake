# SPDX-License-Identifier: GPL-3.0-or-later
# headroom_embed(<target> <file>...): compiles resource files into a target as text; read with core/support/embedded.hpp.
# The core must find its catalogue without Qt's resource system and without an installation.
function(headroom_embed target)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.txt)
    list(JOIN ARGN "\n" lines)
    file(GENERATE OUTPUT ${list} CONTENT "${lines}")
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DLIST=${list} -DROOT=${CMAKE_SOURCE_DIR}/resources -DOUTPUT=${output}
                -P ${CMAKE_SOURCE_DIR}/packaging/cmake/embed_files.cmake
        DEPENDS ${ARGN} ${list} ${CMAKE_SOURCE_DIR}/packaging/cmake/embed_files.cmake
        COMMENT "Embedding resources into ${target}" VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
