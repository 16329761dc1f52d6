// SPDX-License-Identifier: Apache-2.0
// Whole networks: the gradients that a plan computes against central differences of its loss. Branches,
// shared inputs, views and the sums of gradients are what is on trial here; the operations have tests of
// their own.
#include "compute/backends/builtin.h"
#include "compute/exec/initialize.h"
#include "compute/exec/network_state.h"
#include "compute/experiment/spec/spec_json.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::compute {
namespace {

struct Case {
    const char* name;
    Json input;
    Json layers;
    const char* loss = "mean_squared_error";
};

void PrintTo(const Case& one, std::ostream* out) {
    *out << one.name;
}

/// Products and normalisations of layers.
std::vector<Case> scaledCases() {
    const Json conv = {{"type", "conv2d"}, {"filters", 3}, {"padding", 1}};
    return {{"normalised samples",
             {2, 4, 4},
             {conv, {{"type", "layernorm"}}, {{"type", "tanh"}}, {{"type", "dense"}, {"units", 2}}}},
            {"normalised pixels",
             {6, 3, 2},
             {{{"type", "layernorm"}, {"over", "channels"}}, conv, {{"type", "tanh"}}}},
            {"scaled channels",
             {2, 4, 3},
             {conv,
              {{"name", "t"}, {"type", "tanh"}},
              {{"type", "global_avgpool2d"}},
              {{"name", "s"}, {"type", "sigmoid"}},
              {{"name", "m"}, {"type", "mul"}, {"inputs", {"t", "s"}}},
              {{"name", "q"}, {"type", "mul"}, {"inputs", {"m", "m"}}},
              {{"type", "mul"}, {"inputs", {"s", "q"}}},
              {{"type", "dense"}, {"units", 2}}}},
            {"input scaled by what it gives",
             {4},
             {{{"name", "d"}, {"type", "dense"}, {"units", 1}},
              {{"type", "mul"}, {"inputs", {"d", "input"}}},
              {{"type", "layernorm"}}}}};
}

/// Smooth activations: a difference across the corner of a ReLU would say nothing.
std::vector<Case> cases() {
    const Json conv = {{"type", "conv2d"}, {"filters", 3}, {"padding", 1}};
    return {{"chain",
             {2, 6, 6},
             {conv,
              {{"type", "tanh"}},
              {{"type", "avgpool2d"}},
              {{"type", "flatten"}},
              {{"type", "dense"}, {"units", 4}}},
             "softmax_cross_entropy"},
            {"residual",
             {2, 5, 5},
             {{{"name", "a"}, {"type", "conv2d"}, {"filters", 3}, {"padding", 1}},
              {{"name", "t"}, {"type", "tanh"}},
              {{"name", "b"}, {"type", "conv2d"}, {"filters", 3}, {"padding", 1}},
              {{"name", "sum"}, {"type", "add"}, {"inputs", {"b", "t"}}},
              {{"name", "s"}, {"type", "sigmoid"}},
              {{"name", "again"}, {"type", "add"}, {"inputs", {"s", "t", "sum"}}},
              {{"type", "global_avgpool2d"}}}},
            {"concatenated branches",
             {2, 5, 5},
             {{{"name", "a"}, {"type", "conv2d"}, {"filters", 2}, {"inputs", {"input"}}, {"kernel", 1}},
              {{"name", "b"}, {"type", "conv2d"}, {"filters", 3}, {"inputs", {"input"}}, {"padding", 1}},
              {{"name", "c"}, {"type", "concat"}, {"inputs", {"a", "input", "b", "a"}}},
              {{"type", "softmax"}},
              {{"type", "adaptive_avgpool2d"}, {"output", {2, 3}}},
              {{"type", "dense"}, {"units", 2}}},
             "binary_cross_entropy"},
            {"input used twice",
             {6},
             {{{"name", "d"}, {"type", "dense"}, {"units", 6}},
              {{"type", "add"}, {"inputs", {"d", "input"}}},
              {{"type", "tanh"}}}},
            {"sum of one layer with itself",
             {4},
             {{{"name", "d"}, {"type", "dense"}, {"units", 3}}, {{"type", "add"}, {"inputs", {"d", "d"}}}}},
            {"normalised",
             {2, 4, 4},
             {conv, {{"type", "batchnorm"}}, {{"type", "tanh"}}, {{"type", "dense"}, {"units", 2}}}},
            {"dropped",
             {20},
             {{{"type", "dropout"}, {"rate", 0.4}},
              {{"type", "dense"}, {"units", 8}},
              {{"type", "dropout"}},
              {{"type", "dense"}, {"units", 2}}}},
            {"ends with a view", {2, 3, 3}, {conv, {{"type", "flatten"}}}}};
}

class PlanGradient : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        const Case one = GetParam();
        const Json document = {
            {"heteroscope", 1},
            {"kind", "network"},
            {"network", {{"input", {{"shape", one.input}}}, {"layers", one.layers}}},
            {"training", {{"loss", one.loss}, {"batch", 3}, {"initialization", "xavier_normal"}}},
            {"targets", {"cpu/sequential"}}};
        const auto spec = specFromJson(document);
        ASSERT_TRUE(spec.ok()) << spec.error().sentence();
        m_training = spec->network.training;
        m_session = std::move(makeBuiltinRegistry().open({"cpu", "sequential", {}})).value();
        PlanOptions options = planOptions(spec->network);
        options.optimizer.reset();
        options.inputGradient = true;
        auto plan = planNetwork(spec->network.network, networkRequest(spec->network), options);
        ASSERT_TRUE(plan.ok()) << plan.error().sentence();
        m_executor = std::make_unique<NetworkExecutor>(*m_session, std::move(*plan));
        ASSERT_TRUE(m_executor->allocate().ok());
        ASSERT_TRUE(m_executor->prepare().ok());
        ASSERT_TRUE(writeInitialState(*m_executor, m_training).ok());
        ASSERT_TRUE(writeSyntheticBatch(*m_executor, m_training).ok());
        ASSERT_TRUE(writeStep(*m_executor, m_training, 3, 0.1).ok());
    }

    double loss() {
        EXPECT_TRUE(m_executor->run(Phase::Forward, nullptr).ok());
        EXPECT_TRUE(m_executor->run(Phase::Loss, nullptr).ok());
        return static_cast<double>((*m_executor->read(m_executor->plan().figures))[0]);
    }

    /// Losses are means of float values near one: their rounding, divided by the step, stays below the bound.
    void compare(int values, int gradients) {
        constexpr float kStep = 0.02F;
        constexpr double kBound = 4e-4;
        const std::vector<float> expected = *m_executor->read(gradients),
                                 original = *m_executor->read(values);
        for (std::size_t i = 0; i < original.size(); i += 1 + original.size() / 25) {
            std::vector<float> moved = original;
            moved[i] = original[i] + kStep;
            ASSERT_TRUE(m_executor->write(values, moved).ok());
            const double above = loss();
            moved[i] = original[i] - kStep;
            ASSERT_TRUE(m_executor->write(values, moved).ok());
            const double slope = (above - loss()) / (2.0 * static_cast<double>(kStep));
            EXPECT_NEAR(static_cast<double>(expected[i]), slope, kBound + 0.01 * std::fabs(slope))
                << m_executor->plan().tensors[static_cast<std::size_t>(values)].name << " element " << i;
        }
        ASSERT_TRUE(m_executor->write(values, original).ok());
    }

    TrainingSpec m_training;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<NetworkExecutor> m_executor;
};

