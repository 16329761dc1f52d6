// SPDX-License-Identifier: Apache-2.0
#include "app/cli/evaluate_network.h"

#include "app/cli/given_tensors.h"
#include "compute/exec/network_state.h"
#include "compute/experiment/spec/enum_text.h"

#include <algorithm>
#include <utility>

namespace heteroscope::cli {

namespace {

using compute::NetworkPlan;
using compute::NpyArray;
using compute::NpzArrays;
using compute::Phase;
using Dims = std::vector<std::int64_t>;

/// Whether each layer's output is a row of numbers an image, and so has two dimensions.
std::vector<bool> rowOutputs(const NetworkPlan& plan, bool rowInput) {
    std::vector<bool> rows;
    for (const compute::NetworkLayer& layer : plan.network.layers) {
        const int from = layer.inputs.front();
        const bool before = from == compute::kNetworkInput ? rowInput : rows[static_cast<std::size_t>(from)];
        rows.push_back(layer.spec.type == "dense" || layer.spec.type == "flatten" || before);
    }
    return rows;
}

Dims outputDims(const compute::Shape4& shape, bool row) {
    if (row)
        return {shape.n, shape.c};
    return {shape.n, shape.c, shape.h, shape.w};
}

template <class Enum>
Status choose(const char* option, const std::string& text, int count, Enum& value) {
    if (text.empty())
        return {};
    std::string allowed;
    for (int i = 0; i < count; ++i) {
        const auto candidate = static_cast<Enum>(i);
        if (compute::enumText(candidate) == text) {
            value = candidate;
            return {};
        }
        allowed += (allowed.empty() ? "" : ", ") + std::string(compute::enumText(candidate));
    }
    return badInput(option, "found '" + text + "'", allowed);
}

/// The evaluation from tensors in to tensors out.
class Evaluation {
  public:
    Evaluation(compute::NetworkExperiment experiment, const NpzArrays& tensors,
               const EvaluateOptions& options, compute::Session& session)
        : m_experiment(std::move(experiment)), m_tensors(tensors), m_options(options), m_session(session) {}

    Result<NpzArrays> run() {
        for (const auto step : {&Evaluation::makePlan, &Evaluation::writeParameters, &Evaluation::writeBatch,
                                &Evaluation::firstStep, &Evaluation::otherSteps})
            if (const Status status = (this->*step)(); !status)
                return status.error();
        return std::move(m_results);
    }

  private:
    bool training() const { return m_options.backward || m_options.steps > 0; }
    const NetworkPlan& plan() const { return m_executor->plan(); }
    const compute::PlanTensor& planned(int tensor) const {
        return plan().tensors[static_cast<std::size_t>(tensor)];
    }

    Result<const NpyArray*> findInput() const {
        auto input = tensor(m_tensors, "input");
        if (!input)
            return input;
        Dims wanted = m_experiment.network.input;
        const Dims& found = (*input)->shape;
        if (found.empty() || Dims(found.begin() + 1, found.end()) != wanted)
            return badInput("tensor 'input'", "its shape is " + shapeText(found),
                            "a batch of " + shapeText(wanted));
        return input;
    }

    Status makePlan() {
        const auto input = findInput();
        if (!input)
            return input.error();
        m_rowInput = (*input)->shape.size() == 2;
        compute::PlanOptions options;
        options.keepEverything = true;
        options.mode = training() ? compute::NetworkMode::Train : compute::NetworkMode::Infer;
        options.backward = options.inputGradient = training();
        if (m_tensors.contains("target") || m_options.steps > 0)
            options.loss = m_experiment.training.loss;
        if (m_options.steps > 0)
            options.optimizer = m_experiment.training.optimizer;
        auto plan = compute::planNetwork(m_experiment.network,
                                         {(*input)->shape.front(), options.mode, m_experiment.training.seed},
                                         options);
        if (!plan)
            return plan.error();
        if (const std::string refusal = compute::networkRefusal(m_session, *plan); !refusal.empty())
            return Error{ErrorCode::TargetUnavailable, refusal, {}, {}, "choose another target"};
        if (const auto free = m_session.device().memoryFreeBytes; plan->bytes() > free)
            return Error{ErrorCode::OutOfMemory,
                         "the network needs " + std::to_string(plan->bytes()) + " bytes, " +
                             std::to_string(free) + " are free",
                         {},
                         {},
                         "give a smaller batch"};
        m_executor = std::make_unique<compute::NetworkExecutor>(m_session, std::move(*plan));
        if (const Status status = m_executor->allocate(); !status)
            return status;
        return m_executor->prepare();
    }

    /// A file of weights that the experiment names stands in for tensors that are not given.
    bool isOptional(const std::string& name) const {
        const auto& weights = m_experiment.training.weights;
        return !m_tensors.contains(name) && weights && weights->contains(name);
    }

    Status writeParameters() {
        if (const Status status = compute::writeInitialState(*m_executor, m_experiment.training); !status)
            return status;
        for (const auto& layer : plan().parameters)
            for (const int number : layer)
                if (isOptional(planned(number).name))
                    continue;
                else if (const Status status = writeGiven(number, planned(number).dims); !status)
                    return status;
        for (const auto& layer : plan().states)
            for (const int number : layer)
                if (isOptional(planned(number).name))
                    continue;
                else if (!training() || m_tensors.contains(planned(number).name))
                    if (const Status status = writeGiven(number, planned(number).dims); !status)
                        return status;
        return {};
    }

