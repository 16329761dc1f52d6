// SPDX-License-Identifier: Apache-2.0
// How results of a pooling are cut into patches. Host code; needs no GPU.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/core/op.h"

#include <array>
#include <cstdint>
#include <optional>

namespace heteroscope::compute::nvidia {

inline constexpr int kPatchBlock = 256;               ///< threads a block
inline constexpr std::int64_t kPatchBlocks = 1 << 22; ///< at most; a block then takes several patches
inline constexpr int kPatchBytes = 48 << 10;          ///< of shared memory: what every device grants
inline constexpr unsigned short kNoTarget = 0xFFFF;   ///< of a window that gives to no element of the patch
inline constexpr std::array kPatchSlots{1, 2, 3, 5, 9, 17}; ///< windows that overlap in a row, rounded up

/// Everything the kernels are told. Rows and columns "in shared memory" count the padding; where windows lie
/// apart, what is between them is left out there.
struct PatchPlan {
    const float* src = nullptr;
    const float* dstGrad = nullptr; ///< backward only
    float* result = nullptr;        ///< dst or srcGrad
    std::int64_t allPlanes = 0, patches = 0;
    std::int64_t mostBlocks = kPatchBlocks;
    int height = 0, width = 0, outHeight = 0, outWidth = 0;
    int kernelH = 0, kernelW = 0, strideH = 0, strideW = 0, padTop = 0, padLeft = 0;
    bool average = false, zeroPad = false, countPad = true;

    int planes = 1, rows = 0, columns = 0; ///< of the result in a patch
    int down = 1, across = 1;              ///< patches of a plane
    int windowRows = 0, windowColumns = 0; ///< that a patch needs at most
    int inputRows = 0, inputColumns = 0;   ///< in shared memory
    int stepRows = 0, stepColumns = 0;     ///< in shared memory from one window to the next
    int pitch = 0, planePitch = 0;         ///< in shared memory: floats from row to row, from plane to plane
    bool linear = false; ///< rows are short: threads share out elements of whole rows, not rows
    int skew = 0; ///< 1: every 32 columns in shared memory one float is left out, for the sake of its banks
    int bands = 1, bandRows = 0;   ///< a column of windows is walked in so many pieces
    int overlap = 1, lastRows = 0; ///< windows that a row belongs to; rows of the oldest of them
    int inputLanes = 0, windowLanes = 0, resultLanes = 0;           ///< log2 of the threads that share a row
    int gradientsAt = 0, targetsAt = 0, rangesAt = 0, chosenAt = 0; ///< backward: bytes in shared memory
    bool listed = false; ///< backward: only elements that some window chose look for what they get
    int sharedBytes = 0;
    FastDivision byCopiedRows, byKernelH, byKernelW, byWidth, byStrideH, byStrideW, byInputRows, byWindowRows,
        byWindowColumns, byRows, byColumns, byBands;
    double cycles = 0; ///< expected
};

/// Of the result in a patch.
struct PatchSize {
    int planes, rows, columns;
};

/// Patches of that size, no larger than planes of the result; nothing where there is no kernel, they do not
/// fit, or several planes are not whole ones. For tests.
std::optional<PatchPlan> planPatches(const PoolParams& params, const Shape4& src, bool backward,
                                     const DeviceLimits& device, const PatchSize& size);

/// The patches expected to take least time; nothing where there is no kernel or none fits.
std::optional<PatchPlan> planPatches(const PoolParams& params, const Shape4& src, bool backward,
                                     const DeviceLimits& device);

} // namespace heteroscope::compute::nvidia
