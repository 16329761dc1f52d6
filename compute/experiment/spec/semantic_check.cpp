// SPDX-License-Identifier: Apache-2.0
// Shapes that cannot be pooled or multiplied, and options that exclude one another.
#include "compute/experiment/spec/semantic_check.h"

#include "compute/base/units.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

void checkTensor(std::optional<std::int64_t> bytes, const std::string& pointer, const char* what,
                 Findings& findings) {
    if (bytes && *bytes <= kMaxTensorBytes)
        return;
    findings.error(pointer,
                   std::string(what) + (bytes ? " would take " + formatBytes(static_cast<double>(*bytes))
                                              : " would take more than 8 EiB"),
                   "at most " + formatBytes(static_cast<double>(kMaxTensorBytes)), "choose a smaller size");
}

void checkInput(const InputSpec& input, Findings& findings) {
    if (input.source == InputSource::Random && input.low > input.high)
        findings.error("/pooling/input/high",
                       "the largest value " + std::to_string(input.high) + " is below the smallest, " +
                           std::to_string(input.low),
                       "a whole number from /pooling/input/low on");
    if (input.source == InputSource::Manual && input.values.empty())
        findings.error("/pooling/input/values", "the matrix is missing", "a list of rows of numbers",
                       "give \"values\", or choose the source \"random\"");
    const bool fromFile = input.source == InputSource::Image || input.source == InputSource::Npy;
    if (fromFile && input.path.empty())
        findings.error("/pooling/input/path", "the file is missing", "the path of a file",
                       "give \"path\", or choose the source \"random\"");
}

struct Side {
    const char* name;
    std::int64_t padding;
    std::int64_t kernel;
};

void checkPadding(const PoolParams& params, Findings& findings) {
    const Padding2d& padding = params.padding;
    for (const Side& side :
         {Side{"top", padding.top, params.kernel.h}, Side{"bottom", padding.bottom, params.kernel.h},
          Side{"left", padding.left, params.kernel.w}, Side{"right", padding.right, params.kernel.w}})
        if (side.padding >= side.kernel)
            return findings.error("/pooling/padding",
                                  "padding " + std::to_string(side.padding) + " (" + side.name +
                                      ") is not smaller than the kernel, " + std::to_string(side.kernel),
                                  "padding below the kernel size, so that each window meets the input",
                                  "lower the padding or enlarge the kernel");
}

void checkWindowFits(const PoolParams& params, const InputSpec& input, Findings& findings) {
    const Padding2d& padding = params.padding;
    const std::int64_t height = input.height + padding.top + padding.bottom;
    const std::int64_t width = input.width + padding.left + padding.right;
    if (params.kernel.h <= height && params.kernel.w <= width)
        return;
    const bool byHeight = params.kernel.h > height;
    findings.error("/pooling/kernel",
                   "the window's " + std::string(byHeight ? "height " : "width ") +
                       std::to_string(byHeight ? params.kernel.h : params.kernel.w) +
                       " is larger than the input's, " + std::to_string(byHeight ? height : width) +
                       " with padding",
                   "a kernel of at most " + std::to_string(byHeight ? height : width),
                   "choose a smaller kernel or a larger input");
}

void checkWindowStrategy(const PoolingSpec& pooling, Findings& findings) {
    const PoolParams& params = pooling.params;
    if (params.mode != PoolMode::Max)
        findings.error("/pooling/mode",
                       "the window strategy takes the maximum of each window, not the average",
                       "\"max\" with the window strategy", "choose the strategy \"image\" to average");
    if (pooling.backward)
        findings.error("/pooling/backward", "the window strategy has no backward pass", "false",
                       "choose the strategy \"image\" for a backward pass");
    if (params.padding != Padding2d{} && params.padValue != PadValue::Zero)
        findings.error(
            "/pooling/paddingValue",
            "the window strategy multiplies each window, and minus infinity times zero is no number",
            "\"zero\" with the window strategy and padding", "set it to \"zero\"");
}

