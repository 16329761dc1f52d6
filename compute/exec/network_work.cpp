// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/network_work.h"

#include "compute/exec/network_state.h"

#include <array>

namespace heteroscope::compute {

NetworkWork::NetworkWork(const NetworkExperiment& experiment, Session& session)
    : m_experiment(experiment),
      m_session(session),
      m_sequence(session, [this](OpObserver* observer) { return submit(observer); }) {}

Status NetworkWork::allocate() {
    PlanOptions options = planOptions(m_experiment);
    options.fuses = fusionOf(m_session);
    auto plan = planNetwork(m_experiment.network, networkRequest(m_experiment), options);
    if (!plan)
        return plan.error();
    m_sequence.forget();
    m_executor = std::make_unique<NetworkExecutor>(m_session, std::move(*plan));
    m_step = 0;
    if (const Status status = m_executor->allocate(); !status)
        return status;
    if (const Status status = writeInitialState(*m_executor, m_experiment.training); !status)
        return status;
    if (const Status status = writeSyntheticBatch(*m_executor, m_experiment.training); !status)
        return status;
    return m_session.synchronize();
}

Status NetworkWork::prepare() {
    return m_executor->prepare();
}

Status NetworkWork::step(OpObserver* observer) {
    const TrainingSpec& training = m_experiment.training;
    if (m_experiment.task == Task::Train)
        if (const Status status = writeStep(*m_executor, training, m_step++, training.learningRate); !status)
            return status;
    return m_sequence.run(observer);
}

Status NetworkWork::submit(OpObserver* observer) {
    for (const Phase phase : kPhases)
        if (const Status status = m_executor->run(phase, observer); !status)
            return status;
    return {};
}

Status NetworkWork::repeat(int repetitions, const RepeatContext& context) {
    for (int i = 0; i < repetitions; ++i) {
        if (context.stopped())
            return stoppedError();
        if (const Status status = step(context.observer); !status)
            return status;
    }
    return m_session.synchronize();
}

std::vector<std::string> NetworkWork::parts() const {
    std::vector<std::string> names;
    if (m_experiment.task == Task::Train)
        for (const Phase phase : kPhases)
            names.emplace_back(phaseName(phase));
    return names;
}

Status NetworkWork::repeatPart(std::size_t part, int repetitions, const RepeatContext& context) {
    for (int i = 0; i < repetitions; ++i) {
        if (context.stopped())
            return stoppedError();
        if (const Status status = m_executor->run(kPhases[part], context.observer); !status)
            return status;
    }
    return m_session.synchronize();
}

Result<std::vector<OutputTensor>> trainingOutputs(NetworkExecutor& executor) {
    auto figures = executor.read(executor.plan().figures);
    if (!figures)
        return figures.error();
    std::vector<OutputTensor> tensors;
    tensors.push_back({"loss", Shape4{1, 2, 1, 1}, std::move(*figures), kNetworkErrorFloor});
    OutputTensor gradients{"gradients", {}, {}, kNetworkErrorFloor};
    gradients.values.reserve(static_cast<std::size_t>(executor.plan().elementsOf(Block::Gradients)));
    for (const auto& layer : executor.plan().parameterGrads)
        for (const int tensor : layer) {
            auto values = executor.read(tensor);
            if (!values)
                return values.error();
            gradients.values.insert(gradients.values.end(), values->begin(), values->end());
        }
    gradients.shape = {1, static_cast<std::int64_t>(gradients.values.size()), 1, 1};
    if (!gradients.values.empty())
        tensors.push_back(std::move(gradients));
    return tensors;
}

Result<std::vector<OutputTensor>> NetworkWork::outputs() {
    if (m_experiment.task == Task::Train)
        return trainingOutputs(*m_executor);
    const NetworkPlan& plan = m_executor->plan();
    auto output = m_executor->read(plan.output);
    if (!output)
        return output.error();
    std::vector<OutputTensor> tensors;
    tensors.push_back({"output", plan.network.output(), std::move(*output), kNetworkErrorFloor});
    return tensors;
}

std::string NetworkWork::implementation() const {
    return m_executor ? m_executor->implementation() : std::string();
}

} // namespace heteroscope::compute
