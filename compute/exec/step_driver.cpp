// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/step_driver.h"

#include "compute/exec/batch_feeder.h"
#include "compute/exec/device_steps.h"
#include "compute/exec/network_state.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {
namespace {

/// Batches and figures through host memory at each step.
class HostSteps final : public StepDriver {
  public:
    HostSteps(NetworkExecutor& executor, const TrainingSpec& training, const Dataset& dataset)
        : m_executor(executor), m_training(training), m_examples(dataset.training) {
        if (!dataset.augmentations.empty())
            m_feeder = std::make_unique<BatchFeeder>(dataset, training.batch);
    }

    Status begin(std::span<const std::int64_t> order, std::span<const StepSettings> settings,
                 OpObserver*) override {
        m_order.assign(order.begin(), order.end());
        m_settings.assign(settings.begin(), settings.end());
        m_next = 0;
        m_figures.clear();
        if (m_feeder && !settings.empty())
            m_feeder->begin(order.first(settings.size() * static_cast<std::size_t>(m_training.batch)),
                            settings.front().epoch);
        return {};
    }

    Status step(OpObserver* observer) override {
        if (const Status status = writeNextBatch(observer); !status)
            return status;
        const StepSettings& settings = m_settings[m_next++];
        if (const Status status = writeStep(m_executor, m_training, settings.step, settings.learningRate);
            !status)
            return status;
        for (const Phase phase : kPhases)
            if (const Status status = m_executor.run(phase, observer); !status)
                return status;
        return readFigures();
    }

    Result<std::vector<StepFigures>> take() override { return std::exchange(m_figures, {}); }
    std::int64_t stepsAtOnce() const override { return 1; }
    std::string description() const override { return {}; }

  private:
    Status readFigures() {
        const NetworkPlan& plan = m_executor.plan();
        const auto figures = m_executor.read(plan.figures);
        if (!figures)
            return figures.error();
        m_figures.push_back({static_cast<double>((*figures)[0]), static_cast<double>((*figures)[1])});
        if (plan.gradientSquares < 0)
            return {};
        const auto squares = m_executor.read(plan.gradientSquares);
        if (!squares)
            return squares.error();
        m_figures.back().gradientSquares = static_cast<double>(squares->front());
        return {};
    }

    Status writeNextBatch(OpObserver* observer) {
        if (m_feeder) {
            const Batch& batch = m_feeder->next(observer);
            if (const Status status = m_executor.write(m_executor.plan().input, batch.images); !status)
                return status;
            return m_executor.write(m_executor.plan().target, batch.targets);
        }
        const auto batch = static_cast<std::size_t>(m_training.batch);
        const std::span<const std::int64_t> which(m_order.data() + m_next * batch, batch);
        return writeBatch(m_executor, m_examples, which, m_images, m_targets);
    }

    NetworkExecutor& m_executor;
    const TrainingSpec& m_training;
    const Examples& m_examples;
    std::vector<std::int64_t> m_order;
    std::vector<StepSettings> m_settings;
    std::size_t m_next = 0;
    std::vector<StepFigures> m_figures;
    std::vector<float> m_images, m_targets;
    std::unique_ptr<BatchFeeder> m_feeder; ///< where images are transformed anew in each epoch
};

} // namespace

Result<std::unique_ptr<StepDriver>> makeStepDriver(Session& session, NetworkExecutor& executor,
                                                   const TrainingSpec& training, const Dataset& dataset) {
    if (dataset.augmentations.empty()) {
        auto feed = session.makeStepFeed(stepFeedPlan(executor, training, dataset.training));
        if (!feed)
            return feed.error();
        if (*feed != nullptr)
            return makeDeviceSteps(session, executor, training, std::move(*feed));
    }
    return std::unique_ptr<StepDriver>(std::make_unique<HostSteps>(executor, training, dataset));
}

Status writeBatch(NetworkExecutor& executor, const Examples& examples, std::span<const std::int64_t> which,
                  std::vector<float>& images, std::vector<float>& targets) {
    const auto image = examples.images.size() / static_cast<std::size_t>(examples.count);
    const auto target = examples.targets.size() / static_cast<std::size_t>(examples.count);
    images.resize(which.size() * image);
    targets.resize(which.size() * target);
    for (std::size_t i = 0; i < which.size(); ++i) {
        const auto index = static_cast<std::size_t>(which[i]);
        std::copy_n(examples.images.data() + index * image, image, images.data() + i * image);
        std::copy_n(examples.targets.data() + index * target, target, targets.data() + i * target);
    }
    if (const Status status = executor.write(executor.plan().input, images); !status)
        return status;
    return executor.write(executor.plan().target, targets);
}

} // namespace heteroscope::compute
