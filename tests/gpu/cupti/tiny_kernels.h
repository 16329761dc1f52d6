// SPDX-License-Identifier: Apache-2.0
// Work that is nothing but many launches. Every kernel adds one to a counter on the device, so that the count
// tells how many ran.
#pragma once

#include <cuda_runtime_api.h>

namespace heteroscope::tests {

/// Submits `count` kernels of one thread each.
cudaError_t launchTiny(int count, unsigned* counter, cudaStream_t stream);

/// The same as a graph that was captured from a stream; the caller destroys it with cudaGraphExecDestroy.
cudaError_t captureTiny(int count, unsigned* counter, cudaStream_t stream, cudaGraphExec_t* graph);

} // namespace heteroscope::tests
