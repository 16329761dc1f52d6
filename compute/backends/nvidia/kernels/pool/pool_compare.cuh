// SPDX-License-Identifier: Apache-2.0
// The order of elements that makes a maximum: the first NaN, else the first of the largest.
#pragma once

namespace heteroscope::compute::nvidia {

/// A value and where it was found; what the place counts is its user's business.
template <class Place>
struct Found {
    float value;
    Place place;
};

/// Whether `value`, which comes later, replaces `best`.
__device__ __forceinline__ bool beats(float value, float best) {
    return !(value <= best) && best == best;
}

__device__ __forceinline__ float minusInfinity() {
    return __int_as_float(0xff800000);
}

} // namespace heteroscope::compute::nvidia
