# SPDX-License-Identifier: GPL-3.0-or-later
# headroom_unite(<target> <file>...): the files of a folder share compilations, up to eighteen each. Most of a file's second
# goes into its headers (eight to ten seconds where JSON, QCustomPlot or CLI11 is among them); who shares, reads them once.
# So names in the anonymous namespaces of one folder may not meet. HEADROOM_UNITY=OFF compiles each file alone.
set(HEADROOM_TOGETHER 18)

function(headroom_unite target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${HEADROOM_UNITY} UNITY_BUILD_MODE GROUP)
    if(HEADROOM_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang") # of a local name and another file's it warns, too
        target_compile_options(${target} PRIVATE -Wno-shadow)
    endif()
    list(FILTER ARGN INCLUDE REGEX "\\.cpp$")
    list(SORT ARGN)
    set(folders "")
    foreach(source IN LISTS ARGN)
        get_filename_component(folder ${source} DIRECTORY)
        list(APPEND folders ${folder})
        list(APPEND files_${folder} ${source})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        list(LENGTH files_${folder} count)
        math(EXPR groups "(${count} + ${HEADROOM_TOGETHER} - 1) / ${HEADROOM_TOGETHER}")
        file(RELATIVE_PATH room ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
        string(MAKE_C_IDENTIFIER "${target}_${room}" room)
        set(index 0)
        foreach(source IN LISTS files_${folder})
            math(EXPR group "${index} * ${groups} / ${count}")
            math(EXPR index "${index} + 1")
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${group})
        endforeach()
    endforeach()
endfunction()
