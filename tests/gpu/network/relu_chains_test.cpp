// SPDX-License-Identifier: Apache-2.0
// A convolution with a ReLU after it through cuDNN: the engines that have both give what the plain way gives,
// NaN included, and the name tells whether the engine has the ReLU in it.
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace heteroscope::compute::cudnn_chains {
namespace {

constexpr std::uint32_t kChainSeed = 37;
constexpr int kSrc = 0, kWeights = 1, kBias = 2, kSum = 3, kResult = 4;

struct Case {
    std::string name;
    ConvForward op;
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
    return {opDetail(op) + (bias ? ", bias" : ""), op};
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const bool bias : {true, false})
        for (const Case& one :
             {conv({32, 3, 32, 32}, 64, 3, 1, 1, bias), conv({8, 64, 56, 56}, 64, 3, 1, 1, bias),
              conv({8, 64, 28, 28}, 128, 1, 2, 1, bias), conv({4, 3, 61, 47}, 33, 7, 2, 1, bias),
              conv({4, 32, 28, 28}, 32, 3, 1, 32, bias), conv({1, 5, 13, 9}, 7, 5, 1, 1, bias)})
            all.push_back(one);
    return all;
}

class CudnnChains : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        auto session = openTarget(GetParam());
        if (!session)
            SKIP_WITHOUT(gpuWords(GetParam()), session.error().sentence());
        m_session = std::move(*session);
    }
    static OpChain chain(const ConvForward& op) {
        const auto dst = convOutputShape(op.params, op.src);
        OpChain made{{op, {kSrc, kWeights}, {kSum}},
                     {ActivationForward{ActivationKind::Relu, *dst->elements()}, {kSum}, {kResult}}};
        if (op.params.bias)
            made.front().src.push_back(kBias);
        return made;
    }
    static std::vector<int> sources(const ConvForward& op) {
        return op.params.bias ? std::vector<int>{kSrc, kWeights, kBias} : std::vector<int>{kSrc, kWeights};
    }
    static std::vector<float> plain(const ConvForward& op, const Tensors& inputs) {
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
        const auto actual = runChain(*m_session, chain(one.op), operands, expected.size());
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (std::isnan(expected[i]))
                ASSERT_TRUE(std::isnan((*actual)[i])) << "element " << i << " is " << (*actual)[i];
            else
                ASSERT_EQ((*actual)[i], expected[i]) << "element " << i;
    }

    std::unique_ptr<Session> m_session;
};

TEST_P(CudnnChains, GiveWhatTheirOperationsGive) {
    for (const Case& one : cases())
        check(one, makeInputs(Data::Integers, one.op, kChainSeed));
}

TEST_P(CudnnChains, LetNotANumberPass) {
    for (const Case& one : cases()) {
        Tensors inputs = makeInputs(Data::Integers, one.op, kChainSeed);
        inputs[0][inputs[0].size() / 2] = std::numeric_limits<float>::quiet_NaN();
        check(one, inputs);
    }
}

TEST_P(CudnnChains, NameWhereTheReluIsComputed) {
    int fused = 0;
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.name);
        const OpChain made = chain(one.op);
        const std::vector<int> from = sources(one.op), into{kResult};
        auto prepared = m_session->prepareChain(made, from, into);
        ASSERT_TRUE(prepared.ok()) << prepared.error().sentence();
        const std::string name = (*prepared)->implementation();
        const bool inTheEngine = name.ends_with("+relu");
        EXPECT_TRUE(inTheEngine || name.ends_with("+separate-relu")) << name;
        fused += inTheEngine ? 1 : 0;
    }
    EXPECT_GT(fused, 0) << "cuDNN 9 has engines that compute a convolution, a bias and a ReLU at once";
    RecordProperty("fused", fused);
}

INSTANTIATE_TEST_SUITE_P(
    Targets, CudnnChains,
    testing::Values("cuda:0/cudnn", "cuda:0/cudnn?deterministic=off", "cuda:0/cudnn?tf32=on"),
    [](const auto& one) {
        return std::string(one.index == 0 ? "ByDefault" : one.index == 1 ? "NotDeterministic" : "WithTf32");
    });

} // namespace
} // namespace heteroscope::compute::cudnn_chains
