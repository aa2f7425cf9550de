# SPDX-License-Identifier: GPL-3.0-or-later
# headroom_embed(<target> <file>...): compiles resource files into a target as text; read with core/support/embedded.hpp.
# The core must find its catalogue without Qt's resource system and without an installation.
function(headroom_embed target)
    set(root ${CMAKE_SOURCE_DIR}/resources)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.txt)
    set(lines "")
    list(SORT ARGN)
    foreach(file IN LISTS ARGN)
        # Names within resources/: the list does not depend on where the clone lies, and on what letters its path has.
        file(RELATIVE_PATH name ${root} ${file})
        string(APPEND lines "${name}\n")
    endforeach()
    file(GENERATE OUTPUT ${list} CONTENT "${lines}")
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DLIST=${list} -DROOT=${root} -DOUTPUT=${output}
                -P ${CMAKE_SOURCE_DIR}/packaging/cmake/embed_files.cmake
        DEPENDS ${ARGN} ${list} ${CMAKE_SOURCE_DIR}/packaging/cmake/embed_files.cmake
        COMMENT "Embedding resources into ${target}" VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
