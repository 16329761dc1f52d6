// SPDX-License-Identifier: Apache-2.0
// The table of limit kernels. It includes no library code: what a source for a newer instruction set compiles
// must never replace its namesake elsewhere.
#pragma once

#include <cstdint>

namespace heteroscope::bench {

struct LimitKernels {
    void (*copy)(const float*, float*, std::int64_t);
    void (*streamCopy)(const float*, float*, std::int64_t);
    void (*fourToOne)(const float*, float*, std::int64_t);
    void (*streamFourToOne)(const float*, float*, std::int64_t);
    void (*fiveToFour)(const float*, const float*, float*, std::int64_t);
    void (*streamFiveToFour)(const float*, const float*, float*, std::int64_t);
    void (*twoToOne)(const float*, const float*, float*, std::int64_t);
    void (*streamTwoToOne)(const float*, const float*, float*, std::int64_t);
};

extern const LimitKernels kLimitsBaseline;
extern const LimitKernels kLimitsAvx512;

} // namespace heteroscope::bench
