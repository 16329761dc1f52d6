// SPDX-License-Identifier: Apache-2.0
// Names, limits and dispatch of the matrix products.
#include "compute/backends/nvidia/cuda/gemm_kernels.h"
#include "compute/backends/nvidia/cuda/gemm_launch.h"

#include <array>

namespace heteroscope::compute::nvidia {
namespace {

/// Sizes are int in the kernels, with room to round up to tiles.
constexpr std::int64_t kMaxExtent = std::int64_t(1) << 30;
/// Blocks of a grid in y, times the rows of a block.
constexpr std::int64_t kMaxGridRows = std::int64_t(65535) * kGemmBlockEdge;
/// The register kernel keeps offsets between the rows of a tile (up to 64) in 32 bits.
constexpr std::int64_t kMaxRegisterDepth = std::int64_t(1) << 26;

using Launch = cudaError_t (*)(const GemmProblem&, cudaStream_t);

struct Entry {
    GemmKernel kernel;
    std::string_view name;
    Launch launch;
};

constexpr std::array kKernels{
    Entry{GemmKernel::Guarded, "guarded", launchGemmGuarded},
    Entry{GemmKernel::Loops, "loops", launchGemmLoops},
    Entry{GemmKernel::Tiled, "tiled", launchGemmTiled},
    Entry{GemmKernel::Block, "block", launchGemmBlock},
    Entry{GemmKernel::BlockShared, "block-shared", launchGemmBlockShared},
    Entry{GemmKernel::Register, "register", launchGemmRegister},
};

const Entry& entryOf(GemmKernel kernel) {
    return kKernels[static_cast<std::size_t>(kernel)];
}

std::string atMost(GemmKernel kernel, const std::string& what, std::int64_t limit, std::int64_t size) {
    return "kernel=" + std::string(gemmKernelName(kernel)) + " takes at most " + std::to_string(limit) + " " +
           what + ", here " + std::to_string(size);
}

std::string blockRefusal(GemmKernel kernel, std::int64_t m, std::int64_t n) {
    if (m <= kGemmBlockThreads && n <= kGemmBlockThreads && m * n <= kGemmBlockThreads)
        return {};
    return "kernel=" + std::string(gemmKernelName(kernel)) +
           " is a single block with one thread for each element of "
           "the result, and a block has at most " +
           std::to_string(kGemmBlockThreads) + " threads: a result of " + std::to_string(m) + " x " +
           std::to_string(n) + " is too large";
}

} // namespace

std::optional<GemmKernel> gemmKernelFromName(std::string_view name) {
    for (const Entry& entry : kKernels)
        if (entry.name == name)
            return entry.kernel;
    return std::nullopt;
}

std::string_view gemmKernelName(GemmKernel kernel) {
    return entryOf(kernel).name;
}

std::string gemmRefusal(GemmKernel kernel, std::int64_t m, std::int64_t n, std::int64_t k) {
    if (m < 1 || n < 1 || k < 1)
        return "a matrix product needs sizes of at least 1, here m = " + std::to_string(m) +
               ", n = " + std::to_string(n) + ", k = " + std::to_string(k);
    for (const std::int64_t extent : {m, n, k})
        if (extent > kMaxExtent)
            return atMost(kernel, "rows or columns", kMaxExtent, extent);
    if (kernel == GemmKernel::Block || kernel == GemmKernel::BlockShared)
        return blockRefusal(kernel, m, n);
    if ((kernel == GemmKernel::Guarded || kernel == GemmKernel::Tiled) && m > kMaxGridRows)
        return atMost(kernel, "rows of the result", kMaxGridRows, m);
    if (kernel == GemmKernel::Register && k > kMaxRegisterDepth)
        return atMost(kernel, "columns of A", kMaxRegisterDepth, k);
    return {};
}

cudaError_t launchGemm(GemmKernel kernel, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                       const float* b, float* c, cudaStream_t stream) {
    if (!gemmRefusal(kernel, m, n, k).empty())
        return cudaErrorInvalidValue;
    return entryOf(kernel).launch({int(m), int(n), int(k), a, b, c}, stream);
}

} // namespace heteroscope::compute::nvidia
