// SPDX-License-Identifier: Apache-2.0
// What must hold for every implementation and any data: shifting values and places, splitting the batch,
// averages, products with the identity. A failure names the seed.
#include "compute/backends/builtin.h"
#include "tests/support/op_runner.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kSeeds = 12;

const BackendRegistry& registry() {
    static const BackendRegistry builtin = makeBuiltinRegistry();
    return builtin;
}

std::int64_t pick(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(high - low + 1));
}

struct Problem {
    PoolParams params;
    Shape4 src;
    std::int64_t elements() const { return *src.elements(); }
};

Problem randomProblem(std::mt19937& random, bool padded) {
    Problem problem;
    PoolParams& p = problem.params;
    p.kernel = {pick(random, 1, 5), pick(random, 1, 5)};
    p.stride = {pick(random, 1, 4), pick(random, 1, 4)};
    if (padded)
        p.padding = {pick(random, 0, p.kernel.h / 2), pick(random, 0, p.kernel.h / 2),
                     pick(random, 0, p.kernel.w / 2), pick(random, 0, p.kernel.w / 2)};
    problem.src = {pick(random, 1, 3), pick(random, 1, 4), pick(random, 10, 60), pick(random, 10, 150)};
    return problem;
}

class Property : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override { m_session = std::move(registry().open(*parseTarget(GetParam()))).value(); }

    /// Calls check(random) for every seed.
    template <class Check>
    void forSeeds(const Check& check) {
        for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
            SCOPED_TRACE(GetParam() + ", seed " + std::to_string(seed));
            std::mt19937 random(seed);
            check(random);
        }
    }

    std::vector<float> run(const Op& op, const std::vector<std::vector<float>>& inputs) {
        SCOPED_TRACE(opName(op) + " " + opDetail(op));
        auto out = runOp(*m_session, op, inputs);
        EXPECT_TRUE(out.ok()) << out.error().sentence();
        return std::move(*out);
    }

    std::unique_ptr<Session> m_session;
};

TEST_P(Property, AddingAConstantAddsItToEveryMaximum) {
    forSeeds([&](std::mt19937& random) {
        const Problem problem = randomProblem(random, true);
        auto x = makeData(Data::Integers, problem.elements(), random());
        const Op op = PoolForward{problem.params, problem.src};
        auto expected = run(op, {x});
        for (float& value : x)
            value += 100.0F;
        for (float& value : expected)
            value += 100.0F;
        EXPECT_TRUE(sameTensor(expected, run(op, {x}))) << opDetail(op);
    });
}

TEST_P(Property, ShiftingTheInputByTheStrideShiftsTheOutputByOne) {
    forSeeds([&](std::mt19937& random) {
        Problem problem = randomProblem(random, false);
        problem.src.n = problem.src.c = 1;
        const std::int64_t h = problem.src.h, w = problem.src.w, shift = problem.params.stride.w;
        const auto wide = makeData(Data::Reals, h * (w + shift), random());
        std::vector<float> left, right;
        for (std::int64_t row = 0; row < h; ++row) {
            const auto start = wide.begin() + row * (w + shift);
            left.insert(left.end(), start, start + w);
            right.insert(right.end(), start + shift, start + shift + w);
        }
        const Op op = PoolForward{problem.params, problem.src};
        const auto a = run(op, {left}), b = run(op, {right});
        const Shape4 out = *poolOutputShape(problem.params, problem.src);
        for (std::int64_t row = 0; row < out.h; ++row) {
            for (std::int64_t x = 0; x + 1 < out.w; ++x)
                ASSERT_EQ(a[static_cast<std::size_t>(row * out.w + x + 1)],
                          b[static_cast<std::size_t>(row * out.w + x)])
                    << opDetail(op) << " row " << row << " column " << x;
        }
    });
}

TEST_P(Property, AWholeBatchIsTheSumOfItsImages) {
    forSeeds([&](std::mt19937& random) {
        Problem problem = randomProblem(random, true);
        problem.src.n = 3;
        const auto x = makeData(Data::Reals, problem.elements(), random());
        const auto whole = run(PoolForward{problem.params, problem.src}, {x});
        const auto part = problem.elements() / 3;
        Problem one = problem;
        one.src.n = 1;
        std::vector<float> joined;
        for (std::int64_t n = 0; n < 3; ++n) {
            const std::vector<float> image(x.begin() + n * part, x.begin() + (n + 1) * part);
            const auto out = run(PoolForward{one.params, one.src}, {image});
            joined.insert(joined.end(), out.begin(), out.end());
        }
        EXPECT_TRUE(sameTensor(whole, joined)) << opDetail(PoolForward{problem.params, problem.src});
    });
}

TEST_P(Property, AveragesOfAConstantAreTheConstant) {
    forSeeds([&](std::mt19937& random) {
        Problem problem = randomProblem(random, true);
        problem.params.mode = PoolMode::Average;
        problem.params.countIncludePad = false;
        const Op op = PoolForward{problem.params, problem.src};
        const std::vector<float> x(static_cast<std::size_t>(problem.elements()), 3.0F);
        const auto out = run(op, {x});
        const std::vector<float> expected(out.size(), 3.0F);
        EXPECT_TRUE(nearTensor(expected, out, [](std::size_t) { return 1e-6; })) << opDetail(op);
    });
}

TEST_P(Property, AverageGradientsKeepTheirSum) {
    forSeeds([&](std::mt19937& random) {
        Problem problem = randomProblem(random, true);
        problem.params.mode = PoolMode::Average;
        problem.params.countIncludePad = false;
        const Op op = PoolBackward{problem.params, problem.src};
        const auto inputs = makeInputs(Data::Integers, op, random());
        const auto gradient = run(op, inputs);
        const double in = std::accumulate(inputs[1].begin(), inputs[1].end(), 0.0);
        const double out = std::accumulate(gradient.begin(), gradient.end(), 0.0);
        EXPECT_NEAR(in, out, 1e-2 + 1e-6 * static_cast<double>(gradient.size())) << opDetail(op);
    });
}

TEST_P(Property, TheIdentityChangesNothing) {
    forSeeds([&](std::mt19937& random) {
        const std::int64_t m = pick(random, 1, 90), k = pick(random, 1, 90);
        const auto a = makeData(Data::Reals, m * k, random());
        const auto identity = [](std::int64_t n) {
            std::vector<float> values(static_cast<std::size_t>(n * n), 0.0F);
            for (std::int64_t i = 0; i < n; ++i)
                values[static_cast<std::size_t>(i * n + i)] = 1.0F;
            return values;
        };
        EXPECT_TRUE(sameTensor(a, run(Gemm{m, k, k}, {a, identity(k)}))) << "m " << m << " k " << k;
        EXPECT_TRUE(sameTensor(a, run(Gemm{m, k, m}, {identity(m), a}))) << "m " << m << " k " << k;
    });
}

std::vector<std::string> targets() {
    std::vector<std::string> all;
    const DeviceInfo cpu = registry().devices().at(0);
    for (const ImplementationInfo& info : cpu.implementations) {
        if (info.unavailableReason.empty())
            all.push_back("cpu/" + info.id);
    }
    return all;
}

std::string targetName(const testing::TestParamInfo<std::string>& target) {
    return target.param.substr(target.param.find('/') + 1);
}

INSTANTIATE_TEST_SUITE_P(Cpu, Property, testing::ValuesIn(targets()), targetName);

} // namespace
} // namespace heteroscope::compute
