// SPDX-License-Identifier: Apache-2.0
// From a checked document to typed values.
#include "compute/experiment/spec/read_spec.h"

#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/data_json.h"
#include "compute/experiment/spec/enum_text.h"
#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/parameter_check.h"
#include "compute/experiment/spec/pointer.h"

namespace heteroscope::compute {
namespace {

std::string text(const Json& object, const char* key) {
    return object.at(key).get<std::string>();
}

Extent2d readExtent(const Json& value) {
    if (value.is_array())
        return {wholeOrZero(value[0]), wholeOrZero(value[1])};
    return {wholeOrZero(value), wholeOrZero(value)};
}

Padding2d readPadding(const Json& value) {
    if (!value.is_array()) {
        const std::int64_t side = wholeOrZero(value);
        return {side, side, side, side};
    }
    if (value.size() == 2)
        return {wholeOrZero(value[0]), wholeOrZero(value[0]), wholeOrZero(value[1]), wholeOrZero(value[1])};
    return {wholeOrZero(value[0]), wholeOrZero(value[1]), wholeOrZero(value[2]), wholeOrZero(value[3])};
}

void readMatrix(const Json& rows, InputSpec& input) {
    input.values.clear();
    if (!rows.is_array())
        return;
    for (const Json& row : rows)
        input.values.push_back(row.get<std::vector<double>>());
}

InputSpec readInput(const Json& object) {
    InputSpec input;
    input.source = enumFromText<InputSource>(text(object, "source"), 4);
    const Extent2d size = readExtent(object.at("size"));
    input.height = size.h;
    input.width = size.w;
    input.channels = wholeOrZero(object.at("channels"));
    input.batch = wholeOrZero(object.at("batch"));
    input.low = wholeOrZero(object.at("low"));
    input.high = wholeOrZero(object.at("high"));
    input.seed = static_cast<std::uint32_t>(wholeOrZero(object.at("seed")));
    input.path = text(object, "path");
    input.grey = text(object, "color") == "grey";
    if (input.source != InputSource::Manual)
        return input;
    readMatrix(object.at("values"), input);
    input.height = static_cast<std::int64_t>(input.values.size());
    input.width = input.values.empty() ? 0 : static_cast<std::int64_t>(input.values.front().size());
    input.channels = input.batch = 1;
    return input;
}

PoolingSpec readPooling(const Json& object) {
    PoolingSpec pooling;
    pooling.params.mode = enumFromText<PoolMode>(text(object, "mode"), 2);
    pooling.params.kernel = readExtent(object.at("kernel"));
    pooling.params.stride = readExtent(object.at("stride"));
    pooling.params.padding = readPadding(object.at("padding"));
    pooling.params.padValue = enumFromText<PadValue>(text(object, "paddingValue"), 2);
    pooling.params.countIncludePad = object.at("countIncludePad").get<bool>();
    pooling.strategy = enumFromText<Strategy>(text(object, "strategy"), 2);
    pooling.backward = object.at("backward").get<bool>();
    pooling.windowMultiply = enumFromText<WindowMultiply>(text(object.at("window"), "multiply"), 3);
    pooling.windowFilter = enumFromText<WindowFilter>(text(object.at("window"), "filter"), 2);
    pooling.input = readInput(object.at("input"));
    return pooling;
}

MatmulSpec readMatmul(const Json& object) {
    MatmulSpec matmul;
    matmul.m = wholeOrZero(object.at("m"));
    matmul.n = wholeOrZero(object.at("n"));
    matmul.k = wholeOrZero(object.at("k"));
    matmul.right = enumFromText<MatmulRight>(text(object, "right"), 2);
    matmul.seed = static_cast<std::uint32_t>(wholeOrZero(object.at("seed")));
    return matmul;
}

OptimizerSpec readOptimizer(const Json& object) {
    OptimizerSpec optimizer;
    optimizer.kind = enumFromText<OptimizerSpec::Kind>(text(object, "type"), 2);
    optimizer.momentum = object.at("momentum").get<double>();
    optimizer.nesterov = object.at("nesterov").get<bool>();
    optimizer.weightDecay = object.at("weight_decay").get<double>();
    optimizer.beta1 = object.at("beta1").get<double>();
    optimizer.beta2 = object.at("beta2").get<double>();
    optimizer.epsilon = object.at("epsilon").get<double>();
    return optimizer;
}

ScheduleSpec readSchedule(const Json& object) {
    ScheduleSpec schedule;
    schedule.kind = enumFromText<ScheduleSpec::Kind>(text(object, "type"), 6);
    schedule.gamma = object.at("gamma").get<double>();
    schedule.every = static_cast<int>(wholeOrZero(object.at("every")));
    schedule.warmup = wholeOrZero(object.at("warmup_steps"));
    schedule.minimum = object.at("minimum").get<double>();
    schedule.rising = object.at("rising").get<double>();
    schedule.patience = static_cast<int>(wholeOrZero(object.at("patience")));
    return schedule;
}

TrainingSpec readTraining(const Json& object) {
    TrainingSpec training;
    training.loss = enumFromText<LossKind>(text(object, "loss"), 3);
    training.batch = wholeOrZero(object.at("batch"));
    training.initialization = enumFromText<Initialization>(text(object, "initialization"), 5);
    training.constant = object.at("constant").get<double>();
    training.seed = static_cast<std::uint32_t>(wholeOrZero(object.at("seed")));
    training.optimizer = readOptimizer(object.at("optimizer"));
    training.epochs = static_cast<int>(wholeOrZero(object.at("epochs")));
    training.patience = static_cast<int>(wholeOrZero(object.at("patience")));
    training.learningRate = object.at("optimizer").at("learning_rate").get<double>();
    training.schedule = readSchedule(object.at("schedule"));
    training.findLearningRate = object.at("find_learning_rate").get<bool>();
    training.gradientNorm = object.at("gradient_norm").get<bool>();
    return training;
}

NetworkExperiment readNetworkExperiment(const Json& document) {
    NetworkExperiment experiment;
    experiment.task = enumFromText<Task>(text(document, "task"), 2);
    experiment.network = readNetwork(document.at("network"));
    experiment.weights = text(document.at("network"), "weights");
    experiment.inferenceBatch = wholeOrZero(document.at("network").at("input").at("batch"));
    experiment.training = readTraining(document.at("training"));
    experiment.data = readData(document.at("data"));
    return experiment;
}

SamplingSpec readSampling(const Json& object) {
    SamplingSpec sampling;
    sampling.preset = enumFromText<Preset>(text(object, "preset"), 3);
    if (const Json& samples = object.at("samples"); !samples.is_null())
        sampling.samples = static_cast<int>(wholeOrZero(samples));
    if (const Json& limit = object.at("time_limit_s"); !limit.is_null())
        sampling.timeLimitS = limit.get<double>();
    if (const Json& processes = object.at("processes"); !processes.is_null())
        sampling.processes = static_cast<int>(wholeOrZero(processes));
    if (const Json& limit = object.at("warmup_limit_s"); !limit.is_null())
        sampling.warmupLimitS = limit.get<double>();
    sampling.quietWaitS = static_cast<int>(wholeOrZero(object.at("quiet_wait_s")));
    sampling.cache = enumFromText<CacheState>(text(object, "cache"), 2);
    return sampling;
}

} // namespace

std::string kindText(const Json& document) {
    const Json* kind = valueAt(document, "/kind");
    if (!kind || !kind->is_string())
        return {};
    std::string name = kind->get<std::string>();
    return parameterGroups(name).empty() ? std::string() : name;
}

Json withDefaults(const Json& document) {
    Json expanded = document;
    const auto fill = [&expanded](const std::string& pointer, const Parameter& parameter) {
        if (!valueAt(expanded, pointer))
            setValueAt(expanded, pointer, parameter.defaultValue);
    };
    const Json* networks = valueAt(document, kNetworks);
    for (const ParameterGroup& group : parameterGroups(kindText(document)))
        for (const Parameter& parameter : group.parameters) {
            const std::string pointer = childPointer(group.pointer, parameter.key);
            fill(pointer, parameter);
            if (networks && networks->is_object() && pointer.starts_with("/network/"))
                for (const auto& [name, network] : networks->items())
                    fill(childPointer(kNetworks, name) + pointer.substr(std::string_view(kNetwork).size()),
                         parameter);
        }
    return expanded;
}

void readParameters(const Json& expanded, ExperimentSpec& spec) {
    spec.kind = enumFromText<ExperimentKind>(kindText(expanded), 3);
    if (spec.kind == ExperimentKind::Pooling)
        spec.pooling = readPooling(expanded.at("pooling"));
    else if (spec.kind == ExperimentKind::Matmul)
        spec.matmul = readMatmul(expanded.at("matmul"));
    else
        spec.network = readNetworkExperiment(expanded);
    spec.sampling = readSampling(expanded.at("sampling"));
}

} // namespace heteroscope::compute
