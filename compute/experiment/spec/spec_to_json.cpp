// SPDX-License-Identifier: Apache-2.0
// Typed experiments to their canonical JSON, and the documents that new experiments start from.
#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/data_json.h"
#include "compute/experiment/spec/effect.h"
#include "compute/experiment/spec/enum_text.h"
#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/read_spec.h"
#include "compute/experiment/spec/spec_json.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace heteroscope::compute {
namespace {

/// Whether an axis varies one number of the list at `pointer`, which then has to stay a list.
bool variesElement(const ExperimentSpec& spec, const std::string& pointer) {
    return std::any_of(spec.axes.begin(), spec.axes.end(), [&](const Axis& axis) {
        const auto parts = axisPointers(axis.pointer);
        return std::any_of(parts.begin(), parts.end(),
                           [&](const std::string& part) { return part.starts_with(pointer + "/"); });
    });
}

Json extentJson(Extent2d extent, bool asList) {
    if (extent.h == extent.w && !asList)
        return extent.h;
    return Json::array({extent.h, extent.w});
}

Json paddingJson(const Padding2d& padding, bool asList) {
    const bool uniform =
        padding.top == padding.bottom && padding.top == padding.left && padding.top == padding.right;
    if (uniform && !asList)
        return padding.top;
    return Json::array({padding.top, padding.bottom, padding.left, padding.right});
}

Json matrixJson(const std::vector<std::vector<double>>& rows) {
    Json matrix = Json::array();
    for (const auto& row : rows) {
        Json numbers = Json::array();
        for (const double value : row)
            numbers.push_back(numberJson(value));
        matrix.push_back(std::move(numbers));
    }
    return matrix;
}

void putRandom(const ExperimentSpec& spec, Json& object) {
    const InputSpec& input = spec.pooling.input;
    object["size"] = extentJson({input.height, input.width}, variesElement(spec, "/pooling/input/size"));
    object["channels"] = input.channels;
    object["batch"] = input.batch;
    object["low"] = input.low;
    object["high"] = input.high;
}

Json inputJson(const ExperimentSpec& spec) {
    const InputSpec& input = spec.pooling.input;
    Json object = {{"source", enumText(input.source)}};
    if (input.source == InputSource::Random)
        putRandom(spec, object);
    if (input.source == InputSource::Manual)
        object["values"] = matrixJson(input.values);
    if (input.source == InputSource::Image || input.source == InputSource::Npy)
        object["path"] = input.path;
    if (input.source == InputSource::Image)
        object["color"] = input.grey ? "grey" : "rgb";
    object["seed"] = input.seed;
    return object;
}

Json poolingJson(const ExperimentSpec& spec) {
    const PoolingSpec& pooling = spec.pooling;
    const PoolParams& params = pooling.params;
    Json object = {
        {"mode", enumText(params.mode)},
        {"kernel", extentJson(params.kernel, variesElement(spec, "/pooling/kernel"))},
        {"stride", extentJson(params.stride, variesElement(spec, "/pooling/stride"))},
        {"padding", paddingJson(params.padding, variesElement(spec, "/pooling/padding"))},
        {"paddingValue", enumText(params.padValue)},
        {"countIncludePad", params.countIncludePad},
        {"strategy", enumText(pooling.strategy)},
        {"backward", pooling.backward},
        {"window",
         {{"multiply", enumText(pooling.windowMultiply)}, {"filter", enumText(pooling.windowFilter)}}}};
    object["input"] = inputJson(spec);
    return object;
}

Json matmulJson(const MatmulSpec& matmul) {
    return {{"m", matmul.m},
            {"n", matmul.n},
            {"k", matmul.k},
            {"right", enumText(matmul.right)},
            {"seed", matmul.seed}};
}

/// With the parameters that have an effect.
Json scheduleJson(const ScheduleSpec& schedule) {
    using Kind = ScheduleSpec::Kind;
    Json object = {{"type", enumText(schedule.kind)}};
    const auto isOneOf = [&](std::initializer_list<Kind> kinds) {
        return std::find(kinds.begin(), kinds.end(), schedule.kind) != kinds.end();
    };
    if (isOneOf({Kind::Step, Kind::Exponential, Kind::Plateau}))
        object["gamma"] = numberJson(schedule.gamma);
    if (isOneOf({Kind::Step}))
        object["every"] = schedule.every;
    if (isOneOf({Kind::Cosine}))
        object["warmup_steps"] = schedule.warmup;
    if (isOneOf({Kind::Cosine, Kind::Plateau}))
        object["minimum"] = numberJson(schedule.minimum);
    if (isOneOf({Kind::OneCycle}))
        object["rising"] = numberJson(schedule.rising);
    if (isOneOf({Kind::Plateau}))
        object["patience"] = schedule.patience;
    return object;
}

Json trainingJson(const TrainingSpec& training) {
    const OptimizerSpec& o = training.optimizer;
    Json optimizer = {{"type", enumText(o.kind)},
                      {"learning_rate", numberJson(training.learningRate)},
                      {"weight_decay", numberJson(o.weightDecay)}};
    if (o.kind == OptimizerSpec::Kind::Sgd) {
        optimizer["momentum"] = numberJson(o.momentum);
        optimizer["nesterov"] = o.nesterov;
    } else {
        optimizer["beta1"] = numberJson(o.beta1);
        optimizer["beta2"] = numberJson(o.beta2);
        optimizer["epsilon"] = numberJson(o.epsilon);
    }
    Json object = {{"loss", enumText(training.loss)},
                   {"batch", training.batch},
                   {"initialization", enumText(training.initialization)},
                   {"seed", training.seed},
                   {"optimizer", std::move(optimizer)}};
    if (training.initialization == Initialization::Constant)
        object["constant"] = numberJson(training.constant);
    return object;
}

void putNetwork(const NetworkExperiment& experiment, Json& document) {
    document["task"] = enumText(experiment.task);
    document["network"] = networkJson(experiment.network);
    if (!experiment.weights.empty())
        document["network"]["weights"] = experiment.weights;
    if (experiment.task == Task::Infer)
        document["network"]["input"]["batch"] = experiment.inferenceBatch;
    document["training"] = trainingJson(experiment.training);
    document["data"] = dataJson(experiment.data);
    if (experiment.trainsOnDataset()) {
        document["training"]["epochs"] = experiment.training.epochs;
        document["training"]["patience"] = experiment.training.patience;
        document["training"]["schedule"] = scheduleJson(experiment.training.schedule);
        document["training"]["find_learning_rate"] = experiment.training.findLearningRate;
        document["training"]["gradient_norm"] = experiment.training.gradientNorm;
    }
    if (experiment.task == Task::Infer)
        for (const char* key : {"loss", "batch", "optimizer"})
            document["training"].erase(key);
}

/// The named networks that an axis chooses from: the typed fields hold the experiment's own alone.
void putNamedNetworks(const ExperimentSpec& spec, Json& document) {
    const Json expanded = withDefaults(spec.document);
    const Json* networks = valueAt(expanded, kNetworks);
    const bool chosen = std::any_of(spec.axes.begin(), spec.axes.end(), [](const Axis& axis) {
        const auto pointers = axisPointers(axis.pointer);
        return std::find(pointers.begin(), pointers.end(), kNetwork) != pointers.end();
    });
    if (!chosen || !networks)
        return;
    for (const auto& [name, network] : networks->items()) {
        Json& named = document["networks"][name] = networkJson(readNetwork(network));
        if (spec.network.task == Task::Infer)
            named["input"]["batch"] = network.at("input").at("batch");
    }
}

/// The values that have an effect at other points of the axes only: the typed fields of the experiment's own
/// point leave them out, and the points would be read with the defaults.
void putValuesOfOtherPoints(const ExperimentSpec& spec, Json& document) {
    if (spec.axes.empty())
        return;
    const std::string kind(enumText(spec.kind));
    const Json expanded = withDefaults(spec.document);
    const AxisValues axisValues = axisValuesOf(spec.document);
    for (const ParameterGroup& group : parameterGroups(kind))
        for (const Parameter& parameter : group.parameters) {
            const std::string pointer = childPointer(group.pointer, parameter.key);
            const Json* const given = valueAt(spec.document, pointer);
            if (given && !valueAt(document, pointer) &&
                !inactiveBecause(kind, expanded, parameter, axisValues))
                document[Json::json_pointer(pointer)] = *given;
        }
}

Json samplingJson(const SamplingSpec& sampling) {
    Json object = {{"preset", enumText(sampling.preset)}};
    if (sampling.samples)
        object["samples"] = *sampling.samples;
    if (sampling.timeLimitS)
        object["time_limit_s"] = *sampling.timeLimitS;
    if (sampling.processes)
        object["processes"] = *sampling.processes;
    if (sampling.warmupLimitS)
        object["warmup_limit_s"] = *sampling.warmupLimitS;
    if (sampling.cache != CacheState::Warm)
        object["cache"] = enumText(sampling.cache);
    if (sampling.quietWaitS > 0)
        object["quiet_wait_s"] = sampling.quietWaitS;
    return object;
}

ExperimentSpec newExperiment(ExperimentKind kind, std::string name) {
    ExperimentSpec spec;
    spec.kind = kind;
    spec.name = std::move(name);
    for (const char* implementation : {"sequential", "openmp", "onednn"})
        spec.targets.push_back({"cpu", implementation, {}});
    return spec;
}

} // namespace

