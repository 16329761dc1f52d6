// SPDX-License-Identifier: Apache-2.0
#include "compute/data/dataset.h"

#include "compute/base/philox.h"
#include "compute/data/fixed_transforms.h"
#include "compute/data/split.h"

#include <algorithm>
#include <numeric>

namespace heteroscope::compute {

namespace {

constexpr std::uint32_t kShuffle = 0x73687566;

Status checkLabels(const ExampleSet& set, std::int64_t outputs, bool yesOrNo) {
    const auto& labels = set.examples.targets;
    const std::int64_t classes = yesOrNo ? 2 : outputs;
    const auto largest = std::max_element(labels.begin(), labels.end());
    if (largest == labels.end() || *largest < static_cast<float>(classes))
        return {};
    return badInput("/network/layers",
                    "label " + std::to_string(static_cast<std::int64_t>(*largest)) + " at example " +
                        std::to_string(largest - labels.begin()) + ", but the network has " +
                        std::to_string(outputs) + " outputs",
                    "0 to " + std::to_string(classes - 1),
                    "give the last layer as many units as there are classes");
}

Status checkTargets(const NetworkExperiment& experiment, const ExampleSet& set) {
    const Shape4 output = resolveNetwork(experiment.network, networkRequest(experiment)).output();
    const std::int64_t outputs = output.c * output.h * output.w;
    if (!experiment.data.isRegression()) {
        if (experiment.task == Task::Train && outputs != 1 &&
            experiment.training.loss == LossKind::BinaryCrossEntropy)
            return badInput("/training/loss",
                            "the network has " + std::to_string(outputs) + " outputs for classes",
                            "\"softmax_cross_entropy\", or one output for two classes");
        const bool binary =
            experiment.task == Task::Infer || experiment.training.loss == LossKind::BinaryCrossEntropy;
        return checkLabels(set, outputs, outputs == 1 && binary);
    }
    if (outputs == set.targetElements)
        return {};
    return badInput("/network/layers",
                    "the network has " + std::to_string(outputs) + " outputs for " +
                        std::to_string(set.targetElements) + " targets an example",
                    std::to_string(set.targetElements), "change the units of the last layer");
}

/// The named examples of a set, charged.
Result<Examples> chargedExamples(const ExampleSet& set, std::span<const std::int64_t> which,
                                 MemoryBudget& budget) {
    const Status status = chargeExamples(budget, static_cast<std::int64_t>(which.size()),
                                         *set.image.elements() + set.targetElements);
    return status ? Result<Examples>(chooseExamples(set, which)) : status.error();
}

void append(Examples& to, Examples&& more) {
    to.count += more.count;
    to.images.insert(to.images.end(), more.images.begin(), more.images.end());
    to.targets.insert(to.targets.end(), more.targets.begin(), more.targets.end());
    more = {};
}

DataSpec withoutRandom(DataSpec data) {
    std::erase_if(data.transforms, [](const TransformSpec& transform) { return transform.isRandom(); });
    return data;
}

/// What an inference takes becomes the test part: it, or everything.
Status keepForInference(Dataset& dataset, MemoryBudget& budget) {
    if (dataset.test.count == 0) {
        HeldMemory joined(budget);
        const std::int64_t bytes = bytesOf(dataset.training) + bytesOf(dataset.validation);
        if (const Status status = joined.add(bytes, "all examples in one part", "/data"); !status)
            return status;
        append(dataset.test, std::move(dataset.training));
        append(dataset.test, std::move(dataset.validation));
    }
    dataset.training = dataset.validation = {};
    return {};
}

/// The set's examples to the parts that `split` says.
Status distribute(const ExampleSet& set, const Split& split, bool testFiles, Dataset& dataset,
                  MemoryBudget& budget) {
    for (const auto& [part, which] : {std::pair{&dataset.training, &split.training},
                                      {&dataset.validation, &split.validation},
                                      {&dataset.test, &split.test}}) {
        if (part == &dataset.test && testFiles)
            continue;
        auto chosen = chargedExamples(set, *which, budget);
        if (!chosen)
            return chosen.error();
        *part = std::move(*chosen);
    }
    budget.release(bytesOf(set.examples));
    return {};
}

Status readParts(ReadRequest request, bool testFiles, Dataset& dataset, ExampleSet& about) {
    auto training = readExamples(request);
    if (!training)
        return training.error();
    about.classNames = training->classNames;
    if (testFiles) {
        request.test = true;
        request.classNames = training->classNames;
        const auto test = readExamples(request);
        if (!test)
            return test.error();
        if (!(test->image == training->image) || test->targetElements != training->targetElements)
            return badInput("/data", "the test examples have another shape than those for training");
        auto chosen = chargedExamples(*test, testOrder(request.data, test->examples.count), *request.budget);
        if (!chosen)
            return chosen.error();
        dataset.test = std::move(*chosen);
        request.budget->release(bytesOf(test->examples));
        about.examples.targets = test->examples.targets;
    }
    const Split split = splitOf(request.data, training->examples.count, testFiles);
    if (const Status status = distribute(*training, split, testFiles, dataset, *request.budget); !status)
        return status;
    about.image = training->image;
    about.targetElements = training->targetElements;
    about.examples.targets.insert(about.examples.targets.end(), training->examples.targets.begin(),
                                  training->examples.targets.end());
    return {};
}

/// A whole number from 0 to below `bound`: Lemire's multiplication, without the rejection, whose bias is
/// below bound / 2^32.
std::int64_t boundedNumber(std::uint32_t word, std::int64_t bound) {
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(word) * static_cast<std::uint64_t>(bound)) >>
                                     32);
}

} // namespace