TEST_P(PlanGradient, AgreesWithCentralDifferences) {
    loss();
    ASSERT_TRUE(m_executor->run(Phase::Backward, nullptr).ok());
    const NetworkPlan& plan = m_executor->plan();
    std::vector<std::pair<int, int>> pairs{{plan.input, plan.inputGrad}};
    for (std::size_t layer = 0; layer < plan.parameters.size(); ++layer)
        for (std::size_t i = 0; i < plan.parameters[layer].size(); ++i)
            pairs.emplace_back(plan.parameters[layer][i], plan.parameterGrads[layer][i]);
    // All gradients first: the differences run the network again.
    std::vector<std::vector<float>> kept;
    for (const auto& [values, gradients] : pairs)
        kept.push_back(*m_executor->read(gradients));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        ASSERT_TRUE(m_executor->write(pairs[i].second, kept[i]).ok());
        compare(pairs[i].first, pairs[i].second);
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, PlanGradient, testing::ValuesIn(cases()));
INSTANTIATE_TEST_SUITE_P(Scaled, PlanGradient, testing::ValuesIn(scaledCases()));

TEST(InitialValues, HaveTheDeviationThatTheRuleGives) {
    const ParameterTensor parameter{"weight", {400, 500}, InitialValue::Weights, 500, 400};
    TrainingSpec training;
    for (const auto& [rule, variance] :
         {std::pair{Initialization::HeNormal, 2.0 / 500}, std::pair{Initialization::HeUniform, 2.0 / 500},
          std::pair{Initialization::XavierNormal, 2.0 / 900},
          std::pair{Initialization::XavierUniform, 2.0 / 900}}) {
        training.initialization = rule;
        const auto values = initialValues(parameter, training, 0);
        double sum = 0, squares = 0;
        for (const float value : values) {
            sum += static_cast<double>(value);
            squares += static_cast<double>(value) * static_cast<double>(value);
        }
        const auto count = static_cast<double>(values.size());
        EXPECT_NEAR(sum / count, 0.0, 5.0 * std::sqrt(variance / count)); // five standard errors
        EXPECT_NEAR(squares / count / variance, 1.0, 5.0 * std::sqrt(2.0 / count));
        EXPECT_EQ(values, initialValues(parameter, training, 0));
        EXPECT_NE(values, initialValues(parameter, training, 1));
    }
}

} // namespace
} // namespace heteroscope::compute