Json specToJson(const ExperimentSpec& spec) {
    Json document = {{"heteroscope", 1}, {"kind", enumText(spec.kind)}, {"name", spec.name}};
    if (!spec.notes.empty())
        document["notes"] = spec.notes;
    if (spec.kind == ExperimentKind::Pooling) {
        document["pooling"] = poolingJson(spec);
    } else if (spec.kind == ExperimentKind::Matmul) {
        document["matmul"] = matmulJson(spec.matmul);
    } else {
        putNetwork(spec.network, document);
        putNamedNetworks(spec, document);
    }
    document["targets"] = Json::array();
    for (const Target& target : spec.targets)
        document["targets"].push_back(target.text());
    if (!spec.axes.empty()) {
        document["axes"] = Json::object();
        for (const Axis& axis : spec.axes)
            document["axes"][axis.pointer] = axis.values;
    }
    document["sampling"] = samplingJson(spec.sampling);
    putValuesOfOtherPoints(spec, document);
    return document;
}

Json defaultPoolingDocument() {
    return specToJson(newExperiment(ExperimentKind::Pooling, "Max pooling"));
}

Json defaultNetworkDocument() {
    return Json::parse(
        R"({"heteroscope": 1, "kind": "network", "name": "Small convolutional network", "task": "train",
        "network": {"input": {"shape": [1, 28, 28]}, "layers": [
            {"name": "conv1", "type": "conv2d", "filters": 8, "padding": 1}, {"name": "relu1", "type": "relu"},
            {"name": "pool1", "type": "maxpool2d"}, {"name": "flatten", "type": "flatten"},
            {"name": "dense", "type": "dense", "units": 10}]},
        "training": {"loss": "softmax_cross_entropy", "batch": 32},
        "targets": ["cpu/sequential", "cpu/openmp"], "sampling": {"preset": "standard"}})");
}

Json defaultMatmulDocument() {
    return specToJson(newExperiment(ExperimentKind::Matmul, "Matrix multiplication"));
}

} // namespace heteroscope::compute
