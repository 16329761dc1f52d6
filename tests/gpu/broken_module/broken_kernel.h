// SPDX-License-Identifier: Apache-2.0
// A matrix product that is right up to a size and goes wrong on the device beyond it.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

enum class Fault { Write, Trap };

/// Products with more rows than this fail.
inline constexpr std::int64_t kLargestGoodRows = 64;

/// C = A * B, row-major, sizes below 65536. Beyond kLargestGoodRows one thread writes far outside of any
/// allocation (Fault::Write) or stops the kernel (Fault::Trap).
cudaError_t launchBrokenGemm(Fault fault, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                             const float* b, float* c, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
