# SPDX-License-Identifier: Apache-2.0
# generated/heteroscope_module_build.h: what a module and the program that loads it must have in common. The text
# holds a digest of the headers through which they meet, so that a module left over from another state of the
# sources is refused instead of called.
file(GLOB_RECURSE interfaces CONFIGURE_DEPENDS compute/base/*.h compute/core/*.h profiling/trace/*.h
     profiling/collectors/gpu/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${interfaces})
list(SORT interfaces)
set(digests "")
foreach(header ${interfaces})
    file(SHA256 "${header}" digest)
    string(APPEND digests "${digest}")
endforeach()
string(SHA256 digest "${digests} ${CMAKE_BUILD_TYPE} ${HETEROSCOPE_SANITIZE}")
string(SUBSTRING "${digest}" 0 12 digest)
set(HETEROSCOPE_MODULE_BUILD
    "${PROJECT_VERSION} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${digest}")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/heteroscope_module_build.h" CONTENT
"// Made by CMake.
#pragma once
#define HETEROSCOPE_MODULE_BUILD \"@HETEROSCOPE_MODULE_BUILD@\"
" @ONLY)
add_library(heteroscope_module_build INTERFACE)
target_include_directories(heteroscope_module_build INTERFACE "${CMAKE_BINARY_DIR}/generated")