void checkPooling(const PoolingSpec& pooling, Findings& findings) {
    checkInput(pooling.input, findings);
    checkPadding(pooling.params, findings);
    if (pooling.strategy == Strategy::Window)
        checkWindowStrategy(pooling, findings);
    const InputSpec& input = pooling.input;
    if (input.source == InputSource::Image || input.source == InputSource::Npy || findings.hasErrors())
        return;
    checkWindowFits(pooling.params, input, findings);
    checkTensor(Shape4{input.batch, input.channels, input.height, input.width}.bytes(), "/pooling/input/size",
                "the input", findings);
    const Padding2d& padding = pooling.params.padding;
    const std::int64_t outHeight =
        (input.height + padding.top + padding.bottom - pooling.params.kernel.h) / pooling.params.stride.h + 1;
    const std::int64_t outWidth =
        (input.width + padding.left + padding.right - pooling.params.kernel.w) / pooling.params.stride.w + 1;
    checkTensor(Shape4{input.batch, input.channels, outHeight, outWidth}.bytes(), "/pooling/input/size",
                "the output", findings);
}

void checkMatmul(const MatmulSpec& matmul, Findings& findings) {
    if (matmul.right == MatmulRight::Identity && matmul.n != matmul.k)
        findings.error("/matmul/right",
                       "an identity matrix is square, but k is " + std::to_string(matmul.k) + " and n is " +
                           std::to_string(matmul.n),
                       "n equal to k with \"identity\"", "make n and k equal, or choose \"random\"");
    checkTensor(Shape4{1, 1, matmul.m, matmul.k}.bytes(), "/matmul/k", "the left matrix", findings);
    checkTensor(Shape4{1, 1, matmul.k, matmul.n}.bytes(), "/matmul/n", "the right matrix", findings);
    checkTensor(Shape4{1, 1, matmul.m, matmul.n}.bytes(), "/matmul/m", "the result", findings);
}

/// What the loss says of the last layers.
void checkLoss(const NetworkExperiment& experiment, const Network& network, Findings& findings) {
    const LayerSpec& last = network.layers.back().spec;
    const std::string pointer = "/network/layers/" + std::to_string(network.layers.size() - 1) + "/type";
    const LossKind loss = experiment.training.loss;
    if (loss == LossKind::SoftmaxCrossEntropy && last.type == "softmax")
        findings.warning(pointer, "the loss softmax_cross_entropy applies a softmax of its own",
                         "outputs before the softmax", "remove the last layer");
    if (loss == LossKind::BinaryCrossEntropy && last.type == "sigmoid")
        findings.warning(pointer, "the loss binary_cross_entropy applies a sigmoid of its own",
                         "outputs before the sigmoid", "remove the last layer");
}

/// The files that a source cannot do without.
std::vector<std::pair<const char*, const std::string*>> neededFiles(const DataSpec& data) {
    switch (data.source) {
    case DataSource::Idx:
    case DataSource::Npy:
        return {{"/data/images", &data.images}, {"/data/labels", &data.labels}};
    case DataSource::Cifar10:
    case DataSource::Cifar100:
    case DataSource::ImageFolder:
        return {{"/data/folder", &data.folder}};
    case DataSource::Csv:
        return {{"/data/file", &data.file}};
    default:
        return {};
    }
}

void checkFiles(const DataSpec& data, Findings& findings) {
    for (const auto& [pointer, file] : neededFiles(data))
        if (file->empty())
            findings.error(pointer, "the file is missing",
                           data.source >= DataSource::Cifar10 && data.source <= DataSource::ImageFolder
                               ? "the path of a folder"
                               : "the path of a file");
    if (data.testImages.empty() != data.testLabels.empty())
        findings.error(data.testImages.empty() ? "/data/test_images" : "/data/test_labels",
                       "the file is missing", "test images and labels together, or neither");
    if (data.validationShare + data.testShare > 0.95)
        findings.error("/data/test_share", "validation and test leave less than 5 % to train with",
                       "shares that add up to at most 0.95");
}

