// SPDX-License-Identifier: Apache-2.0
// What a pooling benchmark works on: several sets of tensors, so that none is still in the cache when its
// turn comes.
#pragma once

#include "compute/core/op.h"

#include <memory>
#include <string>
#include <vector>

namespace heteroscope::bench {

struct FreeDevice {
    void operator()(float* memory) const;
};
using DeviceFloats = std::unique_ptr<float, FreeDevice>;

/// Uninitialised; throws std::runtime_error when there is no room.
DeviceFloats allocateFloats(std::int64_t elements);
/// Uniform in [-1, 1), the same for the same seed.
DeviceFloats randomFloats(std::int64_t elements, std::uint32_t seed);

struct PoolSet {
    DeviceFloats src, dst, dstGrad, srcGrad;
};

struct PoolProblem {
    compute::PoolParams params;
    compute::Shape4 src, dst;
    std::vector<PoolSet> sets;

    const PoolSet& set(int number) const { return sets[static_cast<std::size_t>(number) % sets.size()]; }
    double srcBytes() const { return 4.0 * static_cast<double>(*src.elements()); }
    double dstBytes() const { return 4.0 * static_cast<double>(*dst.elements()); }
    double forwardBytes() const { return srcBytes() + dstBytes(); }
    /// Gradient in, input in (averages do not need it), gradient out.
    double backwardBytes() const;
    std::string text(bool backward) const;
};

/// As many sets as make four times the second-level cache, at least one.
PoolProblem makeProblem(const compute::PoolParams& params, const compute::Shape4& src);

} // namespace heteroscope::bench
