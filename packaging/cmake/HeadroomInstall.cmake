# SPDX-License-Identifier: GPL-3.0-or-later
# What an installation holds, in three components: gui (the window), cli (headroom-cli) and dev (the core as a library).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(app_id org.headroom.Headroom)
set(linux ${CMAKE_SOURCE_DIR}/packaging/linux)
set(manual ${CMAKE_BINARY_DIR}/manual)

if(TARGET headroom-cli)
    install(TARGETS headroom-cli RUNTIME COMPONENT cli)
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/measure DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom COMPONENT cli
        PATTERN __pycache__ EXCLUDE)
endif()
# cli: the manual and the completions are written by the program itself (app/cli/manual.hpp). Windows reads neither.
if(TARGET headroom-cli AND NOT WIN32)
    file(MAKE_DIRECTORY ${manual})
    set(forms man bash zsh fish)
    set(files headroom-cli.1 headroom-cli.bash _headroom-cli headroom-cli.fish)
    set(outputs)
    foreach(form file IN ZIP_LISTS forms files)
        add_custom_command(OUTPUT ${manual}/${file} COMMAND headroom-cli manual ${form} > ${manual}/${file}
            DEPENDS headroom-cli VERBATIM)
        list(APPEND outputs ${manual}/${file})
    endforeach()
    add_custom_target(manual ALL DEPENDS ${outputs})
    install(FILES ${manual}/headroom-cli.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT cli)
    install(FILES ${manual}/headroom-cli.bash RENAME headroom-cli
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT cli)
    install(FILES ${manual}/_headroom-cli DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT cli)
    install(FILES ${manual}/headroom-cli.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT cli)
endif()

# gui: the program and what a desktop wants to know of it.
if(TARGET headroom)
    install(TARGETS headroom RUNTIME COMPONENT gui)
endif()
if(TARGET headroom AND NOT WIN32)
    install(FILES ${linux}/headroom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT gui)
    install(FILES ${linux}/${app_id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT gui)
    install(FILES ${linux}/${app_id}.mime.xml RENAME ${app_id}.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
        COMPONENT gui)
    install(FILES ${linux}/${app_id}.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers COMPONENT gui)
    # A name that nobody can own (RFC 2606); who distributes Headroom puts packaging/linux/*.png on a page of theirs.
    set(HEADROOM_HOMEPAGE "https://headroom.example" CACHE STRING "Where the distributor keeps the page and its pictures")
    set(HEADROOM_RELEASE_DATE "2026-11-21")
    configure_file(${linux}/${app_id}.metainfo.xml.in ${CMAKE_BINARY_DIR}/${app_id}.metainfo.xml @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${app_id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT gui)

    set(hicolor ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
    set(icons ${app_id} application-vnd.headroom.scenario+json application-vnd.headroom.views+json)
    set(places apps mimetypes mimetypes)
    foreach(icon place IN ZIP_LISTS icons places)
        install(FILES ${linux}/icons/${icon}.svg DESTINATION ${hicolor}/scalable/${place} COMPONENT gui)
    endforeach()
    install(FILES ${linux}/icons/${app_id}-symbolic.svg DESTINATION ${hicolor}/symbolic/apps COMPONENT gui)
    # Menus that cannot read SVG take these; without the tool the scalable ones must do.
    find_program(RSVG_CONVERT rsvg-convert)
    if(RSVG_CONVERT)
        set(pictures)
        foreach(icon place IN ZIP_LISTS icons places)
            foreach(size 16 22 24 32 48 64 128 256 512)
                set(folder ${CMAKE_BINARY_DIR}/icons/${size}x${size}/${place})
                add_custom_command(OUTPUT ${folder}/${icon}.png COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
                    COMMAND ${RSVG_CONVERT} -w ${size} -h ${size} -o ${folder}/${icon}.png ${linux}/icons/${icon}.svg
                    DEPENDS ${linux}/icons/${icon}.svg VERBATIM)
                list(APPEND pictures ${folder}/${icon}.png)
                install(FILES ${folder}/${icon}.png DESTINATION ${hicolor}/${size}x${size}/${place} COMPONENT gui)
            endforeach()
        endforeach()
        add_custom_target(icons ALL DEPENDS ${pictures})
    endif()
endif()

# dev: the core for other programs: find_package(headroom), target headroom::core. Headers keep their paths "core/…".
install(TARGETS headroom_core EXPORT headroom ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/headroom COMPONENT dev
    FILES_MATCHING PATTERN "*.hpp")
install(EXPORT headroom NAMESPACE headroom:: FILE headroomTargets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom COMPONENT dev)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/headroomConfig.cmake.in ${CMAKE_BINARY_DIR}/headroomConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/headroomConfig.cmake ${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom COMPONENT dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/packaging/example/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT dev)
