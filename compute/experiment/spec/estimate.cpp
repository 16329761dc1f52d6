// SPDX-License-Identifier: Apache-2.0
// Shapes, bytes and work of a point, from its parameters alone.
#include "compute/experiment/spec/estimate.h"

#include "compute/base/checked_math.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kFloat = 4;

Error tooLarge(const char* pointer) {
    return badInput(pointer, "the sizes are larger than 8 EiB", {}, "choose a smaller size");
}

std::optional<std::int64_t> sum(std::initializer_list<std::optional<std::int64_t>> terms) {
    std::int64_t total = 0;
    for (const auto& term : terms) {
        const auto next = term ? checkedAdd(total, *term) : std::nullopt;
        if (!next)
            return std::nullopt;
        total = *next;
    }
    return total;
}

Shape4 paddedShape(const Shape4& src, const Padding2d& padding) {
    return {src.n, src.c, src.h + padding.top + padding.bottom, src.w + padding.left + padding.right};
}

Result<Shape4> sourceShape(const InputSpec& input, const std::optional<Shape4>& fileShape) {
    const bool fromFile = input.source == InputSource::Image || input.source == InputSource::Npy;
    if (fromFile && fileShape)
        return *fileShape;
    if (fromFile)
        return badInput("/pooling/input/path", "the shape of \"" + input.path + "\" is not known yet", {},
                        "read the file's shape first");
    if (input.source == InputSource::Manual) {
        if (input.values.empty() || input.values.front().empty())
            return badInput("/pooling/input/values", "the matrix is empty", "a list of rows of numbers");
        return Shape4{1, 1, static_cast<std::int64_t>(input.values.size()),
                      static_cast<std::int64_t>(input.values.front().size())};
    }
    return Shape4{input.batch, input.channels, input.height, input.width};
}

/// The window strategy's work: one small product, its copies and its maximum for every window.
void estimateWindowWork(const PoolingSpec& pooling, PointEstimate& estimate) {
    const Extent2d kernel = pooling.params.kernel;
    const double area = static_cast<double>(kernel.h * kernel.w);
    const double filter = static_cast<double>(kernel.w * kernel.w);
    const bool transferred = pooling.windowFilter == WindowFilter::Transferred;
    const auto windows = static_cast<double>(estimate.windows);
    estimate.flops = windows * (2.0 * area * static_cast<double>(kernel.w) + area - 1.0);
    estimate.minimumBytes = kFloat * windows * (2.0 * area + (transferred ? filter : 0.0));
    estimate.deviceBytes = kFloat * (2 * kernel.h * kernel.w + kernel.w * kernel.w);
    // The maxima come together on the host, and what is read at the end is a copy.
    estimate.hostBytes += estimate.dstBytes;
    estimate.hostRunBytes += estimate.dstBytes;
}

void estimateImageWork(const PoolingSpec& pooling, PointEstimate& estimate) {
    const PoolForward forward{pooling.params, estimate.src};
    estimate.flops = opFlops(forward);
    estimate.minimumBytes = opMinimumBytes(forward);
    if (!pooling.backward)
        return;
    const PoolBackward backward{pooling.params, estimate.src};
    estimate.flops += opFlops(backward);
    estimate.minimumBytes += opMinimumBytes(backward);
}

