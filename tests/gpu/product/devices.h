// SPDX-License-Identifier: Apache-2.0
// Devices of every generation that our kernels are compiled for, with what they hold: attributes as in the
// table of technical specifications per compute capability in NVIDIA's CUDA C++ Programming Guide,
// multiprocessors as in the products' data sheets.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"

#include <array>

namespace heteroscope::compute::nvidia {

struct KnownDevice {
    const char* name;
    DeviceLimits limits;
};

inline constexpr std::array kKnownDevices{KnownDevice{"T4", {75, 40, 64 * 1024, 65536, 1024}},
                                          KnownDevice{"A100", {80, 108, 163 * 1024, 65536, 2048}},
                                          KnownDevice{"RTX 3090", {86, 82, 99 * 1024, 65536, 1536}},
                                          KnownDevice{"RTX 4090", {89, 128, 99 * 1024, 65536, 1536}},
                                          KnownDevice{"H100", {90, 132, 227 * 1024, 65536, 2048}},
                                          KnownDevice{"B200", {100, 148, 227 * 1024, 65536, 2048}},
                                          KnownDevice{"RTX 5090", {120, 170, 99 * 1024, 65536, 1536}},
                                          KnownDevice{"one multiprocessor", {75, 1, 64 * 1024, 65536, 1024}}};

} // namespace heteroscope::compute::nvidia
