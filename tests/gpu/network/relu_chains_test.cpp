// SPDX-License-Identifier: Apache-2.0
// A ReLU that a library computes with the operation before it, a convolution through cuDNN, a dense layer
// through cuBLASLt, gives what the plain way gives, NaN included, and the name tells where it is computed.
#include "tests/gpu/network/gpu_target_test.h"
#include "tests/support/op_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace heteroscope::compute::relu_chains {
namespace {

constexpr std::uint32_t kChainSeed = 37;
constexpr int kSrc = 0, kWeights = 1, kBias = 2, kSum = 3, kResult = 4;

struct Case {
    std::string name;
    Op op;
    bool bias;
    std::int64_t results;
};

Case conv(const Shape4& src, std::int64_t filters, std::int64_t kernel, std::int64_t stride,
          std::int64_t groups, bool bias) {
    ConvParams params;
    params.filters = filters;
    params.kernel = {kernel, kernel};
    params.stride = {stride, stride};
    const std::int64_t pad = kernel / 2;
    params.padding = {pad, pad, pad, pad};
    params.groups = groups;
    params.bias = bias;
    const ConvForward op{params, src};
    return {opDetail(op) + (bias ? ", bias" : ""), op, bias, *convOutputShape(params, src)->elements()};
}

Case dense(std::int64_t batch, std::int64_t inputs, std::int64_t units, bool bias) {
    DenseForward op;
    op.batch = batch;
    op.params.inputs = inputs, op.params.units = units, op.params.bias = bias;
    return {opDetail(op) + (bias ? ", bias" : ""), op, bias, batch * units};
}

std::vector<Case> cases(const std::string& target) {
    std::vector<Case> all;
    const bool convolutions = target.find("cudnn") != std::string::npos;
    for (const bool bias : {true, false})
        for (const Case& one :
             convolutions
                 ? std::vector{conv({32, 3, 32, 32}, 64, 3, 1, 1, bias),
                               conv({8, 64, 56, 56}, 64, 3, 1, 1, bias),
                               conv({8, 64, 28, 28}, 128, 1, 2, 1, bias),
                               conv({4, 3, 61, 47}, 33, 7, 2, 1, bias),
                               conv({4, 32, 28, 28}, 32, 3, 1, 32, bias),
                               conv({1, 5, 13, 9}, 7, 5, 1, 1, bias)}
                 : std::vector{dense(1, 1, 1, bias), dense(128, 720, 10, bias), dense(32, 4096, 512, bias),
                               dense(1, 512, 1000, bias), dense(7, 333, 129, bias), dense(1025, 3, 77, bias)})
            all.push_back(one);
    return all;
}

class ReluChains : public GpuTargetTest {
  protected:
    static std::vector<int> sources(const Case& one) {
        return one.bias ? std::vector{kSrc, kWeights, kBias} : std::vector{kSrc, kWeights};
    }
    static OpChain chain(const Case& one) {
        return {{one.op, sources(one), {kSum}},
                {ActivationForward{ActivationKind::Relu, one.results}, {kSum}, {kResult}}};
    }
    static std::vector<float> plain(const Op& op, const Tensors& inputs) {
        const auto session = openTarget("cpu/openmp");
        EXPECT_TRUE(session.ok());
        auto sums = runOp(**session, op, inputs);
        EXPECT_TRUE(sums.ok()) << sums.error().sentence();
        for (float& sum : *sums)
            sum = sum < 0.0F ? 0.0F : sum; // which keeps NaN
        return std::move(*sums);
    }
    void check(const Case& one, const Tensors& inputs) {
        SCOPED_TRACE(one.name);
        std::map<int, std::vector<float>> operands;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            operands[static_cast<int>(i)] = inputs[i];
        const std::vector<float> expected = plain(one.op, inputs);
        const auto actual = runChain(*m_session, chain(one), operands, expected.size());
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (std::isnan(expected[i]))
                ASSERT_TRUE(std::isnan((*actual)[i])) << "element " << i << " is " << (*actual)[i];
            else
                ASSERT_EQ((*actual)[i], expected[i]) << "element " << i;
    }
};

TEST_P(ReluChains, GiveWhatTheirOperationsGive) {
    for (const Case& one : cases(GetParam()))
        check(one, makeInputs(Data::Integers, one.op, kChainSeed));
}

TEST_P(ReluChains, LetNotANumberPass) {
    for (const Case& one : cases(GetParam())) {
        Tensors inputs = makeInputs(Data::Integers, one.op, kChainSeed);
        inputs[0][inputs[0].size() / 2] = std::numeric_limits<float>::quiet_NaN();
        check(one, inputs);
    }
}

TEST_P(ReluChains, NameWhereTheReluIsComputed) {
    int fused = 0;
    for (const Case& one : cases(GetParam())) {
        SCOPED_TRACE(one.name);
        const OpChain made = chain(one);
        const std::vector<int> from = sources(one), into{kResult};
        auto prepared = m_session->prepareChain(made, from, into);
        ASSERT_TRUE(prepared.ok()) << prepared.error().sentence();
        const std::string name = (*prepared)->implementation();
        const bool inTheEngine = name.ends_with("+relu");
        EXPECT_TRUE(inTheEngine || name.ends_with("+separate-relu")) << name;
        fused += inTheEngine ? 1 : 0;
    }
    if (GetParam().find("cublas") == std::string::npos)
        EXPECT_GT(fused, 0) << "cuDNN 9 has engines that compute a convolution, a bias and a ReLU at once";
    else
        EXPECT_EQ(fused, int(cases(GetParam()).size())) << "cuBLASLt has an epilogue for each";
    RecordProperty("fused", fused);
}

TEST_P(ReluChains, AreNotComputedAsOneWithFuseOff) {
    const std::string options = GetParam().find('?') == std::string::npos ? "?fuse=off" : "&fuse=off";
    const auto apart = openTarget(GetParam() + options);
    ASSERT_TRUE(apart.ok()) << apart.error().sentence();
    const std::vector<int> into{kResult};
    const OpChain made = chain(cases(GetParam()).front());
    EXPECT_TRUE(m_session->supportsChain(made, into).supported);
    EXPECT_FALSE((*apart)->supportsChain(made, into).supported);
}

INSTANTIATE_TEST_SUITE_P(Targets, ReluChains,
                         testing::Values("cuda:0/cudnn", "cuda:0/cudnn?deterministic=off",
                                         "cuda:0/cudnn?tf32=on", "cuda:0/cublas",
                                         "cuda:0/cublas?benchmark=on", "cuda:0/cublas?tf32=on"),
                         [](const auto& one) {
                             std::string name = one.param.substr(one.param.find('/') + 1);
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                             return name;
                         });

} // namespace
} // namespace heteroscope::compute::relu_chains