void checkData(const NetworkExperiment& experiment, Findings& findings) {
    const DataSpec& data = experiment.data;
    if (!data.isDataset())
        return;
    checkFiles(data, findings);
    if (experiment.task == Task::Infer)
        return;
    const bool squares = experiment.training.loss == LossKind::MeanSquaredError;
    if (squares != data.isRegression())
        findings.error("/training/loss",
                       data.isRegression() ? "the targets of the data are numbers, not classes"
                                           : "the targets of the data are classes, not numbers",
                       data.isRegression() ? "\"mean_squared_error\""
                                           : "\"softmax_cross_entropy\", or \"binary_cross_entropy\" with "
                                             "one output for two classes");
}

void checkSchedule(const NetworkExperiment& experiment, Findings& findings) {
    const ScheduleSpec& schedule = experiment.training.schedule;
    if (schedule.kind == ScheduleSpec::Kind::Plateau && experiment.data.validationShare == 0)
        findings.error("/training/schedule/type", "plateau watches the validation loss, but there is none",
                       "\"plateau\" with a validation share above 0",
                       "choose a /data/validation_share such as 0.1");
    const bool falls =
        schedule.kind == ScheduleSpec::Kind::Plateau || schedule.kind == ScheduleSpec::Kind::Cosine;
    if (falls && schedule.minimum > experiment.training.learningRate)
        findings.error("/training/schedule/minimum", "it is above the learning rate",
                       "at most /training/optimizer/learning_rate");
}

void checkNetwork(const NetworkExperiment& experiment, Findings& findings) {
    const Network network = resolveNetwork(experiment.network, networkRequest(experiment));
    if (network.inputError)
        findings.error(network.inputError->where, network.inputError->message, network.inputError->allowed,
                       network.inputError->advice);
    for (const NetworkLayer& layer : network.layers)
        if (layer.error)
            findings.error(layer.error->where, layer.error->message, layer.error->allowed,
                           layer.error->advice);
    if (findings.hasErrors())
        return;
    for (const std::size_t unused : network.unused)
        findings.warning("/network/layers/" + std::to_string(unused),
                         "nobody reads the output of \"" + network.layers[unused].spec.name + "\"", {},
                         "name it in the inputs of a later layer, or remove it");
    checkData(experiment, findings);
    if (experiment.trainsOnDataset())
        checkSchedule(experiment, findings);
    if (experiment.task == Task::Train)
        checkLoss(experiment, network, findings);
    if (const auto plan =
            planNetwork(experiment.network, networkRequest(experiment), planOptions(experiment));
        !plan)
        findings.error(plan.error().where, plan.error().message, plan.error().allowed, plan.error().advice);
    else
        checkTensor(plan->bytes(), "/network", "the network's tensors", findings);
}

/// Whether a repetition is many steps, of which the first alone would find empty caches.
const char* manySteps(const ExperimentSpec& spec) {
    if (spec.kind == ExperimentKind::Pooling && spec.pooling.strategy == Strategy::Window)
        return "a repetition of the window strategy copies and multiplies every window";
    if (spec.kind == ExperimentKind::Network && spec.network.trainsOnDataset())
        return "a sample of a training on a dataset is an epoch of many steps";
    if (spec.kind == ExperimentKind::Network && spec.network.infersDataset())
        return "a repetition infers a whole dataset in many batches";
    return nullptr;
}

void checkCache(const ExperimentSpec& spec, Findings& findings) {
    if (spec.sampling.cache != CacheState::Flush)
        return;
    if (const char* const why = manySteps(spec))
        findings.error("/sampling/cache",
                       std::string("the caches are flushed before a repetition, and ") + why +
                           ": all but the first would find what the one before left",
                       "\"warm\" here", "set it to \"warm\"");
}

} // namespace

void checkCombination(const ExperimentSpec& pointSpec, Findings& findings) {
    if (pointSpec.kind == ExperimentKind::Pooling)
        checkPooling(pointSpec.pooling, findings);
    else if (pointSpec.kind == ExperimentKind::Matmul)
        checkMatmul(pointSpec.matmul, findings);
    else
        checkNetwork(pointSpec.network, findings);
    checkCache(pointSpec, findings);
}

} // namespace heteroscope::compute
