// SPDX-License-Identifier: Apache-2.0
// Steps that fetch their batches and keep their figures by themselves give the figures of steps that the host
// serves. The feed is one of host memory here.
#include "compute/backends/builtin.h"
#include "compute/data/dataset.h"
#include "compute/exec/device_steps.h"
#include "compute/exec/network_state.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/idx_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace heteroscope::compute {
namespace {

class HostFeed final : public StepFeed {
  public:
    explicit HostFeed(const StepFeedPlan& plan) : m_plan(plan) {}
    std::string description() const override { return "data:host"; }
    Status begin(std::span<const std::int64_t> order, std::span<const float> values, OpObserver*) override {
        m_order.assign(order.begin(), order.end());
        m_values.assign(values.begin(), values.end());
        m_figures.clear();
        m_step = 0;
        return {};
    }
    Status arrive(OpObserver*) override { return {}; }
    Status leave() override { return {}; }
    Status fetch(OpObserver*) override {
        copyRows(m_plan.images, floats(m_plan.input));
        copyRows(m_plan.targets, floats(m_plan.target));
        const float* values = m_values.data() + m_step * kStepValues;
        floats(m_plan.step)[0] = values[0];
        std::copy_n(values + 1, kStepValues - 1, floats(m_plan.hyper));
        return {};
    }
    Status keep(OpObserver*) override {
        m_figures.insert(m_figures.end(), floats(m_plan.figures), floats(m_plan.figures) + 2);
        if (m_plan.gradientSquares != nullptr)
            m_figures.push_back(*floats(m_plan.gradientSquares));
        ++m_step;
        return {};
    }
    Status figures(std::int64_t first, std::span<float> into, OpObserver*) override {
        const std::size_t at = static_cast<std::size_t>(first) * m_plan.figuresPerStep();
        std::copy_n(m_figures.begin() + static_cast<std::ptrdiff_t>(at), into.size(), into.begin());
        return {};
    }

  private:
    static float* floats(DeviceBuffer* buffer) { return static_cast<float*>(buffer->hostPointer()); }

    void copyRows(std::span<const float> all, float* into) const {
        const auto batch = static_cast<std::size_t>(m_plan.batch);
        const std::size_t row = all.size() / static_cast<std::size_t>(m_plan.examples);
        for (std::size_t i = 0; i < batch; ++i) {
            const auto example = static_cast<std::size_t>(m_order[m_step * batch + i]);
            std::copy_n(all.data() + example * row, row, into + i * row);
        }
    }

    StepFeedPlan m_plan;
    std::vector<std::int64_t> m_order;
    std::vector<float> m_values, m_figures;
    std::size_t m_step = 0;
};

/// The figures of five steps; with `feed` those that DeviceSteps makes.
std::vector<StepFigures> figuresOf(const NetworkExperiment& experiment, bool feed) {
    const auto dataset = loadDataset(experiment, {});
    const auto session = std::move(makeBuiltinRegistry().open({"cpu", "sequential", {}})).value();
    auto plan = planNetwork(experiment.network, networkRequest(experiment), planOptions(experiment));
    NetworkExecutor executor(*session, std::move(*plan));
    EXPECT_TRUE(executor.allocate() && executor.prepare());
    EXPECT_TRUE(writeInitialState(executor, experiment.training).ok());
    const TrainingSpec& training = experiment.training;
    auto driver = *makeStepDriver(*session, executor, training, *dataset);
    if (feed)
        driver =
            makeDeviceSteps(*session, executor, training,
                            std::make_unique<HostFeed>(stepFeedPlan(executor, training, dataset->training)));
    std::vector<std::int64_t> order(static_cast<std::size_t>(dataset->training.count));
    std::iota(order.rbegin(), order.rend(), std::int64_t{0});
    std::vector<StepSettings> settings;
    for (std::int64_t step = 0; step < 5; ++step)
        settings.push_back({step, 0, 0.01});
    EXPECT_TRUE(driver->begin(order, settings, nullptr).ok());
    std::vector<StepFigures> all;
    for (int step = 0; step < 5; ++step) {
        EXPECT_TRUE(driver->step(nullptr).ok());
        if (step == 1 || step == 4) { // of several at once
            const auto some = driver->take();
            EXPECT_TRUE(some.ok());
            all.insert(all.end(), some->begin(), some->end());
        }
    }
    return all;
}

class DeviceStepFigures : public testing::TestWithParam<bool> {};

TEST_P(DeviceStepFigures, AreThoseOfStepsThroughTheHost) {
    TemporaryIdx files;
    Json experiment = files.trainingExperiment(60, 10);
    experiment["training"]["gradient_norm"] = GetParam();
    const auto spec = specFromJson(experiment);
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    const auto host = figuresOf(spec->network, false), device = figuresOf(spec->network, true);
    ASSERT_EQ(host.size(), 5u);
    ASSERT_EQ(device.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(device[i].loss, host[i].loss);
        EXPECT_EQ(device[i].second, host[i].second);
        EXPECT_EQ(device[i].gradientSquares, host[i].gradientSquares);
        EXPECT_EQ(device[i].gradientSquares.has_value(), GetParam());
        EXPECT_NE(device[i].loss, device[(i + 1) % 5].loss);
    }
}

INSTANTIATE_TEST_SUITE_P(Norm, DeviceStepFigures, testing::Bool());

} // namespace
} // namespace heteroscope::compute
