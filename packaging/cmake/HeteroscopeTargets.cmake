# SPDX-License-Identifier: Apache-2.0
# How our targets are made: one warning set, one include root, sources taken from the folder they are in.

add_library(heteroscope_warnings INTERFACE)
target_compile_options(heteroscope_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wundef
                                                      -Wimplicit-fallthrough -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 reports overlaps in operator+ of std::string that are not there (GCC bug 105329).
    target_compile_options(heteroscope_warnings INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND HETEROSCOPE_UNITY)
    # Of a source in a unity GCC believes that it is a header, where anonymous namespaces are a mistake.
    target_compile_options(heteroscope_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Hints to GCC ("ivdep") and options of GCC; a loop that is not vectorized under a sanitizer.
    target_compile_options(heteroscope_warnings INTERFACE -Wno-unknown-pragmas -Wno-unknown-warning-option -Wno-pass-failed)
endif()
if(HETEROSCOPE_WERROR)
    target_compile_options(heteroscope_warnings INTERFACE -Werror)
endif()

# Several sources of a folder compiled as one (option HETEROSCOPE_UNITY): headers are read, and templates instantiated, once for
# all of them. Names in anonymous namespaces are therefore unique in a folder. A folder with more is cut evenly.
set(HETEROSCOPE_SOURCES_A_UNIT 36)
function(heteroscope_unity name)
    if(NOT HETEROSCOPE_UNITY)
        return()
    endif()
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    set(groups)
    foreach(source IN LISTS sources)
        get_filename_component(folder "${source}" ABSOLUTE)
        get_filename_component(folder "${folder}" DIRECTORY)
        file(RELATIVE_PATH folder "${CMAKE_CURRENT_SOURCE_DIR}" "${folder}")
        string(MAKE_C_IDENTIFIER "in/${folder}" group) # never empty
        list(APPEND groups "${group}")
        list(APPEND sources_${group} "${source}")
    endforeach()
    list(REMOVE_DUPLICATES groups)
    foreach(group IN LISTS groups)
        list(LENGTH sources_${group} count)
        math(EXPR units "(${count} + ${HETEROSCOPE_SOURCES_A_UNIT} - 1) / ${HETEROSCOPE_SOURCES_A_UNIT}")
        set(at 0)
        foreach(source IN LISTS sources_${group})
            math(EXPR unit "${at} * ${units} / ${count}")
            math(EXPR at "${at} + 1")
            set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${unit}")
        endforeach()
    endforeach()
endfunction()

# The same for CUDA, which CMake joins from 3.31 on: the .cu files of each of the named folders. Not for folders of kernels
# with many instances, which take long to compile and would be what every build waits for at its end.
function(heteroscope_cuda_unity name)
    if(NOT HETEROSCOPE_UNITY)
        return()
    endif()
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cu$")
    set(units)
    foreach(source IN LISTS sources)
        get_filename_component(folder "${source}" DIRECTORY)
        file(RELATIVE_PATH folder "${CMAKE_CURRENT_SOURCE_DIR}" "${folder}")
        if(NOT folder IN_LIST ARGN)
            continue()
        endif()
        string(MAKE_C_IDENTIFIER "${folder}" group)
        math(EXPR unit "${count_${group}} + 0")
        math(EXPR count_${group} "${unit} + 1")
        math(EXPR unit "${unit} / ${HETEROSCOPE_SOURCES_A_UNIT}")
        list(APPEND units "${group}_${unit}")
        string(APPEND text_${group}_${unit} "#include \"${source}\"\n")
        set_source_files_properties("${source}" PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
    list(REMOVE_DUPLICATES units)
    foreach(unit IN LISTS units)
        set(file "${CMAKE_CURRENT_BINARY_DIR}/Unity/unity_${unit}.cu")
        file(CONFIGURE OUTPUT "${file}" CONTENT "${text_${unit}}" @ONLY)
        target_sources(${name} PRIVATE "${file}")
    endforeach()
endfunction()

# For the current folder and those below: where no format is read fuzz targets need not know what an input reaches. That is a
# sixth of the compiler's time, and a call at every comparison when it runs.
macro(heteroscope_no_fuzz_coverage)
    if(HETEROSCOPE_FUZZ AND NOT HETEROSCOPE_FUZZ_COVERAGE)
        add_compile_options(-fno-sanitize=fuzzer-no-link)
    endif()
endmacro()

# heteroscope_library(NAME [FOLDERS dir...] [LINK lib...] [QT] [FAST] [GLUE])
# A static library of every .cpp in the given folders (relative to the current one; "." when none is named).
function(heteroscope_library name)
    cmake_parse_arguments(arg "QT;FAST;GLUE" "" "FOLDERS;LINK" ${ARGN})
    if(NOT arg_FOLDERS)
        set(arg_FOLDERS ".")
    endif()
    set(sources)
    foreach(folder IN LISTS arg_FOLDERS)
        file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp"
             "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h")
        list(APPEND sources ${found})
    endforeach()
    if(NOT sources)
        # A folder with nothing in it yet: the target exists, so that its users can already name it.
        set(sources "${CMAKE_CURRENT_BINARY_DIR}/${name}_empty.cpp")
        file(CONFIGURE OUTPUT "${sources}" CONTENT "// no source yet\n")
    endif()
    add_library(${name} STATIC ${sources})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE heteroscope_warnings)
    heteroscope_unity(${name})
    if(arg_FAST)
        target_compile_options(${name} PRIVATE ${HETEROSCOPE_FAST_OPTIONS})
    elseif(arg_QT OR arg_GLUE)
        target_compile_options(${name} PRIVATE ${HETEROSCOPE_GLUE_OPTIONS})
    endif()
    if(arg_QT)
        set_target_properties(${name} PROPERTIES AUTOMOC ON AUTORCC ON)
        # With ninja, moc's time stamp depends on the headers it knew: a new one would not be seen by an existing build
        # folder. When the list of files changes, the stamp goes.
        string(SHA1 listing "${sources}")
        if(NOT "${listing}" STREQUAL "${HETEROSCOPE_LISTING_${name}}")
            file(REMOVE "${CMAKE_CURRENT_BINARY_DIR}/${name}_autogen/timestamp")
            set(HETEROSCOPE_LISTING_${name} "${listing}" CACHE INTERNAL "files of ${name} when it was configured last")
        endif()
    endif()
endfunction()

# generated/heteroscope_paths.h: where sources and programs lie. A header and no definition of every file, so that a
# compiler cache serves checkouts in several folders.
set(HETEROSCOPE_GENERATED_DIR "${CMAKE_BINARY_DIR}/generated")
file(CONFIGURE OUTPUT "${HETEROSCOPE_GENERATED_DIR}/heteroscope_paths.h" CONTENT
"// Made by CMake.
#pragma once
#define HETEROSCOPE_SOURCE_DIR \"@PROJECT_SOURCE_DIR@\"
#define HETEROSCOPE_BINARY_DIR \"@PROJECT_BINARY_DIR@/bin\"
" @ONLY)

# tests_LABEL: the programs of one label and nothing else, so that a run of a few labels need not build the rest.
function(heteroscope_join_label label target)
    if(NOT TARGET tests_${label})
        add_custom_target(tests_${label})
    endif()
    add_dependencies(tests_${label} ${target})
endfunction()

# Time limits are those of a plain build; a sanitizer takes longer.
function(heteroscope_time_limit seconds out)
    if(HETEROSCOPE_SANITIZE MATCHES "thread")
        math(EXPR seconds "${seconds} * 10")
    elseif(HETEROSCOPE_SANITIZE)
        math(EXPR seconds "${seconds} * 3")
    endif()
    set(${out} ${seconds} PARENT_SCOPE)
endfunction()

# What the tests themselves are compiled with: it is the program under test that is optimised, and GoogleTest's macros make
# several times the work of the code that they check (undefined-behaviour checks in them three times that again). Large
# tensors are made and compared in tests/support; a program that computes much itself is OPTIMISED.
function(heteroscope_plain_code target optimised)
    if(NOT optimised)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
    endif()
    if(HETEROSCOPE_SANITIZE MATCHES "undefined")
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=undefined>)
    endif()
endfunction()

# What nearly every test includes, parsed once for all programs that are compiled without optimisation (option
# HETEROSCOPE_PRECOMPILED): two of the five to ten seconds that a unit of them takes. The owner is tests/support/precompiled.
# GCC takes what was precompiled only under the same options, so that all have OpenMP's. What a source itself forgets to
# include is found where nothing is precompiled: the presets dev and ci, and the sanitizers'.
set(HETEROSCOPE_PRECOMPILED_WORKS FALSE)
if(HETEROSCOPE_PRECOMPILED AND HETEROSCOPE_UNITY AND NOT HETEROSCOPE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(HETEROSCOPE_PRECOMPILED_WORKS TRUE)
endif()
function(heteroscope_precompiled target)
    if(NOT HETEROSCOPE_PRECOMPILED_WORKS)
        return()
    endif()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>)
    if(NOT target STREQUAL "heteroscope_precompiled")
        target_precompile_headers(${target} REUSE_FROM heteroscope_precompiled)
    endif()
    if(HETEROSCOPE_CCACHE)
        # Else it stores nothing: a header might hold __TIME__ or a macro that the command does not show. Ours do not.
        set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
                              "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${HETEROSCOPE_CCACHE}")
    endif()
