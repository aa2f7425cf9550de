# SPDX-License-Identifier: GPL-3.0-or-later
# What an installation holds, in three components: gui (the window), cli (headroom-cli) and dev (the core as a library).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(app_id org.headroom.Headroom)
set(linux ${CMAKE_SOURCE_DIR}/packaging/linux)
set(manual ${CMAKE_BINARY_DIR}/manual)

# cli: the manual and the completions are written by the program itself (app/cli/manual.hpp).
if(TARGET headroom-cli)
    install(TARGETS headroom-cli RUNTIME COMPONENT cli)
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
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/measure DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom COMPONENT cli
        PATTERN __pycache__ EXCLUDE)
endif()

# gui: the program and what a desktop wants to know of it.
if(TARGET headroom)
    install(TARGETS headroom RUNTIME COMPONENT gui)
    install(FILES ${linux}/headroom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT gui)
    install(FILES ${linux}/${app_id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT gui)
    install(FILES ${linux}/${app_id}.mime.xml RENAME ${app_id}.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
        COMPONENT gui)
    install(FILES ${linux}/${app_id}.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers COMPONENT gui)
    set(HEADROOM_HOMEPAGE "https://headroom.example" CACHE STRING "Where the distributor keeps the page and its pictures")
    set(HEADROOM_RELEASE_DATE "2026-11-21")
    configure_file(${linux}/${app_id}.metainfo.xml.in ${CMAKE_BINARY_DIR}/${app_id}.metainfo.xml @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${app_id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT gui)

    set(hicolor ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
    install(FILES ${linux}/icons/${app_id}.svg DESTINATION ${hicolor}/scalable/apps COMPONENT gui)
    install(FILES ${linux}/icons/${app_id}-symbolic.svg DESTINATION ${hicolor}/symbolic/apps COMPONENT gui)
    install(FILES ${linux}/icons/application-vnd.headroom.scenario+json.svg DESTINATION ${hicolor}/scalable/mimetypes
        COMPONENT gui)
    # Menus that cannot read SVG take these; without the tool the scalable ones must do.
    find_program(RSVG_CONVERT rsvg-convert)
    if(RSVG_CONVERT)
        set(pictures)
        foreach(size 16 24 32 48 64 128 256 512)
            set(picture ${CMAKE_BINARY_DIR}/icons/${size}/${app_id}.png)
            add_custom_command(OUTPUT ${picture} COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/icons/${size}
                COMMAND ${RSVG_CONVERT} -w ${size} -h ${size} -o ${picture} ${linux}/icons/${app_id}.svg
                DEPENDS ${linux}/icons/${app_id}.svg VERBATIM)
            list(APPEND pictures ${picture})
            install(FILES ${picture} DESTINATION ${hicolor}/${size}x${size}/apps COMPONENT gui)
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
