// SPDX-License-Identifier: Apache-2.0
// The sequential gradients against central differences of the loss sum(weight * pool(x)). Inputs are distinct
// and further apart than the step, so no difference crosses a tie; for max pooling both sides are then exact.
#include "compute/backends/builtin.h"
#include "tests/cases/pool_cases.h"
#include "tests/support/op_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace heteroscope::compute {
namespace {

constexpr float kStep = 0.25F;
constexpr std::size_t kPlacesPerCase = 40;
constexpr std::int64_t kMostPoolElements = 6000;

class Loss {
  public:
    Loss(Session& session, const PoolCase& one, std::vector<float> weights)
        : m_session(session), m_case(one), m_weights(std::move(weights)) {}

    double at(const std::vector<float>& x) const {
        const auto out = runOp(m_session, PoolForward{m_case.params, m_case.src}, {x});
        EXPECT_TRUE(out.ok());
        double sum = 0;
        for (std::size_t i = 0; i < out->size(); ++i)
            sum += static_cast<double>((*out)[i]) * static_cast<double>(m_weights[i]);
        return sum;
    }

    /// (L(x + step) - L(x - step)) / (2 step) along one element.
    double slope(std::vector<float> x, std::size_t place) const {
        const float middle = x[place];
        x[place] = middle + kStep;
        const double above = at(x);
        x[place] = middle - kStep;
        return (above - at(x)) / (2.0 * static_cast<double>(kStep));
    }

  private:
    Session& m_session;
    const PoolCase& m_case;
    std::vector<float> m_weights;
};

/// Each of ..., -1.5, -0.5, 0.5, 1.5, ... once, in random order: distinct, and never zero.
std::vector<float> distinctValues(std::size_t count, std::mt19937& random) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.5F - static_cast<float>(count / 2));
    std::shuffle(values.begin(), values.end(), random);
    return values;
}

void checkCase(Session& session, const PoolCase& one) {
    SCOPED_TRACE(one.name);
    std::mt19937 random(7);
    const auto elements = static_cast<std::size_t>(*one.src.elements());
    std::vector<float> x = distinctValues(elements, random);
    const bool max = one.params.mode == PoolMode::Max;
    if (!max) // small values keep the rounding of averages small
        x = makeData(Data::Integers, static_cast<std::int64_t>(elements), 7);
    const auto outputs = *poolOutputShape(one.params, one.src)->elements();
    const std::vector<float> weights = makeData(Data::Integers, outputs, 8);
    const auto gradient = runOp(session, PoolBackward{one.params, one.src}, {x, weights});
    ASSERT_TRUE(gradient.ok());
    const Loss loss(session, one, weights);
    for (std::size_t n = 0; n < std::min(kPlacesPerCase, elements); ++n) {
        const std::size_t place = elements <= kPlacesPerCase ? n : random() % elements;
        const double expected = loss.slope(x, place);
        if (max)
            EXPECT_EQ((*gradient)[place], expected) << "element " << place;
        else
            EXPECT_NEAR((*gradient)[place], expected, 1e-4) << "element " << place;
    }
}

TEST(SequentialGradient, IsTheSlopeOfTheLoss) {
    const auto registry = makeBuiltinRegistry();
    const auto session = std::move(registry.open(*parseTarget("cpu/sequential"))).value();
    std::size_t checked = 0;
    for (const PoolCase& one : poolCases()) {
        if (*one.src.elements() > kMostPoolElements)
            continue;
        checkCase(*session, one);
        ++checked;
    }
    EXPECT_GE(checked, 20U);
}

} // namespace
} // namespace heteroscope::compute
