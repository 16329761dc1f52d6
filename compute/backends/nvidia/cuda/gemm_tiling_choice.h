// SPDX-License-Identifier: Apache-2.0
// Which tile sizes the register-tiled matrix product takes for a problem. Host code: needs no GPU.
#pragma once

#include <cstdint>

namespace heteroscope::compute::nvidia::register_gemm {

/// Large: most reuse, for results that fill the GPU with such tiles. Medium and Small: half and an eighth of
/// it, with two and four groups of warps that share a tile's k. Sliced: eight groups, for results with fewer
/// tiles than the GPU could hold. Tiny: for results with few tiles of any kind.
enum class TilingChoice { Large, Medium, Small, Sliced, Tiny };

/// The one that is expected to end first on a GPU with that many multiprocessors.
TilingChoice chooseTiling(std::int64_t m, std::int64_t n, int multiprocessors);

} // namespace heteroscope::compute::nvidia::register_gemm
