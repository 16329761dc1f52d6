// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/trainer.h"

#include "compute/base/clock.h"
#include "compute/exec/network_state.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <utility>

namespace heteroscope::compute {
namespace {

constexpr Phase kMeasuringPhases[] = {Phase::Forward, Phase::Loss};

bool stopped(const std::atomic<bool>* stop) {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
}

/// Adds a batch's mean loss and accuracy.
void addBatch(TrainingFigures& sum, const TrainingFigures& batch) {
    const auto before = static_cast<double>(sum.images), more = static_cast<double>(batch.images);
    sum.loss = (sum.loss * before + batch.loss * more) / (before + more);
    sum.accuracy = (sum.accuracy * before + batch.accuracy * more) / (before + more);
    sum.images += batch.images;
}

/// Of all parameters, as one vector.
std::optional<double> gradientNorm(const StepFigures& figures) {
    if (!figures.gradientSquares)
        return std::nullopt;
    return std::sqrt(*figures.gradientSquares);
}

Error lossError(std::int64_t step, std::int64_t epoch, double rate) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", rate);
    return {ErrorCode::RunFailed,
            "the loss is no finite number at step " + std::to_string(step + 1) +
                " of the training, in epoch " + std::to_string(epoch + 1) + ", at the learning rate " + text,
            {},
            {},
            "lower /training/optimizer/learning_rate"};
}

} // namespace

Trainer::Trainer(const NetworkExperiment& experiment, const Dataset& dataset, Session& session)
    : m_experiment(experiment), m_dataset(dataset), m_session(session) {}

std::string Trainer::implementation() const {
    const std::string steps = m_driver->description();
    return m_training->implementation() + (steps.empty() ? "" : ", " + steps);
}

std::int64_t Trainer::stepsPerEpoch() const {
    return m_dataset.training.count / m_experiment.training.batch;
}

Status Trainer::makeExecutor(std::int64_t batch, bool training, std::unique_ptr<NetworkExecutor>& into) {
    PlanOptions options;
    options.loss = m_experiment.training.loss;
    if (training)
        options = planOptions(m_experiment);
    options.fuses = fusionOf(m_session);
    auto plan = planNetwork(m_experiment.network, {batch, options.mode, m_experiment.training.seed}, options);
    if (!plan)
        return plan.error();
    into =
        std::make_unique<NetworkExecutor>(m_session, std::move(*plan), training ? nullptr : m_training.get());
    if (const Status status = into->allocate(); !status)
        return status;
    return into->prepare();
}

Status Trainer::prepare() {
    const std::int64_t batch = m_experiment.training.batch;
    if (const Status status = makeExecutor(batch, true, m_training); !status)
        return status;
    if (const Status status = makeExecutor(batch, false, m_measuring); !status)
        return status;
    for (const Examples* examples : {&m_dataset.validation, &m_dataset.test}) {
        const std::int64_t rest = examples->count % batch;
        if (rest == 0 || &measuringExecutor(rest) != m_measuring.get())
            continue;
        m_remainders.emplace_back();
        if (const Status status = makeExecutor(rest, false, m_remainders.back()); !status)
            return status;
    }
    auto driver = makeStepDriver(m_session, *m_training, m_experiment.training, m_dataset);
    if (!driver)
        return driver.error();
    m_driver = std::move(*driver);
    return reset();
}

Status Trainer::reset() {
    m_epoch = m_step = m_stepOfEpoch = m_submitted = 0;
    m_figures = {};
    m_diverged = false;
    for (const Block block : {Block::FirstMoment, Block::SecondMoment})
        if (const Status status = m_training->clear(block); !status)
            return status;
    return writeInitialState(*m_training, m_experiment.training);
}

void Trainer::goOnFrom(std::int64_t epoch, std::int64_t step) {
    m_epoch = epoch;
    m_step = step;
    m_stepOfEpoch = m_submitted = 0;
}

TrainingFigures Trainer::batchFigures(const StepFigures& figures, std::int64_t batch) const {
    std::int64_t answers = batch; // that the second figure counts hits among
    if (m_experiment.training.loss == LossKind::BinaryCrossEntropy)
        answers *= m_dataset.targetElements;
    else if (m_experiment.training.loss == LossKind::MeanSquaredError)
        answers = 1;
    return {figures.loss, figures.second / static_cast<double>(answers), batch};
}

