# SPDX-License-Identifier: Apache-2.0
# What goes where when the program is installed. Components: "program", all that `cmake --install` installs;
# "private-libraries", which the packages add; "archive", which the portable archive adds to both.
include(GNUInstallDirs)
set(private_dir lib/heteroscope) # beside bin, whatever the system calls its lib: the command line looks there
set(files_dir "${PROJECT_SOURCE_DIR}/packaging/files")
set(documents_dir "${CMAKE_BINARY_DIR}/documents")

set(programs heteroscope-cli)
if(TARGET heteroscope)
    list(APPEND programs heteroscope)
endif()
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../${private_dir}")
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
foreach(module cublas cuda cudnn cupti)
    if(TARGET heteroscope_module_${module})
        install(TARGETS heteroscope_module_${module} LIBRARY DESTINATION ${private_dir} COMPONENT program)
    endif()
endforeach()

# Libraries whose names differ between Debian 12 and Ubuntu 24.04: one package serves both when it brings them along.
foreach(library "${DNNL_LIBRARY}" "${ONNX_PROTO_LIBRARY}" simdjson::simdjson)
    if(TARGET "${library}")
        get_target_property(configuration ${library} IMPORTED_CONFIGURATIONS)
        list(GET configuration 0 configuration)
        get_target_property(library ${library} IMPORTED_LOCATION_${configuration})
    endif()
    if(library MATCHES "[.]so")
        file(REAL_PATH "${library}" real)
        execute_process(COMMAND objdump -p "${real}" OUTPUT_VARIABLE header COMMAND_ERROR_IS_FATAL ANY)
        string(REGEX MATCH "SONAME +([^\n]+)" soname "${header}")
        install(FILES "${real}" DESTINATION ${private_dir} RENAME "${CMAKE_MATCH_1}"
                COMPONENT private-libraries EXCLUDE_FROM_ALL)
    endif()
endforeach()

install(DIRECTORY resources/examples resources/help resources/recorded
        DESTINATION ${CMAKE_INSTALL_DATADIR}/heteroscope COMPONENT program)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES packaging/files/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
if(TARGET heteroscope)
    string(TIMESTAMP release_date "%Y-%m-%d" UTC) # that of SOURCE_DATE_EPOCH where it is set
    configure_file("${files_dir}/io.github.heteroscope.metainfo.xml.in"
                   "${documents_dir}/io.github.heteroscope.metainfo.xml" @ONLY)
    install(FILES "${documents_dir}/io.github.heteroscope.metainfo.xml"
            DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)
    install(FILES packaging/files/io.github.heteroscope.desktop
            DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
    install(FILES packaging/files/io.github.heteroscope.svg
            DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT program)
    install(FILES packaging/files/io.github.heteroscope.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
            RENAME io.github.heteroscope.xml COMPONENT program)
endif()

# Manual pages and completions, made by the programs themselves.
set(documents "")
function(heteroscope_document program file folder)
    add_custom_command(OUTPUT "${documents_dir}/${file}" COMMAND ${ARGN} > "${documents_dir}/${file}"
                       DEPENDS ${program} VERBATIM COMMENT "Writing ${file}")
    install(FILES "${documents_dir}/${file}" DESTINATION "${folder}" COMPONENT program)
    set(documents ${documents} "${documents_dir}/${file}" PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY "${documents_dir}")
set(cli $<TARGET_FILE:heteroscope-cli>)
heteroscope_document(heteroscope-cli heteroscope-cli.1 ${CMAKE_INSTALL_MANDIR}/man1 ${cli} help --man)
heteroscope_document(heteroscope-cli heteroscope-cli ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${cli} help --completion bash)
heteroscope_document(heteroscope-cli heteroscope-cli.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${cli} help --completion fish)
heteroscope_document(heteroscope-cli _heteroscope-cli ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions ${cli} help --completion zsh)
if(TARGET heteroscope)
    set(window $<TARGET_FILE:heteroscope> --completion)
    heteroscope_document(heteroscope heteroscope ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${window} bash)
    heteroscope_document(heteroscope heteroscope.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${window} fish)
    heteroscope_document(heteroscope _heteroscope ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions ${window} zsh)
endif()
find_program(HELP2MAN help2man)
if(TARGET heteroscope AND HELP2MAN)
    heteroscope_document(heteroscope heteroscope.1 ${CMAKE_INSTALL_MANDIR}/man1 ${HELP2MAN} --no-info --no-discard-stderr
        --name "build, run and profile heterogeneous computing experiments" $<TARGET_FILE:heteroscope>)
elseif(TARGET heteroscope)
    message(STATUS "help2man was not found: no manual page of the window is made.")
endif()
add_custom_target(documents ALL DEPENDS ${documents})

# The archive: every other library, Qt's plugins, a font, and starters that find them.
find_program(QTPATHS qtpaths6)
if(TARGET heteroscope AND QTPATHS)
    execute_process(COMMAND ${QTPATHS} --query QT_INSTALL_PLUGINS OUTPUT_VARIABLE qt_plugins
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
list(TRANSFORM programs PREPEND "\${root}/bin/" OUTPUT_VARIABLE program_files)
configure_file(packaging/cmake/InstallLibraries.cmake.in "${CMAKE_BINARY_DIR}/InstallLibraries.cmake" @ONLY)
install(SCRIPT "${CMAKE_BINARY_DIR}/InstallLibraries.cmake" COMPONENT archive EXCLUDE_FROM_ALL)
install(FILES packaging/files/fonts.conf DESTINATION etc COMPONENT archive EXCLUDE_FROM_ALL)
install(FILES packaging/files/qt.conf DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT archive EXCLUDE_FROM_ALL)
install(FILES LICENSE.Apache-2.0 LICENSE.GPL-3.0 DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses COMPONENT program)
foreach(program ${programs})
    install(PROGRAMS packaging/files/launcher.sh DESTINATION . RENAME ${program} COMPONENT archive EXCLUDE_FROM_ALL)
endforeach()
