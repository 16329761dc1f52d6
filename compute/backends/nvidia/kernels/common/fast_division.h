// SPDX-License-Identifier: Apache-2.0
// Division of numbers below 2^31 by a divisor that the host knows: a product, an addition and a shift.
// Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994, figure 4.1.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define HETEROSCOPE_HOST_DEVICE __host__ __device__
#else
#define HETEROSCOPE_HOST_DEVICE
#endif

namespace heteroscope::compute::nvidia {

struct FastDivision {
    std::uint32_t divisor = 1, multiplier = 1, shift = 0;

    FastDivision() = default;
    /// 1 <= by < 2^31
    HETEROSCOPE_HOST_DEVICE explicit FastDivision(std::int64_t by) : divisor(static_cast<std::uint32_t>(by)) {
        while ((std::uint64_t{1} << shift) < divisor)
            ++shift;
        const std::uint64_t rest = (std::uint64_t{1} << shift) - divisor;
        multiplier = static_cast<std::uint32_t>((rest << 32) / divisor + 1);
    }

#ifdef __CUDACC__
    /// value / divisor, for value below 2^31
    __device__ unsigned quotient(unsigned value) const {
        return (__umulhi(value, multiplier) + value) >> shift;
    }
    /// The quotient; `value` becomes the remainder.
    __device__ unsigned split(unsigned& value) const {
        const unsigned result = quotient(value);
        value -= result * divisor;
        return result;
    }
#endif
};

} // namespace heteroscope::compute::nvidia
