// SPDX-License-Identifier: Apache-2.0
// Kernels that a recording starts while the kernel before them still ends ("programmatic dependent launch"):
// their blocks are on the device when the last block before them is done. Devices of compute capability 9.0
// and later; elsewhere, and outside of a recording, they start as any other.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <type_traits>

namespace heteroscope::compute::nvidia {

/// The first statement of every kernel that startDependent() starts, in every thread: all that the kernel
/// depends on is done and can be seen afterwards. As each waits so, this holds along a chain of them.
__device__ inline void waitForEarlier() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/// While recording, and where the kernel's code is of an architecture whose waitForEarlier() waits.
template <class Kernel>
bool startsEarly(Kernel* kernel, cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaFuncAttributes attributes{};
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive &&
           cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess && attributes.ptxVersion >= 90;
}

template <class... Parameters>
cudaError_t startDependent(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t sharedBytes,
                           cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid, config.blockDim = block;
    config.dynamicSmemBytes = sharedBytes, config.stream = stream;
    config.attrs = &early, config.numAttrs = startsEarly(kernel, stream) ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace heteroscope::compute::nvidia