Result<PointEstimate> estimatePooling(const PoolingSpec& pooling, const std::optional<Shape4>& fileShape) {
    PointEstimate estimate;
    const auto src = sourceShape(pooling.input, fileShape);
    if (!src)
        return src.error();
    estimate.src = *src;
    const auto dst = poolOutputShape(pooling.params, *src);
    if (!dst)
        return dst.error();
    estimate.dst = *dst;
    const auto srcBytes = src->bytes(), dstBytes = dst->bytes();
    const auto paddedBytes = paddedShape(*src, pooling.params.padding).bytes();
    const auto gradientBytes = pooling.backward ? sum({srcBytes, dstBytes}) : 0;
    const auto operands = sum({srcBytes, dstBytes, gradientBytes});
    // On the host: the input, the weights of the gradient, each output once and once more from the reference.
    const auto copy = sum({dstBytes, pooling.backward ? srcBytes : 0});
    const auto host = sum({operands, copy});
    if (!operands || !host || !paddedBytes)
        return tooLarge("/pooling/input/size");
    estimate.windows = *dst->elements();
    estimate.srcBytes = *srcBytes;
    estimate.dstBytes = *dstBytes;
    estimate.paddedBytes = *paddedBytes;
    estimate.gradientBytes = *gradientBytes;
    estimate.deviceBytes = *operands;
    estimate.hostBytes = estimate.hostRunBytes = *host;
    estimate.referenceCopyBytes = estimate.resultBytes = *copy;
    if (pooling.strategy == Strategy::Window)
        estimateWindowWork(pooling, estimate);
    else
        estimateImageWork(pooling, estimate);
    return estimate;
}

Result<PointEstimate> estimateMatmul(const MatmulSpec& matmul) {
    PointEstimate estimate;
    estimate.src = {1, 1, matmul.m, matmul.k};
    estimate.dst = {1, 1, matmul.m, matmul.n};
    const auto left = estimate.src.bytes(), right = Shape4{1, 1, matmul.k, matmul.n}.bytes();
    const auto result = estimate.dst.bytes();
    const auto sources = sum({left, right});
    const auto operands = sum({sources, result});
    const auto host = sum({operands, result});
    if (!operands || !host)
        return tooLarge("/matmul/m");
    estimate.srcBytes = *sources;
    estimate.paddedBytes = *sources;
    estimate.dstBytes = *result;
    estimate.deviceBytes = *operands;
    estimate.hostBytes = estimate.hostRunBytes = *host;
    estimate.referenceCopyBytes = estimate.resultBytes = *result;
    const Gemm gemm{matmul.m, matmul.n, matmul.k};
    estimate.flops = opFlops(gemm);
    estimate.minimumBytes = opMinimumBytes(gemm);
    return estimate;
}

/// Of the plan's tensors of all layers.
std::int64_t largestBytes(const NetworkPlan& plan, const std::vector<std::vector<int>>& layers) {
    std::int64_t largest = 0;
    for (const std::vector<int>& layer : layers)
        for (const int tensor : layer)
            largest = std::max(largest, plan.tensors[static_cast<std::size_t>(tensor)].elements);
    return kFloat * largest;
}

/// Of the gradients of a step on the host: all are kept while the next is read.
std::int64_t hostGradientBytes(const NetworkPlan& plan) {
    const std::int64_t gradients = kFloat * plan.elementsOf(Block::Gradients);
    return gradients > 0 ? gradients + largestBytes(plan, plan.parameterGrads) : 0;
}

/// Results as they are compared, and what it takes on the host to read them.
struct ResultBytes {
    std::int64_t kept = 0, read = 0;
};

ResultBytes resultBytes(const NetworkExperiment& experiment, const NetworkPlan& plan, std::int64_t batchBytes,
                        const std::optional<ExampleCounts>& examples) {
    if (experiment.task == Task::Train) // of its first step, on a dataset as well
        return {kFloat * plan.elementsOf(Block::Gradients), hostGradientBytes(plan)};
    if (!experiment.data.isDataset())
        return {batchBytes, batchBytes};
    // Each batch goes to the outputs of all examples, of which a copy is compared, with the targets beside.
    const std::int64_t count = examples ? examples->test : experiment.batch();
    const std::int64_t all = checkedMul(count, batchBytes / experiment.batch()).value_or(INT64_MAX),
                       targets = checkedMul(count, kFloat).value_or(INT64_MAX);
    const std::int64_t kept = saturatingAdd(all, targets);
    return {kept, saturatingAdd(saturatingAdd(kept, all), batchBytes)};
}

