// SPDX-License-Identifier: Apache-2.0
// Comparing tensors: says the largest error, where it is and both values there.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <span>

namespace heteroscope::compute {

/// Bit for bit the same; any NaN equals any other.
testing::AssertionResult sameTensor(std::span<const float> expected, std::span<const float> actual);

/// |actual - expected| <= bound(i) for every element; NaN and infinities only where both have them.
testing::AssertionResult nearTensor(std::span<const float> expected, std::span<const float> actual,
                                    const std::function<double(std::size_t)>& bound);

} // namespace heteroscope::compute
