// SPDX-License-Identifier: Apache-2.0
// Names, limits and dispatch of the matrix products.
#include "compute/backends/nvidia/kernels/gemm/gemm_kernels.h"
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <algorithm>
#include <array>

namespace heteroscope::compute::nvidia {
namespace {

/// Sizes are int in the kernels, with room to round up to tiles.
constexpr std::int64_t kMaxExtent = std::int64_t(1) << 30;
/// Blocks of a grid in y, times the rows of a block.
constexpr std::int64_t kMaxGridRows = std::int64_t(65535) * kGemmBlockEdge;
/// The kernels that plans are made for keep offsets between the rows of a tile in 32 bits: up to 64
/// rows; planGemm() takes larger tiles only where theirs fit, too.
constexpr std::int64_t kMaxPlannedDepth = std::int64_t(1) << 26;

constexpr std::array kKernels{GemmKernel::Guarded, GemmKernel::Loops,       GemmKernel::Tiled,
                              GemmKernel::Block,   GemmKernel::BlockShared, GemmKernel::Register,
                              GemmKernel::SplitK,  GemmKernel::SkinnyM,     GemmKernel::SkinnyN,
                              GemmKernel::SkinnyK};
constexpr std::array<std::string_view, kKernels.size()> kNames{
    "guarded",  "loops",   "tiled",    "block",    "block-shared",
    "register", "split-k", "skinny-m", "skinny-n", "skinny-k"};

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

cudaError_t launchKernel(const GemmPlan& plan, const GemmProblem& problem, const GemmSlices& slices,
                         cudaStream_t stream) {
    switch (plan.kernel) {
    case GemmKernel::Guarded:
        return launchGemmGuarded(problem, stream);
    case GemmKernel::Loops:
        return launchGemmLoops(problem, stream);
    case GemmKernel::Tiled:
        return launchGemmTiled(problem, stream);
    case GemmKernel::Block:
        return launchGemmBlock(problem, stream);
    case GemmKernel::BlockShared:
        return launchGemmBlockShared(problem, stream);
    case GemmKernel::Register:
    case GemmKernel::SplitK:
        return launchGemmRegister(problem, plan, slices, stream);
    case GemmKernel::SkinnyM:
        return launchGemmSkinnyM(problem, slices, stream);
    case GemmKernel::SkinnyN:
        return launchGemmSkinnyN(problem, slices, stream);
    case GemmKernel::SkinnyK:
        return launchGemmSkinnyK(problem, stream);
    }
    return cudaErrorInvalidValue;
}

} // namespace

std::span<const GemmKernel> gemmKernels() {
    return kKernels;
}

std::optional<GemmKernel> gemmKernelFromName(std::string_view name) {
    const auto* const found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end())
        return std::nullopt;
    return kKernels[static_cast<std::size_t>(found - kNames.begin())];
}

std::string_view gemmKernelName(GemmKernel kernel) {
    return kNames[static_cast<std::size_t>(kernel)];
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
    if (kernel == GemmKernel::SkinnyM && m > kMostSkinny)
        return atMost(kernel, "rows of the result", kMostSkinny, m);
    if (kernel == GemmKernel::SkinnyN && n > kMostSkinny)
        return atMost(kernel, "columns of the result", kMostSkinny, n);
    if (kernel == GemmKernel::SkinnyK && k > kMostSkinnyDepth)
        return atMost(kernel, "columns of A", kMostSkinnyDepth, k);
    if (kernel >= GemmKernel::Register && k > kMaxPlannedDepth)
        return atMost(kernel, "columns of A", kMaxPlannedDepth, k);
    if (kernel == GemmKernel::SplitK && k < kLeastSplitDepth)
        return "kernel=split-k takes at least " + std::to_string(kLeastSplitDepth) + " columns of A, here " +
               std::to_string(k);
    return {};
}

cudaError_t launchGemm(const GemmPlan& plan, std::int64_t m, std::int64_t n, std::int64_t k,
                       const GemmOperands& operands, cudaStream_t stream) {
    const bool planned = plan.kernel >= GemmKernel::Register;
    if (!gemmRefusal(plan.kernel, m, n, k).empty() || (planned && std::int64_t{plan.depth} * plan.slices < k))
        return cudaErrorInvalidValue;
    const GemmProblem problem{int(m), int(n), int(k), operands.a, operands.b, operands.c};
    const GemmSlices slices{plan.slices, plan.depth, static_cast<float*>(operands.workspace)};
    const cudaError_t code = launchKernel(plan, problem, slices, stream);
    return code == cudaSuccess && plan.slices > 1 ? launchAddSlices(problem, slices, stream) : code;
}

} // namespace heteroscope::compute::nvidia
