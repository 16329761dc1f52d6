// SPDX-License-Identifier: Apache-2.0
// Every implementation on a GPU on every case of networks' operations against the plain loops. Sums and
// products of whole numbers must be exact; everything else within bounds that follow from the number of
// terms. Only what is listed here may be refused.
#include "tests/cases/network_bounds.h"
#include "tests/gpu/network/gpu_target_test.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kSeed = 35;

void expectWithin(const Tensors& expected, const Tensors& actual, const Bounds* bounds) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(nearTensor(expected[i], actual[i],
                               [&](std::size_t at) { return bounds == nullptr ? 0.0 : (*bounds)[i][at]; }))
            << "output " << i;
}

class GpuNetwork : public GpuTargetTest {
  protected:
    bool runs(const NetworkCase& one) {
        const Support support = m_session->supports(one.op);
        EXPECT_TRUE(support.supported) << support.reason;
        return support.supported;
    }

    void check(const NetworkCase& one, Data data) {
        SCOPED_TRACE(caseTitle(one) + " " + opDetail(one.op));
        if (!runs(one))
            return;
        const Tensors inputs = networkInputs(one, data, kSeed), expected = specification(one.op, inputs);
        const auto actual = runOpAll(*m_session, one.op, inputs);
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        const bool exact =
            data == Data::Integers && exactForIntegers(one.op) && !mayTransform(GetParam(), one.op);
        const Bounds bounds = networkBounds(one.op, inputs, expected);
        expectWithin(expected, *actual, exact ? nullptr : &bounds);
        const auto again = runOpAll(*m_session, one.op, inputs);
        ASSERT_TRUE(again.ok());
        expectWithin(*actual, *again, nullptr); // the same bits each time
    }
};

TEST_P(GpuNetwork, WholeNumbers) {
    for (const NetworkCase& one : networkCases())
        check(one, Data::Integers);
}

TEST_P(GpuNetwork, Reals) {
    for (const NetworkCase& one : networkCases())
        check(one, Data::Reals);
}

/// Products of an extent and an index that 31 bits do not hold.
TEST_P(GpuNetwork, AdaptivePoolingOfLongRows) {
    for (const auto& [src, output] : {std::pair<Shape4, Extent2d>{{1, 1, 1, 50000}, {1, 50000}},
                                      {{1, 2, 1, 60000}, {1, 40000}},
                                      {{1, 2, 60000, 1}, {39999, 1}}})
        for (const Data data : {Data::Integers, Data::Reals}) {
            check({"long", AdaptivePoolForward{src, output}}, data);
            check({"long", AdaptivePoolBackward{src, output}}, data);
        }
}

TEST_P(GpuNetwork, OutputsInTheMemoryOfInputs) {
    for (const NetworkCase& one : networkCases()) {
        const std::vector<int> shared = sharedOperands(one.op);
        if (shared.empty() || !m_session->supports(one.op).supported)
            continue;
        SCOPED_TRACE(caseTitle(one));
        const Tensors inputs = networkInputs(one, Data::Reals, kSeed);
        const auto apart = runOpAll(*m_session, one.op, inputs),
                   together = runOpShared(*m_session, one.op, inputs, shared);
        ASSERT_TRUE(apart.ok() && together.ok());
        expectWithin(*apart, *together, nullptr);
    }
}

/// Whether NaN and infinities in the first input are where the plain loops have them.
bool keepsAnything(const Op& op) {
    return std::visit(
        []<class One>(const One&) {
            return std::is_same_v<One, LayerNormForward> || std::is_same_v<One, LayerNormBackward> ||
                   std::is_same_v<One, Multiply> || std::is_same_v<One, MultiplyBackward>;
        },
        op);
}

TEST_P(GpuNetwork, NanAndInfinitiesStayWhereTheyBelong) {
    for (const NetworkCase& one : networkCases()) {
        if (!keepsAnything(one.op))
            continue;
        SCOPED_TRACE(caseTitle(one));
        Tensors inputs = networkInputs(one, Data::Integers, kSeed);
        inputs[0] = makeData(Data::Special, static_cast<std::int64_t>(inputs[0].size()), kSeed + 1);
        const auto actual = runOpAll(*m_session, one.op, inputs);
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        const Tensors expected = specification(one.op, inputs);
        const Bounds bounds = networkBounds(one.op, inputs, expected);
        expectWithin(expected, *actual, &bounds);
    }
}

std::string implementationOf(const testing::TestParamInfo<std::string>& info) {
    return parseTarget(info.param)->implementation;
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuNetwork, testing::Values("cuda:0/cuda", "cuda:0/cublas", "cuda:0/cudnn"),
                         implementationOf);

} // namespace
} // namespace heteroscope::compute
