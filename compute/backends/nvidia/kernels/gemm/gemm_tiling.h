// SPDX-License-Identifier: Apache-2.0
// The tile sizes of the register-tiled matrix product, and what follows from them.
#pragma once

namespace heteroscope::compute::nvidia::register_gemm {

/// A block computes BM x BN of C, a warp WM x WN of it, a thread TM x TN. k is taken in tiles of BK, of which
/// Stages are in shared memory. With Slices > 1 as many groups of warps share the BK steps of each tile and
/// add their sums at the end: more warps for products with few blocks. Blocks: resident on a multiprocessor.
/// Pass: columns of a thread's piece that one pass over its rows takes: the order of its multiply-adds.
/// PadB: floats behind each row of B in shared memory, for operands that are copied float by float.
/// GroupRows: blocks are numbered down that many rows of tiles before they go on to the next column of tiles.
template <int BM_, int BN_, int BK_, int WM_, int WN_, int TM_, int TN_, int Stages_, int Slices_,
          int Blocks_, int Pass_, int GroupRows_, int PadB = 0>
struct Tiling {
    static constexpr int BM = BM_, BN = BN_, BK = BK_, WM = WM_, WN = WN_, TM = TM_, TN = TN_;
    static constexpr int Stages = Stages_, Slices = Slices_, Blocks = Blocks_;
    static constexpr int Pass = Pass_, GroupRows = GroupRows_;
    static constexpr int LanesM = WM / TM, LanesN = WN / TN;
    static constexpr int GroupThreads = (BM / WM) * (BN / WN) * 32;
    static constexpr int Threads = GroupThreads * Slices;
    static constexpr int Steps = BK / Slices;
    /// Padded by four floats: a warp copies 8 steps of k of 4 rows, which so fall into 32 different banks.
    static constexpr int StrideA = BM + 4;
    static constexpr int StrideB = BN + PadB;
    static constexpr int StageFloats = BK * (StrideA + StrideB);
    static constexpr int SharedBytes = Stages * StageFloats * int(sizeof(float));
    static_assert(LanesM * LanesN == 32 && TM % 4 == 0 && TN % 4 == 0 && TN % Pass == 0);
    static_assert(BM % 16 == 0 && BN % 16 == 0 && BK % 8 == 0 && BK % Slices == 0);
    static_assert(PadB > 0 || (BM % 32 == 0 && BN % 32 == 0));
    static_assert(Steps % 2 == 0, "the fragments of two steps alternate");
    static_assert(Slices / 2 * BM * BN <= Stages * StageFloats, "the sums of half the slices are kept there");
    static_assert(SharedBytes <= 48 * 1024, "more would have to be asked for, and not every GPU has it");
};

} // namespace heteroscope::compute::nvidia::register_gemm
