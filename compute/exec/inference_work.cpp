// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/inference_work.h"

#include "compute/exec/network_state.h"
#include "compute/exec/prediction.h"

#include <algorithm>

namespace heteroscope::compute {

InferenceWork::InferenceWork(const NetworkExperiment& experiment, const PointData& data, Session& session)
    : m_experiment(experiment), m_dataset(*data.dataset), m_session(session) {}

Status InferenceWork::makeExecutor(std::int64_t batch, std::unique_ptr<NetworkExecutor>& into) {
    NetworkRequest request = networkRequest(m_experiment);
    request.batch = batch;
    PlanOptions options = planOptions(m_experiment);
    options.fuses = fusionOf(m_session);
    auto plan = planNetwork(m_experiment.network, request, options);
    if (!plan)
        return plan.error();
    into = std::make_unique<NetworkExecutor>(m_session, std::move(*plan), m_whole.get());
    return into->allocate();
}

Status InferenceWork::allocate() {
    m_rest.reset();
    m_whole.reset();
    if (const Status status = makeExecutor(m_experiment.inferenceBatch, m_whole); !status)
        return status;
    if (const std::int64_t rest = count() % m_experiment.inferenceBatch; rest != 0)
        if (const Status status = makeExecutor(rest, m_rest); !status)
            return status;
    if (const Status status = writeInitialState(*m_whole, m_experiment.training); !status)
        return status;
    const Shape4 output = m_whole->plan().network.output();
    m_units = static_cast<std::size_t>(output.c * output.h * output.w);
    m_outputs.resize(static_cast<std::size_t>(count()) * m_units);
    return m_session.synchronize();
}

Status InferenceWork::prepare() {
    for (NetworkExecutor* executor : {m_whole.get(), m_rest.get()})
        if (executor != nullptr)
            if (const Status status = executor->prepare(); !status)
                return status;
    return {};
}

double InferenceWork::opsPerRepetition() const {
    return static_cast<double>(count()) / static_cast<double>(m_experiment.inferenceBatch);
}

Status InferenceWork::inferBatch(std::int64_t first, OpObserver* observer) {
    const std::int64_t batch = std::min(m_experiment.inferenceBatch, count() - first);
    NetworkExecutor& executor = batch == m_experiment.inferenceBatch ? *m_whole : *m_rest;
    const auto image = static_cast<std::size_t>(*m_dataset.image.elements());
    const auto begin = static_cast<std::size_t>(first), size = static_cast<std::size_t>(batch);
    const auto images = std::span(m_dataset.test.images).subspan(begin * image, size * image);
    if (const Status status = executor.write(executor.plan().input, images); !status)
        return status;
    if (const Status status = executor.run(Phase::Forward, observer); !status)
        return status;
    const auto output = executor.read(executor.plan().output);
    if (!output)
        return output.error();
    std::copy(output->begin(), output->end(),
              m_outputs.begin() + static_cast<std::ptrdiff_t>(begin * m_units));
    return {};
}

Status InferenceWork::repeat(int repetitions, const RepeatContext& context) {
    for (int i = 0; i < repetitions; ++i)
        for (std::int64_t first = 0; first < count(); first += m_experiment.inferenceBatch) {
            if (context.stopped())
                return stoppedError();
            if (const Status status = inferBatch(first, context.observer); !status)
                return status;
        }
    return m_session.synchronize();
}

Result<std::vector<OutputTensor>> InferenceWork::outputs() {
    const auto units = static_cast<std::int64_t>(m_units);
    std::vector<OutputTensor> tensors; // a list of initial values would copy what it is made of once more
    tensors.push_back({"output", {count(), units, 1, 1}, m_outputs, kNetworkErrorFloor});
    tensors.push_back(
        {"target", {count(), m_dataset.targetElements, 1, 1}, m_dataset.test.targets, kNetworkErrorFloor});
    return tensors;
}

std::string InferenceWork::implementation() const {
    return m_whole ? m_whole->implementation() : std::string();
}

Json InferenceWork::metrics() const {
    Json metrics = {{"examples", count()}};
    if (m_experiment.data.isRegression()) {
        const RegressionFigures figures = regressionFigures(m_outputs, m_dataset.test.targets);
        metrics["mse"] = figures.meanSquaredError;
        metrics["mae"] = figures.meanAbsoluteError;
        if (figures.r2)
            metrics["r2"] = *figures.r2;
        return metrics;
    }
    metrics["accuracy"] = accuracyOf(m_outputs, m_units, m_dataset.test.targets);
    metrics["class_names"] = Json::array();
    const std::size_t classes = m_units == 1 ? 2 : m_units;
    for (std::size_t i = 0; i < classes; ++i)
        metrics["class_names"].push_back(m_dataset.className(static_cast<std::int64_t>(i)));
    return metrics;
}

} // namespace heteroscope::compute