/// Examples of a training's dataset that lie in batches on the host at once: of its steps, and of what it
/// measures.
std::int64_t examplesInBatches(const NetworkExperiment& experiment,
                               const std::optional<ExampleCounts>& examples) {
    if (!experiment.trainsOnDataset())
        return 0;
    const auto& transforms = experiment.data.transforms;
    const bool ahead =
        std::any_of(transforms.begin(), transforms.end(), [](const auto& one) { return one.isRandom(); });
    const std::int64_t batch = experiment.batch();
    const std::int64_t measured =
        examples ? std::min(batch, std::max(examples->validation, examples->test)) : batch;
    return (ahead ? std::int64_t{kBatchesAhead} : 1) * batch + measured;
}

Result<PointEstimate> estimateNetwork(const NetworkExperiment& experiment,
                                      const std::optional<ExampleCounts>& examples) {
    if (experiment.batch() < 1)
        return badInput(experiment.task == Task::Train ? "/training/batch" : "/network/input/batch",
                        "the batch is " + std::to_string(experiment.batch()), "a whole number from 1");
    const auto plan = planNetwork(experiment.network, networkRequest(experiment), planOptions(experiment));
    if (!plan)
        return plan.error();
    PointEstimate estimate;
    estimate.examples = examples;
    estimate.src = plan->network.input;
    estimate.dst = plan->network.output();
    estimate.srcBytes = estimate.paddedBytes = *estimate.src.bytes();
    estimate.dstBytes = *estimate.dst.bytes();
    estimate.gradientBytes = kFloat * plan->elementsOf(Block::Gradients);
    estimate.deviceBytes = plan->bytes();
    for (const std::int64_t batch : batchesBeside(experiment, examples)) {
        const auto measuring = planNetwork(experiment.network, {batch}, measuringOptions(experiment));
        if (!measuring)
            return measuring.error();
        estimate.deviceBytes +=
            kFloat * (measuring->elementsOf(Block::Activations) + measuring->elementsOf(Block::Fixed));
    }
    // On the host: given weights, the results, and of a training's dataset the batches that are on their way;
    // before that, in turns, weights and images that are made and written.
    const std::int64_t given =
        experiment.training.weights ? kFloat * plan->elementsOf(Block::Parameters) : std::int64_t{0};
    const std::int64_t batches =
        examplesInBatches(experiment, examples) * (estimate.srcBytes / experiment.batch());
    estimate.weightsComeLast = experiment.trainsOnDataset();
    const std::int64_t made = experiment.data.isDataset() ? std::int64_t{0} : estimate.srcBytes;
    const ResultBytes results = resultBytes(experiment, *plan, estimate.dstBytes, examples);
    estimate.resultBytes = results.kept;
    estimate.readBytes = results.read;
    estimate.hostRunBytes = saturatingAdd(given + batches, results.read);
    estimate.hostBytes = std::max(estimate.hostRunBytes,
                                  given + std::max(made, batches + largestBytes(*plan, plan->parameters)));
    for (const PlanStep& step : plan->steps) {
        const OpFacts facts = opFacts(step.op);
        estimate.flops += facts.flops;
        estimate.minimumBytes += facts.bytes;
    }
    return estimate;
}

} // namespace

Result<PointEstimate> estimatePoint(const ExperimentSpec& pointSpec, std::optional<Shape4> fileShape,
                                    const std::optional<ExampleCounts>& examples) {
    if (pointSpec.kind == ExperimentKind::Pooling)
        return estimatePooling(pointSpec.pooling, fileShape);
    if (pointSpec.kind == ExperimentKind::Matmul)
        return estimateMatmul(pointSpec.matmul);
    return estimateNetwork(pointSpec.network, examples);
}

std::string outputFormula(std::int64_t in, std::int64_t before, std::int64_t after, std::int64_t kernel,
                          std::int64_t stride) {
    std::string text = "floor((" + std::to_string(in) + " + " + std::to_string(before) + " + " +
                       std::to_string(after) + " - " + std::to_string(kernel) + ") / " +
                       std::to_string(stride) + ") + 1";
    const std::int64_t span = in + before + after - kernel;
    if (span < 0 || stride < 1)
        return text;
    return text + " = " + std::to_string(span / stride + 1);
}

} // namespace heteroscope::compute
