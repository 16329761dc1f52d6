// SPDX-License-Identifier: Apache-2.0
// What a device holds and runs at once: an argument of every choice of a kernel and of how its work is cut.
#pragma once

namespace heteroscope::compute::nvidia {

/// As the device's attributes say (cudaDeviceGetAttribute). For tests without a device: the table of
/// technical specifications per compute capability in NVIDIA's CUDA C++ Programming Guide.
struct DeviceLimits {
    int computeCapability = 75; ///< ten times the major number plus the minor: 75, 90, 120
    int multiprocessors = 1;
    int sharedPerBlock = 64 * 1024; ///< bytes that a block may have when its kernel asks for them
    int registersPerBlock = 65536;
    int threadsPerMultiprocessor = 1024;
};

} // namespace heteroscope::compute::nvidia
