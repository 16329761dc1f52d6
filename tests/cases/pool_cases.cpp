// SPDX-License-Identifier: Apache-2.0
// Windows, strides and paddings against sizes around the widths of vectors.
#include "tests/cases/pool_cases.h"

namespace heteroscope::compute {
namespace {

PoolParams square(std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    PoolParams params;
    params.kernel = {kernel, kernel};
    params.stride = {stride, stride};
    params.padding = {padding, padding, padding, padding};
    return params;
}

PoolParams oblong(Extent2d kernel, Extent2d stride, Padding2d padding) {
    PoolParams params;
    params.kernel = kernel;
    params.stride = stride;
    params.padding = padding;
    return params;
}

PoolParams zeroPadded(PoolParams params) {
    params.padValue = PadValue::Zero;
    return params;
}

PoolParams average(PoolParams params, bool countIncludePad = true) {
    params.mode = PoolMode::Average;
    params.countIncludePad = countIncludePad;
    return params;
}

std::vector<PoolCase> maxCases() {
    return {
        {"k2 s2 4x4", square(2, 2, 0), {1, 1, 4, 4}},
        {"k2 s2 planes", square(2, 2, 0), {3, 5, 33, 67}},
        {"k2 s2 threads", square(2, 2, 0), {1, 1, 256, 250}},
        {"k2 s2 flat", square(2, 2, 0), {1, 1, 2, 5000}},
        {"k2 s2 tall", square(2, 2, 0), {1, 2, 3000, 3}},
        {"k1 s1", square(1, 1, 0), {2, 3, 9, 35}},
        {"k1 s2", square(1, 2, 0), {2, 1, 41, 77}},
        {"k1 s3", square(1, 3, 0), {1, 2, 40, 100}},
        {"k2 s1", square(2, 1, 0), {2, 2, 19, 35}},
        {"k2 s1 p1", square(2, 1, 1), {1, 3, 17, 34}},
        {"k2 s3 gaps", square(2, 3, 0), {1, 2, 50, 71}},
        {"k3 s1 p1", square(3, 1, 1), {2, 3, 30, 130}},
        {"k3 s1 p2", square(3, 1, 2), {1, 2, 16, 16}},
        {"k3 s1 one element", square(3, 1, 2), {1, 1, 1, 1}},
        {"k3 s2 p1", square(3, 2, 1), {2, 3, 56, 112}},
        {"k3 s2 p1 odd", square(3, 2, 1), {2, 2, 55, 113}},
        {"k3 s2", square(3, 2, 0), {1, 4, 37, 65}},
        {"k3 s2 words", square(3, 2, 0), {1, 2, 9, 515}},
        {"k3 s2 p1 words", square(3, 2, 1), {1, 2, 10, 514}},
        {"k3 s1", square(3, 1, 0), {2, 2, 21, 67}},
        {"k3 s1 words", square(3, 1, 0), {1, 2, 9, 258}},
        {"k3 s1 p1 words", square(3, 1, 1), {1, 2, 9, 257}},
        {"k3 s1 sides", oblong({3, 3}, {1, 1}, {1, 2, 0, 2}), {1, 2, 20, 66}},
        {"k3 s3", square(3, 3, 0), {1, 2, 100, 99}},
        {"k3 s2 p1 narrow", square(3, 2, 1), {4, 8, 14, 14}},
        {"k3 s1 p1 tiny", square(3, 1, 1), {8, 8, 7, 7}},
        {"k4 s2 p1", square(4, 2, 1), {1, 2, 40, 90}},
        {"k5 s1 p2", square(5, 1, 2), {1, 2, 25, 70}},
        {"k5 s4 p2", square(5, 4, 2), {2, 1, 61, 150}},
        {"k7 s2 p3", square(7, 2, 3), {1, 1, 50, 120}},
        {"k13 s1 p6", square(13, 1, 6), {1, 2, 20, 40}},
        {"k whole plane", square(30, 1, 0), {2, 3, 30, 30}},
        {"k1x3 s1x2 p0x1", oblong({1, 3}, {1, 2}, {0, 0, 1, 1}), {1, 2, 20, 81}},
        {"k4x2 s3x1 sides", oblong({4, 2}, {3, 1}, {2, 0, 1, 0}), {2, 2, 29, 48}},
        {"k2x5 s2x2 sides", oblong({2, 5}, {2, 2}, {1, 0, 0, 4}), {1, 3, 30, 90}},
        {"k3x1 s1x1", oblong({3, 1}, {1, 1}, {1, 1, 0, 0}), {1, 2, 31, 65}},
        {"k2 s2 p1 zero", zeroPadded(square(2, 2, 1)), {1, 2, 31, 66}},
        {"k3 s1 p1 zero", zeroPadded(square(3, 1, 1)), {2, 2, 30, 70}},
        {"k3 s2 p1 zero", zeroPadded(square(3, 2, 1)), {2, 2, 31, 112}},
        {"k5 s3 p4 zero", zeroPadded(square(5, 3, 4)), {1, 2, 30, 40}},
        {"k2 s2 zero unpadded", zeroPadded(square(2, 2, 0)), {1, 1, 16, 64}},
    };
}

std::vector<PoolCase> averageCases() {
    return {
        {"avg k2 s2", average(square(2, 2, 0)), {3, 2, 34, 66}},
        {"avg k2 s2 threads", average(square(2, 2, 0)), {1, 1, 256, 250}},
        {"avg k3 s2 p1", average(square(3, 2, 1)), {2, 2, 31, 113}},
        {"avg k3 s2 p1 inside", average(square(3, 2, 1), false), {2, 2, 31, 113}},
        {"avg k3 s1 p1", average(square(3, 1, 1)), {1, 3, 30, 70}},
        {"avg k3 s1 p1 inside", average(square(3, 1, 1), false), {1, 3, 30, 70}},
        {"avg k4 s4", average(square(4, 4, 0)), {1, 2, 64, 130}},
        {"avg k5 s3 p4 inside", average(square(5, 3, 4), false), {1, 2, 29, 40}},
        {"avg k2x5 s2x1 sides inside", average(oblong({2, 5}, {2, 1}, {1, 0, 0, 4}), false), {1, 3, 30, 50}},
        {"avg k whole plane", average(square(24, 1, 0)), {2, 3, 24, 24}},
        {"avg k1 s3", average(square(1, 3, 0)), {1, 2, 40, 100}},
        {"avg k3 s1 tiny", average(square(3, 1, 2), false), {2, 4, 5, 3}},
    };
}

} // namespace

const std::vector<PoolCase>& poolCases() {
    static const std::vector<PoolCase> cases = [] {
        std::vector<PoolCase> all = maxCases();
        for (PoolCase& one : averageCases())
            all.push_back(std::move(one));
        return all;
    }();
    return cases;
}

const std::vector<PoolCase>& largePoolCases() {
    static const std::vector<PoolCase> cases = {
        {"large k2 s2", square(2, 2, 0), {1, 1, 3001, 3003}},
        {"large k3 s2 p1", square(3, 2, 1), {2, 40, 341, 353}},
        {"large k2 s2 whole lines", square(2, 2, 0), {1, 8, 1040, 1056}},
        {"large k2 s2 half lines", square(2, 2, 0), {3, 31, 341, 369}},
        {"large k2 s2 short rows", square(2, 2, 0), {24, 64, 58, 112}},
        {"large k3 s2 p1 short rows", square(3, 2, 1), {24, 64, 59, 112}},
        {"large k3 s2 p1 whole lines", square(3, 2, 1), {1, 8, 1041, 1040}},
        {"large k3 s1 p1 whole lines", square(3, 1, 1), {1, 9, 1030, 1008}},
        {"large avg k3 s1 p1", average(square(3, 1, 1)), {3, 1, 1200, 1301}},
    };
    return cases;
}

} // namespace heteroscope::compute
