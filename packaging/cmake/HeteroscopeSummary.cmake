# SPDX-License-Identifier: Apache-2.0
message(STATUS "Heteroscope ${PROJECT_VERSION}: build type ${CMAKE_BUILD_TYPE}, sanitizers '${HETEROSCOPE_SANITIZE}'")
message(STATUS "  window ${HETEROSCOPE_WINDOW}, tests ${HETEROSCOPE_TESTS}, oneDNN ${HETEROSCOPE_HAVE_ONEDNN}, CUDA ${HETEROSCOPE_CUDA} (no CUDA part is built yet)")
