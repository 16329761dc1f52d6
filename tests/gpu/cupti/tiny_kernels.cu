// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/cupti/tiny_kernels.h"

namespace heteroscope::tests {
namespace {

__global__ void tinyKernel(unsigned* counter) {
    *counter += 1;
}

} // namespace

cudaError_t launchTiny(int count, unsigned* counter, cudaStream_t stream) {
    for (int i = 0; i < count; ++i)
        tinyKernel<<<1, 1, 0, stream>>>(counter);
    return cudaGetLastError();
}

cudaError_t captureTiny(int count, unsigned* counter, cudaStream_t stream, cudaGraphExec_t* graph) {
    if (const cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal))
        return error;
    const cudaError_t launched = launchTiny(count, counter, stream);
    cudaGraph_t captured = nullptr;
    if (const cudaError_t error = cudaStreamEndCapture(stream, &captured))
        return error;
    const cudaError_t made =
        launched == cudaSuccess ? cudaGraphInstantiateWithFlags(graph, captured, 0) : launched;
    cudaGraphDestroy(captured);
    return made;
}

} // namespace heteroscope::tests
