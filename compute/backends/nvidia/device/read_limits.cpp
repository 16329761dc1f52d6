// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/read_limits.h"

#include <utility>

namespace heteroscope::compute::nvidia {

cudaError_t readDeviceLimits(int device, DeviceLimits& limits) {
    int major = 0, minor = 0;
    for (const auto& [value, attribute] :
         {std::pair{&major, cudaDevAttrComputeCapabilityMajor},
          std::pair{&minor, cudaDevAttrComputeCapabilityMinor},
          std::pair{&limits.multiprocessors, cudaDevAttrMultiProcessorCount},
          std::pair{&limits.sharedPerBlock, cudaDevAttrMaxSharedMemoryPerBlockOptin},
          std::pair{&limits.registersPerBlock, cudaDevAttrMaxRegistersPerBlock},
          std::pair{&limits.threadsPerMultiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor}})
        if (const cudaError_t code = cudaDeviceGetAttribute(value, attribute, device); code != cudaSuccess)
            return code;
    limits.computeCapability = 10 * major + minor;
    return cudaSuccess;
}

} // namespace heteroscope::compute::nvidia
