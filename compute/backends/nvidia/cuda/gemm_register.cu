// SPDX-License-Identifier: Apache-2.0
// The tile sizes that the register-tiled product is compiled for, and its launch.
#include "compute/backends/nvidia/cuda/gemm_launch.h"
#include "compute/backends/nvidia/cuda/gemm_register_kernel.cuh"
#include "compute/backends/nvidia/cuda/gemm_tiling_choice.h"

#include <cstdint>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

using register_gemm::Tiling;
using register_gemm::TilingChoice;

using Large = Tiling<64, 256, 16, 32, 64, 8, 8, 2, 1, 2, 8, 16>;
using Medium = Tiling<64, 128, 16, 32, 64, 8, 8, 3, 2, 2, 4, 16>;
using Small = Tiling<32, 64, 16, 32, 64, 8, 8, 4, 4, 4, 4, 16>;
using Sliced = Tiling<32, 64, 32, 32, 64, 8, 8, 3, 8, 2, 4, 16>;
using Tiny = Tiling<32, 32, 32, 32, 32, 8, 4, 3, 4, 4, 4, 16>;

template <class T>
cudaError_t launch(const GemmProblem& p, cudaStream_t stream) {
    const std::int64_t tilesM = (p.m + T::BM - 1) / T::BM, tilesN = (p.n + T::BN - 1) / T::BN;
    if (tilesM * tilesN > std::numeric_limits<int>::max())
        return cudaErrorInvalidConfiguration;
    const auto aligned = [](const float* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
    };
    const auto kernel = p.n % 4 == 0 && aligned(p.b) && aligned(p.c) ? register_gemm::registerGemm<T, true>
                                                                     : register_gemm::registerGemm<T, false>;
    kernel<<<int(tilesM * tilesN), T::Threads, T::SharedBytes, stream>>>(p, 1.0F);
    return cudaGetLastError();
}

} // namespace

cudaError_t launchGemmRegister(const GemmProblem& problem, cudaStream_t stream) {
    int device = 0, multiprocessors = 0;
    if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess)
        return error;
    if (const cudaError_t error =
            cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        error != cudaSuccess)
        return error;
    switch (register_gemm::chooseTiling(problem.m, problem.n, multiprocessors)) {
    case TilingChoice::Large:
        return launch<Large>(problem, stream);
    case TilingChoice::Medium:
        return launch<Medium>(problem, stream);
    case TilingChoice::Small:
        return launch<Small>(problem, stream);
    case TilingChoice::Sliced:
        return launch<Sliced>(problem, stream);
    case TilingChoice::Tiny:
        break;
    }
    return launch<Tiny>(problem, stream);
}

} // namespace heteroscope::compute::nvidia
