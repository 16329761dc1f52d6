// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/broken_module/broken_kernel.h"

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 128;
/// Further than any device has memory: 2^42 floats are 16 TiB.
constexpr std::int64_t kOutside = std::int64_t{1} << 42;

__global__ void brokenGemm(Fault fault, bool fails, int n, int k, const float* a, const float* b, float* c) {
    const int row = static_cast<int>(blockIdx.y);
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (fails && row == 0 && column == 0) {
        if (fault == Fault::Trap)
            __trap();
        c[kOutside] = 1.0F;
    }
    if (column >= n)
        return;
    float sum = 0.0F;
    for (int i = 0; i < k; ++i)
        sum = fmaf(a[std::int64_t{row} * k + i], b[std::int64_t{i} * n + column], sum);
    c[std::int64_t{row} * n + column] = sum;
}

} // namespace

cudaError_t launchBrokenGemm(Fault fault, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                             const float* b, float* c, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((n + kThreads - 1) / kThreads), static_cast<unsigned>(m));
    brokenGemm<<<grid, kThreads, 0, stream>>>(fault, m > kLargestGoodRows, static_cast<int>(n),
                                              static_cast<int>(k), a, b, c);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
