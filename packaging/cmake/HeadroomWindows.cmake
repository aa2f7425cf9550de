# SPDX-License-Identifier: GPL-3.0-or-later
# What a program for Windows carries: its manifest, who it is, its icon. Elsewhere nothing.
set(HEADROOM_WINDOWS_ICONS "" CACHE PATH "Folder with headroom.ico, scenario.ico and views.ico (packaging/windows makes them)")

# headroom_windows_resources(<target> [<description>]): a test has no description and the manifest alone.
function(headroom_windows_resources target)
    if(NOT WIN32)
        return()
    endif()
    set(manifest ${CMAKE_SOURCE_DIR}/packaging/mingw/headroom.manifest)
    set(resource ${CMAKE_CURRENT_BINARY_DIR}/${target}.rc)
    set(text "1 24 \"${manifest}\"\n") # CREATEPROCESS_MANIFEST_RESOURCE_ID, RT_MANIFEST
    if(ARGC GREATER 1)
        set(description "${ARGV1}")
        if(target STREQUAL "headroom" AND HEADROOM_WINDOWS_ICONS)
            # Explorer shows a program by the first of its icons; the others are those of its files.
            set(number 1)
            foreach(icon IN ITEMS headroom scenario views)
                string(APPEND text "${number} ICON \"${HEADROOM_WINDOWS_ICONS}/${icon}.ico\"\n")
                math(EXPR number "${number} + 1")
            endforeach()
        endif()
        string(REPLACE "." "," numbers ${PROJECT_VERSION})
        string(APPEND text "1 VERSIONINFO FILEVERSION ${numbers},0 PRODUCTVERSION ${numbers},0 FILETYPE 1\nBEGIN\n"
            "BLOCK \"StringFileInfo\"\nBEGIN\nBLOCK \"040904B0\"\nBEGIN\n"
            "VALUE \"ProductName\", \"Headroom\"\nVALUE \"FileDescription\", \"${description}\"\n"
            "VALUE \"FileVersion\", \"${PROJECT_VERSION}\"\nVALUE \"ProductVersion\", \"${PROJECT_VERSION}\"\n"
            "VALUE \"LegalCopyright\", \"GPL-3.0-or-later\"\nVALUE \"OriginalFilename\", \"${target}.exe\"\nEND\nEND\n"
            "BLOCK \"VarFileInfo\"\nBEGIN\nVALUE \"Translation\", 0x409, 1200\nEND\nEND\n") # US English, Unicode
    endif()
    file(CONFIGURE OUTPUT ${resource} CONTENT "${text}" @ONLY)
    set_source_files_properties(${resource} PROPERTIES OBJECT_DEPENDS ${manifest})
    target_sources(${target} PRIVATE ${resource})
endfunction()