endfunction()

# A test program that only starts others and looks at what they leave: it is not what a sanitizer is to look at. Half of the time
# to compile it, and GoogleTest's macros are much code. Times that it holds are still those of a build with a sanitizer.
function(heteroscope_driver_code target)
    if(HETEROSCOPE_SANITIZE)
        target_compile_options(${target} PRIVATE -fno-sanitize=all)
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # GCC's own macro goes with the option; clang's is ours
            string(REGEX MATCH "thread|address" kind "${HETEROSCOPE_SANITIZE}")
            string(TOUPPER "${kind}" kind)
            target_compile_definitions(${target} PRIVATE "__SANITIZE_${kind}__=1")
        endif()
    endif()
endfunction()

# Every test program refuses unknown words in HETEROSCOPE_REQUIRE before its first test: an object, since nothing calls it.
set(HETEROSCOPE_REFUSE_UNKNOWN $<TARGET_OBJECTS:heteroscope_refuse_unknown>)

# A suite that is named and is not there would be run nowhere, or everywhere, without a word.
function(heteroscope_know_suites name sources)
    foreach(suite IN LISTS ARGN)
        set(found)
        foreach(source IN LISTS sources)
            file(STRINGS "${source}" found REGEX "^TEST(_F|_P)?\\(${suite}," LIMIT_COUNT 1)
            if(found)
                break()
            endif()
        endforeach()
        if(NOT found)
            message(FATAL_ERROR "test ${name}: no TEST, TEST_F or TEST_P of a suite '${suite}' in its sources")
        endif()
    endforeach()
