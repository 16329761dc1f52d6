// SPDX-License-Identifier: Apache-2.0
// The products of other libraries, loaded while the program runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace heteroscope::bench {

/// C (m x n) = A B, all dense and row-major; a transposed operand lies in memory as its transpose.
struct SgemmProblem {
    std::int64_t m = 1, n = 1, k = 1;
    bool transposedA = false, transposedB = false;
    bool operator==(const SgemmProblem&) const = default;
};

using Sgemm = std::function<void(const SgemmProblem& problem, const float* a, const float* b, float* c)>;

/// By name: "onednn" (dnnl_sgemm of libdnnl), "openblas" (its build on OpenMP, which shares our threads).
/// Those that are not found are missing. openblas has its own number of threads, onednn takes OpenMP's.
std::map<std::string, Sgemm> sgemmPeers(int threads);

} // namespace heteroscope::bench
