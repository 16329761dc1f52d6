// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/device_steps.h"

#include "compute/base/clock.h"
#include "compute/exec/network_state.h"
#include "compute/exec/recorded_sequence.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {
namespace {

/// Figures are looked at about that often, so that a training can be watched and stopped.
constexpr double kSecondsAtOnce = 0.05;
constexpr std::int64_t kMostAtOnce = 256;

class DeviceSteps final : public StepDriver {
  public:
    DeviceSteps(Session& session, NetworkExecutor& executor, const TrainingSpec& training,
                std::unique_ptr<StepFeed> feed)
        : m_records(session.records()),
          m_executor(executor),
          m_training(training),
          m_feed(std::move(feed)),
          m_sequence(session, [this](OpObserver* observer) { return submit(observer); }) {}

    Status begin(std::span<const std::int64_t> order, std::span<const StepSettings> settings,
                 OpObserver* observer) override {
        m_submitted = m_taken = 0;
        std::vector<float> values;
        for (const StepSettings& one : settings) {
            const auto numbers = stepValues(m_training, one.step, one.learningRate);
            values.insert(values.end(), numbers.begin(), numbers.end());
        }
        const std::size_t used = settings.size() * static_cast<std::size_t>(m_training.batch);
        return m_feed->begin(order.first(used), values, observer);
    }

    Status step(OpObserver* observer) override {
        if (m_submitted == m_taken)
            m_startNs = steadyNowNs();
        if (const Status status = m_feed->arrive(observer); !status)
            return status;
        if (const Status status = m_sequence.run(observer); !status)
            return status;
        ++m_submitted;
        return m_feed->leave();
    }

    Result<std::vector<StepFigures>> take() override {
        const bool norm = m_executor.plan().gradientSquares >= 0;
        const std::size_t each = norm ? 3 : 2;
        std::vector<float> values(static_cast<std::size_t>(m_submitted - m_taken) * each);
        if (const Status status = m_feed->figures(m_taken, values, nullptr); !status)
            return status.error();
        std::vector<StepFigures> figures(values.size() / each);
        for (std::size_t i = 0; i < figures.size(); ++i) {
            const float* const one = values.data() + i * each;
            figures[i] = {static_cast<double>(one[0]), static_cast<double>(one[1])};
            if (norm)
                figures[i].gradientSquares = static_cast<double>(one[2]);
        }
        if (!figures.empty()) {
            const double seconds = static_cast<double>(steadyNowNs() - m_startNs) * 1e-9;
            const double wished = kSecondsAtOnce * static_cast<double>(figures.size()) / seconds;
            m_atOnce =
                std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(wished, 1e6)), 1, kMostAtOnce);
        }
        m_taken = m_submitted;
        return figures;
    }

    std::int64_t stepsAtOnce() const override { return m_atOnce; }
    std::string description() const override {
        return (m_records ? "steps:graph, " : "steps:one launch an operation, ") + m_feed->description();
    }

  private:
    Status submit(OpObserver* observer) {
        if (const Status status = m_feed->fetch(observer); !status)
            return status;
        for (const Phase phase : kPhases)
            if (const Status status = m_executor.run(phase, observer); !status)
                return status;
        return m_feed->keep(observer); // last: nothing of the step waits for it
    }

    bool m_records;
    NetworkExecutor& m_executor;
    const TrainingSpec& m_training;
    std::unique_ptr<StepFeed> m_feed;
    RecordedSequence m_sequence;
    std::int64_t m_submitted = 0, m_taken = 0; ///< steps since begin()
    std::int64_t m_startNs = 0, m_atOnce = 1;
};

} // namespace

StepFeedPlan stepFeedPlan(NetworkExecutor& executor, const TrainingSpec& training, const Examples& examples) {
    const NetworkPlan& plan = executor.plan();
    StepFeedPlan feed;
    feed.input = &executor.buffer(plan.input);
    feed.target = &executor.buffer(plan.target);
    feed.step = &executor.buffer(plan.step);
    feed.hyper = plan.hyper < 0 ? nullptr : &executor.buffer(plan.hyper);
    feed.figures = &executor.buffer(plan.figures);
    feed.gradientSquares = plan.gradientSquares < 0 ? nullptr : &executor.buffer(plan.gradientSquares);
    feed.images = examples.images;
    feed.targets = examples.targets;
    feed.examples = examples.count;
    feed.batch = training.batch;
    feed.steps = examples.count / training.batch;
    return feed;
}

std::unique_ptr<StepDriver> makeDeviceSteps(Session& session, NetworkExecutor& executor,
                                            const TrainingSpec& training, std::unique_ptr<StepFeed> feed) {
    return std::make_unique<DeviceSteps>(session, executor, training, std::move(feed));
}

} // namespace heteroscope::compute