std::string Dataset::className(std::int64_t number) const {
    const auto index = static_cast<std::size_t>(number);
    return index < classNames.size() ? classNames[index] : std::to_string(number);
}

Result<Dataset> loadDataset(const NetworkExperiment& experiment, const std::string& directory) {
    const DataSpec& data = experiment.data;
    const Shape4 input = resolveNetwork(experiment.network, networkRequest(experiment)).input;
    const ReadRequest request{data, directory, {1, input.c, input.h, input.w}, false, {}, {}};
    const bool testFiles = hasTestFiles(data, directory);
    Dataset dataset;
    dataset.seed = experiment.training.seed;
    ExampleSet about;
    const bool infers = experiment.task == Task::Infer;
    if (const Status status = readParts(request, testFiles, dataset, about); !status)
        return status.error();
    dataset.image = about.image;
    dataset.targetElements = about.targetElements;
    dataset.classNames = std::move(about.classNames);
    if (const Status status =
            applyFixedTransforms(infers ? withoutRandom(data) : data, dataset, *request.budget);
        !status)
        return status.error();
    if (infers)
        if (const Status status = keepForInference(dataset, *request.budget); !status)
            return status.error();
    if (const Status status = checkImageFits(input, dataset.image); !status)
        return status.error();
    if (const Status status = checkTargets(experiment, about); !status)
        return status.error();
    if (!infers)
        if (const Status status = checkBatchFits(dataset.training.count, experiment.training.batch); !status)
            return status.error();
    return dataset;
}

namespace {

std::string planesText(const Shape4& shape) {
    return "[" + std::to_string(shape.c) + ", " + std::to_string(shape.h) + ", " + std::to_string(shape.w) +
           "]";
}

} // namespace

Status checkImageFits(const Shape4& input, const Shape4& image) {
    if (input.c == image.c && input.h == image.h && input.w == image.w)
        return {};
    return badInput("/network/input/shape",
                    "it is " + planesText(input) + ", but the images have the shape " + planesText(image),
                    planesText(image), "change it, or put a resize into /data/transforms");
}

Status checkBatchFits(std::int64_t examples, std::int64_t batch) {
    if (examples >= batch)
        return {};
    return badInput("/training/batch",
                    std::to_string(examples) + " images are left for training, fewer than a batch of " +
                        std::to_string(batch),
                    {}, "choose a smaller batch, or more images");
}

std::vector<std::int64_t> shuffledOrder(std::int64_t count, std::uint64_t seed, std::int64_t epoch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::int64_t i = count - 1; i > 0; --i) { // Fisher and Yates
        const Philox4 words = philox4x32({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32),
                                          kShuffle, static_cast<std::uint32_t>(epoch)},
                                         seed);
        std::swap(order[static_cast<std::size_t>(i)],
                  order[static_cast<std::size_t>(boundedNumber(words.x, i + 1))]);
    }
    return order;
}

} // namespace heteroscope::compute