    Status writeGiven(int number, const Dims& dims) {
        const auto given = tensorOfShape(m_tensors, planned(number).name, dims);
        if (!given)
            return given.error();
        return m_executor->write(number, (*given)->values);
    }

    Status writeBatch() {
        if (const Status status = m_executor->write(plan().input, m_tensors.at("input").values); !status)
            return status;
        if (plan().target >= 0)
            return writeTarget();
        if (!training())
            return {};
        const auto gradient = tensorOfShape(m_tensors, "output.grad", finalDims());
        if (!gradient)
            return gradient.error();
        return m_executor->write(plan().outputGrad, (*gradient)->values);
    }

    Dims finalDims() const {
        return outputDims(plan().network.output(), rowOutputs(plan(), m_rowInput).back());
    }

    Status writeTarget() {
        const bool classes = m_experiment.training.loss == compute::LossKind::SoftmaxCrossEntropy;
        const Dims wanted = classes ? Dims{plan().network.output().n} : finalDims();
        const auto given = tensorOfShape(m_tensors, "target", wanted);
        if (!given)
            return given.error();
        const compute::Shape4 output = plan().network.output();
        const auto units = static_cast<float>(output.c * output.h * output.w);
        for (const float value : (*given)->values)
            if (classes && !(value >= 0.0F && value < units &&
                             value == static_cast<float>(static_cast<std::int64_t>(value))))
                return badInput("tensor 'target'", "found " + std::to_string(value),
                                "whole numbers from 0 to " +
                                    std::to_string(static_cast<std::int64_t>(units) - 1));
        return m_executor->write(plan().target, (*given)->values);
    }

    Status runPhase(Phase phase) { return m_executor->run(phase, nullptr); }

    Status firstStep() {
        if (const Status status =
                compute::writeStep(*m_executor, m_experiment.training, 0, m_experiment.training.learningRate);
            !status)
            return status;
        for (const Phase phase : {Phase::Forward, Phase::Loss, Phase::Backward})
            if (const Status status = runPhase(phase); !status)
                return status;
        return keepResults();
    }

    Status keep(const std::string& name, int number, Dims dims) {
        auto values = m_executor->read(number);
        if (!values)
            return values.error();
        m_results[name] = {std::move(dims), std::move(*values)};
        return {};
    }

    Status keepResults() {
        const std::vector<bool> rows = rowOutputs(plan(), m_rowInput);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const compute::NetworkLayer& layer = plan().network.layers[i];
            if (const Status status = keep(layer.spec.name + ".output", plan().outputs[i],
                                           outputDims(layer.lowering->output, rows[i]));
                !status)
                return status;
        }
        m_results["output"] = m_results.at(plan().network.layers.back().spec.name + ".output");
        if (const Status status = keepLoss(); !status || !training())
            return status;
        if (plan().inputGrad >= 0)
            if (const Status status = keep("input.grad", plan().inputGrad, m_tensors.at("input").shape);
                !status)
                return status;
        for (const auto& layer : plan().parameterGrads)
            for (const int number : layer)
                if (const Status status = keep(planned(number).name, number, planned(number).dims); !status)
                    return status;
        return {};
    }

    Status keepLoss() {
        if (plan().figures < 0)
            return {};
        const auto figures = m_executor->read(plan().figures);
        if (!figures)
            return figures.error();
        m_losses.push_back(figures->front());
        if (!m_results.contains("loss"))
            m_results["loss"] = {{}, {figures->front()}};
        return {};
    }

    Status otherSteps() {
        for (int step = 0; step < m_options.steps; ++step) {
            if (step > 0) {
                if (const Status status = compute::writeStep(*m_executor, m_experiment.training, step,
                                                             m_experiment.training.learningRate);
                    !status)
                    return status;
                for (const Phase phase : {Phase::Forward, Phase::Loss, Phase::Backward})
                    if (const Status status = runPhase(phase); !status)
                        return status;
                if (const Status status = keepLoss(); !status)
                    return status;
            }
            if (const Status status = runPhase(Phase::Update); !status)
                return status;
        }
        return m_options.steps > 0 ? keepParameters() : Status{};
    }

    Status keepParameters() {
        m_results["losses"] = {{static_cast<std::int64_t>(m_losses.size())}, m_losses};
        for (const auto* side : {&plan().parameters, &plan().states})
            for (const auto& layer : *side)
                for (const int number : layer)
                    if (const Status status = keep(planned(number).name, number, planned(number).dims);
                        !status)
                        return status;
        return {};
    }

    compute::NetworkExperiment m_experiment;
    const NpzArrays& m_tensors;
    const EvaluateOptions& m_options;
    compute::Session& m_session;
    std::unique_ptr<compute::NetworkExecutor> m_executor;
    NpzArrays m_results;
    std::vector<float> m_losses;
    bool m_rowInput = false;
};

} // namespace

Result<NpzArrays> evaluateNetwork(const compute::NetworkExperiment& experiment, const NpzArrays& tensors,
                                  const EvaluateOptions& options, compute::Session& session) {
    compute::NetworkExperiment asked = experiment;
    if (const Status status = choose("--loss", options.loss, 3, asked.training.loss); !status)
        return status.error();
    if (const Status status = choose("--optimizer", options.optimizer, 2, asked.training.optimizer.kind);
        !status)
        return status.error();
    return Evaluation(std::move(asked), tensors, options, session).run();
}

} // namespace heteroscope::cli
