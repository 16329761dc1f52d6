// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tensor_match.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace heteroscope::compute {
namespace {

struct Worst {
    std::size_t index = 0, count = 0;
    double excess = 0.0;
};

testing::AssertionResult describe(const Worst& worst, std::span<const float> expected,
                                  std::span<const float> actual) {
    if (worst.count == 0)
        return testing::AssertionSuccess();
    const double e = expected[worst.index], a = actual[worst.index];
    return testing::AssertionFailure()
           << worst.count << " of " << expected.size() << " elements differ; largest error "
           << std::fabs(a - e) << " at index " << worst.index << ": expected "
           << testing::PrintToString(expected[worst.index]) << ", found "
           << testing::PrintToString(actual[worst.index]);
}

testing::AssertionResult compareSizes(std::span<const float> expected, std::span<const float> actual) {
    if (expected.size() == actual.size())
        return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "expected " << expected.size() << " elements, found " << actual.size();
}

bool sameBits(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// `excess` says by how much an element misses (positive: it does), per element that has not the same bits.
template <typename Excess>
testing::AssertionResult compareAll(std::span<const float> expected, std::span<const float> actual,
                                    const Excess& excess) {
    if (const auto sizes = compareSizes(expected, actual); !sizes)
        return sizes;
    if (expected.empty() || std::memcmp(expected.data(), actual.data(), expected.size_bytes()) == 0)
        return testing::AssertionSuccess();
    Worst worst;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double by = sameBits(expected[i], actual[i]) ? 0.0 : excess(i);
        if (by <= 0.0)
            continue;
        if (worst.count++ == 0 || by > worst.excess) {
            worst.index = i;
            worst.excess = by;
        }
    }
    return describe(worst, expected, actual);
}

} // namespace

testing::AssertionResult sameTensor(std::span<const float> expected, std::span<const float> actual) {
    return compareAll(expected, actual, [&](std::size_t i) {
        const double error = std::fabs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
        return std::isnan(error) ? std::numeric_limits<double>::infinity()
                                 : error + std::numeric_limits<double>::min();
    });
}

testing::AssertionResult nearTensor(std::span<const float> expected, std::span<const float> actual,
                                    const std::function<double(std::size_t)>& bound) {
    return compareAll(expected, actual, [&](std::size_t i) {
        const double error = std::fabs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
        return std::isfinite(error) ? error - bound(i) : std::numeric_limits<double>::infinity();
    });
}

} // namespace heteroscope::compute
