# SPDX-License-Identifier: Apache-2.0
# Build options. AUTO uses a part when it is found; ON makes its absence a configure error that names the cure.
set(HETEROSCOPE_ONEDNN "AUTO" CACHE STRING "oneDNN implementation: AUTO, ON or OFF")
set(HETEROSCOPE_CUDA "AUTO" CACHE STRING "CUDA modules: AUTO, ON or OFF")
set(HETEROSCOPE_ONNX "AUTO" CACHE STRING "ONNX files, through libonnx: AUTO, ON or OFF")
set_property(CACHE HETEROSCOPE_ONEDNN HETEROSCOPE_CUDA HETEROSCOPE_ONNX PROPERTY STRINGS AUTO ON OFF)
foreach(option HETEROSCOPE_ONEDNN HETEROSCOPE_CUDA HETEROSCOPE_ONNX)
    if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
        message(FATAL_ERROR "${option} is '${${option}}'; allowed are AUTO, ON and OFF.")
    endif()
endforeach()

# For the GPUs of this machine; without one for Turing as PTX, which the driver of any newer GPU compiles when it loads the
# module. package.sh asks for every generation ("all-major").
find_program(HETEROSCOPE_NVIDIA_SMI nvidia-smi)
mark_as_advanced(HETEROSCOPE_NVIDIA_SMI)
set(HETEROSCOPE_GPUS "")
if(HETEROSCOPE_NVIDIA_SMI)
    execute_process(COMMAND "${HETEROSCOPE_NVIDIA_SMI}" --list-gpus OUTPUT_VARIABLE HETEROSCOPE_GPUS ERROR_QUIET)
endif()
if(HETEROSCOPE_GPUS MATCHES "^GPU ")
    set(HETEROSCOPE_OWN_ARCHITECTURES "native")
else()
    set(HETEROSCOPE_OWN_ARCHITECTURES "75-virtual")
endif()
set(HETEROSCOPE_CUDA_ARCHITECTURES "${HETEROSCOPE_OWN_ARCHITECTURES}" CACHE STRING
    "What the kernels are compiled for, as CMAKE_CUDA_ARCHITECTURES: native, all-major, 90-real ...")

option(HETEROSCOPE_WINDOW "Build the desktop window (needs Qt 6)" ON)
option(HETEROSCOPE_TESTS "Build the tests" ON)
option(HETEROSCOPE_BENCHMARKS "Build the benchmarks" ON)
option(HETEROSCOPE_UNITY "Compile several sources as one (quicker from nothing, slower after a small change)" ON)
option(HETEROSCOPE_PRECOMPILED "Parse what the tests' programs include once (GCC, with HETEROSCOPE_UNITY, without sanitizers)" ON)
option(HETEROSCOPE_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(HETEROSCOPE_FUZZ_COVERAGE "Build the libFuzzer targets to tell what inputs reach, without sanitizers" OFF)
option(HETEROSCOPE_PACKAGE "Build what packages hold: the same bits in every folder, and no path of it" OFF)
set(HETEROSCOPE_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=: e.g. address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

# -O3 takes half as long again to compile as -O2 and is for what is measured: the implementations, what records them, the
# trace store, the timeline (FAST in HeteroscopeTargets.cmake), and the benchmarks.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# The window's other views, the verbs of the command line and what reads experiments and models call these and Qt: -O1, a
# fifth less to compile. With a sanitizer -O0: half.
set(HETEROSCOPE_FAST_OPTIONS "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O3>")
set(HETEROSCOPE_GLUE_OPTIONS "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>")
if(HETEROSCOPE_SANITIZE)
    set(HETEROSCOPE_GLUE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-O0>")
endif()

# GCC goes through what it holds whenever that has grown by a part, to give memory back: a twelfth of its time on our units,
# for 200 MB. Below 1 GiB (in KiB) it does not.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>)

find_program(HETEROSCOPE_CCACHE ccache)
if(HETEROSCOPE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${HETEROSCOPE_CCACHE}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${HETEROSCOPE_CCACHE}")
endif()

if(HETEROSCOPE_PACKAGE)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>
                        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>)
    set(CMAKE_BUILD_WITH_INSTALL_RPATH ON) # the folder of the build is in no program, not even overwritten
endif()

if(HETEROSCOPE_SANITIZE)
    add_compile_options(-fsanitize=${HETEROSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${HETEROSCOPE_SANITIZE})
    if(HETEROSCOPE_SANITIZE MATCHES "address" AND HETEROSCOPE_SANITIZE MATCHES "undefined")
        # What is read or written through a null pointer, beyond an object or behind a pointer that overflowed, the address
        # sanitizer reports; asked a second time at every access, it is up to half of the compiler's time (kernels of openmp).
        add_compile_options(-fno-sanitize=null,object-size,pointer-overflow)
    endif()
    # GCC says in a macro what it instruments for; clang would be asked otherwise.
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        if(HETEROSCOPE_SANITIZE MATCHES "address")
            add_compile_definitions(__SANITIZE_ADDRESS__=1)
        elseif(HETEROSCOPE_SANITIZE MATCHES "thread")
            add_compile_definitions(__SANITIZE_THREAD__=1)
        endif()
    endif()
endif()

# Sixty programs are linked with the tests. What is packed has the system's own linker.
if(NOT HETEROSCOPE_PACKAGE)
    find_program(HETEROSCOPE_LLD ld.lld)
    mark_as_advanced(HETEROSCOPE_LLD)
    if(HETEROSCOPE_LLD)
        add_link_options($<$<NOT:$<LINK_LANGUAGE:CUDA>>:-fuse-ld=lld>)
    endif()
endif()

if(HETEROSCOPE_FUZZ_COVERAGE)
    add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
    add_link_options(-fprofile-instr-generate)
elseif(HETEROSCOPE_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(HETEROSCOPE_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "HETEROSCOPE_FUZZ needs clang and the compiler is ${CMAKE_CXX_COMPILER_ID}; take preset asan, or -DCMAKE_CXX_COMPILER=clang++.")
    endif()
endif()
