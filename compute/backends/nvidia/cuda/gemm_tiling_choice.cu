// SPDX-License-Identifier: Apache-2.0
// A multiprocessor works through its share of the tiles one after another; the fullest one decides.
#include "compute/backends/nvidia/cuda/gemm_tiling_choice.h"

#include <algorithm>
#include <array>

namespace heteroscope::compute::nvidia::register_gemm {
namespace {

struct Candidate {
    TilingChoice choice;
    std::int64_t rows, columns;
    /// Share of the fp32 peak reached with one block on each multiprocessor, and with as many as fit.
    double rateAlone, rateFull;
    std::int64_t resident;
};

/// Rates measured on an H200 with square problems of 256 to 8192.
constexpr std::array kCandidates{
    Candidate{TilingChoice::Large, 64, 256, 0.70, 0.78, 2},
    Candidate{TilingChoice::Medium, 64, 128, 0.655, 0.74, 2},
    Candidate{TilingChoice::Small, 32, 64, 0.37, 0.64, 4},
    Candidate{TilingChoice::Sliced, 32, 64, 0.40, 0.62, 2},
    Candidate{TilingChoice::Tiny, 32, 32, 0.27, 0.47, 4},
};

double expectedTime(const Candidate& candidate, std::int64_t m, std::int64_t n,
                    std::int64_t multiprocessors) {
    const std::int64_t tilesM = (m + candidate.rows - 1) / candidate.rows;
    const std::int64_t tilesN = (n + candidate.columns - 1) / candidate.columns;
    const std::int64_t most = (tilesM * tilesN + multiprocessors - 1) / multiprocessors;
    const double filled = double(std::min(most, candidate.resident) - 1) / double(candidate.resident - 1);
    const double rate = candidate.rateAlone + (candidate.rateFull - candidate.rateAlone) * filled;
    return double(most) * double(candidate.rows * candidate.columns) / rate;
}

} // namespace

TilingChoice chooseTiling(std::int64_t m, std::int64_t n, int multiprocessors) {
    const auto sooner = [&](const Candidate& left, const Candidate& right) {
        return expectedTime(left, m, n, multiprocessors) < expectedTime(right, m, n, multiprocessors);
    };
    return std::min_element(kCandidates.begin(), kCandidates.end(), sooner)->choice;
}

} // namespace heteroscope::compute::nvidia::register_gemm