endfunction()

# heteroscope_test(NAME LABEL label [RUN_SERIAL] [OPTIMISED] [DRIVER] [TIMEOUT seconds] [FOLDERS dir...] [LINK lib...] [THREADS suite...]
#                  [CAMPAIGN suite...])
# A GoogleTest program of every .cpp in the given folders; each test carries the label, those of the suites THREADS the
# label LABEL-threads (DRIVER: see heteroscope_driver_code): what runs under the thread sanitizer. (One label that matches both: discovery
# takes no list.) Those of CAMPAIGN take a sanitizer long for code that other tests reach as well; in such a build they have
# the label `campaign` instead, for packaging/campaign.sh.
function(heteroscope_test name)
    cmake_parse_arguments(arg "RUN_SERIAL;OPTIMISED;DRIVER" "LABEL;TIMEOUT" "FOLDERS;LINK;THREADS;CAMPAIGN" ${ARGN})
    if(NOT arg_FOLDERS)
        set(arg_FOLDERS ".")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    heteroscope_time_limit(${arg_TIMEOUT} arg_TIMEOUT)
    set(sources)
    foreach(folder IN LISTS arg_FOLDERS)
        file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
        list(APPEND sources ${found})
    endforeach()
    if(NOT sources)
        message(FATAL_ERROR "test ${name}: no source in ${arg_FOLDERS}")
    endif()
    heteroscope_know_suites(${name} "${sources}" ${arg_THREADS} ${arg_CAMPAIGN})
    add_executable(${name} ${sources} ${HETEROSCOPE_REFUSE_UNKNOWN})
    heteroscope_unity(${name})
    heteroscope_plain_code(${name} ${arg_OPTIMISED})
    if(NOT arg_OPTIMISED)
        heteroscope_precompiled(${name})
    endif()
    if(arg_DRIVER)
        heteroscope_driver_code(${name})
    endif()
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}" "${HETEROSCOPE_GENERATED_DIR}")
    target_link_libraries(${name} PRIVATE ${arg_LINK} heteroscope_warnings heteroscope_required GTest::gtest_main GTest::gmock)
    if(NOT HETEROSCOPE_SANITIZE)
        set(arg_CAMPAIGN)
    endif()
    set(label_THREADS ${arg_LABEL}-threads)
    set(label_CAMPAIGN campaign)
    if(arg_THREADS)
        heteroscope_join_label(threads ${name})
    endif()
    set(others)
    foreach(some IN ITEMS THREADS CAMPAIGN)
        if(arg_${some})
            # Suites of parameters are listed with what they are instantiated under.
            list(TRANSFORM arg_${some} REPLACE "(.+)" "\\1.*:*/\\1.*")
            list(JOIN arg_${some} ":" filter)
            string(APPEND others ":${filter}")
            gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_FILTER "${filter}"
                                 PROPERTIES LABELS ${label_${some}} TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_RUN_SERIAL})
        endif()
    endforeach()
    string(REGEX REPLACE "^:" "*-" others "${others}")
    if(NOT others)
        set(others "*")
    endif()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_FILTER "${others}"
                         PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_RUN_SERIAL})
    heteroscope_join_label(${arg_LABEL} ${name})
