// SPDX-License-Identifier: Apache-2.0
// Windows, paddings, groups and sizes around the tiles and vectors of blocked implementations.
#include "tests/cases/weight_cases.h"

namespace heteroscope::compute {
namespace {

ConvParams conv(std::int64_t filters, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    ConvParams params;
    params.filters = filters;
    params.kernel = {kernel, kernel};
    params.stride = {stride, stride};
    params.padding = {padding, padding, padding, padding};
    return params;
}

ConvParams oblong(std::int64_t filters, Extent2d kernel, Extent2d stride, Padding2d padding) {
    ConvParams params;
    params.filters = filters;
    params.kernel = kernel;
    params.stride = stride;
    params.padding = padding;
    return params;
}

ConvParams grouped(ConvParams params, std::int64_t groups) {
    params.groups = groups;
    return params;
}

ConvParams dilated(ConvParams params, Extent2d dilation) {
    params.dilation = dilation;
    return params;
}

ConvParams unbiased(ConvParams params) {
    params.bias = false;
    return params;
}

std::vector<ConvCase> plainCases() {
    return {
        {"one element", conv(1, 1, 1, 0), {1, 1, 1, 1}},
        {"k1", conv(24, 1, 1, 0), {2, 16, 9, 11}},
        {"k1 s2", conv(16, 1, 2, 0), {2, 8, 15, 14}},
        {"k1 p1", conv(5, 1, 1, 1), {1, 3, 4, 5}},
        {"k1 deep", conv(40, 1, 1, 0), {1, 300, 7, 7}},
        {"k2 s2", conv(6, 2, 2, 0), {1, 5, 12, 14}},
        {"k2 s3 gaps", conv(4, 2, 3, 0), {2, 3, 11, 17}},
        {"k3", conv(8, 3, 1, 0), {1, 4, 10, 20}},
        {"k3 p1", conv(8, 3, 1, 1), {2, 6, 13, 17}},
        {"k3 p1 blocks", conv(32, 3, 1, 1), {1, 32, 14, 14}},
        {"k3 p1 odd blocks", conv(33, 3, 1, 1), {3, 17, 8, 29}},
        {"k3 p1 tiny", conv(20, 3, 1, 1), {4, 6, 2, 2}},
        {"k3 p1 deep", conv(5, 3, 1, 1), {1, 150, 7, 7}},
        {"k3 p1 wide", conv(130, 3, 1, 1), {1, 3, 6, 9}},
        {"k3 p1 threads", conv(32, 3, 1, 1), {2, 16, 40, 40}},
        {"k3 p1 row", conv(3, 3, 1, 1), {1, 2, 3, 300}},
        {"k3 p4 beyond the kernel", conv(3, 3, 2, 4), {1, 2, 5, 6}},
        {"k3 s2 p1", conv(7, 3, 2, 1), {2, 5, 28, 31}},
        {"k3 s2 p1 threads", conv(24, 3, 2, 1), {2, 16, 56, 56}},
        {"k5 p2", conv(9, 5, 1, 2), {1, 4, 19, 23}},
        {"k7 s2 p3 image", conv(10, 7, 2, 3), {1, 3, 37, 45}},
        {"k11 s4 p2 image", conv(8, 11, 4, 2), {1, 3, 47, 51}},
        {"whole plane", oblong(11, {6, 7}, {1, 1}, {}), {2, 4, 6, 7}},
    };
}

std::vector<ConvCase> oddCases() {
    return {
        {"k3x1 s2x1", oblong(5, {3, 1}, {2, 1}, {1, 1, 0, 0}), {1, 3, 15, 8}},
        {"k1x5 s1x2", oblong(5, {1, 5}, {1, 2}, {0, 0, 2, 2}), {2, 3, 6, 33}},
        {"sides", oblong(6, {3, 4}, {1, 1}, {0, 1, 2, 0}), {2, 3, 9, 12}},
        {"sides s2x3", oblong(6, {3, 4}, {2, 3}, {2, 0, 1, 3}), {1, 3, 9, 20}},
        {"a column beside the strides", grouped(oblong(2, {1, 1}, {1, 3}, {1, 1, 1, 1}), 2), {3, 2, 10, 1}},
        {"a column under few taps", oblong(16, {3, 3}, {1, 2}, {1, 1, 1, 1}), {2, 5, 9, 1}},
        {"no bias", unbiased(conv(6, 3, 1, 1)), {2, 3, 8, 9}},
        {"k1 no bias", unbiased(conv(18, 1, 1, 0)), {1, 20, 6, 6}},
        {"dilation 2", dilated(conv(4, 3, 1, 2), {2, 2}), {1, 5, 12, 13}},
        {"dilation 1x3", dilated(conv(4, 3, 2, 1), {1, 3}), {2, 3, 12, 19}},
        {"groups 3", grouped(conv(12, 3, 1, 1), 3), {2, 9, 10, 12}},
        {"groups k1 s2", grouped(conv(8, 1, 2, 0), 2), {2, 6, 9, 7}},
        {"groups of blocks", grouped(conv(64, 3, 1, 1), 2), {1, 32, 9, 16}},
        {"depthwise", grouped(conv(12, 3, 1, 1), 12), {2, 12, 14, 17}},
        {"depthwise s2", grouped(conv(16, 3, 2, 1), 16), {1, 16, 15, 18}},
        {"depthwise k5", grouped(conv(33, 5, 1, 2), 33), {1, 33, 9, 40}},
        {"depthwise threads", grouped(unbiased(conv(96, 3, 1, 1)), 96), {2, 96, 28, 28}},
        {"depthwise doubled", grouped(conv(12, 3, 1, 1), 6), {2, 6, 8, 9}},
        {"depthwise sides", grouped(oblong(5, {2, 3}, {1, 2}, {1, 0, 0, 2}), 5), {2, 5, 7, 11}},
        {"depthwise dilated", grouped(dilated(conv(4, 3, 1, 2), {2, 2}), 4), {1, 4, 9, 20}},
    };
}

struct DenseCase {
    const char* name;
    std::int64_t batch, inputs, units;
    bool bias = true;
};

constexpr DenseCase kDenseCases[] = {{"one", 1, 1, 1},
                                     {"one image", 1, 7, 5},
                                     {"one image, many", 1, 300, 1000},
                                     {"few", 3, 64, 10},
                                     {"odd", 17, 33, 29},
                                     {"one unit", 5, 300, 1},
                                     {"digits", 32, 784, 128},
                                     {"no bias", 4, 9, 6, false},
                                     {"blocks", 64, 600, 200},
                                     {"no bias threads", 100, 260, 130, false}};

} // namespace

const std::vector<ConvCase>& convCases() {
    static const std::vector<ConvCase> cases = [] {
        std::vector<ConvCase> all = plainCases();
        for (ConvCase& one : oddCases())
            all.push_back(std::move(one));
        return all;
    }();
    return cases;
}

std::vector<NetworkCase> weightCases() {
    std::vector<NetworkCase> cases;
    for (const ConvCase& one : convCases()) {
        cases.push_back({one.name, ConvForward{one.params, one.src}});
        cases.push_back({one.name, ConvBackwardData{one.params, one.src}});
        cases.push_back({one.name, ConvBackwardWeights{one.params, one.src}});
    }
    for (const DenseCase& one : kDenseCases) {
        const DenseParams params{one.inputs, one.units, one.bias};
        cases.push_back({one.name, DenseForward{params, one.batch}});
        cases.push_back({one.name, DenseBackwardData{params, one.batch}});
        cases.push_back({one.name, DenseBackwardWeights{params, one.batch}});
    }
    return cases;
}

} // namespace heteroscope::compute
