// SPDX-License-Identifier: Apache-2.0
// OpenBLAS, loaded at run time so that the benchmark needs no such library to build.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace heteroscope::bench {

/// C = A * B on row-major square matrices of side n.
using SquareGemm = std::function<void(std::int64_t n, const float* a, const float* b, float* c)>;

/// Must be called before anything else loads OpenBLAS: it names the processor's kernels, which the library of
/// Debian 12 does not recognise on newer processors. Empty, with the reason in `why`, when it is not there.
SquareGemm loadOpenblas(int threads, std::string& why);

} // namespace heteroscope::bench