Status Trainer::beginEpoch(OpObserver* observer) {
    const TrainingSpec& training = m_experiment.training;
    const std::vector<std::int64_t> order = shuffledOrder(m_dataset.training.count, training.seed, m_epoch);
    std::vector<StepSettings> settings(static_cast<std::size_t>(stepsPerEpoch()));
    m_rates.assign(settings.size(), training.learningRate);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const std::int64_t step = m_step + static_cast<std::int64_t>(i);
        if (m_rateOf)
            m_rates[i] = m_rateOf(step);
        settings[i] = {step, m_epoch, m_rates[i]};
    }
    m_figures = {};
    m_submitted = 0;
    return m_driver->begin(order, settings, observer);
}

Status Trainer::submitStep(OpObserver* observer) {
    if (m_submitted == 0)
        if (const Status status = beginEpoch(observer); !status)
            return status;
    ++m_submitted;
    return m_driver->step(observer);
}

/// Of the steps that were submitted since the last call.
Status Trainer::takeFigures() {
    const auto steps = m_driver->take();
    if (!steps)
        return steps.error();
    const std::int64_t now = steadyNowNs();
    const double ms = static_cast<double>(now - std::exchange(m_takenNs, now)) * 1e-6 /
                      static_cast<double>(std::max<std::size_t>(steps->size(), 1));
    for (const StepFigures& figures : *steps) {
        const double rate = m_rates[static_cast<std::size_t>(m_stepOfEpoch)];
        m_diverged = !std::isfinite(figures.loss);
        if (m_diverged)
            return lossError(m_step, m_epoch, rate);
        const TrainingFigures batch = batchFigures(figures, m_experiment.training.batch);
        addBatch(m_figures, batch);
        if (m_listener != nullptr)
            m_listener->stepDone({m_step, batch.loss, batch.accuracy, rate, gradientNorm(figures), ms});
        ++m_step;
        if (++m_stepOfEpoch == stepsPerEpoch()) {
            m_stepOfEpoch = m_submitted = 0;
            ++m_epoch;
        }
    }
    return {};
}

Status Trainer::train(std::int64_t most, OpObserver* observer, const std::atomic<bool>* stop) {
    const std::int64_t steps = std::min(most, stepsPerEpoch() - m_submitted);
    m_takenNs = steadyNowNs();
    for (std::int64_t i = 0; i < steps; ++i) {
        if (stopped(stop))
            return stoppedError();
        if (const Status status = submitStep(observer); !status)
            return status;
        if ((i + 1) % m_driver->stepsAtOnce() == 0 || i + 1 == steps)
            if (const Status status = takeFigures(); !status)
                return status;
    }
    return m_session.synchronize();
}

NetworkExecutor& Trainer::measuringExecutor(std::int64_t batch) {
    for (const auto& remainder : m_remainders)
        if (remainder->plan().network.input.n == batch)
            return *remainder;
    return *m_measuring;
}

Status Trainer::measureBatch(NetworkExecutor& executor, std::int64_t batch, TrainingFigures& sum,
                             Evaluation* evaluation) {
    for (const Phase phase : kMeasuringPhases)
        if (const Status status = executor.run(phase, nullptr); !status)
            return status;
    const auto figures = executor.read(executor.plan().figures);
    if (!figures)
        return figures.error();
    addBatch(sum,
             batchFigures({static_cast<double>((*figures)[0]), static_cast<double>((*figures)[1])}, batch));
    if (evaluation == nullptr)
        return {};
    const auto outputs = executor.read(executor.plan().output);
    if (!outputs)
        return outputs.error();
    evaluation->add(*outputs, m_targets);
    return {};
}

Result<TrainingFigures> Trainer::measure(const Examples& examples, const std::atomic<bool>* stop,
                                         Evaluation* evaluation) {
    TrainingFigures sum;
    std::vector<std::int64_t> which;
    for (std::int64_t first = 0; first < examples.count; first += static_cast<std::int64_t>(which.size())) {
        if (stopped(stop))
            return stoppedError();
        const std::int64_t batch = std::min(m_experiment.training.batch, examples.count - first);
        which.resize(static_cast<std::size_t>(batch));
        std::iota(which.begin(), which.end(), first);
        NetworkExecutor& executor = measuringExecutor(batch);
        if (const Status status = writeBatch(executor, examples, which, m_images, m_targets); !status)
            return status.error();
        if (const Status status = measureBatch(executor, batch, sum, evaluation); !status)
            return status.error();
    }
    return sum;
}

} // namespace heteroscope::compute
