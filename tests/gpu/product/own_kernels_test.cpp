// SPDX-License-Identifier: Apache-2.0
// Which of our kernels an operation has, the reasons of those that do not compute it, and what ?impl= may
// then name: decided without a GPU.
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"
#include "compute/backends/nvidia/network/own_ops.h"
#include "tests/gpu/product/devices.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace heteroscope::compute::nvidia {
namespace {

const DeviceLimits& h100() {
    return kKnownDevices[4].limits;
}

std::vector<OwnKernel> kernelsOf(const Op& op, Transforms transforms = Transforms::Refuse) {
    std::vector<OwnKernel> kernels;
    visitOwnKernels(op, h100(), transforms, [&](OwnKernel kernel) {
        kernels.push_back(std::move(kernel));
        return true;
    });
    return kernels;
}

std::string refusalOf(const Op& op, const std::string& name) {
    for (const OwnKernel& kernel : kernelsOf(op))
        if (kernel.name == name)
            return kernel.refusal;
    return "not listed";
}

PoolParams window(Extent2d kernel, Extent2d stride) {
    PoolParams params;
    params.kernel = kernel, params.stride = stride;
    return params;
}

ConvParams convolution(std::int64_t filters, Extent2d kernel, std::int64_t padding) {
    ConvParams params;
    params.filters = filters, params.kernel = kernel;
    params.padding = {padding, padding, padding, padding};
    return params;
}

void expectReasons(const Op& op) {
    for (const OwnKernel& kernel : kernelsOf(op)) {
        SCOPED_TRACE(kernel.name + ": " + kernel.refusal);
        EXPECT_TRUE(!kernel.refusal.empty() || kernel.launch);
        EXPECT_TRUE(kernel.implementation.starts_with("cuda:"));
    }
}

TEST(OwnKernels, ThatTransformAreForThoseWhoAdmitThem) {
    const ConvForward op{convolution(256, {3, 3}, 1), {8, 256, 56, 56}};
    EXPECT_EQ(refusalOf(op, "winograd"), "it rounds more than sums of products do: ?transforms=on admits it");
    const std::vector<OwnKernel> admitted = kernelsOf(op, Transforms::Admit);
    ASSERT_FALSE(admitted.empty());
    EXPECT_EQ(admitted.front().name, "winograd");
    EXPECT_EQ(admitted.front().refusal, "");
    const ConvForward strided{[] {
                                  ConvParams params = convolution(256, {3, 3}, 1);
                                  params.stride = {2, 2};
                                  return params;
                              }(),
                              {8, 256, 56, 56}};
    EXPECT_EQ(refusalOf(strided, "winograd"),
              "it takes 3x3 and 5x5 kernels, strides and dilations of 1 and one group");
}

TEST(OwnKernels, OfAPoolingAreAllListedTheChosenOneFirst) {
    const Shape4 planes{2, 3, 64, 64};
    const std::vector<PoolParams> windows{window({2, 2}, {2, 2}), window({8, 8}, {1, 1}),
                                          window({4, 4}, {4, 4}), window({20, 20}, {20, 20}),
                                          window({30, 30}, {1, 1})};
    for (const PoolParams& params : windows)
        for (const bool backward : {false, true}) {
            const Op op = backward ? Op(PoolBackward{params, planes}) : Op(PoolForward{params, planes});
            const std::vector<OwnKernel> kernels = kernelsOf(op);
            ASSERT_EQ(kernels.size(), backward ? 6U : 5U);
            EXPECT_EQ(kernels.front().implementation, poolKernelName(params, planes, backward, h100()));
            EXPECT_EQ(kernels.front().refusal, "");
            std::map<std::string, int> names;
            for (const OwnKernel& kernel : kernels)
                ++names[kernel.name];
            for (const char* name : {"strips", "patches", "tiles", "wide", "any"})
                EXPECT_EQ(names[name], 1) << name;
            expectReasons(op);
        }
}

TEST(OwnKernels, OfAPoolingThatArePreferredLessAcceptIt) {
    const PoolForward op{window({8, 8}, {1, 1}), {1, 1, 64, 64}};
    EXPECT_EQ(kernelsOf(op).front().name, "patches");
    EXPECT_EQ(refusalOf(op, "tiles"), "");
    EXPECT_EQ(refusalOf(op, "any"), "");
    EXPECT_NE(refusalOf(op, "strips"), "");
    EXPECT_EQ(refusalOf(op, "separable"), "not listed");
    EXPECT_EQ(refusalOf(PoolBackward{op.params, op.src}, "separable"), "");
}

TEST(OwnKernels, NameTheImplementationThatRuns) {
    const PoolForward op{window({3, 3}, {2, 2}), {1, 1, 64, 64}};
    EXPECT_EQ(kernelsOf(op).front().name, "strips");
    EXPECT_EQ(kernelsOf(op).front().implementation, "cuda:pool:k3s2");
    for (const OwnKernel& kernel : kernelsOf(op))
        if (kernel.name != "strips") {
            EXPECT_EQ(kernel.implementation, "cuda:pool:" + kernel.name);
        }
}

TEST(OwnKernels, OfAConvolutionSayWhichLimitRefusesIt) {
    const ConvParams same = convolution(1, {3, 3}, 1);
    EXPECT_EQ(refusalOf(ConvBackwardWeights{same, {1, 1, 1, 32769}}, "window"),
              "it takes results of at most 32,768 columns");
    EXPECT_EQ(refusalOf(ConvBackwardWeights{convolution(2048, {3, 3}, 1), {1, 2048, 8, 8}}, "window"),
              "the partial sums that its blocks leave are more than 64 MiB");
    EXPECT_EQ(refusalOf(ConvBackwardWeights{convolution(1, {7, 7}, 1), {1, 1, 9, 9}}, "window"),
              refusalOf(ConvForward{convolution(1, {7, 7}, 1), {1, 1, 9, 9}}, "window"));
    EXPECT_EQ(refusalOf(ConvForward{convolution(1 << 21, {3, 3}, 1), {1, 1, 16, 16}}, "window"),
              "its blocks are more than a grid has");
    ConvParams grouped = same;
    grouped.filters = grouped.groups = 501;
    const Shape4 channels{1, 501, 8, 8};
    for (const Op& op : {Op(ConvForward{grouped, channels}), Op(ConvBackwardData{grouped, channels}),
                         Op(ConvBackwardWeights{grouped, channels})})
        EXPECT_EQ(refusalOf(op, "implicit-gemm"), "it takes at most 500 groups");
    ConvParams strided = convolution(1, {2, 2}, 0);
    strided.stride = {257, 256};
    EXPECT_EQ(refusalOf(ConvBackwardData{strided, {1, 1, 300, 300}}, "implicit-gemm"),
              "it takes strides of at most 65,535 phases");
    EXPECT_EQ(refusalOf(ConvForward{strided, {1, 1, 300, 300}}, "implicit-gemm"), "");
}

TEST(OwnKernels, ThatRefuseAWholeOperationAreAmongThoseThatItHas) {
    const std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const Shape4 large{1, 1, 2, most};
    const std::vector<std::pair<Op, Op>> pairs{
        {ConvForward{convolution(1, {3, 3}, 1), large}, ConvForward{convolution(1, {3, 3}, 1), {1, 1, 8, 8}}},
        {DenseForward{{2, 2, false}, most}, DenseForward{{2, 2, false}, 4}},
        {Add{most + 1}, Add{4}},
        {SoftmaxForward{large}, SoftmaxForward{{1, 1, 1, 4}}}};
    for (const auto& [refused, taken] : pairs) {
        SCOPED_TRACE(opDetail(refused));
        const std::vector<OwnKernel> kernels = kernelsOf(refused);
        ASSERT_EQ(kernels.size(), 1U);
        EXPECT_FALSE(kernels.front().refusal.empty());
        EXPECT_EQ(refusalOf(taken, kernels.front().name), "");
    }
}

} // namespace
} // namespace heteroscope::compute::nvidia
