// SPDX-License-Identifier: Apache-2.0
#include "compute/data/dataset_memory.h"

#include "compute/base/checked_math.h"
#include "compute/data/data_headers.h"
#include "compute/data/fixed_transforms.h"
#include "compute/data/split.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

/// Of examples of one shape, each with one target.
std::int64_t bytesOf(std::int64_t count, const Shape4& image) {
    const auto elements = image.elements();
    const auto each =
        elements ? checkedMul(saturatingAdd(*elements, 1), std::int64_t{sizeof(float)}) : elements;
    return each ? checkedMul(count, *each).value_or(INT64_MAX) : INT64_MAX;
}

struct Files {
    std::int64_t count = 0;
    Shape4 image;
    std::int64_t rawBytes = 0;
    bool exact = true; ///< the count
};

std::optional<Files> drawnExamples(const ReadRequest& request) {
    return Files{request.test ? request.data.testCount : request.data.count, request.input, 0};
}

std::optional<Files> filesOf(const ReadRequest& request) {
    if (request.data.isDrawn())
        return drawnExamples(request);
    std::optional<HeaderError> fault;
    const auto header = readExamplesHeader(request, fault);
    if (!header)
        return std::nullopt;
    return Files{header->count.value_or(header->aboutCount), header->image, header->rawBytes,
                 header->count.has_value()};
}

} // namespace

DatasetMemory datasetMemory(const ExperimentSpec& pointSpec) {
    const NetworkExperiment& experiment = pointSpec.network;
    const DataSpec& data = experiment.data;
    if (pointSpec.kind != ExperimentKind::Network || !data.isDataset())
        return {};
    const Shape4 input = resolveNetwork(experiment.network, networkRequest(experiment)).input;
    ReadRequest request{data, pointSpec.directory, {1, input.c, input.h, input.w}, false, {}, {}};
    const bool testFiles = hasTestFiles(data, pointSpec.directory);
    const auto training = filesOf(request);
    request.test = true;
    const auto test = testFiles ? filesOf(request) : Files{0, {1, 1, 1, 1}, 0};
    if (!training || !test)
        return {};
    const SplitSizes sizes = splitSizes(data, training->count, testFiles);
    const std::int64_t parts = sizes.training + sizes.validation + sizes.test;
    const std::int64_t testTaken = data.testLimit > 0 ? std::min(data.testLimit, test->count) : test->count;
    const std::int64_t read = bytesOf(training->count, training->image),
                       chosen = bytesOf(parts, training->image), ofTest = bytesOf(testTaken, test->image);
    const Shape4 image = transformedShape(training->image, data.transforms);
    DatasetMemory memory;
    memory.held = bytesOf(saturatingAdd(parts, testTaken), image);
    // The training files as they are read; then the test files beside them; then the parts beside them.
    const std::int64_t beside =
        std::max(saturatingAdd(bytesOf(test->count, test->image), ofTest), saturatingAdd(ofTest, chosen));
    memory.reading =
        std::max({saturatingAdd(read, training->rawBytes), saturatingAdd(read, beside), memory.held});
    if (!(image == training->image)) // the training part is the first that is made anew
        memory.reading = std::max(
            memory.reading, saturatingAdd(saturatingAdd(chosen, ofTest), bytesOf(sizes.training, image)));
    memory.examples = {sizes.training, sizes.validation, saturatingAdd(sizes.test, testTaken),
                       training->exact && test->exact};
    if (experiment.task == Task::Infer) { // as loadDataset() keeps them: the test part, or everything
        ExampleCounts& kept = *memory.examples;
        if (kept.test == 0)
            kept.test = saturatingAdd(kept.training, kept.validation);
        kept.training = kept.validation = 0;
    }
    return memory;
}

} // namespace heteroscope::compute