endfunction()

# heteroscope_ui_tests(NAME [TIMEOUT seconds] [LINK lib...] [DEPENDS target...] [THREADS name...] [SERIAL name...]): the
# QtTest classes of the current folder, one in each *_test.cpp, in one program ui_NAME; each is a test of its own, run without
# a display, two at a time, with tests of other kinds beside them. Those of THREADS have the label `threads` too; those of
# SERIAL hold answers to fractions of a second and run alone. DEPENDS names programs that they start.
set_property(GLOBAL PROPERTY HETEROSCOPE_UI_TESTS 0)
function(heteroscope_ui_tests program)
    cmake_parse_arguments(arg "" "TIMEOUT" "LINK;DEPENDS;THREADS;SERIAL" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 180)
    endif()
    heteroscope_time_limit(${arg_TIMEOUT} arg_TIMEOUT)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp")
    set(program ui_${program})
    add_executable(${program} ${sources} $<TARGET_OBJECTS:heteroscope_ui_test_main> ${HETEROSCOPE_REFUSE_UNKNOWN})
    set_target_properties(${program} PROPERTIES AUTOMOC ON)
    heteroscope_unity(${program})
    heteroscope_plain_code(${program} FALSE)
    target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}" "${HETEROSCOPE_GENERATED_DIR}")
    target_link_libraries(${program} PRIVATE ${arg_LINK} heteroscope_warnings heteroscope_required Qt6::Widgets Qt6::Test)
    if(HETEROSCOPE_SANITIZE MATCHES "thread")
        target_link_libraries(${program} PRIVATE heteroscope_thread_order)
    endif()
    if(arg_DEPENDS)
        add_dependencies(${program} ${arg_DEPENDS})
    endif()
    heteroscope_join_label(ui ${program})
    if(arg_THREADS)
        heteroscope_join_label(threads ${program})
    endif()
    foreach(name IN LISTS arg_THREADS arg_SERIAL)
        if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
            message(FATAL_ERROR "tests of ${program}: there is no ${name}.cpp")
        endif()
    endforeach()
    foreach(source IN LISTS sources)
        get_filename_component(name "${source}" NAME_WE)
        # QtTest's exit code does not tell of skipped functions: the script does, unless something failed.
        add_test(NAME ui.${name}
                 COMMAND "${PROJECT_SOURCE_DIR}/tests/support/require/qt_test.sh" $<TARGET_FILE:${program}> ${name})
        set(labels ui)
        if(name IN_LIST arg_THREADS)
            list(APPEND labels threads)
        endif()
        set(alone FALSE)
        if(name IN_LIST arg_SERIAL)
            set(alone TRUE)
        endif()
        # Windows want the processor at once: more than two on two cores, and answers come late. They begin early, since what is
        # left over at the end would have no other beside it.
        get_property(count GLOBAL PROPERTY HETEROSCOPE_UI_TESTS)
        math(EXPR count "${count} + 1")
        set_property(GLOBAL PROPERTY HETEROSCOPE_UI_TESTS ${count})
        math(EXPR lane "${count} % 2")
        set_tests_properties(ui.${name} PROPERTIES LABELS "${labels}" RUN_SERIAL ${alone} RESOURCE_LOCK window_${lane} COST 30
                             TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77
                             ENVIRONMENT "QT_QPA_PLATFORM=offscreen;HETEROSCOPE_DATA=${PROJECT_BINARY_DIR}/test-data/${name}")
    endforeach()
endfunction()
