// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/network_state.h"

#include "compute/exec/initialize.h"

#include <array>
#include <bit>
#include <cmath>

namespace heteroscope::compute {

namespace {

constexpr std::uint32_t kImageStream = 0xffff0000, kTargetStream = 0xffff0001; // no layer has these

std::vector<float> syntheticTarget(const PlanTensor& target, std::int64_t units,
                                   const TrainingSpec& training) {
    std::vector<float> values = uniformValues(target.elements, training.seed, kTargetStream);
    for (float& value : values) {
        if (training.loss == LossKind::SoftmaxCrossEntropy)
            value = std::floor((value + 1.0F) * 0.5F * static_cast<float>(units));
        else if (training.loss == LossKind::BinaryCrossEntropy)
            value = value > 0.0F ? 1.0F : 0.0F;
    }
    return values;
}

std::string dimsText(const std::vector<std::int64_t>& dims) {
    std::string text;
    for (const std::int64_t dim : dims)
        text += (text.empty() ? "" : "x") + std::to_string(dim);
    return text;
}

Status takeGiven(const TrainingSpec& training, InitialTensor& tensor) {
    if (!training.weights)
        return {};
    const auto found = training.weights->find(tensor.name);
    if (found == training.weights->end())
        return {};
    if (found->second.shape != tensor.dims)
        return badInput("tensor '" + tensor.name + "' of the given weights",
                        "its shape is " + dimsText(found->second.shape), dimsText(tensor.dims),
                        "give the weights of this network");
    tensor.values = found->second.values;
    tensor.given = true;
    return {};
}

} // namespace

Status forInitialState(const Network& network, const TrainingSpec& training,
                       const std::function<Status(InitialTensor)>& take) {
    std::uint32_t stream = 0;
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        const LayerLowering& lowering = *network.layers[layer].lowering;
        const std::string prefix = network.layers[layer].spec.name + ".";
        for (std::size_t i = 0; i < lowering.parameters.size(); ++i, ++stream) {
            const ParameterTensor& parameter = lowering.parameters[i];
            InitialTensor tensor{layer, i, false, false, prefix + parameter.name, parameter.dims, {}};
            if (const Status status = takeGiven(training, tensor); !status)
                return status;
            if (!tensor.given)
                tensor.values = initialValues(parameter, training, stream);
            if (const Status status = take(std::move(tensor)); !status)
                return status;
        }
        for (std::size_t i = 0; i < lowering.states.size(); ++i) {
            const StateTensor& state = lowering.states[i];
            InitialTensor tensor{layer, i, true, false, prefix + state.name, state.dims, {}};
            if (const Status status = takeGiven(training, tensor); !status)
                return status;
            if (!tensor.given)
                tensor.values.assign(static_cast<std::size_t>(elementsOf(state.dims)), state.initial);
            if (const Status status = take(std::move(tensor)); !status)
                return status;
        }
    }
    return {};
}

Status writeInitialState(NetworkExecutor& executor, const TrainingSpec& training) {
    const NetworkPlan& plan = executor.plan();
    return forInitialState(plan.network, training, [&](const InitialTensor& tensor) {
        const auto& side = tensor.isState ? plan.states : plan.parameters;
        return executor.write(side[tensor.layer][tensor.index], tensor.values);
    });
}

Status writeSyntheticBatch(NetworkExecutor& executor, const TrainingSpec& training) {
    const NetworkPlan& plan = executor.plan();
    const std::int64_t elements = plan.tensors[static_cast<std::size_t>(plan.input)].elements;
    if (const Status status =
            executor.write(plan.input, uniformValues(elements, training.seed, kImageStream));
        !status || plan.target < 0)
        return status;
    const Shape4 output = plan.network.output();
    return executor.write(plan.target, syntheticTarget(plan.tensors[static_cast<std::size_t>(plan.target)],
                                                       output.c * output.h * output.w, training));
}

std::array<float, kStepValues> stepValues(const TrainingSpec& training, std::int64_t step,
                                          double learningRate) {
    const auto t = static_cast<double>(step + 1);
    const OptimizerSpec& optimizer = training.optimizer;
    return {std::bit_cast<float>(static_cast<std::uint32_t>(step)), static_cast<float>(learningRate),
            static_cast<float>(1.0 / (1.0 - std::pow(optimizer.beta1, t))),
            static_cast<float>(1.0 / (1.0 - std::pow(optimizer.beta2, t))), 0.0F};
}

Status writeStep(NetworkExecutor& executor, const TrainingSpec& training, std::int64_t step,
                 double learningRate) {
    const NetworkPlan& plan = executor.plan();
    const auto values = stepValues(training, step, learningRate);
    const std::span<const float> all(values);
    if (const Status status = executor.write(plan.step, all.first(1)); !status || plan.hyper < 0)
        return status;
    return executor.write(plan.hyper, all.subspan(1));
}

} // namespace heteroscope::compute
